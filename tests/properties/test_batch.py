"""The batch call gives the positions that playing every move gives."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Position, rulebook, successors
from properties.strategies import books, positions_of

CODES = {".": 0, "w": 1, "W": 2, "b": -1, "B": -2}


def row(position: Position) -> list[int]:
    return [CODES[letter] for letter in position.diagram]


def table(rows: list[list[int]], columns: int) -> memoryview:
    flat = array("b", [code for some in rows for code in some])
    return memoryview(flat).cast("B").cast("b", (len(rows), columns))


def line(numbers: list[int]) -> memoryview:
    return memoryview(array("b", numbers))


@given(books.flatmap(lambda book: st.lists(positions_of(book), min_size=1, max_size=6)))
def test_successors_are_what_playing_gives(some: list[Position]) -> None:
    book = some[0].rulebook
    columns = len(book.geometry.squares)
    children, parents, ends = successors(
        book, table([row(p) for p in some], columns), line([int(p.black_to_move) for p in some])
    )
    expected = [
        (row(position.play(move)), index, [move.origin, move.destination])
        for index, position in enumerate(some)
        for move in position.legal_moves
    ]
    assert children.shape == (len(expected), columns)
    assert list(zip(children.tolist(), parents.tolist(), ends.tolist(), strict=True)) == expected


def test_the_start_of_every_board() -> None:
    for book_id in ("brasileira", "internacional", "canadense", "turca"):
        start = Position.start(book_id)
        columns = len(start.rulebook.geometry.squares)
        children, parents, ends = successors(book_id, table([row(start)], columns), line([0]))
        assert children.shape == (len(start.legal_moves), columns)
        assert set(parents.tolist()) == {0}
        assert ends.shape == (len(start.legal_moves), 2)


def test_a_position_without_moves_has_no_successors() -> None:
    lost = Position.from_fen("W:Wa5:Bb6,c7", "brasileira")
    assert not lost.legal_moves
    children, parents, ends = successors("brasileira", table([row(lost)] * 3, 32), line([0] * 3))
    assert (children.shape[0], parents.tolist(), ends.shape[0]) == (0, [], 0)


def test_answers_outlive_their_input() -> None:
    def made() -> memoryview:
        return successors("brasileira", table([row(Position.start("brasileira"))], 32), line([0]))[0]

    children = [made() for _ in range(200)]
    assert all(child.tolist() == children[0].tolist() for child in children)


START = row(Position.start("brasileira"))


@pytest.mark.parametrize("code", [3, -3, 100, -128, 127])
def test_codes_that_mean_nothing_are_refused(code: int) -> None:
    with pytest.raises(ValueError, match="piece codes"):
        successors("brasileira", table([START, [code, *START[1:]]], 32), line([0, 0]))


@pytest.mark.parametrize(
    ("codes", "turns", "error"),
    [
        (table([START[:-1]], 31), line([0]), ValueError),
        (table([[*START, 0]], 33), line([0]), ValueError),
        (table([START], 32), line([0, 0]), ValueError),
        (table([START, START], 32), line([0]), ValueError),
        (line(START), line([0]), TypeError),
        (table([START], 32), table([[0]], 1), TypeError),
        (memoryview(array("i", START)).cast("B").cast("i", (1, 32)), line([0]), TypeError),
        (table([START], 32), memoryview(array("d", [0.0])), TypeError),
        ([START], [0], TypeError),
        (None, None, TypeError),
    ],
)
def test_other_shapes_and_types_are_refused(codes: object, turns: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        successors("brasileira", codes, turns)


def test_the_board_of_the_rulebook_decides_the_columns() -> None:
    with pytest.raises(ValueError, match="column"):
        successors(rulebook("internacional"), table([START], 32), line([0]))
