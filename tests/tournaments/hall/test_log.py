"""The file of a tournament: chained, on disk before it counts, and whole after a kill."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from damas.errors import DamagedTournament, TournamentRefused
from damas.tournaments.hall import Conditions, Entered, EventLog, Person, Published, Scored, Undone, draft
from damas.tournaments.hall.log import load

CONDITIONS = Conditions("Open", "faraes", system="round-robin")
CHILD = """
import sys
from pathlib import Path
from damas.tournaments.hall import EventLog, Published, Scored, draft
from damas.tournaments.hall.pairing import is_over
with EventLog.open(Path(sys.argv[1])) as log:
    print("ready", flush=True)
    while not is_over(log.state):
        if not log.state.rounds or log.state.rounds[-1].is_complete:
            log.add(draft(log.state))
            log.add(Published(len(log.state.rounds)))
        current = log.state.rounds[-1]
        for pair in current.pairs:
            if pair.board not in current.results:
                log.add(Scored(current.number, pair.board, "10="[(pair.board + current.number) % 3]), who="desk")
                print(current.number, pair.board, flush=True)
"""


FULL_DISK = """
import resource, sys
from pathlib import Path
from damas.tournaments.hall import Conditions, Entered, EventLog, Person
path = Path(sys.argv[1])
size = path.stat().st_size if path.exists() else 0
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, size + 10))
try:
    if size:
        with EventLog.open(path) as log:
            log.add(Entered((Person("Late"),)))
    else:
        EventLog.create(path, Conditions("Open", "faraes"))
except OSError as error:
    print(error.filename)
"""


def begin(path: Path, players: int = 4) -> EventLog:
    log = EventLog.create(path, CONDITIONS, who="Ana", at="2026-11-18T16:00:00Z")
    log.add(Entered(tuple(Person(f"P{number}") for number in range(players))), who="Ana")
    return log


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "open.damas"
    with begin(path) as log:
        log.add(draft(log.state), who="Rui", why="first round")
        log.add(Published(1))
        log.add(Undone(4), why="too early")
        state = log.state
    assert load(path) == state
    with EventLog.open(path) as again:
        assert again.state == state
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[2])
    assert (line["n"], line["who"], line["why"], line["kind"]) == (3, "Rui", "first round", "drafted")
    assert len(line["chain"]) == 64 and line["at"].endswith("Z")


def test_a_full_disk_is_said_of_the_file_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    path = tmp_path / "open.damas"

    def refused() -> str:
        command = [sys.executable, "-c", FULL_DISK, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert refused() == str(path) and not path.exists()
    begin(path).close()
    before = path.read_bytes()
    assert refused() == str(path) and path.read_bytes() == before


def test_an_entry_is_on_the_disk_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A killed process leaves what it wrote to the system; against a power cut it takes a sync of the file, and of its folder."""
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda file: synced.append(os.fstat(file).st_size))
    path = tmp_path / "open.damas"
    with begin(path) as log:
        size = path.stat().st_size
        assert synced[-1] == size and len(synced) == 3  # created, its folder, entered
        log.add(draft(log.state))
        assert synced[-1] == path.stat().st_size > size and len(synced) == 4


def test_a_file_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "open.damas"
    begin(path).close()
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        EventLog.create(path, CONDITIONS)
    assert path.read_bytes() == before


def test_a_refused_event_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "open.damas"
    with begin(path) as log:
        before = path.read_bytes()
        with pytest.raises(TournamentRefused):
            log.add(Published(1))
        with pytest.raises(TournamentRefused):  # all or none
            log.add_all([draft(log.state), Published(1), Published(1)])
        assert path.read_bytes() == before and not log.state.rounds
    assert load(path) == log.state


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "open.damas"
    with begin(path) as log:
        state = log.state
    whole = path.read_bytes()
    for torn in (b'{"at":', whole.splitlines()[1]):
        path.write_bytes(whole + torn)
        assert load(path) == state
        with EventLog.open(path) as again:
            again.add(draft(again.state))
        assert len(load(path).rounds) == 1
        path.write_bytes(whole)


@pytest.mark.parametrize("damage", ["change", "move", "remove", "number"])
def test_damage_is_found_at_its_line(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "open.damas"
    with begin(path) as log:
        log.add(draft(log.state))
        log.add(Published(1))
        log.add(Scored(1, 1, "1"))
    lines = path.read_text(encoding="utf-8").splitlines()
    if damage == "change":
        lines[4] = lines[4].replace('"games":"1"', '"games":"0"')
    elif damage == "move":
        lines[3], lines[4] = lines[4], lines[3]
    elif damage == "remove":
        del lines[3]
    else:
        lines[3] = lines[3].replace('"n":4', '"n":5')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DamagedTournament, match=r"line [45]"):
        load(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    for text in ("", "hello\n", "[]\n", "{}\n"):
        (tmp_path / "x").write_text(text)
        with pytest.raises(DamagedTournament):
            load(tmp_path / "x")


def kill_while_entering(folder: Path, kills: int, seed: int) -> int:
    """Kills the process that enters results; every result that it confirmed must be in the file. Returns the kills."""
    random, killed, number = Random(seed), 0, 0
    while killed < kills:
        path = folder / f"{number}.damas"
        number += 1
        begin(path, players=24).close()
        confirmed: dict[tuple[int, int], bool] = {}
        for _ in range(6):
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True
            )
            assert child.stdout and child.stdout.readline() == "ready\n"
            wanted = random.randrange(1, 20)
            for _ in range(wanted):
                if line := child.stdout.readline():
                    confirmed[tuple(map(int, line.split()))] = True  # type: ignore[index]
            child.send_signal(signal.SIGKILL)
            for line in child.stdout:  # what it confirmed before the signal came
                if line.endswith("\n"):
                    confirmed[tuple(map(int, line.split()))] = True  # type: ignore[index]
            killed += child.wait() == -signal.SIGKILL
            child.stdout.close()
            state = load(path)
            entered = {(played.number, board) for played in state.rounds for board in played.results}
            assert set(confirmed) <= entered
            if killed >= kills:
                break
        assert confirmed
    return killed


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_no_confirmed_result_is_lost_by_a_kill(tmp_path: Path) -> None:
    assert kill_while_entering(tmp_path, 3, seed=1) == 3


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_no_confirmed_result_is_lost_by_a_hundred_kills(tmp_path: Path) -> None:
    assert kill_while_entering(tmp_path, 100, seed=2) == 100
