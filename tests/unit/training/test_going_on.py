"""Stages that are run again, broken off or run side by side: nothing of another run is taken for one's own."""

import json
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from training import campaign, gate, generate, ladder, progress, shards, train
from training.writing import whole_file, write_text

from damas import _core
from damas.engine import levels
from damas.game.core import rules_of
from damas.rules import rulebook

ROOT = Path(__file__).resolve().parents[3]
NETWORKS = ROOT / "src/damas/engine/networks"
SOON = 30
needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not here")

BRASILEIRA = rules_of(rulebook("brasileira"))
ORIGIN = shards.Origin(
    rulebook="brasileira",
    rules=_core.rules_fingerprint(BRASILEIRA),
    network="material",
    nodes=1000,
    seed=1,
    first_game=0,
    games=100_000,
    record_bytes=_core.record_bytes(BRASILEIRA),
    random=(6, 12),
    fair=200,
    threatened=False,
    tables=0,
)
"""Games that would take hours."""
WORDS = ("-r", "brasileira", "--games-a-shard", "100000", "--threads", "1")


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a stage here: its exit code, and what it told."""

    def run(stage, *words):
        monkeypatch.setattr(sys, "argv", [stage.__name__, *map(str, words)])
        try:
            code = stage.main()
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().err

    return run


@pytest.fixture
def shard(tmp_path):
    """One shard of one position."""
    path = tmp_path / "00000.pos"
    shards.write(path, ORIGIN, bytes(ORIGIN.record_bytes), {"positions": 1})
    return path


# --- files ---------------------------------------------------------------------------------


def test_a_file_that_was_not_finished_leaves_the_one_before(tmp_path):
    path = tmp_path / "card.json"
    write_text(path, "before")

    def break_off():
        with whole_file(path) as unfinished:
            unfinished.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert [(found.name, found.read_text()) for found in tmp_path.iterdir()] == [("card.json", "before")]


# --- games ---------------------------------------------------------------------------------


def test_shards_of_the_same_words_are_kept(run, shard):
    before = shard.read_bytes()
    assert run(generate, *WORDS, "--positions", "1", "--out", shard.parent) == (0, "")
    assert [path.read_bytes() for path in shard.parent.iterdir()] == [before]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-r", "portuguesa"), "rulebook brasileira, not portuguesa"),
        (("--network", "shipped"), "network material, not "),
        (("--nodes", "500"), "nodes 1000, not 500"),
        (("--seed", "2"), "seed 1, not 2"),
        (("--games-a-shard", "64"), "games 100000, not 64"),
        (("--random", "4", "9"), "random [6, 12], not [4, 9]"),
        (("--fair", "100"), "fair 200, not 100"),
        (("--threatened",), "threatened False, not True"),
        (("--tables", "2"), "tables 0, not 2"),
    ],
)
def test_shards_of_other_words_are_refused(run, shard, words, said):
    code, told = run(generate, *WORDS, "--positions", "1", *words, "--out", shard.parent)
    assert (code, told.count("\n")) == (2, 1)
    assert f"{shard} was played with other words" in told and said in told


def test_what_is_no_shard_is_refused(run, shard):
    shard.write_text("no shard")
    code, told = run(generate, *WORDS, "--out", shard.parent)
    assert (code, told.count("\n")) == (2, 1) and "is no shard" in told


def test_games_that_are_interrupted_end_at_once_and_leave_whole_shards(shard):
    before = shard.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-m", "training.generate", *WORDS, "--out", str(shard.parent)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            wait_until_it_plays(process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=SOON)
        finally:
            process.kill()  # it would play on for hours
    assert (process.returncode, out, err.count("\n")) == (130, "", 1), err
    assert "stopped" in err
    assert [path.read_bytes() for path in shard.parent.iterdir()] == [before]


def wait_until_it_plays(process):
    """One thread for signals, one that waits for the games, one that plays them."""
    tasks = Path(f"/proc/{process.pid}/task")
    until = time.monotonic() + SOON
    while tasks.exists() and len(list(tasks.iterdir())) < 3:
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(0.3 if tasks.exists() else 5)


@pytest.mark.parametrize(
    ("have", "wanted", "a_shard", "end"),
    [(0, 2000, 400_000, 400_000), (300, 1000, 300, 1200), (900, 1000, 300, 1200), (1200, 1000, 300, 1200)],
)
def test_the_shard_in_hand_is_counted_to_its_end(have, wanted, a_shard, end):
    assert generate.expected_end(have, wanted, a_shard) == end


def test_the_bar_tells_how_much_of_the_shard_is_played(run, tmp_path, monkeypatch):
    """One position is asked for, and half of the games are played when the bar is looked at."""

    class Watch:
        done = 0

    def half_of_the_games(*_, watch, games, **__):
        watch.done = games // 2
        time.sleep(1.2)
        return b"", {"positions": 700}

    shown = []

    class Bar(progress.Bar):
        def show(self, done, more="", *, last=False):
            shown.append((done / self.total, last))

    monkeypatch.setattr(generate, "Bar", Bar)
    monkeypatch.setattr(generate._core, "Watch", Watch)
    monkeypatch.setattr(generate._core, "harvest", half_of_the_games)
    words = ("-r", "brasileira", "--positions", "1", "--games-a-shard", "64", "--out", tmp_path)
    assert run(generate, *words)[0] == 0
    assert shown[0] == (0.5, False) and shown[-1] == (1.0, True)


def test_a_bar_that_has_not_moved_does_not_say_how_long(capsys):
    progress.Bar("games", 10, every=0).show(0)
    assert "? s left" in capsys.readouterr().err


# --- proofs --------------------------------------------------------------------------------


@pytest.fixture
def learned(tmp_path):
    """What a campaign has left that was broken off before its proof."""
    folder = tmp_path / "learned0"
    folder.mkdir()
    shutil.copy(NETWORKS / "brasileira.net", folder)
    card = json.loads((NETWORKS / "brasileira.json").read_text(encoding="utf-8"))
    write_text(folder / "brasileira.json", json.dumps(card | {"sprt": []}))
    return folder / "brasileira.net"


def proofs(network):
    return json.loads(network.with_suffix(".json").read_text(encoding="utf-8"))["sprt"]


def test_a_campaign_proves_what_was_not_proved(run, learned):
    words = ("-r", "brasileira", "--pairs", "1", "--gate-nodes", "20", "--threads", "1")
    for _ in range(2):
        assert run(campaign, *words, "--out", learned.parent.parent)[0] == 0
        assert [proof["against"] for proof in proofs(learned)] == ["material"]


@pytest.mark.parametrize("card", [None, '{"checksum": "0"}'])
def test_a_network_without_its_own_card_is_made_again(run, learned, card, monkeypatch):
    learned.with_suffix(".json").unlink()
    if card:
        write_text(learned.with_suffix(".json"), card)

    def stage(name, *words, fine=(0,)):
        raise SystemExit(name)

    monkeypatch.setattr(campaign, "stage", stage)
    monkeypatch.setattr(campaign, "need_torch", lambda parser: None)
    assert run(campaign, "-r", "brasileira", "--out", learned.parent.parent)[0] == "generate"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--player", "none.net"), "none.net is not there"),
        (("--player", NETWORKS / "brasileira.json"), "is no network"),
        (("--player", NETWORKS / "internacional.net"), "is a network of another board"),
        (("--from", "none.pt"), "none.pt is not there"),
        (("--from", NETWORKS / "internacional.net"), "is a network of another board"),
        (("--out", "/proc/x"), "/proc/x: "),
        (("--deliver", "/proc/x"), "/proc/x: "),
        (("--deliver", __file__), f"{__file__}: Not a directory"),
    ],
)
def test_a_campaign_tells_what_a_later_stage_lacks_before_its_games(run, tmp_path, monkeypatch, words, said):
    def stage(name, *words, fine=(0,)):
        raise SystemExit(name)

    monkeypatch.setattr(campaign, "stage", stage)
    monkeypatch.setattr(campaign, "need_torch", lambda parser: None, raising=False)
    code, told = run(campaign, "-r", "brasileira", "--out", tmp_path / "out", *words)
    assert (code, told.count("\n")) == (2, 1) and said in told


def test_a_proof_is_added_to_the_card_as_it_is_after_the_games(run, learned, monkeypatch):
    play = _core.pairs

    def meanwhile(*args, **words):
        write_text(learned.with_suffix(".json"), json.dumps({"sprt": [{"against": "another"}]}))
        return play(*args, **words)

    monkeypatch.setattr(gate._core, "pairs", meanwhile)
    words = ("-r", "brasileira", "--nodes", "20", "--pairs", "1", "--threads", "1", "--card")
    assert run(gate, learned, *words)[0] in (0, 1)
    assert [proof["against"] for proof in proofs(learned)] == ["another", "material"]


# --- the ladder ----------------------------------------------------------------------------


@pytest.mark.parametrize("changed", [None, "level", "network_for", "ballot"])
def test_a_meeting_is_kept_if_nothing_it_depends_on_has_changed(tmp_path, monkeypatch, changed):
    monkeypatch.setattr(ladder, "ballot", lambda book, seed: "openings")
    meeting = ("brasileira", ladder.GREEDY, 1, 1, 1, str(tmp_path))
    path = tmp_path / "brasileira-1-0.json"
    write_text(path, json.dumps(ladder.meet(*meeting) | {"kept": True}))
    others = {
        "level": lambda number: replace(levels.level(number), noise=1),
        "network_for": lambda book: None,
        "ballot": lambda book, seed: "others",
    }
    if changed:
        monkeypatch.setattr(ladder, changed, others[changed])
    assert ladder.meet(*meeting).get("kept", False) is (changed is None)


# --- learning ------------------------------------------------------------------------------

LEARN = ("--epochs", "1", "--batch", "64", "--device", "cpu")


@pytest.fixture
def games(run, tmp_path):
    """So few that none are held out."""
    few = ("--positions", "1", "--nodes", "20", "--threads", "1", "--games-a-shard", "1")
    assert run(generate, "-r", "brasileira", *few, "--out", tmp_path / "games")[0] == 0
    return tmp_path / "games"


@needs_torch
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--blend", "0.1"), "blend 0.7, not 0.1"),
        (("--rate", "0.1"), "rate 0.001, not 0.1"),
        (("--batch", "32"), "batch 64, not 32"),
        (("--seed", "5"), "seed 1, not 5"),
        (("--scale", "200"), "scale None, not 200.0"),
        (("--epochs", "2"), "epochs 1, not 2"),
        (("--from", NETWORKS / "brasileira.net"), "from None, not "),
    ],
)
def test_what_was_learned_with_other_words_is_refused(run, games, words, said):
    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    before = (out / "training.json").read_bytes()
    code, told = run(train, games, "--out", out, *LEARN, *words)
    assert (code, told.count("\n")) == (2, 1)
    assert said in told and "another --out, or delete it" in told
    assert (out / "training.json").read_bytes() == before


@needs_torch
def test_the_same_words_go_on_and_the_unit_is_not_one_of_them(run, games):
    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    weights = (out / "state.pt").read_bytes()
    assert run(train, games, "--out", out, *LEARN, "--unit", "100")[0] == 0
    assert (out / "state.pt").read_bytes() == weights
    card = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert (card["scale"], card["training"]["seed"], len(card["training"]["learned"])) == (100.0, 1, 1)
    assert not list(out.glob("*.part"))


@needs_torch
def test_learning_that_was_broken_off_ends_as_if_it_had_not_been(run, games, monkeypatch):
    from training import learning

    whole, broken = games.parent / "whole", games.parent / "broken"
    words = (*LEARN, "--epochs", "2")
    assert run(train, games, "--out", whole, *words)[0] == 0
    keep = learning.keep

    def keep_one(path, values):
        keep(path, values)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken_off:
        broken_off.setattr(learning, "keep", keep_one)
        with pytest.raises(KeyboardInterrupt):
            run(train, games, "--out", broken, *words)
    assert not (broken / "training.json").exists()
    assert run(train, games, "--out", broken, *words)[0] == 0
    one, other = (
        json.loads((out / "training.json").read_text(encoding="utf-8"))["training"]["learned"]
        for out in (whole, broken)
    )
    assert one == other and len(one) == 2


@needs_torch
def test_weights_that_cannot_be_written_are_told_by_their_path(run, games):
    from training import quantise

    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    (out / "weights.pt").rename(out / "kept.pt")
    (out / "weights.pt").mkdir()
    code, told = run(train, games, "--out", out, *LEARN)
    assert code == 2 and told.endswith(f"{out / 'weights.pt'}: Is a directory\n")
    (out / "weights.pt").rmdir()
    (out / "kept.pt").rename(out / "weights.pt")
    code, told = run(quantise, out, "--out", games / "00000.pos" / "x.net")
    assert code == 2 and told.endswith(f"{games / '00000.pos'}: Not a directory\n")


@needs_torch
def test_a_network_comes_after_its_card_even_if_nothing_was_held_out(run, games, monkeypatch):
    from training import integers, quantise

    out = games.parent
    assert run(train, games, "--out", out, *LEARN)[0] == 0
    network, card = out / "new.net", out / "new.json"
    words = (out, "--out", network, "--data", games)

    def killed(*_):
        raise KeyboardInterrupt

    for last in ("compare", "write_text"):
        with monkeypatch.context() as broken_off:
            broken_off.setattr(integers, last, killed)
            with pytest.raises(KeyboardInterrupt):
                run(quantise, *words)
        assert not network.exists() and not card.exists()
    assert run(quantise, *words)[0] == 0
    told = json.loads(card.read_text(encoding="utf-8"))
    assert told["integers"] == {"positions": 0}
    assert told["checksum"] == f"{_core.Network.read(network.read_bytes()).checksum:016x}"


@needs_torch
@pytest.mark.parametrize(
    ("size", "all_squares", "pieces"), [(8, False, 24), (10, False, 40), (12, False, 60), (8, True, 32)]
)
def test_the_first_sums_hold_all_pieces_of_the_start(size, all_squares, pieces):
    import torch
    from training.integers import fits
    from training.model import FIRST, Shape

    shape = Shape(size, all_squares)
    bias = torch.zeros(FIRST, dtype=torch.int64)
    most = torch.full((shape.inputs, FIRST), 32767 // pieces)
    fits(most, bias, shape)
    with pytest.raises(SystemExit, match="more than int16 holds"):
        fits(most + 1, bias, shape)
