"""Where squares and pieces lie on a picture: shared by SVG and pixel pictures."""

from damas.board import Square
from damas.drawing.view import View

Point = tuple[float, float]
"""x from the left and y from the top of a picture."""

CANVAS = 400.0
"""Side of a picture in its own units, frame included."""
PAD, EDGE = 8.0, 22.0
"""Width of the frame in canvas units: plain, and where it carries the names of rows or columns."""
OUTLINE_INSET, OUTLINE_CORNER = 0.055, 0.04
"""Outline of the squares of the last move: distance from their edge and radius of its corners, in squares."""
OUTLINE_STROKES = (("shade", 0.105), ("last-move", 0.06))
"""Strokes of the last move, one above the other: colour and width in squares. Light on dark needs no hue."""
CAPTURED_RING = 1.06
"""Radius of the ring around a captured piece, in radii of a piece."""


class Layout:
    """Places on a picture of `scale` times the canvas."""

    def __init__(self, view: View, scale: float = 1.0) -> None:
        self.view = view
        left = EDGE if view.edges else PAD
        self.left, self.top = left * scale, PAD * scale
        self.square = (CANVAS - left - PAD) / view.size * scale
        self.side = self.square * view.size
        """Width of the board without its frame."""
        # A name inside the square needs room: discs are a little smaller and lower, away from that corner.
        self.radius = (0.35 if view.labels_inside else 0.385) * self.square
        self.shift = 0.045 * self.square if view.labels_inside else 0.0

    def corner(self, square: Square) -> Point:
        """The upper left corner of a square."""
        x, y = self.view.places[square]
        return self.left + x * self.square, self.top + y * self.square

    def centre(self, square: Square) -> Point:
        """The centre of a piece on a square."""
        x, y = self.corner(square)
        return x + self.square / 2 + self.shift, y + self.square / 2 + self.shift
