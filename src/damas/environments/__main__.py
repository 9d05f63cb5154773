"""How many random moves a second: `python -m damas.environments [RULEBOOK …]`."""

import sys
import time

import numpy as np

from damas.environments.vector import VectorGames
from damas.rules import rulebooks

GAMES, SECONDS = 2048, 1.0


def moves_per_second(book: str) -> float:
    """Random moves a second of many games under a rulebook."""
    games, random = VectorGames(book, GAMES), np.random.default_rng(1)
    moves, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        moves += int((~games.done).sum())
        games.step(games.sample(random))
    return moves / spent


if __name__ == "__main__":
    for name in sys.argv[1:] or [book.id for book in rulebooks()]:
        print(f"{name:15} {moves_per_second(name):10,.0f} moves/s")
