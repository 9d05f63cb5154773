"""A setup: any arrangement of pieces, legal or not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from damas.board.geometry import Square
from damas.board.piece import Color, Piece


@dataclass(frozen=True)
class Setup:
    """Pieces on squares and the side to move. Nothing is checked here: `Position.of` does."""

    pieces: Mapping[Square, Piece] = field(default_factory=dict)
    turn: Color = Color.WHITE

    def squares(self, piece: Piece) -> list[Square]:
        """The squares of all pieces of one kind."""
        return [square for square, here in self.pieces.items() if here is piece]
