"""Many positions at once, as arrays: for those who train models."""

from typing import Any

from damas import _core
from damas.game.core import rules_of
from damas.rules import Rulebook, rulebook


def successors(book: Rulebook | str, codes: Any, turns: Any) -> tuple[memoryview, memoryview, memoryview]:
    """Every position one legal move further, for arrays of positions.

    `codes` has one row a position and one column a square (`rulebook.square_names` order) of small signed integers:
    0 empty, 1 and 2 White's man and king, -1 and -2 Black's. `turns` has one number a position: 0 White, 1 Black to
    move. Both are int8 arrays of any library that shares its memory: numpy, torch, `memoryview(…).cast`.

    Returns three arrays that such a library takes without copying: the successors' rows, for each the row of its
    parent, and the first and last square of its move. Setups are not checked.

    >>> from array import array
    >>> start = memoryview(array("b", [1] * 12 + [0] * 8 + [-1] * 12)).cast("B").cast("b", (1, 32))
    >>> children, parents, ends = successors("brasileira", start, memoryview(array("b", [0])))
    >>> children.shape, list(parents), ends.tolist()[0]
    ((7, 32), [0, 0, 0, 0, 0, 0, 0], [8, 12])
    """
    book = rulebook(book) if isinstance(book, str) else book
    children, parents, ends = _core.successors(rules_of(book), codes, turns)
    return children, parents, ends
