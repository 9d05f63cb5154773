"""A position as an SVG picture: self-contained, without ids, readable in greyscale and by a screen reader."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import isfinite
from typing import Any, TypedDict

from damas.board import Color, Piece, Square
from damas.drawing import shapes, words
from damas.drawing.drawing import Drawing
from damas.drawing.layout import (
    CANVAS,
    CAPTURED_RING,
    EDGE,
    OUTLINE_CORNER,
    OUTLINE_INSET,
    OUTLINE_STROKES,
    Layout,
    Point,
)
from damas.drawing.palette import ARROWS, paint, recoloured, style_sheet
from damas.drawing.shapes import group, number
from damas.drawing.view import View

_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
LABEL = 10.5
"""Height of the letters: ten pixels or more at the default size, on every board."""


class PictureOptions(TypedDict, total=False):
    """The keyword arguments of `svg`, for those who pass them on."""

    size: float
    orientation: Color | str
    numbering: str
    last_move: Iterable[Square | str] | None
    arrows: Iterable[Iterable[Square | str]]
    route: Iterable[Square | str]
    captured: Iterable[Square | str]
    marks: Iterable[Square | str]
    colors: Mapping[str, str]
    title: str | None
    label: float


def svg(
    drawing: Drawing,
    *,
    size: float = 400,
    orientation: Color | str = "white",
    numbering: str = "rulebook",
    last_move: Iterable[Square | str] | None = None,
    arrows: Iterable[Iterable[Square | str]] = (),
    route: Iterable[Square | str] = (),
    captured: Iterable[Square | str] = (),
    marks: Iterable[Square | str] = (),
    colors: Mapping[str, str] | None = None,
    title: str | None = None,
    label: float = LABEL,
) -> str:
    """A picture of a position as SVG text.

    A square is an internal index (a whole number) or a name in any numbering of the board (a text).

    - `size`: width and height in pixels.
    - `orientation`: who sits at the bottom, "white" or "black" or a `Color`.
    - `numbering`: "rulebook", "algebraic", "numbers", "rows-columns" or "none".
    - `last_move`: the squares of a move, outlined and joined by a thin line.
    - `arrows`: each a tuple of two or more squares, and perhaps a colour last: green, red, blue or yellow.
    - `route`: the squares of a capture from the first on; jumps are numbered 1, 2, 3 … where they land.
    - `captured`: squares whose pieces are ringed and hatched.
    - `marks`: squares to point out, by brackets at their corners.
    - `colors`: other colours by their names in `damas.drawing.palette.DAY`, such as `{"dark-square": "#2f6f4f"}`.
    - `title`: name of the picture; a count of the pieces if not given.
    - `label`: height of the names of squares, where the whole picture is 400 high.

    >>> from damas.board import Geometry, Piece
    >>> board = Geometry(8, all_squares=False, corner="left", first_number="top-left")
    >>> picture = svg(Drawing(board, board.algebraic, {0: Piece.WHITE_KING}), marks=["h8"])
    >>> "<title>Draughts board: White 1 king, Black no pieces</title>" in picture
    True
    """
    view = View.of(drawing, orientation, numbering)
    picture = _Picture(view, label)
    moved = _path("last_move", drawing.squares(() if last_move is None else last_move))
    jumps = _path("route", drawing.squares(route))
    taken = tuple(dict.fromkeys(drawing.squares(captured)))
    pointed = tuple(dict.fromkeys(drawing.squares(marks)))
    drawn = _read_arrows(drawing, arrows)

    sentences = words.position(view)
    for name, squares in (("Last move", moved), ("Route of the capture", jumps)):
        if squares:
            sentences.append(f"{name}: {words.path(view, squares)}.")
    for name, squares in (("Captured", taken), ("Marked", pointed)):
        if squares:
            sentences.append(f"{name}: {words.listed(view, squares)}.")
    sentences += (f"{colour.capitalize()} arrow: {words.path(view, squares)}." for squares, colour in drawn)
    if not (isfinite(size) and size >= 1):
        raise ValueError(f"size is a number of pixels, 1 or more, not {size!r}.")
    side = number(size)
    name = words.summary(view) if title is None else title
    if unsuitable := _NOT_IN_XML.search(name):
        raise ValueError(f"title holds {unsuitable[0]!r}, which no XML document can carry.")
    text = (
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" role="img" class="damas-board" '
        f'width="{side}" height="{side}" viewBox="0 0 {number(CANVAS)} {number(CANVAS)}">'
        f"<title>{escape(name)}</title>"
        f'<desc xml:lang="en">{escape(" ".join(sentences))}</desc>'
        f"<style>{style_sheet()}</style>"
        f"{picture.board()}"
        f"{picture.last_move(moved)}"
        f"{picture.marks(pointed)}"
        f"{picture.pieces()}"
        f"{picture.captured(taken)}"
        f"{''.join(picture.arrow(squares, colour) for squares, colour in drawn)}"
        f"{picture.route(jumps)}"
        f"{picture.labels()}"
        "</svg>"
    )
    return recoloured(text, colors or {})


class _Picture(Layout):
    """The layers of the picture from the ground up."""

    def __init__(self, view: View, label: float) -> None:
        super().__init__(view)
        self.label = label

    def board(self) -> str:
        """The frame, the edge and the squares."""
        view = self.view
        ground = "dark-square" if view.drawing.geometry.all_squares else "light-square"
        layers = [
            group(paint(fill="frame"), [shapes.box(0, 0, CANVAS, CANVAS, round=6)]),
            group(
                paint(fill="edge"),
                [shapes.box(self.left - 2, self.top - 2, self.side + 4, self.side + 4, round=2)],
            ),
            group(paint(fill=ground), [shapes.box(self.left, self.top, self.side, self.side)]),
        ]
        if view.drawing.geometry.all_squares:
            steps = [i * self.square for i in range(1, view.size)]
            lines = "".join(
                shapes.path([(self.left + step, self.top), (self.left + step, self.top + self.side)])
                + shapes.path([(self.left, self.top + step), (self.left + self.side, self.top + step)])
                for step in steps
            )
            layers.append(
                group(paint(stroke="light-square") + ' stroke-width="1.2"', [f'<path d="{lines}"/>'])
            )
        else:
            squares = (
                shapes.box(*self.corner(s), self.square, self.square) for s in view.drawing.geometry.squares
            )
            layers.append(group(paint(fill="dark-square"), squares))
        return group(' class="damas-squares"', layers)

    def pieces(self) -> str:
        """Every piece, kind by kind."""
        centres: dict[Piece, list[Point]] = {kind: [] for kind in Piece}
        for square, piece in sorted(self.view.drawing.pieces.items(), key=lambda item: item[0]):
            centres[piece].append(self.centre(square))
        return "".join(
            shapes.pieces(kind, places, self.square, self.radius) for kind, places in centres.items()
        )

    def last_move(self, squares: Sequence[Square]) -> str:
        """An outline of the first and last square and a thin line between them."""
        if not squares:
            return ""
        inset = OUTLINE_INSET * self.square
        room = self.square - 2 * inset
        ends = [self.corner(square) for square in dict.fromkeys((squares[0], squares[-1]))]
        outlines = "".join(
            shapes.box(x + inset, y + inset, room, room, round=OUTLINE_CORNER * self.square) for x, y in ends
        )
        outlines += f'<path d="{shapes.path([self.centre(square) for square in squares])}"/>'
        layers = (
            group(paint(stroke=colour) + f' stroke-width="{number(width * self.square)}"', [outlines])
            for colour, width in OUTLINE_STROKES
        )
        return group(' class="damas-last-move" stroke-linejoin="round"', layers)

    def marks(self, squares: Sequence[Square]) -> str:
        """Brackets at the corners of some squares."""
        if not squares:
            return ""
        whole = not self.view.labels_inside
        data = "".join(shapes.brackets(*self.corner(square), self.square, first=whole) for square in squares)
        layers = (
            f'<path d="{data}"{paint(stroke=colour)} stroke-width="{number(width * self.square)}"/>'
            for colour, width in (("shade", 0.125), ("mark", 0.075))
        )
        return group(' class="damas-marks" stroke-linecap="round" stroke-linejoin="round"', layers)

    def captured(self, squares: Sequence[Square]) -> str:
        """A ring and slanting lines over captured pieces."""
        if not squares:
            return ""
        centres = [self.centre(square) for square in squares]
        radius = CAPTURED_RING * self.radius
        rings = "".join(shapes.circle(centre, radius) for centre in centres)
        lines = f'<path d="{"".join(shapes.hatching(centre, radius) for centre in centres)}"/>'
        thin, thick = number(0.05 * self.square), number(0.1 * self.square)
        layers = (
            group(paint(stroke="halo") + f' stroke-width="{thick}"', [rings]),
            group(paint(stroke="captured") + f' stroke-width="{thin}"', [lines, rings]),
        )
        return group(' class="damas-captured"', layers)

    def arrow(self, squares: Sequence[Square], colour: str) -> str:
        """An arrow through the centres of some squares."""
        return shapes.arrow([self.centre(square) for square in squares], self.square, colour, ARROWS[colour])

    def route(self, squares: Sequence[Square]) -> str:
        """A line through the capture, with the numbers of the jumps at the squares where they land."""
        if not squares:
            return ""
        line = shapes.path([self.centre(square) for square in squares])
        start = shapes.circle(self.centre(squares[0]), 0.09 * self.square)
        width = 0.085 * self.square
        layers = [
            f'<path d="{line}"{paint(stroke="halo")} stroke-width="{number(width + 0.06 * self.square)}"/>',
            group(
                paint(fill="halo", stroke="halo") + f' stroke-width="{number(0.06 * self.square)}"', [start]
            ),
            f'<path d="{line}"{paint(stroke="route")} stroke-width="{number(width)}"/>',
            group(paint(fill="route"), [start]),
        ]
        landings: dict[Square, list[str]] = {}
        for jump, square in enumerate(squares[1:], start=1):
            landings.setdefault(square, []).append(str(jump))
        height = max(0.36 * self.square, 15.0)
        badges, figures = [], []
        for square, jumps in landings.items():
            x, y = self.centre(square)
            if square in self.view.drawing.pieces:  # keep the piece and its crown visible
                x, y = x + 0.27 * self.square, y + 0.27 * self.square
            figure = "·".join(jumps)
            breadth = height + (len(figure) - 1) * 0.5 * height
            badges.append(shapes.box(x - breadth / 2, y - height / 2, breadth, height, round=height / 2))
            figures.append(shapes.text((x, y + 0.25 * height), figure))
        layers.append(group(paint(fill="route", stroke="halo") + ' stroke-width="1.5"', badges))
        layers.append(group(self.writing("halo", 0.7 * height, "middle"), figures))
        return group(' class="damas-route" stroke-linejoin="round" stroke-linecap="round"', layers)

    def labels(self) -> str:
        """The names of squares, or those of rows and columns along the edges."""
        if self.view.labels_inside:
            return self.numbers()
        if self.view.edges is None:
            return ""
        columns, rows = self.view.edges
        half = self.square / 2
        below = CANVAS - (EDGE - 3) / 2 + 0.36 * self.label
        texts = [
            shapes.text((self.left + i * self.square + half, below), name) for i, name in enumerate(columns)
        ]
        beside = (EDGE - 1) / 2
        texts += (
            shapes.text((beside, self.top + i * self.square + half + 0.36 * self.label), name)
            for i, name in enumerate(rows)
        )
        return group(
            ' class="damas-labels"', [group(self.writing("coordinate", self.label + 1, "middle"), texts)]
        )

    def numbers(self) -> str:
        """The name of each square in its corner, above the pieces, on a background of the square's colour."""
        tabs, texts = [], []
        grid = 0.6 if self.view.drawing.geometry.all_squares else 0.0
        for square, name in enumerate(self.view.names):
            x, y = self.corner(square)
            width, height = 2.2 + 0.62 * self.label * len(name), 2.6 + 0.74 * self.label
            tabs.append(shapes.box(x + grid, y + grid, width, height))
            texts.append(shapes.text((x + 1.6, y + 1.6 + 0.74 * self.label), escape(name)))
        layers = (
            group(paint(fill="dark-square"), tabs),
            group(self.writing("number", self.label, "start"), texts),
        )
        return group(' class="damas-labels"', layers)

    def writing(self, colour: str, height: float, anchor: str) -> str:
        """The attributes of text."""
        return (
            f'{paint(fill=colour)} font-family="{_FONT}" font-size="{number(height)}" font-weight="600" '
            f'text-anchor="{anchor}"'
        )


def _path(option: str, squares: tuple[Square, ...]) -> tuple[Square, ...]:
    if len(squares) == 1:
        raise ValueError(f"{option} needs at least two squares, from the first to the last, or none at all.")
    for before, after in pairwise(squares):
        if before == after:
            raise ValueError(f"{option} names square {before} twice in a row.")
    return squares


def _read_arrows(drawing: Drawing, arrows: Iterable[Any]) -> list[tuple[tuple[Square, ...], str]]:
    """The squares and the colour of each arrow."""
    result = []
    for arrow in arrows:
        parts = [arrow] if isinstance(arrow, str) else list(arrow)
        *squares, last = parts or ("",)
        named = isinstance(last, str) and last.isalpha()
        if named and last.lower() not in ARROWS:
            known = ", ".join(ARROWS)
            raise ValueError(f"{last!r} is neither a square nor the colour of an arrow: {known}.")
        path = _path("An arrow", drawing.squares(squares if named else parts))
        if not path:
            raise ValueError("An arrow needs at least two squares.")
        result.append((path, last.lower() if named else "green"))
    return result
