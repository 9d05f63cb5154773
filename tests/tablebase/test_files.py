"""Tables on disk: a damaged file never answers, a killed build goes on, several processes read at once."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from damas import Position, rulebook
from damas.errors import DamagedTable, NoTable, NoTablesForRules
from damas.language import LANGUAGES
from damas.rules import parse
from damas.tablebase import Material, Store, build, canonical_materials, law_of
from damas.tablebase.background import watched
from damas.tablebase.laws import key
from damas.tablebase.verify import verify

KINGS = Material.of_name("KK-K")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Tables up to three pieces and none above, which the folder shared by all tests may have."""
    store = Store(rulebook("brasileira"), tmp_path_factory.mktemp("whole"))
    build(store, 3, threads=2)
    return store


@pytest.fixture
def copy(whole: Store, tmp_path: Path) -> Store:
    """A store of its own, to be damaged."""
    shutil.copytree(whole.folder, tmp_path / whole.folder.name)
    return Store(whole.book, tmp_path)


def some_position() -> Position:
    return Position.from_fen("W:WKa1,Kc1:BKh6", "brasileira")


def damage(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 0x10
    path.write_bytes(content)


def ask_everything(store: Store) -> None:
    """Opens every file and reads every block."""
    for pieces in (2, 3):
        for material in canonical_materials(pieces):
            store.open(material)
            try:
                store.core.check(material.counts, 1)
            except ValueError as error:
                raise DamagedTable(str(error)) from None


def test_a_flipped_bit_anywhere_is_reported(copy: Store, tmp_path: Path):
    path = copy.path(KINGS)
    original = path.read_bytes()
    for at in [*range(0, 140, 3), *range(140, len(original), 211), len(original) - 1]:
        path.write_bytes(original)
        damage(path, at)
        with pytest.raises(DamagedTable, match="KK-K"):
            ask_everything(Store(copy.book, tmp_path))
    path.write_bytes(original)
    ask_everything(Store(copy.book, tmp_path))


@pytest.mark.parametrize("length", [0, 7, 50, 100, -1])
def test_a_file_cut_short_never_answers(copy: Store, length: int):
    path = copy.path(KINGS)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedTable, match="KK-K"):
        copy.code(some_position(), 0)


def test_a_damaged_block_is_named_by_the_probe(copy: Store):
    path = copy.path(KINGS)
    for at in range(300, path.stat().st_size, 400):
        damage(path, at)
    with pytest.raises(DamagedTable, match="block"):
        copy.code(some_position(), 0)


def test_a_damaged_block_stops_a_build_that_needs_it(copy: Store):
    path = copy.path(KINGS)
    damage(path, path.stat().st_size - 50)
    with pytest.raises(DamagedTable, match="KK-K"):
        build(Store(copy.book, copy.folder.parent), 4, threads=1)


def test_a_file_of_another_material_or_other_rules_is_refused(copy: Store, stores):
    shutil.copy(copy.path(Material.of_name("KM-K")), copy.path(KINGS))
    with pytest.raises(DamagedTable, match="material"):
        copy.code(some_position(), 0)
    other = stores("oficial", 3)
    shutil.copy(other.path(KINGS), copy.path(KINGS))
    with pytest.raises(DamagedTable, match="other rules"):
        copy.code(some_position(), 0)


def test_a_file_that_the_manifest_does_not_know_is_named(copy: Store):
    manifest = json.loads(copy.manifest_path.read_text())
    manifest["slices"]["KK-K"]["sha256"] = "0" * 64
    copy.manifest_path.write_text(json.dumps(manifest))
    with pytest.raises(DamagedTable, match="manifest"):
        verify(copy, 3, threads=1)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"slices": 3}', '{"slices": {"K-K": 1}}', "\x00"])
def test_a_damaged_manifest_is_named(copy: Store, content: str):
    copy.manifest_path.write_text(content)
    for ask in (lambda: verify(copy, 3, threads=1), lambda: build(copy, 3), lambda: copy.complete(3)):
        with pytest.raises(DamagedTable, match=r"manifest\.json"):
            ask()


