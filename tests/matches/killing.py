"""Kills a tournament with SIGKILL at moments drawn by a seed, starts it again, and compares it with a quiet run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from damas.tournaments import journal
from damas.tournaments.tournament import read_standings

PROGRAM = Path(__file__).with_name("playing.py")
PATIENCE = 300


def play(folder: Path, games: int) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"PYTHONPATH": str(PROGRAM.parents[1])}
    return subprocess.Popen([sys.executable, PROGRAM, str(folder), str(games)], env=environment)


def finished(folder: Path) -> int:
    try:
        return (folder / journal.JOURNAL).read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def table(folder: Path) -> tuple[object, ...]:
    """Everything that must be the same: the players' rows and each game's result."""
    _, standings = read_standings(folder)
    rows = [row.as_json() for row in standings.rows]
    games = {name: (game.points, game.reason, game.plies) for name, game in standings.games.items()}
    return rows, games, standings.due


def killed_and_quiet(folder: Path, games: int, kills: int, seed: int) -> tuple[object, object, int]:
    """The two tables, and how many times the run was cut off in the middle."""
    chance = Random(seed)
    total = 6 * games
    marks = sorted(chance.sample(range(1, total - 4), kills))
    cut, cuts = folder / "killed", 0
    seen: list[bytes] = []
    for mark in [*marks, None]:
        process = play(cut, games)
        until = time.monotonic() + PATIENCE
        while process.poll() is None and (mark is None or finished(cut) < mark):
            assert time.monotonic() < until, "it does not come to its end"
            time.sleep(0.002)
        if mark is not None and process.poll() is None:
            time.sleep(chance.random() * 0.02)
            process.send_signal(signal.SIGKILL)
            cuts += 1
        process.wait(PATIENCE)
        now = (cut / journal.JOURNAL).read_bytes()
        whole = now[: now.rfind(b"\n") + 1]
        assert not seen or whole.startswith(seen[-1]), "what was written down stays"
        seen.append(whole)
    assert process.returncode == 0
    quiet = play(folder / "quiet", games)
    assert quiet.wait(PATIENCE) == 0
    return table(cut), table(folder / "quiet"), cuts
