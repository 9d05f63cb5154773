"""A picture as English text for screen readers; drawing does not use the catalogue of sentences."""

from collections.abc import Sequence

from damas.board import Color, Square
from damas.drawing.view import View

_WORDS = {False: ("man", "men"), True: ("king", "kings")}


def _groups(view: View, color: Color) -> list[tuple[str, list[str]]]:
    """The men and the kings of a colour, where it has any: the word for them and their squares."""
    groups = []
    for is_king, (one, many) in _WORDS.items():
        squares = [
            square
            for square, piece in view.drawing.pieces.items()
            if piece.color is color and piece.is_king is is_king
        ]
        if squares:
            groups.append((one if len(squares) == 1 else many, view.in_order(squares)))
    return groups


def summary(view: View) -> str:
    """One short line: who has how many pieces."""
    sides = []
    for color in Color:
        counts = [f"{len(names)} {word}" for word, names in _groups(view, color)]
        sides.append(f"{color.value.capitalize()} {' and '.join(counts) or 'no pieces'}")
    return f"Draughts board: {', '.join(sides)}"


def position(view: View) -> list[str]:
    """The board and where every piece stands, a sentence each."""
    size = view.size
    sentences = [f"A board of {size} by {size} seen from {view.side.value.capitalize()}'s side."]
    for color in Color:
        groups = [f"{word} on {_listed(names)}" for word, names in _groups(view, color)]
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
