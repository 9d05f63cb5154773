"""A picture as English text for screen readers; drawing does not use the catalogue of sentences."""

from collections.abc import Sequence

from damas.board import Color, Piece, Square
from damas.drawing.view import View

_KINDS = {
    Color.WHITE: ((Piece.WHITE_MAN, "man", "men"), (Piece.WHITE_KING, "king", "kings")),
    Color.BLACK: ((Piece.BLACK_MAN, "man", "men"), (Piece.BLACK_KING, "king", "kings")),
}


def summary(view: View) -> str:
    """One short line: who has how many pieces."""
    sides = []
    for color, kinds in _KINDS.items():
        counts = []
        for piece, one, many in kinds:
            count = sum(here is piece for here in view.drawing.pieces.values())
            if count:
                counts.append(f"{count} {one if count == 1 else many}")
        sides.append(f"{color.value.capitalize()} {' and '.join(counts) or 'no pieces'}")
    return f"Draughts board: {', '.join(sides)}"


def position(view: View) -> list[str]:
    """The board and where every piece stands, a sentence each."""
    size = view.size
    sentences = [f"A board of {size} by {size} seen from {view.side.value.capitalize()}'s side."]
    for color, kinds in _KINDS.items():
        groups = []
        for piece, one, many in kinds:
            names = view.in_order(square for square, here in view.drawing.pieces.items() if here is piece)
            if names:
                groups.append(f"{one if len(names) == 1 else many} on {_listed(names)}")
        sentences.append(f"{color.value.capitalize()}: {'; '.join(groups) or 'no pieces'}.")
    return sentences


def path(view: View, squares: Sequence[Square]) -> str:
    """The squares of a path, from the first to the last."""
    return " to ".join(view.names[square] for square in squares)


def listed(view: View, squares: Sequence[Square]) -> str:
    """The names of some squares, in order."""
    return _listed(view.in_order(squares))


def _listed(names: Sequence[str]) -> str:
    # "0,2" has a comma of its own
    return ("; " if any("," in name for name in names) else ", ").join(names)
