"""Positions and games of random play, the same on every machine."""

from dataclasses import dataclass
from functools import cache
from random import Random

from damas import Move, Position, rulebook

BOARDS = {"8x8": "brasileira", "10x10": "internacional"}


@dataclass(frozen=True)
class Sample:
    """Positions and games of one board."""

    positions: list[Position]
    games: list[tuple[Position, list[Move]]]


@cache
def sample(board: str) -> Sample:
    """Forty positions between ply 16 and 40 with at least four moves, and thirty whole random games."""
    rng = Random(f"damas bench {board}")
    book = rulebook(BOARDS[board])
    positions: list[Position] = []
    while len(positions) < 40:
        position, moves = random_game(Position.start(book), rng, rng.randrange(16, 41))
        for move in moves:
            position = position.play(move)
        if len(position.legal_moves) >= 4:
            positions.append(position)
    return Sample(positions, [random_game(Position.start(book), rng, 150) for _ in range(30)])


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
