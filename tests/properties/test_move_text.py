"""Every legal move's text means that move; a short text means it too, or is refused with all it may mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import AmbiguousMove, Position
from damas.notation import SCHEMES, hub, move_text
from damas.rules import rulebook_ids
from properties.strategies import positions, positions_of


@pytest.mark.parametrize("book_id", rulebook_ids())
@given(data=st.data())
def test_own_text(book_id: str, data: st.DataObject) -> None:
    position = data.draw(positions_of(book_id))
    for move in position.legal_moves:
        assert position.parse(move.text) == move
        assert position.play(move.text) == position.play(move)


@given(positions)
def test_every_route_is_read_as_its_move(position: Position) -> None:
    for move in position.routes():
        assert position.parse(move.text) == move


@given(positions, st.sampled_from(SCHEMES))
def test_every_scheme(position: Position, scheme: str) -> None:
    for move in position.legal_moves:
        assert position.parse(move_text(position, move, scheme)) == move


@given(positions, st.sampled_from(SCHEMES))
def test_short_text_that_suffices(position: Position, scheme: str) -> None:
    for move in position.legal_moves:
        assert position.parse(move_text(position, move, scheme, short=True)) == move


@given(positions, st.sampled_from(("x", "-", ":", " x ")))
def test_both_ends_alone(position: Position, sign: str) -> None:
    names = position.rulebook.square_names
    for move in position.legal_moves:
        ends = (move.origin, move.destination)
        alike = [other for other in position.legal_moves if (other.origin, other.destination) == ends]
        text = sign.join(names[square] for square in ends)
        if len(alike) == 1:
            assert position.parse(text) == move
            continue
        in_line = set(position.rulebook.geometry.line(*ends) or ())
        straight = [other for other in alike if set(other.captured) <= in_line]
        if straight:
            # The whole route of one of them: it is that one, for it has no longer text.
            assert [position.parse(text)] == straight
        else:
            with pytest.raises(AmbiguousMove) as caught:
                position.parse(text)
            assert sorted(caught.value.legal) == sorted(other.text for other in alike)


@given(positions)
def test_marks_of_crowning_and_praise_change_nothing(position: Position) -> None:
    for move in position.legal_moves:
        for mark in ("=", "!", "?!", " ", "=D"):
            assert position.parse(move.text + mark) == move


@given(positions)
def test_hub(position: Position) -> None:
    for move in position.legal_moves:
        assert hub.read_move(position, hub.write_move(position, move)) == move
