"""Positions in which something must be captured, from random games, for the drills."""

from random import Random

from damas.game import Position
from damas.rules import Rulebook

COUNT = 20
"""Positions of one answer."""
MAX_SIMPLE = 4
"""Of these, positions with one legal move, which captures one piece."""
GAME_PLIES = 60
"""After so many moves the next game begins: later there are few pieces left."""
APART_PLIES = 5
"""Moves between two positions of a game."""
MAX_PLIES = 2000
"""Moves of all games together."""


def capture_positions(book: Rulebook, seed: int) -> list[Position]:
    """The same positions for the same seed; pages without a network find the same (`local/answers/drills.js`)."""
    random = Random(str(seed))
    chosen: list[Position] = []
    position, ply, last_chosen, simple = Position.start(book), 0, -APART_PLIES, 0
    for _ in range(MAX_PLIES):
        moves = position.legal_moves
        if not moves or ply == GAME_PLIES:
            position, ply, last_chosen = Position.start(book), 0, -APART_PLIES
            continue
        if moves[0].captured and ply - last_chosen >= APART_PLIES:
            is_simple = len(moves) == 1 and len(moves[0].captured) == 1
            if not is_simple or simple < MAX_SIMPLE:
                chosen.append(position)
                last_chosen = ply
                simple += is_simple
                if len(chosen) == COUNT:
                    break
        position = position.play(moves[int(random.random() * len(moves))].text)
        ply += 1
    return chosen
