"""The process that plays a tournament: it ends when the server is gone, and whoever comes next goes on."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from damas.server.arena.child import BUSY, NICE, Boards
from damas.tournaments.journal import Journal, pause, read, unpause
from damas.tournaments.settings import Entry, Settings

PLAYERS = (Entry("random", "random"), Entry("greedy", "greedy"), Entry("level 4", "level:4"))

GAMES = 60
"""Of each pair: more than are over before the process is told to end."""


def started(place: Path, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "damas.server.arena.child", str(folder), "1"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=place, text=True,
    )  # fmt: skip


def wait_for(process: subprocess.Popen[str], kind: str) -> dict[str, object]:
    assert process.stdout
    for line in process.stdout:
        message: dict[str, object] = json.loads(line)
        if message["kind"] == kind:
            return message
    raise AssertionError(f"it ended with {process.wait()} and told no {kind}")


def ended(process: subprocess.Popen[str]) -> int:
    assert process.stdin and process.stdout
    process.stdin.close()
    process.stdout.read()
    process.stdout.close()
    return process.wait(60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    settings = Settings(PLAYERS, "concurso", games=GAMES, control="2s/move", title="Liga")
    Journal.create(tmp_path / "one", settings).close()
    return tmp_path / "one"


def test_it_ends_with_the_server_and_another_goes_on(tmp_path: Path, folder: Path) -> None:
    first = started(tmp_path, folder)
    wait_for(first, "over")
    if hasattr(os, "getpriority"):
        assert os.getpriority(os.PRIO_PROCESS, first.pid) >= NICE
    second = started(tmp_path, folder)
    assert ended(second) == BUSY
    assert ended(first) == 0  # as when the server is killed: all it sees is that its input has ended
    before = len(read(folder)[1])
    assert 0 < before < 3 * GAMES
    third = started(tmp_path, folder)
    wait_for(third, "over")
    assert ended(third) == 0
    assert before < len(read(folder)[1]) < 3 * GAMES


def test_it_plays_to_the_end(tmp_path: Path) -> None:
    Journal.create(tmp_path / "two", Settings(PLAYERS, "concurso", games=2, control="2s/move")).close()
    process = started(tmp_path, tmp_path / "two")
    message = wait_for(process, "finished")
    assert message["done"] == message["total"] == len(read(tmp_path / "two")[1]) == 6
    assert ended(process) == 0


def test_a_paused_tournament_holds_no_process(tmp_path: Path, folder: Path) -> None:
    process = started(tmp_path, folder)
    wait_for(process, "begun")
    pause(folder)
    watch = threading.Timer(60, process.kill)
    watch.start()
    assert process.stdout
    kinds = [json.loads(line)["kind"] for line in process.stdout]
    watch.cancel()
    assert process.wait(60) == 0 and kinds.count("over") >= 1 and "finished" not in kinds
    unpause(folder)
    ended(process)


def test_boards_follow_the_record_and_stay_where_a_move_was_not_legal() -> None:
    boards = Boards("concurso")
    start = {"kind": "started", "n": 0, "fen": "W:Wc3:Bf6"}
    first = boards.message("g", json.dumps(start), 1.0)
    assert first and first["fen"] == "W:Wc3:Bf6" and first["last"] is None
    moved = {"kind": "moved", "n": 1, "move": "c3-d4"}
    message = boards.message("g", json.dumps(moved), 2.0)
    assert message and message["last"]["route"] and message["ply"] == 1
    assert boards.message("g", json.dumps({"kind": "moved", "n": 2, "move": "9,9 8,8"}), 3.0) is None
    assert boards.message("other", json.dumps(moved), 4.0) is None
