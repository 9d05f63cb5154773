"""Games of PDN as plain values: tags, annotated moves, a result."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from damas.board import Color
from damas.errors import DamasError
from damas.game import Game, Move, Position
from damas.notation.pdn.clock import Clock
from damas.notation.pdn.marks import Mark
from damas.notation.pdn.result import RESULTS, UNKNOWN, Result, result_of
from damas.notation.pdn.tags import first_number as _first_number
from damas.notation.pdn.tags import own_tags
from damas.notation.schemes import Hint
from damas.rules import Rulebook

if TYPE_CHECKING:
    from damas.notation.pdn.tree import Cursor


MAX_NESTED_VARIATIONS = 64
"""Depth of variations within variations; comparing a deeper tree would exhaust the stack."""


@dataclass(frozen=True, slots=True)
class Node:
    """A move with its annotations.

    Comments must be as `clean_comment` leaves them, so that they read back the same.
    """

    move: Move
    nags: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    clock: Clock | None = None
    variations: tuple["Variation", ...] = ()
    """Alternatives to this move."""
    marks: tuple[Mark, ...] = ()
    """Squares and arrows that a comment points out."""


@dataclass(frozen=True, slots=True)
class Variation:
    """A line that could have been played instead of a move."""

    moves: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()
    """Comments before its first move."""


@dataclass(frozen=True)
class PdnGame:
    """A game; written and read back it is equal.

    >>> game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"], tags={"White": "Ana"})
    >>> game.final.fen == game.start.play("c3-d4").play("f6-g5").fen
    True
    """

    tags: Mapping[str, str] = field(hash=False)
    """The tags without Result, GameType, Rulebook, Notation, FEN and SetUp, which follow from the fields below, and
    without unknown values."""
    start: Position
    moves: tuple[Node, ...]
    result: Result = UNKNOWN
    comments: tuple[str, ...] = ()
    """Comments before the first move."""
    terminator: Result | None = None
    """The result after the last move, where it differs from that of the tag."""

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
        """A game without annotations from a position, or from the start of a rulebook; raises at an illegal move.

        Without `result` a tag Result is taken for it.
        """
        first = position = start if isinstance(start, Position) else Position.start(start)
        nodes = []
        for item in moves:
            move = position.parse(item) if isinstance(item, str) else item
            position = position.play(move)
            nodes.append(Node(move))
        return cls(tags or {}, first, tuple(nodes), _known(result, tags))

    @classmethod
    def of_game(cls, game: Game, tags: Mapping[str, str] | None = None) -> Self:
        """A game that was played, with the result that the laws give it; where they give none, that of a tag Result."""
        result = result_of(game.outcome.winner, game.rulebook) if game.outcome else UNKNOWN
        nodes = tuple(Node(move) for move in game.moves)
        return cls(tags or {}, game.record.start, nodes, _known(result, tags))

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game."""
        return self.start.rulebook

    @property
    def first_number(self) -> int:
        """The number of the first move, which need not be 1 after a position that was set up."""
        return _first_number(self.tags)

    @property
    def foreword(self) -> tuple[str, ...]:
        """The comments before the first move that people read: those without commands for programs."""
        return tuple(text for text in self.comments if not text.startswith("[%"))

    @property
    def winner(self) -> Color | None:
        """The winner by the recorded result; None for a draw or an unknown result."""
        return self.result.winner(self.rulebook)

    def positions(self) -> Iterator[Position]:
        """The start and the position after each move of the main line."""
        position = self.start
        yield position
        for node in self.moves:
            position = position.play(node.move)
            yield position

    @property
    def final(self) -> Position:
        """The position after the last move."""
        *_, last = self.positions()
        return last

    @property
    def turn(self) -> Color:
        """The side to move after the last move."""
        return self.final.turn

    # The tree; imported here, as the tree is made of games

    @property
    def root(self) -> "Cursor":
        """The start of the game, from which its tree is walked and edited."""
        from damas.notation.pdn.tree import Cursor

        return Cursor(self)

    @property
    def end(self) -> "Cursor":
        """The place after the last move of the main line."""
        return self.root.end

    def at(self, path: Sequence[int]) -> "Cursor":
        """The place that the `path` of a cursor leads to; raises `ValueError` where the tree has none."""
        from damas.notation.pdn.tree import place_at

        return place_at(self, path)

    def walk(self) -> Iterator["Cursor"]:
        """The place after every move of the tree, in the order in which PDN writes them.

        >>> from damas.notation import read_game
        >>> game = read_game("1. c3-d4 (1. g3-f4 f6-g5) 1... b6-c5 *", "brasileira")
        >>> [cursor.move.text for cursor in game.walk()]
        ['c3-d4', 'g3-f4', 'f6-g5', 'b6-c5']
        """
        return self.root.walk()

    def pdn(self, numbering: str | None = None) -> str:
        """The game as PDN; see `write_game`."""
        from damas.notation.pdn.writer import write_game

        return write_game(self, numbering)

    def _repr_svg_(self) -> str:
        """The board after the last move, in a notebook."""
        return self.end._repr_svg_()


@dataclass(frozen=True)
class BadGame:
    """A game with a mistake: where it is and what is wrong."""

    line: int
    """Number of the line with the mistake, from 1."""
    game: int
    """Number of the game in the file, from 1; bad games count."""
    error: DamasError
    tags: Mapping[str, str] = field(hash=False)
    """The tags read before the mistake."""
    hint: Hint | None = None
    """The move that may be meant, if the numbers count from the bottom left."""
    start: Position | None = None
    moves: tuple[Move, ...] = ()
    """The moves read before the mistake, if the mistake is the next move of the main line."""
    comments: tuple[tuple[str, ...], ...] = ()
    """Comments before the first move, then those on each move."""
    rulebook: Rulebook | None = None
    """None where the tags name none."""
    column: int = 1
    """Column of the mistake in its line, from 1."""

    def __str__(self) -> str:
        return f"game {self.game}, line {self.line}, column {self.column}: {self.error}"


def _known(result: Result, tags: Mapping[str, str] | None) -> Result:
    """The result, or that of the tags where it is unknown."""
    return RESULTS.get((tags or {}).get("Result", ""), UNKNOWN) if result == UNKNOWN else result


def clean_comment(text: str) -> str:
    """A comment on one line, without the brace that would end it."""
    return " ".join(text.replace("}", ")").split())
