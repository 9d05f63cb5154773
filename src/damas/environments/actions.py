"""Moves as numbers: one fixed, documented action space for each rulebook.

An action is `(first square * squares + last square) * 4 + tie`. Squares have the one internal index of damas (rows from
White's side, as `rulebook.square_names` lists them), and everything one side does in a turn is one action: a capture of
four pieces too. `tie` parts captures that share both ends and take different pieces. They are numbered 0, 1, 2, 3 by
the squares of what they take, each list ascending and the lists in order, and a move that ends as a man comes before
one that ends as a king.

Should a position have more than four such captures, the surplus (in the same order) takes the highest numbers still
free, counted down from the last. So no legal move is ever without its number, and no two share one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from damas.game import Move
from damas.rules import Rulebook, rulebook

TIES = 4
"""Numbers for captures with the same first and last square."""
Ends = tuple[int, int]
CaptureKey = tuple[tuple[int, ...], bool]
"""Distinguishes captures with the same ends: the squares taken, ascending, and whether a king stands at the end."""


@dataclass(frozen=True)
class Actions:
    """The numbers of a rulebook's moves.

    >>> from damas.game import Position
    >>> actions = Actions.of("brasileira")
    >>> legal = actions.legal(Position.start("brasileira").legal_moves)
    >>> actions.count, legal[(8 * 32 + 12) * 4].text
    (4096, 'a3-b4')
    """

    squares: int

    @classmethod
    def of(cls, book: Rulebook | str) -> "Actions":
        """The actions of a rulebook."""
        book = rulebook(book)
        return cls(len(book.geometry.places))

    @cached_property
    def count(self) -> int:
        """How many actions there are, legal ones being few of them."""
        return self.squares * self.squares * TIES

    def legal(self, moves: Iterable[Move]) -> dict[int, Move]:
        """The action of each legal move of one position, ascending. Give all of them: ties depend on the others."""
        all_moves = list(moves)
        numbers = self.number([((move.origin, move.destination), _capture_key(move)) for move in all_moves])
        return dict(sorted(zip(numbers, all_moves, strict=True)))

    def number(self, moves: list[tuple[Ends, CaptureKey]]) -> list[int]:
        """The actions of the moves of one position, in the order given."""
        numbers = [0] * len(moves)
        taken: set[int] = set()
        surplus = []
        for place in sorted(range(len(moves)), key=moves.__getitem__):
            first, last = moves[place][0]
            action = (first * self.squares + last) * TIES
            tie = 0
            while tie < TIES and action + tie in taken:
                tie += 1
            if tie == TIES:
                surplus.append(place)
            else:
                numbers[place] = action + tie
                taken.add(action + tie)
        last = self.count
        for place in surplus:
            last -= 1
            while last in taken:
                last -= 1
            numbers[place] = last
        return numbers

    def ends(self, action: int) -> Ends:
        """First and last square of an action, unless it is one of a surplus."""
        first, last = divmod(action // TIES, self.squares)
        return first, last


def _capture_key(move: Move) -> CaptureKey:
    return tuple(sorted(move.captured)), move.promotes or move.by_king
