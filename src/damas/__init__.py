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
    from damas import arbiter as arbiter
    from damas import client as client
    from damas import drawing as drawing
    from damas import engine as engine
    from damas import environments as environments
    from damas import judging as judging
    from damas import matches as matches
    from damas import notation as notation
    from damas import openings as openings
    from damas import tablebase as tablebase
    from damas import tournaments as tournaments
    from damas import views as views
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


_ROOMS = (
    "arbiter",
    "board",
    "client",
    "drawing",
    "engine",
    "environments",
    "errors",
    "game",
    "judging",
    "language",
    "matches",
    "notation",
    "openings",
    "rules",
    "tablebase",
    "tournaments",
    "views",
)
"""Packages that are imported when first asked for: `damas.notation.read_game` works after `import damas`."""


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, *(name for name in globals() if name.startswith("__"))})


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"damas.{name}")
    if name not in ("Game", "Outcome", "Record"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(
        import_module("damas.game"), name
    )  # games are loaded by those who play one: see damas.game
