"""Core and oracle agree on every legal move of hostile positions. More of them: `make soak`."""

import os

import pytest

from damas import rulebook
from damas.rules import rulebook_ids
from damas.rules.readings import other_readings
from differential import competing
from differential.compare import Boards, difference
from oracle.books import BOOKS
from oracle.hostile import positions

COUNT = int(os.environ.get("DAMAS_POSITIONS", "400"))
SEED = int(os.environ.get("DAMAS_SEED", "1"))
ALL = (*rulebook_ids(), *other_readings())


def test_the_oracle_knows_every_rulebook() -> None:
    assert set(BOOKS) == set(ALL)


@pytest.mark.parametrize("book_id", ALL)
def test_boards_agree(book_id: str) -> None:
    """Squares and their names in letters and numbers, the start, who begins."""
    assert Boards(rulebook(book_id), BOOKS[book_id]).difference() is None


@pytest.mark.parametrize("book_id", ALL)
def test_legal_moves_agree(book_id: str) -> None:
    boards = Boards(rulebook(book_id), BOOKS[book_id])
    for fen in positions(book_id, SEED, COUNT):
        assert difference(boards, fen) is None


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_legal_moves_agree_where_captures_compete(book_id: str) -> None:
    boards = Boards(rulebook(book_id), BOOKS[book_id])
    fens = competing.stored()[book_id]
    assert len(fens) >= 40
    for fen in fens:
        assert difference(boards, fen) is None


@pytest.mark.parametrize("book_id", ALL)
def test_the_positions_are_worth_comparing(book_id: str) -> None:
    """Captures in most, kings in most, chains and crownings in many: otherwise agreement would mean little."""
    from damas import Position

    number_with = {"captures": 0, "kings": 0, "chains": 0, "crownings": 0, "choices": 0}
    for fen in positions(book_id, SEED, 200):
        position = Position.from_fen(fen, book_id)
        moves = list(position.legal_moves)
        number_with["captures"] += position.must_capture()
        number_with["kings"] += bool(position.counts[1] or position.counts[3])
        number_with["chains"] += any(len(move.captured) > 1 for move in moves)
        number_with["crownings"] += any(move.promotes for move in moves)
        number_with["choices"] += len({move.captured for move in moves}) > 1
    assert all(number_with[what] >= least for what, least in MIN_WITH.items()), number_with


MIN_WITH = {"captures": 80, "kings": 80, "chains": 20, "crownings": 6, "choices": 10}
