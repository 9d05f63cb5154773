"""Print the moves of a PDN game that a Hub engine would not have played: `analyse_game.py GAME.pdn ENGINE [ARGUMENT ...]`."""

import sys
from pathlib import Path

from damas import Game
from damas.client import Limits, open_engine
from damas.notation import read_game

LIMITS = Limits(depth=6)


def main(path: Path, command: list[str]) -> None:
    """Compare each move with the engine's own choice."""
    recorded = read_game(path)
    game = Game.of(recorded.start, ())
    with open_engine(command, recorded.rulebook) as engine:
        for ply, node in enumerate(recorded.moves, 1):
            info = engine.analyse(game, LIMITS)
            if info.move and info.score and info.move != node.move:
                print(f"ply {ply}: {node.move.text}, better {info.move.text} ({info.score.white} for White)")
            game = game.play(node.move)
    print(f"{len(recorded.moves)} plies analysed by {engine.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
