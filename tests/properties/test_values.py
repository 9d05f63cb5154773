"""Positions and moves are values: nothing changes them, and copies are equal."""

import copy
import pickle
import subprocess
import sys

import pytest
from hypothesis import given

from damas import Position, refusal, rulebook
from damas.game.core import core_rules
from damas.rules import parse, to_toml
from properties.strategies import positions

ATTRIBUTES = (
    "fen",
    "key",
    "turn",
    "white_men",
    "black_to_move",
    "rules",
    "rulebook",
    "legal_moves",
    "anything",
)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_nothing_of_a_position_can_be_set(attribute: str) -> None:
    position = Position.start("brasileira")
    with pytest.raises(AttributeError):
        setattr(position, attribute, None)


@pytest.mark.parametrize("attribute", ["origin", "destination", "captured", "promotes", "text", "anything"])
def test_nothing_of_a_move_can_be_set(attribute: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Position.start("brasileira").legal_moves[0], attribute, None)


@pytest.mark.parametrize("switch", ["flying_king", "capture_priority", "size", "id", "anything"])
def test_nothing_of_rules_can_be_set(switch: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Position.start("brasileira").rules, switch, None)


@given(positions)
def test_playing_asking_and_drawing_leave_the_position_alone(position: Position) -> None:
    before = (position.fen, position.key, position.setup, [move.text for move in position.legal_moves])
    for move in position.legal_moves:
        position.play(move)
    position.routes(), position.quiet_moves(), position.perft(2), position.count_moves()
    refusal(position, f"{position.rulebook.square_names[0]}-{position.rulebook.square_names[-1]}")
    str(position), position.svg()
    assert (
        position.fen,
        position.key,
        position.setup,
        [move.text for move in position.legal_moves],
    ) == before


@given(positions)
def test_pickled_and_copied_positions_are_equal(position: Position) -> None:
    for again in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
    ):
        assert again == position
        assert hash(again) == hash(position)
        assert again.rulebook is position.rulebook
        assert type(again) is Position


def test_a_position_of_house_rules_is_pickled_with_them() -> None:
    text = to_toml(rulebook("oficial")).replace('id = "oficial"', 'id = "our-house"', 1)
    book = parse(text.replace('value = "behind"', 'value = "any"', 1))
    position = Position.from_fen("W:WKa1:Bd4", book)
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert [move.text for move in again.legal_moves] == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]


def test_another_process_reads_the_same_position_and_cites_the_same_article() -> None:
    position = Position.from_fen("W:Wc3,h4:Bd4,d6,g5", "faraes")
    code = (
        "import pickle, sys; from damas import refusal;"
        "position = pickle.loads(sys.stdin.buffer.read());"
        "print(position.key, hash(position), position.fen, refusal(position, 'h4xf6').citation.article)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(position), capture_output=True, check=True
    ).stdout.decode()
    assert output.split(" ", 3) == [str(position.key), str(hash(position)), position.fen, "Art. 7\n"]


@given(positions)
def test_equal_moves_have_equal_hashes_and_are_found_by_in(position: Position) -> None:
    again = Position.from_fen(position.fen, position.rulebook)
    for mine, theirs in zip(position.legal_moves, again.legal_moves, strict=True):
        assert mine == theirs
        assert hash(mine) == hash(theirs)
        assert mine in again.legal_moves
        assert position.play(theirs) == again.play(mine)
    assert len({*position.legal_moves}) == len(position.legal_moves)
    assert "c3-d4" not in position.legal_moves


def test_nothing_is_equal_to_none() -> None:
    position = Position.start("brasileira")
    move = position.legal_moves[0]
    assert position != None  # noqa: E711
    assert move != None  # noqa: E711
    assert None not in position.legal_moves
    assert position not in [None, 3]


@given(positions)
def test_the_list_of_moves_behaves_as_a_sequence(position: Position) -> None:
    moves = position.legal_moves
    assert list(moves) == [moves[i] for i in range(len(moves))]
    assert moves.count() == len(moves) == position.count_moves()
    with pytest.raises(IndexError):
        moves[len(moves)]
    if len(moves):
        assert moves[-1] == moves[len(moves) - 1]


@given(positions)
def test_a_move_of_another_position_is_refused_or_equal(position: Position) -> None:
    """`after` answers None for what is not legal here, and never plays it."""
    start = Position.start(position.rulebook)
    for move in start.legal_moves:
        assert (position.after(move) is not None) is (move in position.legal_moves)


def test_a_move_of_other_rules_is_not_played() -> None:
    move = Position.start("brasileira").legal_moves[0]
    loose = Position.start("brasileira").under(core_rules(rulebook("brasileira"), capture_priority=()))
    assert Position.start("internacional").after(move) is None
    # The same board: the same squares name the same move.
    following = loose.after(move)
    assert following is None or following.fen == Position.start("brasileira").play(move).fen
