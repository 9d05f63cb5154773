"""Writes FEN in either numbering of a board; `Position.from_fen` reads both."""

from damas.game import Position
from damas.notation.schemes import square_names


def fen_in(position: Position, numbering: str) -> str:
    """The FEN of a position with its squares in "numbers" or "algebraic", whichever the rulebook prefers.

    >>> fen_in(Position.from_fen("W:Wc3,Ka1:Bd4", "brasileira"), "numbers")
    'W:WK29,22:B18'
    """
    if numbering not in ("algebraic", "numbers"):
        raise ValueError(f"a FEN is written in algebraic or numbers, not in {numbering!r}")
    names = square_names(position.rulebook, numbering)
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for square, letter in enumerate(position.diagram):
        if letter != ".":
            king = "K" if letter.isupper() else ""
            sides[letter.upper()].append(king + names[square])
    return f"{position.turn.letter}:W{','.join(sides['W'])}:B{','.join(sides['B'])}"
