"""Boards of every kind, and drawings of them by the names of their squares."""

from collections.abc import Callable

import pytest

from damas.board import Geometry, Piece
from damas.drawing import Drawing

BOARDS = {
    "brasileira": Geometry(8, all_squares=False, corner="left", first_number="top-left"),
    "portuguesa": Geometry(8, all_squares=False, corner="right", first_number="bottom-right"),
    "italiana": Geometry(8, all_squares=False, corner="right", first_number="top-left"),
    "internacional": Geometry(10, all_squares=False, corner="left", first_number="top-left"),
    "canadense": Geometry(12, all_squares=False, corner="left", first_number="top-left"),
    "turca": Geometry(8, all_squares=True, corner="left", first_number="top-left"),
}
ALGEBRAIC = {"brasileira", "turca"}

Place = Callable[..., Drawing]


@pytest.fixture(params=BOARDS)
def any_board(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place() -> Place:
    """place("portuguesa", w="1 5", B="32"): pieces by their letters, squares by the rulebook's names."""

    def placed(rulebook: str, **pieces: str) -> Drawing:
        board = BOARDS[rulebook]
        names = board.algebraic if rulebook in ALGEBRAIC else board.numbers
        standing = {
            names.index(name): Piece(letter) for letter, text in pieces.items() for name in text.split()
        }
        return Drawing(board, names, standing)

    return placed


@pytest.fixture
def start() -> Callable[[str], Drawing]:
    """The opening position."""

    def opening(rulebook: str) -> Drawing:
        board = BOARDS[rulebook]
        rows = {1, 2} if board.all_squares else set(range(board.size // 2 - 1))
        pieces = {}
        for square, (row, _) in enumerate(board.places):
            if row in rows:
                pieces[square] = Piece.WHITE_MAN
            elif board.size - 1 - row in rows:
                pieces[square] = Piece.BLACK_MAN
        return Drawing(board, board.algebraic if rulebook in ALGEBRAIC else board.numbers, pieces)

    return opening
