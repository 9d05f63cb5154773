"""A position in a game as a page names it: a rulebook, a start position, and the moves since."""

from collections.abc import Sequence
from dataclasses import dataclass

from damas.errors import IllegalMove, UnknownRulebook
from damas.game import Position, Record
from damas.game.game import rests
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.library import builtin_id

SEPARATOR = "."
"""Separator of moves in a URL; no notation uses it."""


def book_named(name: str) -> Rulebook:
    """A built-in rulebook; visitors may not name files."""
    book_id = builtin_id(name)
    if not book_id:
        raise UnknownRulebook(name, rulebook_ids())
    return rulebook(book_id)


@dataclass(frozen=True)
class Place:
    """A position in a game, with the moves that led there.

    >>> Place.read("brasileira", "", "c3-d4.f6-g5").record.position.fen[:2]
    'W:'
    """

    record: Record

    @classmethod
    def of(cls, book: str, fen: str | None, moves: Sequence[str]) -> "Place":
        """Raises `DamasError` for a bad position or move."""
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
        """The same from the parts of a URL."""
        return cls.of(book, fen or None, [text for text in moves.split(SEPARATOR) if text.strip()])

    @property
    def book(self) -> Rulebook:
        return self.record.rulebook
