"""The record of a game: where it started, what was played, what was claimed. Everything else is derived from it."""

from typing import TYPE_CHECKING, Self, TypeAlias

from damas import _core
from damas.board import Color
from damas.game import pickling
from damas.game.core import rulebook_of
from damas.game.laws import laws_of
from damas.game.position import Move, Position, no_move
from damas.rules import Rulebook

Claims: TypeAlias = tuple[tuple[int, str], ...]


class Record(_core.Record):
    """A growing list of plies that behaves as a value: playing on gives a new record, the old one stays true.

    `positions[0]` is the start and `positions[n]` stands after ply n, which was `moves[n - 1]`.
    """

    __slots__ = ()

    def __init__(self, start: Position, *, recorded: bool = True) -> None:
        super().__init__(start, laws_of(start.rulebook), recorded)

    if TYPE_CHECKING:  # The core gives positions of the class that the start has.

        @property
        def start(self) -> Position: ...
        @property
        def position(self) -> Position: ...
        @property
        def positions(self) -> list[Position]: ...  # type: ignore[override]
        def position_after(self, ply: int) -> Position: ...

    def play(self, move: Move | str) -> Self:
        """The record with one more ply; raises as `Position.play` does."""
        if isinstance(move, str):
            move = self.position.parse(move)
        try:
            longer = self.after(move, rested=False)
        except TypeError:
            raise no_move(move) from None
        if longer is None:
            self.position.play(move)
            raise AssertionError("the position plays what the record refuses")
        return longer

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook by which the game is played."""
        return rulebook_of(self.rules)

    def mover(self, ply: int) -> Color:
        """Who played a ply."""
        turn = self.start.turn
        return turn if ply % 2 else turn.other

    def __hash__(self) -> int:
        return hash((self.start, self.length, self.position))

    def __reduce__(self) -> tuple[object, ...]:
        values = (pickling.VERSION, type(self), self.start, self.recorded, self.moves, self.claims)
        return (pickling.record, values)

    def __repr__(self) -> str:
        return f"<Record {' '.join([self.rulebook.id, *(move.text for move in self.moves)])}>"
