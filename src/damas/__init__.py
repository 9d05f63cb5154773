"""damas: draughts by the book. Every rulebook exactly as its text says, and the article that decides.

>>> import damas
>>> position = damas.Position.start("brasileira")
>>> [move.text for move in position.legal_moves]
['a3-b4', 'c3-d4', 'e3-f4', 'g3-h4', 'c3-b4', 'e3-d4', 'g3-f4']
"""

from damas.board import Color, Geometry, Piece, Setup
from damas.errors import (
    AmbiguousMove,
    BadRulebook,
    DamasError,
    GameOver,
    IllegalMove,
    IllegalSetup,
    NotationError,
    NotYourTurn,
    Refusal,
    UnknownRulebook,
)
from damas.game import LegalMoves, Move, Position, refusal
from damas.rules import Clause, Rulebook, rulebook, rulebooks

__version__ = "0.1.0"
__all__ = [
    "AmbiguousMove",
    "BadRulebook",
    "Clause",
    "Color",
    "DamasError",
    "GameOver",
    "Geometry",
    "IllegalMove",
    "IllegalSetup",
    "LegalMoves",
    "Move",
    "NotYourTurn",
    "NotationError",
    "Piece",
    "Position",
    "Refusal",
    "Rulebook",
    "Setup",
    "UnknownRulebook",
    "refusal",
    "rulebook",
    "rulebooks",
]
