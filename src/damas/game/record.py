"""The record of a game: where it started, what was played, what was claimed. Everything else is derived from it."""

from collections.abc import Iterable, Iterator
from typing import Self, TypeAlias

from damas.board import Color
from damas.game.position import Move, Position
from damas.rules import Rulebook

Claims: TypeAlias = tuple[tuple[int, str], ...]


class Record:
    """A growing list of plies that behaves as a value: playing on gives a new record, the old one stays true.

    `positions[0]` is the start and `positions[n]` stands after ply n, which was `moves[n - 1]`.
    """

    __slots__ = ("_length", "_moves", "_positions", "claims", "recorded")

    def __init__(self, start: Position, *, recorded: bool = True) -> None:
        self._positions = [start]
        self._moves: list[Move] = []
        self._length = 0
        self.recorded = recorded
        """Whether the players write the game down: FARAES counts from a claim where nobody does."""
        self.claims: Claims = ()
        """(ply after which it was made, id of the limit): players who called attention to a limit."""

    def play(self, move: Move | str) -> Self:
        """The record with one more ply; raises as `Position.play` does."""
        position = self.position
        if isinstance(move, str):
            move = position.parse(move)
        following = position.play(move)
        longer = self._copy()
        if len(self._moves) != self._length:  # someone else played on from here: part ways
            longer._positions = self._positions[: self._length + 1]
            longer._moves = self._moves[: self._length]
        longer._positions.append(following)
        longer._moves.append(move)
        longer._length += 1
        return longer

    @classmethod
    def growing(
        cls, start: Position, moves: Iterable[Move], *, recorded: bool = True, claims: Claims = ()
    ) -> Iterator[Self]:
        """One record that grows by a ply each time it is asked for: quick, for those who look at it and let it go.

        Raises as `Position.play` does. The claims are known from the start.
        """
        record = cls(start, recorded=recorded)
        record.claims = tuple(claims)
        position = start
        for move in moves:
            position = position.after(move) or position.play(move)
            record._positions.append(position)
            record._moves.append(move)
            record._length += 1
            yield record

    def claim(self, rule_id: str) -> Self:
        """The record with a player's attention called to a limit, now."""
        claimed = self._copy()
        claimed.claims = (*self.claims, (self._length, rule_id))
        return claimed

    def until(self, ply: int) -> Self:
        """The record as it stood after an earlier ply; later claims are forgotten with the moves."""
        earlier = self._copy()
        earlier._length = ply
        earlier.claims = tuple(claim for claim in self.claims if claim[0] <= ply)
        return earlier

    def ended(self) -> Self:
        """The record of a game that its last ply has ended: nobody calls attention to anything any more."""
        ended = self._copy()
        ended.claims = tuple(claim for claim in self.claims if claim[0] < self._length)
        return ended

    def _copy(self) -> Self:
        copy = type(self).__new__(type(self))
        copy._positions, copy._moves, copy._length = self._positions, self._moves, self._length
        copy.recorded, copy.claims = self.recorded, self.claims
        return copy

    @property
    def length(self) -> int:
        """How many plies have been played."""
        return self._length

    @property
    def start(self) -> Position:
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[self._length]

    def position_after(self, ply: int) -> Position:
        return self._positions[ply]

    def move(self, ply: int) -> Move:
        """The move of a ply; plies count from 1."""
        return self._moves[ply - 1]

    @property
    def positions(self) -> list[Position]:
        return self._positions[: self._length + 1]

    @property
    def moves(self) -> list[Move]:
        return self._moves[: self._length]

    @property
    def rulebook(self) -> Rulebook:
        return self.start.rulebook

    def mover(self, ply: int) -> Color:
        """Who played a ply."""
        return self.start.turn if ply % 2 else self.start.turn.other

    def move_number(self, ply: int) -> int:
        """The number a score sheet gives a ply: a pair of turns a number, the starter's turn first."""
        behind = 0 if self.start.turn is self.rulebook.first_to_move else 1
        return (ply + behind + 1) // 2

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Record)
            and self.start == other.start
            and self.moves == other.moves
            and (self.recorded, self.claims) == (other.recorded, other.claims)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Record {self.rulebook.id} {' '.join(move.text for move in self.moves)}>"
