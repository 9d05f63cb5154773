"""The same positions and games for everybody: seeded, out of random play."""

from dataclasses import dataclass
from functools import cache
from random import Random

from damas import Move, Position, rulebook
from damas.notation import fen_in

BOARDS = {"8x8": "brasileira", "10x10": "internacional"}


@dataclass(frozen=True)
class Sample:
    board: str
    positions: list[Position]
    games: list[tuple[Position, list[Move]]]

    @property
    def numeric_fens(self) -> list[str]:
        """In numbers 1, 2, 3 … from the top left, which every library reads."""
        return [fen_in(position, "numbers") for position in self.positions]


@cache
def sample(board: str) -> Sample:
    """Forty positions between ply 16 and 40 with at least four moves, and thirty whole random games."""
    rng = Random(f"damas bench {board}")
    book = rulebook(BOARDS[board])
    positions: list[Position] = []
    while len(positions) < 40:
        position = Position.start(book)
        for _ in range(rng.randrange(16, 41)):
            moves = position.legal_moves
            if not len(moves):
                break
            position = position.play(moves[rng.randrange(len(moves))])
        if len(position.legal_moves) >= 4:
            positions.append(position)
    return Sample(board, positions, [random_game(Position.start(book), rng, 150) for _ in range(30)])


def random_game(start: Position, rng: Random, most: int) -> tuple[Position, list[Move]]:
    """A start and the moves played from it, until nobody can move or `most` plies are made."""
    position = start
    played: list[Move] = []
    while len(played) < most:
        moves = position.legal_moves
        if not len(moves):
            break
        move = moves[rng.randrange(len(moves))]
        played.append(move)
        position = position.play(move)
    return start, played
