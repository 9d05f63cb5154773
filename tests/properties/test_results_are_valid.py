"""What a legal move leads to is a position that the rules accept, with one turn passed and nothing lost but the captured."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Color, Position
from damas.rules import rulebook_ids
from properties.strategies import positions_of


@pytest.mark.parametrize("book_id", rulebook_ids())
@given(data=st.data())
def test_every_result_is_a_valid_position(book_id: str, data: st.DataObject) -> None:
    position = data.draw(positions_of(book_id))
    before = position.setup
    for move in position.legal_moves:
        following = position.play(move)
        assert Position.of(following.setup, book_id) == following
        assert following.turn is position.turn.other
        after = dict(before.pieces)
        piece = after.pop(move.origin)
        for square in move.captured:
            assert after.pop(square).color is not position.turn
        assert move.destination not in after
        king = piece.is_king or move.promotes
        assert following.piece_at(move.destination) is not None
        landed = following.piece_at(move.destination)
        assert (landed.color, landed.is_king) == (position.turn, king)
        assert following.setup.pieces == {**after, move.destination: landed}
        assert move.by_king is piece.is_king
        assert not (move.promotes and piece.is_king)
    assert position.setup == before


@pytest.mark.parametrize("book_id", rulebook_ids())
@given(data=st.data())
def test_a_man_that_rests_on_the_crown_row_is_crowned_and_only_such_a_man_unless_crowned_in_passing(
    book_id: str, data: st.DataObject
) -> None:
    position = data.draw(positions_of(book_id))
    book = position.rulebook
    crown = book.size.value - 1 if position.turn is Color.WHITE else 0
    row = [place[0] for place in book.geometry.places]
    for move in position.legal_moves:
        if move.by_king:
            assert not move.promotes
        elif book.promotion.value == "continues":
            assert move.promotes is any(row[square] == crown for square in move.route[1:])
        else:
            assert move.promotes is (row[move.destination] == crown)
