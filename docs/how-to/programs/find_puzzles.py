"""Look for puzzles in the games of a PDN file: `find_puzzles.py GAMES.pdn`.

A puzzle is a shot, which gives pieces away to take more, that is the only good move.
"""

import sys
from pathlib import Path

from damas import Game
from damas.engine import Engine, Limits
from damas.engine.analysis import shot_in
from damas.notation import PdnGame, read_games

LIMITS = Limits(nodes=2000, lines=2)
CLEARLY_BETTER = 100
"""Hundredths of a man between the best move and the next."""


def puzzles(recorded: PdnGame, engine: Engine) -> list[str]:
    """The puzzles of one game: position, solution, pieces given and taken."""
    found = []
    game = Game.of(recorded.start, ())
    for node in recorded.moves:
        if len(game.legal_moves) > 1:
            best, second = engine.search(game, LIMITS).lines[:2]
            shot = shot_in(game.record, best)
            if shot and best.score - second.score >= CLEARLY_BETTER:
                solution = " ".join(move.text for move in shot.moves)
                found.append(f"{game.position.fen}  {solution}  ({shot.given} for {shot.taken})")
        game = game.play(node.move)
    return found


def main(path: Path) -> None:
    """Print one line for each puzzle."""
    engines: dict[str, Engine] = {}
    for recorded in read_games(path):
        if not isinstance(recorded, PdnGame):
            continue
        book = recorded.rulebook
        if book.id not in engines:
            engines[book.id] = Engine(book, hash_mb=4, tables=False)
        for line in puzzles(recorded, engines[book.id]):
            print(line)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
