"""The boards of a report: one empty board and four pieces as SVG symbols that every board of the page uses."""

from dataclasses import replace
from functools import cache
from html import escape

from damas.drawing import symbols
from damas.drawing.layout import CANVAS, Layout
from damas.drawing.svg import svg
from damas.drawing.view import View
from damas.game import Position
from damas.rules import Rulebook

SIDE = round(CANVAS)
"""Width and height of a board in its own units, frame included."""


@cache
def layout_of(book: Rulebook) -> Layout:
    """Where the squares of the rulebook's board lie."""
    return Layout(View.of(Position.start(book).draw(), "white", "rulebook"))


def corners(book: Rulebook) -> list[tuple[float, float]]:
    """The upper left corner of each square."""
    layout = layout_of(book)
    return [layout.corner(square) for square in layout.view.drawing.geometry.squares]


def definitions(book: Rulebook) -> str:
    """The empty board (`#ground`) and the pieces (`#piece-w` ...) as symbols."""
    empty = replace(layout_of(book).view.drawing, pieces={})
    ground = f'<symbol id="ground" viewBox="0 0 {SIDE} {SIDE}">{svg(empty, size=SIDE)}</symbol>'
    pieces = (
        symbols.element("symbol", *symbols.piece(code), id=f"piece-{code}", viewBox=symbols.VIEW_BOX)
        for code in "wWbB"
    )
    return symbols.gradients().markup() + ground + "".join(piece.markup() for piece in pieces)


def frame(label: str, inside: str) -> str:
    """An empty board with something above it."""
    return (
        f'<svg class="board" viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{escape(label)}">'
        f'<use href="#ground" width="{SIDE}" height="{SIDE}"/>{inside}</svg>'
    )


def picture(position: Position, label: str) -> str:
    """A board that shows one position."""
    square = layout_of(position.rulebook).square
    pieces = (
        f'<use href="#piece-{letter}" x="{x}" y="{y}" width="{square}" height="{square}"/>'
        for letter, (x, y) in zip(position.diagram, corners(position.rulebook), strict=True)
        if letter != "."
    )
    return frame(label, "".join(pieces))
