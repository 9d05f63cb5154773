"""A game as PDN tells it: tags, moves with what annotators add to them, a result. Plain values."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from damas.board import Color
from damas.errors import DamasError
from damas.game import Move, Position
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.result import UNKNOWN, Result
from damas.notation.pdn.tags import own_tags
from damas.notation.schemes import Hint
from damas.rules import Rulebook


@dataclass(frozen=True, slots=True)
class Node:
    """A move and what is said of it.

    Comments are as `clean_comment` leaves them; only so can they be written and read back the same.
    """

    move: Move
    nags: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    clock: Clock | None = None
    variations: tuple["Variation", ...] = ()
    """What could have been played instead of this move."""


@dataclass(frozen=True, slots=True)
class Variation:
    moves: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()
    """Said before its first move."""


@dataclass(frozen=True)
class PdnGame:
    """One game. What it writes, it reads back equal.

    >>> game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"], tags={"White": "Ana"})
    >>> game.final.fen == game.start.play("c3-d4").play("f6-g5").fen
    True
    """

    tags: Mapping[str, str] = field(hash=False)
    """Those that say something of their own. Result, GameType, Rulebook, Notation, FEN and SetUp are said by
    the fields below, and a tag with the value for "unknown" is no tag."""
    start: Position
    moves: tuple[Node, ...]
    result: Result = UNKNOWN
    comments: tuple[str, ...] = ()
    """Said before the first move."""
    terminator: Result | None = None
    """The result behind the last move, where it is another than that of the tag."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", own_tags(self.tags))

    @classmethod
    def of(
        cls,
        start: Position | Rulebook | str,
        moves: Iterable[Move | str] = (),
        *,
        tags: Mapping[str, str] | None = None,
        result: Result = UNKNOWN,
    ) -> Self:
        """A plain game from a position, or from the opening of a rulebook; raises at the first illegal move."""
        first = position = start if isinstance(start, Position) else Position.start(start)
        nodes = []
        for tried in moves:
            move = position.parse(tried) if isinstance(tried, str) else tried
            position = position.play(move)
            nodes.append(Node(move))
        return cls(tags or {}, first, tuple(nodes), result)

    @property
    def rulebook(self) -> Rulebook:
        return self.start.rulebook

    @property
    def winner(self) -> Color | None:
        return self.result.winner(self.rulebook)

    def positions(self) -> Iterator[Position]:
        """The start, and the position after each move of the game itself."""
        position = self.start
        yield position
        for node in self.moves:
            position = position.play(node.move)
            yield position

    @property
    def final(self) -> Position:
        """The position after the last move."""
        position = self.start
        for node in self.moves:
            position = position.play(node.move)
        return position


@dataclass(frozen=True)
class BadGame:
    """A game that could not be read: where, and why. The games around it are not lost."""

    line: int
    """Of the mistake, from 1."""
    game: int
    """Which game of the file it is, from 1; bad games count."""
    error: DamasError
    tags: Mapping[str, str] = field(hash=False)
    """As far as they had been read."""
    hint: Hint | None = None
    """The move it may have meant, if its numbers count from the bottom left."""
    start: Position | None = None
    moves: tuple[Move, ...] = ()
    """The game itself as far as it had been read, if the mistake is its next move."""
    comments: tuple[tuple[str, ...], ...] = ()
    """What was said before its first move, and of each move."""
    rulebook: Rulebook | None = None
    """If it can be told."""


def clean_comment(text: str) -> str:
    """A comment on one line, without the brace that would end it."""
    return " ".join(text.replace("}", ")").split())
