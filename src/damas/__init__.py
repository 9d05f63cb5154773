"""damas: draughts by the book. Every rulebook exactly as its text says, and the article that decides.

>>> import damas
>>> position = damas.Position.start("brasileira")
>>> [move.text for move in position.legal_moves]
['a3-b4', 'c3-d4', 'e3-f4', 'g3-h4', 'c3-b4', 'e3-d4', 'g3-f4']
"""

from typing import TYPE_CHECKING

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
    TooManyCaptures,
    UnknownRulebook,
)
from damas.game import LegalMoves, Move, Position, refusal, successors
from damas.rules import Clause, Rulebook, rulebook, rulebooks

if TYPE_CHECKING:
    from damas.game import Game, Outcome, Record

__version__ = "0.2.0"
__all__ = [
    "AmbiguousMove",
    "BadRulebook",
    "Clause",
    "Color",
    "DamasError",
    "Game",
    "GameOver",
    "Geometry",
    "IllegalMove",
    "IllegalSetup",
    "LegalMoves",
    "Move",
    "NotYourTurn",
    "NotationError",
    "Outcome",
    "Piece",
    "Position",
    "Record",
    "Refusal",
    "Rulebook",
    "Setup",
    "TooManyCaptures",
    "UnknownRulebook",
    "refusal",
    "rulebook",
    "rulebooks",
    "successors",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name not in ("Game", "Outcome", "Record"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import damas.game  # games are loaded by those who play one: see damas.game

    return getattr(damas.game, name)
