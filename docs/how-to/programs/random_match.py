"""Play an engine against random moves: `random_match.py [GAMES]`."""

import random
import sys

from damas import Color, Game
from damas.client import EngineClient, Limits, open_engine

LIMITS = Limits(nodes=300)


def play(engine: EngineClient, side: Color, luck: random.Random) -> Color | None:
    """Play one game; returns the winner, or None for a draw."""
    engine.new_game()
    game = Game.start("brasileira")
    while not game.outcome:
        move = engine.play(game, LIMITS).move if game.turn is side else luck.choice(game.legal_moves)
        game = game.play(move)
    return game.outcome.winner


def main(games: int) -> None:
    """Print how many games the engine won."""
    luck = random.Random(1)
    with open_engine("damas", "brasileira", options={"tt-size": 1}) as engine:
        sides = [Color.WHITE if number % 2 == 0 else Color.BLACK for number in range(games)]
        won = sum(play(engine, side, luck) is side for side in sides)
    print(f"the engine won {won} of {games} games")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
