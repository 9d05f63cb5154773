"""Many positions and games at once, as arrays: for those who train models."""

from typing import Any, Self

from damas import _core
from damas.game.core import rules_of
from damas.game.laws import laws_of
from damas.game.position import Position
from damas.rules import DrawRule, Rulebook, rulebook


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
    book = rulebook(book)
    children, parents, ends = _core.successors(rules_of(book), codes, turns)
    return children, parents, ends


class BatchLaws:
    """The laws of many games that advance together. Platform rules act, and no limit waits for a claim that it could
    be applied without.
    """

    def __init__(self, start: Position, games: int) -> None:
        book, laws = start.rulebook, laws_of(start.rulebook)
        self._batch = _core.GameBatch(start, laws, games)
        self.rules: list[DrawRule] = []
        """The draw rules that end a game without a claim, in the order of the rulebook's file."""
        self._numbers: list[int] = []
        for number, rule in enumerate(book.draws):
            if not laws.waits_for_claim(number, claims=False):
                self.rules.append(rule)
                self._numbers.append(number)

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, _batch=self._batch.copy())
        return other

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError(
            "the laws of many games cannot be pickled: send the moves, or copy within the process"
        )

    def play(self, codes: Any, turns: Any, origins: Any, destinations: Any, restarted: Any) -> None:
        """One move in each game: the board and the turn after it (as in `successors`), and its first and last square
        (uint8); or, where `restarted`, the game begins anew.
        """
        self._batch.play(codes, turns, origins, destinations, restarted)

    def ended_by(self) -> memoryview:
        """For each game the rulebook's number of the draw rule that ends it, -1 where none does."""
        return self._batch.ended_by(platform_rules=True, wait_for_claims=False)

    def counts(self) -> dict[DrawRule, memoryview]:
        """How far each of `rules` has run in each game, -1 where it has nothing to count."""
        return {
            rule: self._batch.count(number) for rule, number in zip(self.rules, self._numbers, strict=True)
        }

    def resting_kings(self) -> memoryview:
        """For each game the square of the king that may make no simple move now, or -1."""
        return self._batch.resting_kings()
