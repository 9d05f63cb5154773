"""Expected lines played on: the search goes on for both sides where its line breaks off."""

from collections.abc import Sequence

from damas.engine.engine import Engine
from damas.engine.limits import Limits
from damas.game import Move, Record
from damas.game.game import ending

MOVE_LIMITS = Limits(nodes=5000)
"""Limits of the search for one move of a continuation."""
MAX_MOVES = 3000
"""Moves searched for one game, so that no game costs more than that."""


class Continuations:
    """Lines of one game played on by the engine, each move searched once."""

    def __init__(self, engine: Engine, max_moves: int = MAX_MOVES) -> None:
        self.engine = engine
        self.moves_left = max_moves
        self._lines: dict[tuple[int, tuple[Move, ...]], tuple[Move, ...]] = {}

    def longer(self, record: Record, moves: Sequence[Move], plies: int) -> tuple[Move, ...]:
        """The line that begins with `moves`, up to so many plies or the end of the game."""
        key = record.length, tuple(moves)
        line = self._lines.get(key, key[1])
        for move in line:
            record = record.play(move)
        while len(line) < plies and self.moves_left and not ending(record, self.engine.customs):
            legal = list(record.legal_moves)
            best = legal[0] if len(legal) == 1 else self.engine.search(record, MOVE_LIMITS).best
            if best is None:
                break
            self.moves_left -= 1
            line, record = (*line, best), record.play(best)
        self._lines[key] = line
        return line
