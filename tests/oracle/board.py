"""Squares, pieces, positions and their texts.

A square is (row, column): row 0 is White's first row, column 0 the file a, so
White plays towards greater rows on every board. A piece is one letter: w and b
are men, W and B kings.
"""

from dataclasses import dataclass
from functools import cache

from .books import Book, book_of

Square = tuple[int, int]
FILES = "abcdefghijkl"


@dataclass(frozen=True)
class Position:
    """The side to move ("W" or "B") and the piece on each square; `pieces` must not be changed."""

    turn: str
    pieces: dict[Square, str]

    def key(self) -> tuple[str, frozenset[tuple[Square, str]]]:
        """A key that is equal for equal positions: the same pieces on the same squares, the same side to move (G4)."""
        return self.turn, frozenset(self.pieces.items())

    def __hash__(self) -> int:
        return hash(self.key())


def colour(piece: str) -> str:
    return piece.upper()


def is_king(piece: str) -> bool:
    return piece.isupper()


def other(side: str) -> str:
    return "B" if side == "W" else "W"


# --- the board ---------------------------------------------------------------


@cache
def playing_squares(size: int, corner: str) -> frozenset[Square]:
    """The squares in use. A playable left corner is (0, 0), a right one (0, size - 1)."""
    every = [(row, column) for row in range(size) for column in range(size)]
    if corner == "all":
        return frozenset(every)
    parity = 0 if corner == "left" else 1  # sizes are even, so a right corner is odd
    return frozenset(square for square in every if sum(square) % 2 == parity)


def squares(book: Book) -> frozenset[Square]:
    return playing_squares(book.size, book.corner)


def crown_row(book: Book, side: str) -> int:
    """The row on which men of that side are crowned."""
    return book.size - 1 if side == "W" else 0


def long_diagonal(book: Book) -> frozenset[Square]:
    """The great diagonal, or Rio: from the playable corner of one player to that of the other."""
    last = book.size - 1
    if book.corner == "right":
        return frozenset((row, last - row) for row in range(book.size))
    return frozenset((row, row) for row in range(book.size))


# --- names -------------------------------------------------------------------


@cache
def numbered(size: int, corner: str, first: str) -> tuple[Square, ...]:
    """Squares in the order of their numbers; number n is entry n - 1."""
    if first == "top left":  # row by row downwards, each from left to right
        return tuple(sorted(playing_squares(size, corner), key=lambda s: (-s[0], s[1])))
    if first == "bottom right":  # row by row upwards, each from right to left (003-1c)
        return tuple(sorted(playing_squares(size, corner), key=lambda s: (s[0], -s[1])))
    raise ValueError(first)


def order(book: Book) -> tuple[Square, ...]:
    """The squares in the order in which the book lists them."""
    return numbered(book.size, book.corner, book.numbers or "top left")


@cache
def names(size: int, corner: str, first: str, written: str) -> dict[Square, str]:
    if written == "algebraic":
        return {square: f"{FILES[square[1]]}{square[0] + 1}" for square in playing_squares(size, corner)}
    return {square: str(n) for n, square in enumerate(numbered(size, corner, first), start=1)}


def name(book: Book, square: Square) -> str:
    """The name of a square in the FEN of this book."""
    return names(book.size, book.corner, book.numbers or "top left", book.written)[square]


def square_of(book: Book, text: str) -> Square:
    """The square that a text names: algebraic or, where the board has them, numbers."""
    if text.isdigit():
        if book.numbers is None:
            raise ValueError(f"{book.id} has no square numbers: {text!r}")
        listed = order(book)
        if not 1 <= int(text) <= len(listed):
            raise ValueError(f"no square {text!r} in {book.id}")
        return listed[int(text) - 1]
    if text[:1] in FILES and text[1:].isdigit():
        square = (int(text[1:]) - 1, FILES.index(text[0]))
        if square in squares(book):
            return square
    raise ValueError(f"no square {text!r} in {book.id}")


# --- FEN ---------------------------------------------------------------------


def read_fen(book: Book | str, fen: str) -> Position:
    """A position from `W:Wc3,Ka1:Bb4`, numbers and ranges alike; the sides in either order."""
    book = book_of(book)
    turn, *sides = [part.strip() for part in fen.strip().rstrip(".").split(":")]
    if turn not in ("W", "B"):
        raise ValueError(f"who is to move? {fen!r}")
    if sorted(side[:1] for side in sides) not in (["B"], ["W"], ["B", "W"]):
        raise ValueError(f"one list for each side, please: {fen!r}")
    pieces: dict[Square, str] = {}
    for side in sides:
        for item in side[1:].split(","):
            item = item.strip()
            if not item:
                continue
            piece = side[0] if item.startswith("K") else side[0].lower()
            for square in read_range(book, item.removeprefix("K")):
                if square in pieces:
                    raise ValueError(f"two pieces on {name(book, square)}: {fen!r}")
                pieces[square] = piece
    return Position(turn, pieces)


def read_range(book: Book, text: str) -> list[Square]:
    """One square, or all from the first to the last number of `1-12`."""
    first, dash, last = text.partition("-")
    if not dash:
        return [square_of(book, first)]
    if not (first.isdigit() and last.isdigit()):
        raise ValueError(f"only numbers have ranges: {text!r}")
    return [square_of(book, str(number)) for number in range(int(first), int(last) + 1)]


def write_fen(book: Book | str, position: Position) -> str:
    """The FEN in the book's own squares, White first, squares in the book's order."""
    book = book_of(book)
    lists: dict[str, list[str]] = {"W": [], "B": []}
    for square in order(book):
        piece = position.pieces.get(square)
        if piece is not None:
            lists[colour(piece)].append(("K" if is_king(piece) else "") + name(book, square))
    return f"{position.turn}:W{','.join(lists['W'])}:B{','.join(lists['B'])}"


def start(book: Book | str) -> Position:
    """The position in which a game begins."""
    book = book_of(book)
    pieces: dict[Square, str] = {}
    for square in squares(book):
        if square[0] in book.men_rows:
            pieces[square] = "w"
        elif book.size - 1 - square[0] in book.men_rows:
            pieces[square] = "b"
    return Position(book.starter, pieces)