def test_a_file_cut_short_while_it_is_in_use_is_reported(copy: Store):
    """Files are read and not mapped: a block that is gone is an error like any other, and one known still answers."""
    script = (
        "import os, sys; from pathlib import Path\n"
        "from damas import Position, rulebook; from damas.errors import DamagedTable\n"
        "from damas.tablebase import Material, Store\n"
        "store = Store(rulebook('brasileira'), Path(sys.argv[1]))\n"
        "position = Position.from_fen('W:WKa1,Kc1:BKh6', 'brasileira')\n"
        "known = store.code(position, 0)\n"
        "os.truncate(store.path(Material.of_name('KK-K')), 0)\n"
        "assert store.code(position, 0) == known\n"
        "try: store.code(position, 1)\n"
        "except DamagedTable as damage: print(damage.what)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(copy.folder.parent)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran
    assert "KK-K.damastb: is cut short" in ran.stdout


def test_a_file_cut_short_is_made_again_by_the_next_build(copy: Store):
    path = copy.path(KINGS)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    store = Store(copy.book, copy.folder.parent)
    assert not store.complete(3)
    assert build(store, 3, threads=1) == 1
    assert path.read_bytes() == whole
    assert store.code(some_position(), 0) >= 0


def test_a_disk_without_room_is_told_with_the_file_and_nothing_is_left(tmp_path: Path):
    """A limit on the size of files stands for the disk."""
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from damas import rulebook; from damas.tablebase import Store, build\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "try: build(Store(rulebook('brasileira'), Path(sys.argv[1])), 3, threads=1)\n"
        "except OSError as error: print(error.filename)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip().endswith(".new"), (ran.stdout, ran.stderr)
    assert list(tmp_path.rglob("*.damastb"))
    assert not list(tmp_path.rglob("*.new"))


def test_where_nothing_can_be_written_small_tables_are_made_in_memory(tmp_path: Path):
    (tmp_path / "file").write_text("no folder can be made here")
    store = Store(rulebook("brasileira"), tmp_path / "file")
    assert store.code(some_position(), 0) >= 0
    with pytest.raises(OSError, match="file"):
        build(store, 2)


def test_complete_tables_are_asked_without_writing(copy: Store, monkeypatch: pytest.MonkeyPatch):
    module = sys.modules["damas.tablebase.build"]  # the name in the package is the function's
    monkeypatch.setattr(module, "exclusive", lambda folder: pytest.fail(f"locks {folder}"))
    assert build(copy, 3) == 0


class Stoppable:
    """As much of the core's progress as is watched; `stops` counts how often it was told to stop."""

    def __init__(self) -> None:
        self.done = 0
        self.stops = threading.Semaphore(0)

    def stop(self) -> None:
        self.stops.release()


def test_nobody_leaves_while_the_core_is_at_work_however_often_they_interrupt():
    progress, finished = Stoppable(), threading.Event()

    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        assert progress.stops.acquire(timeout=60)
        # Perhaps the first has not been handled to its end: then Python handles these later.
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
        finished.set()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            watched(work, progress, lambda done: None)
        assert finished.is_set()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_files_are_keyed_by_what_the_rules_say_and_not_by_their_name():
    brasileira, faraes = rulebook("brasileira"), rulebook("faraes")
    assert key(brasileira) != key(faraes)
    assert key(rulebook("russa")) != key(rulebook("brasileira-64"))
    text = brasileira_as("minha")
    assert key(parse(text)) == key(brasileira)
    assert key(parse(text.replace("limit = 20", "limit = 21", 1))) != key(brasileira)


OTHER_LIMIT = """
id = "other"
rule = "limit"
article = ""
limit = 30
counts = "each"
endings = ["KK-K"]
starts = "entry"
while = "always"
resets = ["capture", "promotion"]
claim = "automatic"
decides = "draw"

[[draw]]
id = "twenty-moves\""""


def test_the_key_knows_which_rule_another_gives_way_to():
    """`off_during` names a rule: two rulebooks that name different ones do not share tables."""
    from damas.rules import to_toml

    text = to_toml(rulebook("portuguesa-fpd")).replace('id = "portuguesa-fpd"', 'id = "casa"', 1)
    text = text.replace('\nid = "twenty-moves"', OTHER_LIMIT, 1)
    one = parse(text)
    other = parse(text.replace('off_during = "forcada"', 'off_during = "other"', 1))
    kings = Material.of_name("KKK-K")
    assert law_of(one, kings) != law_of(other, kings)
    assert key(one) != key(other)
    renamed = text.replace('"forcada"', '"forçada-da-casa"')
    assert key(parse(renamed)) == key(one)


def brasileira_as(name: str) -> str:
    from damas.rules import to_toml

    return to_toml(rulebook("brasileira")).replace('id = "brasileira"', f'id = "{name}"', 1)


def test_house_rules_have_tables_too(tmp_path: Path):
    text = brasileira_as("minha").replace("flying_king = { value = true", "flying_king = { value = false", 1)
    text = text.replace('king_landing = { value = "any"', 'king_landing = { value = "behind"', 1)
    store = Store(parse(text), tmp_path)
    build(store, 3, threads=2)
    assert not verify(store, 3, threads=2).faults
    assert store.key != key(rulebook("brasileira"))


def test_the_same_rules_give_the_same_bytes_on_any_number_of_threads(tmp_path: Path):
    builds = []
    for threads in (1, 3):
        store = Store(rulebook("portuguesa"), tmp_path / str(threads))
        build(store, 3, threads=threads)
        builds.append({path.name: path.read_bytes() for path in store.folder.glob("*.damastb")})
    assert builds[0] == builds[1]
    assert len(builds[0]) == 3 + 6


def test_small_tables_are_made_when_first_needed_and_larger_ones_asked_for(tmp_path: Path):
    store = Store(rulebook("brasileira"), tmp_path)
    assert store.code(some_position(), 0) >= 0
    five = Position.from_fen("W:WKa1,Kc1,Ke1:BKh6,Kh8", "brasileira")
    with pytest.raises(NoTable) as caught:
        store.code(five, 0)
    assert "damas tb build -r brasileira --pieces 5" in caught.value.sentence("en")


@pytest.mark.parametrize("book_id", ["brasileira", "internacional"])
def test_more_pieces_than_any_table_has_are_refused_without_advice(tmp_path: Path, book_id: str):
    store = Store(rulebook(book_id), tmp_path)
    for language in LANGUAGES:
        with pytest.raises(NoTable) as caught:
            store.code(Position.start(book_id), 0)
        assert "tb build" not in caught.value.sentence(language)
    with pytest.raises(NoTable):
        build(store, 8)


def test_a_material_of_more_arrangements_than_can_be_numbered_is_refused(tmp_path: Path):
    """Four kings against three on the larger board: more than 32 bits can number, and no silent overflow."""
    from damas import _core
    from damas.tablebase.laws import count_for_core

    store = Store(rulebook("internacional"), tmp_path)
    none = count_for_core(store.book, None)
    store.core.declare((0, 4, 0, 3), none, False, none, 0, False, False, False)
    with pytest.raises(ValueError, match="number"):
        store.core.solve((0, 4, 0, 3), 1, _core.Progress())


@pytest.mark.parametrize("book_id", ["turca", "canadense"])
def test_boards_without_tables_say_so(book_id: str):
    with pytest.raises(NoTablesForRules) as caught:
        Store(rulebook(book_id))
    assert book_id in caught.value.sentence("pt-BR")


def test_a_killed_build_goes_on_where_it_was(stores, tmp_path: Path):
    command = [
        sys.executable,
        "-m",
        "damas",
        "tb",
        "build",
        "-r",
        "brasileira",
        "--pieces",
        "4",
        "--threads",
        "1",
    ]
    command += ["--folder", str(tmp_path)]
    folder = tmp_path / key(rulebook("brasileira")).hex()[:16]
    killed = False
    while not killed:  # again if it was done before the signal came
        shutil.rmtree(folder, ignore_errors=True)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while process.poll() is None and not (folder / "KKK-K.damastb").exists():
                time.sleep(0.005)
        finally:
            process.kill()
            killed = process.wait() == -signal.SIGKILL
    there = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.damastb")}
    (folder / "MM-MM.damastb.1.new").write_bytes(b"half of it")
    assert 0 < len(there) < 23, "it was killed in the middle"
    ran = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["made"] == 23 - len(there)
    assert all((folder / name).stat().st_mtime_ns == when for name, when in there.items())
    unbroken = stores("brasileira", 4).folder
    assert {path.name for path in folder.glob("*.damastb")} <= {path.name for path in unbroken.iterdir()}
    for path in folder.glob("*.damastb"):
        assert path.read_bytes() == (unbroken / path.name).read_bytes()
    assert not list(folder.glob("*.new"))


def test_several_processes_read_while_another_builds(tmp_path: Path):
    """Each builds what it needs, takes its turn, and all agree."""
    script = (
        "import sys; from damas import Position, tablebase\n"
        "p = Position.from_fen('W:WKa1,Kc1,Ke1:BKh6', 'faraes')\n"
        "found = tablebase.probe(p)\n"
        "print(found.verdict.name, found.verdict.plies, [m.move.text for m in found.moves])\n"
    )
    env = os.environ | {"DAMAS_TABLEBASES": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    answers = {process.communicate()[0] for process in processes}
    assert all(process.returncode == 0 for process in processes)
    assert len(answers) == 1
    assert answers.pop().startswith("win 7 ")
