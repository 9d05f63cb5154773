"""What a class is asked, as it travels to the process that the class is in."""

from dataclasses import dataclass
from typing import Self

from damas.engine.limits import Limits
from damas.game import Customs, Game, Move, Position


@dataclass(frozen=True)
class ClassQuestion:
    """A game and how long there is to think. Moves are texts: an object of the core stays in its process."""

    start: Position
    moves: tuple[str, ...]
    recorded: bool
    claims: tuple[tuple[int, str], ...]
    customs: Customs
    limits: Limits

    @classmethod
    def of(cls, game: Game, limits: Limits) -> Self:
        record = game.record
        moves = tuple(move.text for move in record.moves)
        return cls(record.start, moves, record.recorded, record.claims, game.customs, limits)

    @property
    def game(self) -> Game:
        """The game again.

        >>> game = Game.start("brasileira").play("c3-d4")
        >>> ClassQuestion.of(game, Limits()).game == game
        True
        """
        position, moves = self.start, list[Move]()
        for text in self.moves:
            moves.append(position.parse(text))
            position = position.play(moves[-1])
        return Game.of(self.start, moves, recorded=self.recorded, claims=self.claims, customs=self.customs)
