"""Turn the board by half, exchange the colours: the same moves, seen from the other side."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Color, Move, Position
from damas.rules import rulebook_ids
from properties.strategies import positions_of, turned


@pytest.mark.parametrize("book_id", rulebook_ids())
@given(data=st.data())
def test_moves_turn_with_the_board(book_id: str, data: st.DataObject) -> None:
    position = data.draw(positions_of(book_id))
    last = len(position.rulebook.geometry.squares) - 1
    other_side = turned(position)
    assert turned(other_side) == position
    assert other_side != position

    def seen(move: Move, turn: bool) -> tuple:
        squares = [(last - square if turn else square) for square in (*move.route, *move.captured)]
        return (*squares, len(move.captured), move.promotes, move.by_king)

    for ours, theirs in (
        (position.legal_moves, other_side.legal_moves),
        (position.quiet_moves(), other_side.quiet_moves()),
    ):
        assert {moved(move, last, False) for move in ours} == {moved(move, last, True) for move in theirs}
    assert sorted(seen(move, False) for move in position.routes()) == sorted(
        seen(move, True) for move in other_side.routes()
    )
    for move in position.legal_moves:
        following = turned(position.play(move))
        assert any(other_side.play(reply) == following for reply in other_side.legal_moves)
    assert position.perft(3) == other_side.perft(3)


def moved(move: Move, last: int, turn: bool) -> tuple:
    """Where from, where to and what it takes; of equal captures either side may show another route."""
    ends = (move.origin, move.destination)
    taken = move.captured
    if turn:
        ends, taken = (last - ends[0], last - ends[1]), tuple(last - square for square in taken)
    return (*ends, frozenset(taken), move.promotes)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_the_start_turned_is_the_start_with_the_other_side_to_move(book_id: str) -> None:
    start = Position.start(book_id)
    assert turned(start).setup.pieces == start.setup.pieces
    assert turned(start).turn is (Color.BLACK if start.turn is Color.WHITE else Color.WHITE)
