"""Positions to and from arrays of small whole numbers."""

import subprocess
import sys

import numpy as np
import pytest

from damas import Color, IllegalSetup, Piece, Position, rulebooks, successors
from damas.rules import rulebook


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_a_position_comes_back_from_its_array(book):
    position = Position.start(book)
    for _ in range(12):
        codes = np.asarray(position.to_array())
        assert codes.dtype == np.int8 and codes.shape == (len(book.square_names),)
        for source in (codes, codes.tolist(), position.to_array()):
            assert Position.from_array(source, book, position.turn) == position
        position = position.play(next(iter(position.legal_moves)))


def test_a_code_is_the_piece_on_that_square():
    position = Position.from_fen("B:Wc3,Ka1:Bf6,Kh8", "brasileira")
    codes = position.to_array()
    for square, code in enumerate(codes):
        piece = position.piece_at(square)
        assert code == (piece.code if piece else 0)
    assert codes[rulebook("brasileira").geometry.square("h8")] == Piece.BLACK_KING.code == -2


def test_the_core_takes_the_array_as_a_row():
    start = Position.start("internacional")
    rows, _, _ = successors("internacional", np.asarray(start.to_array())[None], np.array([0], np.int8))
    children = {Position.from_array(row, "internacional", Color.BLACK) for row in np.asarray(rows)}
    assert children == {start.play(move) for move in start.legal_moves}


@pytest.mark.parametrize(
    ("codes", "error"),
    [
        ([0] * 31, ValueError),
        ([3] + [0] * 31, ValueError),
        ([0.5] + [0] * 31, TypeError),
        ([[0] * 8] * 4, TypeError),
    ],
)
def test_what_is_no_array_of_pieces_is_refused(codes, error):
    with pytest.raises(error):
        Position.from_array(codes, "brasileira", "white")


def test_the_rules_still_decide():
    with pytest.raises(IllegalSetup):  # a white man on its last row
        Position.from_array([0] * 31 + [1], "brasileira", "white")


def test_arrays_need_no_numpy():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "import damas; start = damas.Position.start('brasileira')\n"
        "assert damas.Position.from_array(start.to_array(), 'brasileira', 'white') == start"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
