"""A place in a game as a page names it: a rulebook, a position to start from, and the moves played since."""

from collections.abc import Sequence
from dataclasses import dataclass

from damas.errors import IllegalMove, UnknownRulebook
from damas.game import Position, Record
from damas.game.game import rests
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.library import builtin_id

APART = "."
"""Between two moves in a URL: no way of writing moves has it."""


def book_named(name: str) -> Rulebook:
    """A rulebook that ships with damas. A visitor never names a file."""
    found = builtin_id(name)
    if not found:
        raise UnknownRulebook(name, rulebook_ids())
    return rulebook(found)


@dataclass(frozen=True)
class Place:
    """Where somebody stands in a game.

    >>> Place.read("brasileira", "", "c3-d4.f6-g5").record.position.fen[:2]
    'W:'
    """

    record: Record

    @classmethod
    def of(cls, book: str, fen: str | None, moves: Sequence[str]) -> "Place":
        """Raises as reading a position and playing moves do."""
        rules = book_named(book)
        record = Record(Position.from_fen(fen, rules) if fen else Position.start(rules))
        for text in moves:
            move = record.position.parse(text)
            if why := rests(record, move):
                raise IllegalMove(why)
            record = record.play(move)
        return cls(record)

    @classmethod
    def read(cls, book: str, fen: str, moves: str) -> "Place":
        """The same out of a URL."""
        return cls.of(book, fen or None, [text for text in moves.split(APART) if text.strip()])

    @property
    def book(self) -> Rulebook:
        return self.record.rulebook
