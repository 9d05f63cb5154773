"""Positions and games: what may be played, what has been, and how it ends."""

from damas._core import LegalMoves, Move
from damas.game.explain import refusal
from damas.game.game import LETTER, Customs, Game
from damas.game.laws import Progress
from damas.game.outcome import Outcome
from damas.game.position import Position
from damas.game.record import Record

__all__ = ["LETTER", "Customs", "Game", "LegalMoves", "Move", "Outcome", "Position", "Progress", "Record", "refusal"]
