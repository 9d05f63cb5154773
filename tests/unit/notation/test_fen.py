"""FEN in both numberings."""

import pytest
from hypothesis import given

from damas import IllegalSetup, Position
from damas.notation import fen_in
from unit.notation.games import BOOKS, any_positions


@given(any_positions())
def test_the_rulebooks_own_numbering_writes_what_the_core_writes(position: Position) -> None:
    assert fen_in(position, position.rulebook.fen_squares) == position.fen


def test_the_numberings_differ_where_they_should() -> None:
    for book in BOOKS:
        start = Position.start(book)
        assert fen_in(start, "algebraic") != fen_in(start, "numbers")


def test_kings_and_an_empty_side() -> None:
    position = Position.from_fen("B:W:BK1,5", "internacional")
    assert fen_in(position, "algebraic") == "B:W:BKb10,j10"
    assert fen_in(position, "numbers") == "B:W:BK1,5"


def test_rows_and_columns_are_no_fen() -> None:
    with pytest.raises(ValueError, match="rows-columns"):
        fen_in(Position.start("concurso"), "rows-columns")


def test_what_is_wrong_is_said_once_and_not_without_end() -> None:
    with pytest.raises(IllegalSetup) as same:
        Position.from_fen(f"W:W{','.join(['99'] * 200)}:B1", "internacional")
    assert len(same.value.problems) >= 200 and same.value.sentence("en").count("99") == 1
    with pytest.raises(IllegalSetup) as many:
        Position.from_fen(f"W:W{','.join(str(square) for square in range(60, 90))}:B1", "internacional")
    assert many.value.sentence("en").count("is no square") == 8 and "…" in many.value.sentence("en")
