"""Hub positions and moves."""

import contextlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import DamasError, IllegalMove, IllegalSetup, NotationError, Position, Rulebook
from damas.notation import hub
from unit.notation.games import any_positions, books


@given(any_positions())
def test_positions_read_back_the_same(position: Position) -> None:
    text = hub.write_position(position)
    assert len(text) == 1 + len(position.rulebook.geometry.squares)
    assert hub.read_position(text, position.rulebook) == position


@given(any_positions(), st.integers(0, 99))
def test_moves_read_back_the_same_in_any_order_of_captured_squares(position: Position, seed: int) -> None:
    for move in position.legal_moves:
        text = hub.write_move(position, move)
        assert hub.read_move(position, text) == move
        if move.is_capture:
            first, last, *taken = text.split("x")
            random.Random(seed).shuffle(taken)
            assert hub.read_move(position, "x".join([first, last, *taken])) == move


def test_the_start_of_international_draughts() -> None:
    start = Position.start("internacional")
    assert hub.write_position(start) == "W" + "b" * 20 + "e" * 10 + "w" * 20
    assert hub.write_move(start, start.parse("32-28")) == "32-28"


def test_a_capture_names_the_captured_squares() -> None:
    position = Position.from_fen("W:W32:B28,19", "internacional")
    [move] = position.legal_moves
    assert hub.write_move(position, move) == "32x14x19x28"
    assert hub.read_move(position, "32x14x28x19") == move


def test_square_1_is_where_the_rulebook_has_it() -> None:
    position = Position.from_fen("W:WK1:BK32", "portuguesa")
    text = hub.write_position(position)
    assert (text[1], text[32]) == ("W", "B")
    assert position == Position.from_fen("W:WKh1:BKa8", "portuguesa")


def test_two_captures_with_the_same_ends_are_told_apart() -> None:
    position = Position.from_fen("W:WK6:B43,38,31,28", "internacional")
    texts = {hub.write_move(position, move) for move in position.legal_moves}
    assert len(texts) == len(position.legal_moves) == 2
    with pytest.raises(NotationError):
        hub.read_move(position, "6x26x28")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("", ["HUB_SIDE", "HUB_LENGTH"]),
        ("w" + "e" * 31 + "W", ["HUB_SIDE"]),
        ("W" + "e" * 31, ["HUB_LENGTH"]),
        ("W" + "e" * 33, ["HUB_LENGTH"]),
        ("Wx" + "e" * 31, ["HUB_LETTER"]),
    ],
)
def test_everything_wrong_with_a_position_is_told(text: str, codes: list[str]) -> None:
    with pytest.raises(NotationError) as caught:
        hub.read_position(text, "brasileira")
    assert [problem.code for problem in caught.value.problems] == codes
    for language in ("pt-BR", "pt-PT", "es", "en"):
        assert caught.value.sentence(language)


def test_a_position_the_rules_refuse() -> None:
    with pytest.raises(IllegalSetup):
        hub.read_position("Ww" + "e" * 31, "brasileira")


@pytest.mark.parametrize(
    "text", ["", "32", "32-", "32-28-19", "32x28", "a3-b4", "32 28", "32-28!", "3200-28"]
)
def test_what_is_no_hub_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        hub.read_move(Position.start("internacional"), text)
    assert [problem.code for problem in caught.value.problems] == ["HUB_MOVE"]
    assert str(caught.value)


def test_a_refused_move_is_refused_by_its_article() -> None:
    with pytest.raises(IllegalMove) as caught:
        hub.read_move(Position.start("internacional"), "32-23")
    assert caught.value.code == "TOO_FAR"
    with pytest.raises(NotationError):
        hub.read_move(Position.start("internacional"), "51-46")


@given(books, st.text() | st.text("wWbBe", min_size=30, max_size=70).map(lambda text: "W" + text))
def test_garbage_is_refused_by_our_own_errors(book: Rulebook, text: str) -> None:
    for read in (lambda: hub.read_position(text, book), lambda: hub.read_move(Position.start(book), text)):
        with contextlib.suppress(DamasError):
            read()
