"""Positions and games: what may be played, what has been, and how it ends."""

from damas._core import LegalMoves, Move
from damas.game.explain import refusal
from damas.game.position import Position

__all__ = ["LegalMoves", "Move", "Position", "refusal"]
