"""Writes moves and FEN in any scheme of square names, and recognises numbers that count from another corner."""

import re
from dataclasses import dataclass

from damas.board import Geometry, Square
from damas.game import Move, Position
from damas.language import sentence
from damas.rules import Rulebook

SCHEMES = ("algebraic", "numbers", "rows-columns")
"""Ways to name the squares of any board."""

_NUMBERS = re.compile(r"[0-9]{1,3}(?:\s*[-x:]\s*[0-9]{1,3}){1,30}")


def square_names(book: Rulebook, scheme: str) -> tuple[str, ...]:
    """The name of each square of a rulebook's board in a scheme; raises `ValueError` for an unknown scheme."""
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {scheme!r}; known schemes: {', '.join(SCHEMES)}")
    return book.geometry.schemes[scheme]


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


def move_text(position: Position, move: Move, scheme: str, *, short: bool = False) -> str:
    """The text of a legal move of the position in a scheme.

    It names every square of the route, or with `short` only the ends where no other legal move has the same.

    >>> position = Position.from_fen("W:Wc3:Bd4,f6,b4", "brasileira")
    >>> move = position.legal_moves[0]
    >>> [move_text(position, move, scheme) for scheme in SCHEMES]
    ['c3xe5xg7', '22x15x8', '2,2 4,4 6,6']
    >>> move_text(position, move, "algebraic", short=True)
    'c3xg7'
    """
    names = square_names(position.rulebook, scheme)
    squares = short_route(position, move) if short else move.route
    if scheme == "rows-columns":
        return " ".join(names[square] for square in squares)
    return joined(names, squares, capture=move.is_capture)


def joined(names: tuple[str, ...], squares: tuple[Square, ...], *, capture: bool) -> str:
    """The squares of a move as one word, joined by `-` or `x`."""
    return ("x" if capture else "-").join([names[square] for square in squares])


def short_route(position: Position, move: Move) -> tuple[Square, ...]:
    """The first and last square of a move if no other legal move has the same, otherwise its whole route."""
    ends = (move.origin, move.destination)
    if not move.is_capture:
        return ends
    alike = sum((other.origin, other.destination) == ends for other in position.legal_moves)
    return ends if alike == 1 else move.route


@dataclass(frozen=True)
class Hint:
    """The move that a text would mean in a scheme that the board does not use; a suggestion, never played."""

    scheme: str
    tried: str
    move: Move

    def sentence(self, language: str) -> str:
        """The suggestion in a language."""
        return sentence(f"hint.{self.scheme}", language, tried=self.tried, move=self.move.text)


def read_hint(position: Position, text: str) -> Hint | None:
    """The legal move that a text means if its numbers count from the bottom left, upwards (1 = a1).

    None if the text is a legal move as it stands, or in neither numbering.

    >>> read_hint(Position.start("brasileira"), "9-13").move.text
    'a3-b4'
    """
    text = text.strip()
    if _legal(position, text):
        return None
    move = bottom_left_move(position, text)
    return Hint("bottom_left", text, move) if move else None


def bottom_left_move(position: Position, text: str) -> Move | None:
    """The legal move that a text means if its numbers count from the bottom left, even if it is a move as it stands."""
    text = text.strip()
    if not _NUMBERS.fullmatch(text):
        return None
    order = bottom_left(position.rulebook.geometry)
    numbers = [int(number) for number in re.findall("[0-9]+", text)]
    if not all(1 <= number <= len(order) for number in numbers):
        return None
    names = position.rulebook.geometry.algebraic
    return _legal(position, "-".join(names[order[number - 1]] for number in numbers))


def _legal(position: Position, text: str) -> Move | None:
    moves, squares, _ = position.read(text)
    return moves[0] if squares is not None and len(moves) == 1 else None  # type: ignore[return-value]


def bottom_left(geometry: Geometry) -> list[Square]:
    """The squares in the order of a numbering from White's left corner, row by row upwards."""
    return sorted(geometry.squares, key=lambda square: geometry.shown[square])
