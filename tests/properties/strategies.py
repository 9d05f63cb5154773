"""Positions and attempts out of hypothesis, for every rulebook."""

from functools import cache

from hypothesis import strategies as st

from damas import Color, Piece, Position, Setup, rulebook
from damas.rules import rulebook_ids
from differential import competing
from oracle.hostile import endings
from oracle.hostile import positions as hostile

books = st.sampled_from(rulebook_ids())
"""The id of a built-in rulebook."""


@cache
def hostile_fens(book_id: str) -> list[str]:
    return [*hostile(book_id, 11, 150), *endings(book_id, 11, 30), *competing.stored()[book_id]]


@st.composite
def placed(draw: st.DrawFn, book_id: str) -> Position:
    """Pieces anywhere; shrinks to few men."""
    book = rulebook(book_id)
    squares = draw(
        st.lists(
            st.tuples(st.sampled_from(book.geometry.squares), st.sampled_from("wbWB")),
            min_size=1,
            max_size=len(book.geometry.squares) // 2,
            unique_by=lambda item: item[0],
        )
    )
    pieces: dict[int, Piece] = {}
    most = len(book.start_squares(Color.WHITE))
    for square, letter in squares:
        row = book.geometry.places[square][0]
        crown = book.size.value - 1 if letter == "w" else 0
        piece = Piece(letter.upper() if letter.islower() and row == crown else letter)
        if sum(other.color is piece.color for other in pieces.values()) < most:
            pieces[square] = piece
    return Position.of(Setup(pieces, draw(st.sampled_from(Color))), book)


@st.composite
def reached(draw: st.DrawFn, book_id: str) -> Position:
    """After some moves from the start."""
    position = Position.start(book_id)
    for choice in draw(st.lists(st.integers(0, 60), max_size=50)):
        moves = position.legal_moves
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
    return position


def positions_of(book_id: str) -> st.SearchStrategy[Position]:
    fens = hostile_fens(book_id)
    return st.one_of(
        st.sampled_from(fens).map(lambda fen: Position.from_fen(fen, book_id)),
        placed(book_id),
        reached(book_id),
    )


positions = books.flatmap(positions_of)
"""A position of any rulebook: hostile, thrown together, or reached by play."""


def turned(position: Position) -> Position:
    """The same position with the board turned by half and the colours exchanged."""
    swapped = {"w": "b", "W": "B", "b": "w", "B": "W"}
    last = len(position.rulebook.geometry.squares) - 1
    pieces = {last - square: Piece(swapped[piece.value]) for square, piece in position.setup.pieces.items()}
    return Position.of(Setup(pieces, position.turn.other), position.rulebook)
