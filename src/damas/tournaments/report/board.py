"""The boards of a report: one empty board and four pieces as SVG symbols that every board of the page uses."""

from functools import cache
from html import escape

from damas.drawing import symbols
from damas.drawing.view import View
from damas.game import Position
from damas.rules import Rulebook

SQUARE = 60
LABELLED_FRAME, PLAIN_FRAME = 34, 14
"""Width of the frame with and without the names of rows and columns."""


def frame(book: Rulebook) -> int:
    return LABELLED_FRAME if view_of(book).edges else PLAIN_FRAME


def side(book: Rulebook) -> int:
    return book.size.value * SQUARE + 2 * frame(book)


@cache
def view_of(book: Rulebook) -> View:
    return View.of(Position.start(book).draw(), "white", "rulebook")


def corners(book: Rulebook) -> list[tuple[int, int]]:
    """The upper left corner of each square."""
    edge = frame(book)
    return [(edge + x * SQUARE, edge + y * SQUARE) for x, y in view_of(book).places]


def definitions(book: Rulebook) -> str:
    """The empty board (`#ground`) and the pieces (`#piece-w` ...) as symbols."""
    view = view_of(book)
    whole, inner, edge = side(book), book.size.value * SQUARE, frame(book)
    squares = "".join(
        f'<rect class="dark" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>' for x, y in corners(book)
    )
    if view.drawing.geometry.all_squares:
        lines = "".join(
            f'<path class="line" d="M{edge + step * SQUARE} {edge}v{inner}M{edge} {edge + step * SQUARE}h{inner}"/>'
            for step in range(1, book.size.value)
        )
        squares += lines
    ground = (
        f'<symbol id="ground" viewBox="0 0 {whole} {whole}">'
        f'<rect class="frame" width="{whole}" height="{whole}" rx="14"/>'
        f'<rect class="light" x="{edge}" y="{edge}" width="{inner}" height="{inner}"/>{squares}'
        f'<rect class="rim" x="{edge - 3}" y="{edge - 3}" width="{inner + 6}" height="{inner + 6}"/>'
        f"{_labels(view, whole)}</symbol>"
    )
    pieces = (
        symbols.element("symbol", *symbols.piece(code), id=f"piece-{code}", viewBox=symbols.VIEW_BOX)
        for code in "wWbB"
    )
    return symbols.gradients().markup() + ground + "".join(piece.markup() for piece in pieces)


def _labels(view: View, whole: int) -> str:
    half = SQUARE / 2
    texts = []
    if view.edges:
        columns, rows = view.edges
        for number, name in enumerate(columns):
            place = LABELLED_FRAME + number * SQUARE + half
            texts.append(f'<text class="label" x="{place}" y="{whole - 11}">{escape(name)}</text>')
        for number, name in enumerate(rows):
            place = LABELLED_FRAME + number * SQUARE + half + 6
            texts.append(
                f'<text class="label" x="{LABELLED_FRAME / 2 - 1}" y="{place}">{escape(name)}</text>'
            )
    elif view.labels_inside:
        for name, (x, y) in zip(view.names, view.places, strict=True):
            left, top = PLAIN_FRAME + x * SQUARE + 4, PLAIN_FRAME + y * SQUARE + 14
            texts.append(f'<text class="inside" x="{left}" y="{top}">{escape(name)}</text>')
    return "".join(texts)


def picture(position: Position, label: str) -> str:
    """A board that shows one position."""
    book = position.rulebook
    whole = side(book)
    pieces = "".join(
        f'<use href="#piece-{letter}" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>'
        for letter, (x, y) in zip(position.diagram, corners(book), strict=True)
        if letter != "."
    )
    return (
        f'<svg class="board" viewBox="0 0 {whole} {whole}" role="img" aria-label="{escape(label, quote=True)}">'
        f'<use href="#ground" width="{whole}" height="{whole}"/>{pieces}</svg>'
    )
