"""Plain values of the board: colours, pieces, squares and their names, setups."""

from damas.board.geometry import Geometry, Square
from damas.board.piece import Color, Piece
from damas.board.setup import Setup

__all__ = ["Color", "Geometry", "Piece", "Setup", "Square"]
