"""A position as text for the terminal."""

from collections.abc import Iterable, Iterator, Sequence

from damas.board import Color, Piece, Square
from damas.drawing.drawing import Drawing
from damas.drawing.view import View

# Signs that every monospaced font has, one column each: Unicode's own draughtsmen (⛀ ⛁ ⛂ ⛃) are in few fonts,
# and a sign borrowed from another font breaks the columns. A king is a disc between brackets.
_DISC = {Color.WHITE: "○", Color.BLACK: "●"}
_EMPTY = "·"

_RESET, _DIM = "\033[0m", "\033[2m"
_DARK, _LIGHT, _FAINT = "\033[48;5;65m", "\033[48;5;187m", "\033[38;5;108m"
_LAST_MOVE = "\033[48;5;136m"
_INK = {Color.WHITE: "\033[1;38;5;231m", Color.BLACK: "\033[1;38;5;16m"}


def unicode_board(
    drawing: Drawing,
    *,
    orientation: Color | str = "white",
    numbering: str = "rulebook",
    ascii: bool = False,
    color: bool = False,
    last_move: Iterable[Square | str] = (),
) -> str:
    """The board as lines of text, without a line end after the last.

    Men are ○ and ●, kings (○) and (●), empty playing squares a point. With `ascii` they are the letters w, b, W
    and B and no frame is drawn: for screen readers and plain terminals. With `color` the squares are coloured,
    those of `last_move` in a colour of their own.

    Files and ranks, or columns and rows, are written along the edges. A board with numbers has beside each row the
    numbers of its first and last playing square; those between count on from one to the other.

    >>> from damas.board import Geometry
    >>> board = Geometry(8, all_squares=False, corner="right", first_number="bottom-right")
    >>> pieces = {0: Piece.WHITE_KING, 5: Piece.WHITE_MAN, 31: Piece.BLACK_MAN}
    >>> print(unicode_board(Drawing(board, board.numbers, pieces)))
       ┌─────────────────┐
    32 │ ●   ·   ·   ·   │ 29
    28 │   ·   ·   ·   · │ 25
    24 │ ·   ·   ·   ·   │ 21
    20 │   ·   ·   ·   · │ 17
    16 │ ·   ·   ·   ·   │ 13
    12 │   ·   ·   ·   · │  9
     8 │ ·   ·   ○   ·   │  5
     4 │   ·   ·   ·  (○)│  1
       └─────────────────┘
    """
    view = View.of(drawing, orientation, numbering)
    last_squares = frozenset(drawing.squares(last_move))
    columns = view.edges[0] if view.edges else ()
    # Two columns of text are as wide as a line is high, and the brackets of a king reach into the next square,
    # where nobody stands. Three where somebody may, where squares have a colour, or where labels need them.
    roomy = color or drawing.geometry.all_squares or any(len(name) > 1 for name in columns)
    width = 3 if roomy else 2
    left, right = _row_labels(view)
    margin = max(map(len, left)) + 1 if any(left) else 0

    def dim(text: str) -> str:
        return f"{_DIM}{text}{_RESET}" if color and text.strip() else text

    rail = "" if ascii or color else "│"
    lines = []
    for row, before, after in zip(view.rows, left, right, strict=True):
        cells = list(_cells(drawing, row, roomy=roomy, ascii=ascii))
        body = "".join(_colored_cells(drawing, row, cells, last_squares)) if color else "".join(cells)
        beside = " " + after.rjust(max(map(len, right)))
        lines.append(dim(before.rjust(margin - 1) + " " if margin else "") + rail + body + rail + dim(beside))
    if rail:
        edge = "─" * (width * view.size + (not roomy))
        lines = [f"{' ' * margin}┌{edge}┐", *lines, f"{' ' * margin}└{edge}┘"]
    if columns:
        names = "".join(name.center(3) if roomy else f" {name}" for name in columns)
        lines.append(dim(" " * (margin + len(rail)) + names))
    return "\n".join(line.rstrip() for line in lines)


def _cells(drawing: Drawing, row: Sequence[Square | None], *, roomy: bool, ascii: bool) -> Iterator[str]:
    """The text of each square of a row, and what is left over after the last."""
    open_bracket = False
    for square in row:
        piece = None if square is None else drawing.pieces.get(square)
        bracketed = piece is not None and piece.is_king and not ascii
        sign = _sign(piece, ascii) if square is not None else " "
        if roomy:
            yield f"({sign})" if bracketed else f" {sign} "
        else:
            yield ("(" if bracketed else ")" if open_bracket else " ") + sign
        open_bracket = bracketed
    if not roomy:
        yield ")" if open_bracket else " "


def _sign(piece: Piece | None, ascii: bool) -> str:
    if piece is None:
        return "." if ascii else _EMPTY
    return piece.value if ascii else _DISC[piece.color]


def _colored_cells(
    drawing: Drawing, row: Sequence[Square | None], cells: Sequence[str], last_squares: frozenset[Square]
) -> Iterator[str]:
    """Each cell after the colour codes of its square and piece, then the code that resets them."""
    for square, text in zip(row, cells, strict=True):
        piece = None if square is None else drawing.pieces.get(square)
        ground = _LIGHT if square is None else _LAST_MOVE if square in last_squares else _DARK
        yield ground + (_INK[piece.color] if piece else _FAINT) + text
    yield _RESET


def _row_labels(view: View) -> tuple[list[str], list[str]]:
    """What stands at the left and at the right of each row."""
    nothing = [""] * view.size
    if view.edges:
        return list(view.edges[1]), nothing
    if not view.labels_inside:
        return nothing, nothing
    rows = [[view.names[square] for square in row if square is not None] for row in view.rows]
    return [row[0] for row in rows], [row[-1] for row in rows]
