"""Positions and games: what may be played, what has been, and how it ends."""

from typing import TYPE_CHECKING

from damas._core import LegalMoves, Move
from damas.game.position import Position, refusal

if TYPE_CHECKING:
    from damas.game.batch import BatchLaws, successors
    from damas.game.game import LETTER, Customs, Game
    from damas.game.laws import Progress
    from damas.game.outcome import Outcome
    from damas.game.record import Record

__all__ = [
    "LETTER",
    "BatchLaws",
    "Customs",
    "Game",
    "LegalMoves",
    "Move",
    "Outcome",
    "Position",
    "Progress",
    "Record",
    "refusal",
    "successors",
]

_LATER = {
    "LETTER": "game",
    "BatchLaws": "batch",
    "Customs": "game",
    "Game": "game",
    "Progress": "laws",
    "Outcome": "outcome",
    "Record": "record",
    "successors": "batch",
}
"""Modules imported on first use: positions do not need them, and `import damas` stays quick."""


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()} - {"TYPE_CHECKING"})


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"damas.game.{_LATER[name]}"), name)
