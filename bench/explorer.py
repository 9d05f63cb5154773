"""Opening statistics: questions to a file of a million positions."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from bench.measure import Figure
from bench.table import Line, Remark
from damas import Color, Position
from damas.openings.explorer import Explorer
from damas.openings.gathering import Games, Gathering
from damas.openings.lines import MAX_PLIES, PlayedLine, line_keys

BOOK = "brasileira"
POSITIONS_OF_GAME = 20
"""New positions that a random game brings, at least."""
QUESTIONS = 2_000
TARGET_MS = 5.0


def lines(positions: int) -> Iterator[Line | Remark]:
    """How long the file takes to build, and what a question takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "explorer.db")
        games = positions // POSITIONS_OF_GAME
        source = Games("random", lambda first: (random_line(number)[1] for number in range(first, games)))
        began = time.thread_time()
        with closing(Gathering(path)) as gathering:
            gathering.gather(source)
            gathering.finish()
        took = time.thread_time() - began
        with Explorer(path) as explorer:
            yield Remark(f"{explorer.contents().positions:,} positions, {path.stat().st_size >> 20} MiB")
            yield Line(f"build it from {games:,} games", Figure(took), "s")
            yield from _questions(explorer, games)


def _questions(explorer: Explorer, games: int) -> Iterator[Line]:
    rng, taken = Random(7), []
    for _ in range(QUESTIONS):
        positions = random_line(rng.randrange(games))[0]
        position = rng.choice(positions)
        began = time.thread_time()
        explorer.names(position)
        explorer.moves(position)
        taken.append(1000 * (time.thread_time() - began))
    taken.sort()
    for share in (0.5, 0.99):
        figure = Figure(taken[int(share * len(taken))])
        yield Line(
            f"moves and names of a position, p{share * 100:.0f}", figure, "ms", TARGET_MS, at_most=True
        )


def random_line(number: int) -> tuple[list[Position], PlayedLine]:
    """A random game of a number, always the same."""
    rng, positions = Random(f"explorer/{number}"), [Position.start(BOOK)]
    while len(positions) <= MAX_PLIES and (moves := list(positions[-1].legal_moves)):
        positions.append(positions[-1].play(rng.choice(moves)))
    winner = rng.choice([Color.WHITE, None, Color.BLACK])
    return positions, PlayedLine(BOOK, line_keys(positions), winner)
