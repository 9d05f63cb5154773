"""Squares by any of their names, everywhere the library takes one."""

import pytest

from damas import Piece, Position, rulebook


@pytest.mark.parametrize("name", ["1", "h1", "0,7", "H1", "0, 7", 0])
def test_a_square_is_found_by_any_of_its_names(name: str | int) -> None:
    assert rulebook("portuguesa").geometry.square(name) == 0


def test_a_text_of_digits_is_a_number_and_a_whole_number_an_index() -> None:
    board = rulebook("brasileira").geometry
    assert board.algebraic[board.square("9")] == "b6"
    assert board.algebraic[board.square(9)] == "c3"


@pytest.mark.parametrize("name", ["b1", "33", 32, -1])
def test_an_unknown_square_is_named(name: str | int) -> None:
    for ask in (rulebook("brasileira").geometry.square, Position.start("brasileira").piece_at):
        with pytest.raises(ValueError, match=f"No square {name!r} on this board"):
            ask(name)


def test_a_piece_is_found_by_the_name_of_its_square() -> None:
    position = Position.from_fen("W:WKa1,c3:Bd6", "brasileira")
    pieces = [position.piece_at(name) for name in ("a1", "C3", "d6", "e5", 0)]
    assert pieces == [Piece.WHITE_KING, Piece.WHITE_MAN, Piece.BLACK_MAN, None, Piece.WHITE_KING]
