"""What a program sees of a game while it is read, without a tree in memory."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import Enum
from typing import Generic, Literal, TypeVar

from damas.game import Move, Position
from damas.notation.pdn.game import BadGame
from damas.notation.pdn.result import Result

T = TypeVar("T")


class _Skip(Enum):
    SKIP = "skip"


Skip = Literal[_Skip.SKIP]
"""The type of `SKIP`."""
SKIP: Skip = _Skip.SKIP
"""What a visitor returns to pass over the moves of a game, or over a variation: they are neither read nor checked."""


class Visitor(ABC, Generic[T]):
    """Is called for each part of each game, in the order of the text. Override what you need.

    One visitor sees all games of a file, so `begin_game` is the place to forget the one before.
    """

    def begin_game(self, tags: Mapping[str, str]) -> Skip | None:
        """A game begins; its tags are as the file has them. Return `SKIP` to pass over its moves."""

    def begin_moves(self, start: Position) -> None:
        """The moves begin at this position."""

    def visit_move(self, position: Position, move: Move) -> None:
        """A legal move is played in a position."""

    def visit_nag(self, nag: int) -> None:
        """The move before has an annotation sign: 1 is `!`, 2 is `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`, 7 the only move."""

    def visit_comment(self, text: str) -> None:
        """A comment on the move before, or before the first move of the line; clocks and marks are part of its text."""

    def begin_variation(self) -> Skip | None:
        """A variation begins: its first move replaces the move before. Return `SKIP` to pass over it."""

    def end_variation(self) -> None:
        """A variation ends that was not passed over."""

    @abstractmethod
    def end_game(self, result: Result, terminator: Result | None) -> T:
        """What `visit_games` shall give for the game.

        `result` is that of the tag, or else the one after the moves; `terminator` is the latter where it contradicts.
        """

    def bad_game(self, game: BadGame) -> BadGame:
        """The game has a mistake, which ends it instead of `end_game`; `visit_games` gives what this returns."""
        return game
