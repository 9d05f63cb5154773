"""Move text in every scheme of every board."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import AmbiguousMove, Position
from damas.notation import SCHEMES, move_text, read_hint
from unit.notation.games import any_positions


@given(any_positions())
def test_a_written_move_is_read_back(position: Position) -> None:
    for move in position.legal_moves:
        for scheme in SCHEMES:
            for short in (False, True):
                assert position.parse(move_text(position, move, scheme, short=short)) == move


@given(any_positions())
def test_the_rulebooks_own_scheme_writes_what_the_core_writes(position: Position) -> None:
    for move in position.legal_moves:
        assert move_text(position, move, position.rulebook.move_text) == move.text


def test_the_same_move_in_every_scheme_of_the_product_page() -> None:
    start = Position.start("brasileira")
    move = start.parse("c3-d4")
    assert [move_text(start, move, scheme) for scheme in SCHEMES] == ["c3-d4", "22-18", "2,2 3,3"]
    assert all(start.parse(text) == move for text in ("22-18", "c3d4", "2,2 3,3"))
    portuguese = Position.start("portuguesa")
    assert move_text(portuguese, portuguese.parse("f3-e4"), "numbers") == "10-14"


def test_a_capture_is_short_only_where_its_ends_say_enough() -> None:
    one = Position.from_fen("W:Wc3:Bb4,d4,f6", "brasileira")
    assert move_text(one, one.legal_moves[0], "algebraic", short=True) == "c3xg7"
    two = Position.from_fen("W:WK6:B43,38,31,28", "internacional")
    with pytest.raises(AmbiguousMove):
        two.parse("6x26")
    written = {move_text(two, move, "numbers", short=True) for move in two.legal_moves}
    assert written == {"6x39x48x26", "6x33x42x26"}


def test_a_capture_that_ends_where_it_began_keeps_both_ends() -> None:
    position = Position.from_fen("W:WK3:BK21,14,15,16,K7,K8", "inglesa")
    round_trip = next(move for move in position.legal_moves if move.origin == move.destination)
    text = move_text(position, round_trip, "numbers", short=True)
    assert text == "3x3"
    assert position.parse(text) == round_trip


def test_an_unknown_scheme_is_refused() -> None:
    start = Position.start("brasileira")
    with pytest.raises(ValueError, match="unknown scheme"):
        move_text(start, start.legal_moves[0], "roman")


def test_numbers_from_the_bottom_left_are_offered_not_read() -> None:
    start = Position.start("brasileira")
    hint = read_hint(start, "9-13")
    assert hint is not None
    assert (hint.scheme, hint.move.text) == ("bottom_left", "a3-b4")
    assert "a3-b4" in hint.sentence("pt-BR")
    assert all("9-13" in hint.sentence(language) for language in ("pt-BR", "pt-PT", "es", "en"))


def test_a_capture_in_numbers_from_the_bottom_left() -> None:
    position = Position.from_fen("W:Wc3:Bb4,d4,f6", "brasileira")  # c3 is 10 from the bottom left, g7 is 28
    hint = read_hint(position, "10x28")
    assert hint is not None
    assert hint.move.text == "c3xe5xg7"


def test_on_a_mirrored_board_the_bottom_left_is_whites_left() -> None:
    start = Position.start("portuguesa")  # from the left b3 is 9 and c4 is 14; in its own numbers 12 and 15
    hint = read_hint(start, "9-14")
    assert hint is not None
    assert hint.move == start.parse("b3-c4") == start.parse("12-15")
    assert read_hint(start, "12-16") is None  # legal as it stands: b3-a4


@pytest.mark.parametrize(
    "text", ["22-18", "c3-d4", "c3-c4", "99-98", "0-1", "1", "", "9", "x", "9-13-99", "1-0"]
)
def test_no_hint_where_none_is_due(text: str) -> None:
    assert read_hint(Position.start("brasileira"), text) is None


@given(st.text())
def test_garbage_gives_no_hint_and_no_error(text: str) -> None:
    read_hint(Position.start("internacional"), text)
