"""Pictures of a position: SVG for pages and notebooks, text for the terminal."""

from damas.drawing.drawing import Drawing
from damas.drawing.svg import svg
from damas.drawing.terminal import unicode_board

__all__ = ["Drawing", "svg", "unicode_board"]
