"""The opening of a played game as numbers: the key of each of its first positions, and who won."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from damas.board import Color
from damas.game import Move, Position
from damas.notation import SKIP, Skip, Visitor
from damas.notation.pdn.result import Result
from damas.openings.book import NAME_TAGS

MAX_PLIES = 30
"""Plies of a game that count as its opening, unless a caller says otherwise."""


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """The beginning of a finished game."""

    rulebook: str
    keys: tuple[int, ...]
    """The keys of its positions, the first one included."""
    winner: Color | None
    """None for a draw."""
    name: str = ""
    """As its source calls the opening; empty if it does not."""


@dataclass(frozen=True, slots=True)
class SkippedGame:
    """A game that cannot be counted, and a stable code of the reason."""

    reason: str


def position_key(position: Position) -> int:
    """A number of 64 bits, with sign, for a position with its side to move under its rulebook; the same everywhere.

    >>> start = Position.start("brasileira")
    >>> position_key(start) == position_key(start.play("c3-d4"))
    False
    """
    return _signed(position.key ^ _rulebook_bits(position.rulebook.id))


@lru_cache(maxsize=64)
def _rulebook_bits(rulebook: str) -> int:
    return int.from_bytes(blake2b(rulebook.encode(), digest_size=8).digest())


def _signed(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def line_keys(positions: Iterable[Position]) -> tuple[int, ...]:
    """The keys of positions that follow one another."""
    return tuple(map(position_key, positions))


class LineReader(Visitor[PlayedLine | SkippedGame]):
    """Reads the games of a PDN as lines of at most `plies` plies."""

    def __init__(self, plies: int = MAX_PLIES) -> None:
        self._plies = plies

    def begin_game(self, tags: Mapping[str, str]) -> None:
        self._name = ", ".join(tags[tag] for tag in NAME_TAGS if tags.get(tag, "?") != "?")
        self._positions: list[Position] = []

    def begin_moves(self, start: Position) -> None:
        self._positions.append(start)

    def visit_move(self, position: Position, move: Move) -> None:
        if len(self._positions) <= self._plies:
            self._positions.append(position.play(move))

    def begin_variation(self) -> Skip:
        return SKIP

    def end_game(self, result: Result, terminator: Result | None) -> PlayedLine | SkippedGame:  # noqa: ARG002
        if result.meaning not in ("1-0", "0-1", "1/2-1/2"):
            return SkippedGame("NO_RESULT")
        if len(self._positions) < 2:
            return SkippedGame("NO_MOVES")
        book = self._positions[0].rulebook
        return PlayedLine(book.id, line_keys(self._positions), result.winner(book), self._name)
