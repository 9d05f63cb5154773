from collections.abc import Callable

import pytest

from damas.board import Geometry, Piece
from damas.drawing import Drawing

Place = Callable[..., Drawing]


@pytest.mark.parametrize("name", ["1", "h1", "0,7", "H1", "0, 7", 0])
def test_a_square_is_found_by_any_of_its_names(place: Place, name: str | int) -> None:
    assert place("portuguesa").square(name) == 0


def test_a_text_of_digits_is_a_number_and_a_whole_number_an_index(place: Place) -> None:
    drawing = place("brasileira")
    assert drawing.geometry.algebraic[drawing.square("9")] == "b6"
    assert drawing.geometry.algebraic[drawing.square(9)] == "c3"


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("b1", ValueError, "No square 'b1' on this board"),
        ("33", ValueError, "No square '33' on this board"),
        (32, ValueError, "this board has squares 0 to 31"),
        (-1, ValueError, "this board has squares 0 to 31"),
        (True, TypeError, "not True"),
        (1.0, TypeError, "not 1.0"),
        (None, TypeError, "not None"),
    ],
)
def test_an_unknown_square_is_named(place: Place, name: object, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        place("brasileira").square(name)  # type: ignore[arg-type]


def test_pieces_and_names_must_fit_the_board() -> None:
    board = Geometry(8, all_squares=False, corner="left", first_number="top-left")
    with pytest.raises(ValueError, match="has 32 squares, but 2 names"):
        Drawing(board, ("a1", "c1"), {})
    with pytest.raises(ValueError, match="No square 32"):
        Drawing(board, board.algebraic, {32: Piece.WHITE_MAN})
    with pytest.raises(ValueError, match="No square -1"):
        Drawing(board, board.algebraic, {-1: Piece.WHITE_MAN})
