"""The other Python libraries, installed from the package index into environments of their own, on the same positions.

What is compared: a list of all legal moves with a list of all legal moves; making a move and having the old position
again (`push` and `pop` there, `play` here, where the old position is never gone); reading a FEN in numbers; perft.
Their best of three rounds stands beside our median.
"""

import json
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.from_python import fens, move_lists, plays
from bench.measure import Figure, seconds
from bench.middlegames import BOARDS, sample
from bench.table import Line, Remark
from damas import Position
from damas.notation import fen_in

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".venv-bench"
LIBRARIES = {"py-draughts": ("py-draughts==1.10.1", 6.0), "pydraughts": ("pydraughts==0.6.7", 4000.0)}
"""What pip installs, and how many times faster damas is to give the legal moves."""
PERFT_DEPTHS = {"py-draughts": 5, "pydraughts": 3}


class NoPeer(Exception):
    """The library could not be had; the text says why."""


def lines(rounds: int) -> Iterator[Line | Remark]:
    for library, (requirement, target) in LIBRARIES.items():
        try:
            yield from beside(library, requirement, target, rounds)
        except NoPeer as error:
            yield Remark(f"{library}: not measured. {error}")


def beside(library: str, requirement: str, target: float, rounds: int) -> Iterator[Line | Remark]:
    """Yield how many times faster damas is than one library."""
    theirs = ask(installed(library, requirement), library)
    for board, their in theirs.items():
        ours = [len(position.legal_moves) for position in sample(board).positions]
        differ = sum(one != other for one, other in zip(ours, their["counts"], strict=True))
        if differ:
            yield Remark(f"{library}, {board}: counts other moves in {differ} of {len(ours)} positions")
        legal = move_lists(board, rounds)
        yield ratio(f"legal moves, {board}, beside {library}", their["legal_us"], legal, target)
        yield ratio(f"make a move, {board}, beside {library}", their["make_us"], plays(board, rounds))
        yield ratio(f"read a FEN, {board}, beside {library}", their["fen_us"], fens(board, rounds))
        start = Position.start(BOARDS[board])
        depth = PERFT_DEPTHS[library]
        if start.perft(depth) != their["perft"]:
            yield Remark(f"{library}, {board}: perft {depth} is {their['perft']}, not {start.perft(depth)}")
        deeper = perft_speed(start, rounds)
        speed = their["perft"] / their["perft_s"]
        yield Line(
            f"perft, {board}, beside {library}",
            Figure(deeper.value / speed, deeper.spread),
            "times",
            note=f"{speed / 1e6:.4f} M leaves/s with {deeper.value / 1e6:.0f}",
        )


def perft_speed(start: Position, rounds: int) -> Figure:
    """At the depth from which it does not change any more."""
    return seconds(lambda: start.perft(7), rounds).rate(start.perft(7))


def ratio(what: str, theirs: float, ours: Figure, target: float | None = None) -> Line:
    """Return the line that compares two times in microseconds."""
    note = f"{theirs:,.1f} µs with {ours.value:.2f}"
    return Line(what, Figure(theirs / ours.value, ours.spread), "times", target, note=note)


def installed(library: str, requirement: str) -> Path:
    """Return the Python of an environment that has the library; it is created at the first run."""
    place = FOLDER / library
    python = place / "bin/python"
    stamp = place / f".{requirement}"
    if not stamp.exists():
        venv.create(place, clear=True, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode:
            reason = ran.stderr.strip().splitlines() or ["pip failed"]
            raise NoPeer(f"{requirement} could not be installed from the package index: {reason[-1]}")
        stamp.touch()
    return python


def ask(python: Path, library: str) -> dict[str, Any]:
    """Measure the other library in its own environment."""
    question = {
        "library": library,
        "boards": {
            board: [
                fen_in(p, "numbers" if board == "10x10" else "algebraic") for p in sample(board).positions
            ]
            for board in BOARDS
        },
        "starts": {board: Position.start(book).fen for board, book in BOARDS.items()},
        "depth": PERFT_DEPTHS[library],
    }
    ran = subprocess.run(
        [python, Path(__file__).parent / "peer.py"],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        reason = ran.stderr.strip().splitlines() or ["it said nothing"]
        raise NoPeer(f"it failed: {reason[-1]}")
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer
