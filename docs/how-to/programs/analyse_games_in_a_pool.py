"""Analyse the last position of every game of a PDN file on all processors: `analyse_games_in_a_pool.py GAMES.pdn`."""

import atexit
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from damas import Game
from damas.client import EngineClient, Limits, open_engine
from damas.notation import PdnGame, read_games

LIMITS = Limits(nodes=2000)


@cache
def engine_for(book: str) -> EngineClient:
    """The engine of this process for a rulebook, opened once."""
    engine = open_engine("damas", book, options={"tt-size": 4})
    atexit.register(engine.close)
    return engine


def judge(game: Game) -> str:
    """The score of the last position of a game, as White sees it. Games travel to the processes of the pool."""
    if game.outcome:
        return game.outcome.reason
    score = engine_for(game.rulebook.id).analyse(game, LIMITS).score
    return str(score.white) if score else "?"


def main(path: Path) -> None:
    """Print one line for each game."""
    recorded = [game for game in read_games(path) if isinstance(game, PdnGame)]
    games = [Game.of(game.start, [node.move for node in game.moves]) for game in recorded]
    with ProcessPoolExecutor() as pool:
        for number, verdict in enumerate(pool.map(judge, games), 1):
            print(f"game {number}: {verdict}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
