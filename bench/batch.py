"""Arrays of positions in, arrays of their successors out: what people who train models call."""

from array import array
from collections.abc import Iterator

from bench.measure import Figure, seconds
from bench.middlegames import BOARDS, sample
from bench.table import Line
from damas import Position
from damas.game.batch import successors

CODES = {".": 0, "w": 1, "W": 2, "b": -1, "B": -2}
COPIES = 250


def lines(rounds: int) -> Iterator[Line]:
    for board, book in BOARDS.items():
        positions = sample(board).positions
        codes, turns = arrays(positions * COPIES)
        count = len(positions) * COPIES
        children, _, _ = successors(book, codes, turns)
        born = children.shape[0] if children.shape else 0
        batch = seconds(lambda: successors(book, codes, turns), rounds)  # noqa: B023  called before the next round
        one_by_one = seconds(lambda: [p.play(m) for p in positions for m in p.legal_moves], rounds)  # noqa: B023
        gain = one_by_one.value * COPIES / batch.value
        yield Line(
            f"successors of {count:,} positions, {board}",
            Figure(born / batch.value, batch.spread),
            "positions/s",
            note=f"{gain:.1f} times as fast as one by one from Python",
        )


def arrays(positions: list[Position]) -> tuple[memoryview, memoryview]:
    codes = array("b", [CODES[letter] for position in positions for letter in position.diagram])
    turns = array("b", [int(position.black_to_move) for position in positions])
    shape = (len(positions), len(positions[0].diagram))
    return memoryview(codes).cast("B").cast("b", shape), memoryview(turns)
