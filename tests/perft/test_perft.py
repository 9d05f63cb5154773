"""The core counts what others have counted: both conventions, compiled and run-time rules."""

import pytest

from damas.game.core import core_rules
from damas.rules import rulebook, rulebook_ids
from damas.rules.readings import other_readings
from perft.tables import DEEP, ROWS, Row

# Deep enough for kings to appear from every start, in about ten seconds for all.
COMPILED_LEAVES, INTERPRETED_LEAVES = 30_000_000, 400_000


@pytest.mark.parametrize("row", [row for row in ROWS if row.rulebook not in other_readings()], ids=str)
def test_compiled_rules_count_the_stated_numbers(row: Row) -> None:
    position = row.opened()
    assert position.rules.compiled
    depth = row.depth_within(COMPILED_LEAVES)
    counted = tuple(position.perft(d, routes=row.routes) for d in range(1, depth + 1))
    assert counted == row.counts[:depth]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_run_time_rules_count_the_same(row: Row) -> None:
    position = row.opened().under(core_rules(rulebook(row.rulebook), interpreted=True))
    assert not position.rules.compiled
    depth = row.depth_within(INTERPRETED_LEAVES)
    assert position.perft(depth, routes=row.routes) == row.counts[depth - 1]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_counting_is_playing(row: Row) -> None:
    """The leaves counted in bulk are those reached by playing every listed move."""

    def leaves(position, depth):
        moves = position.routes() if row.routes else position.legal_moves
        if depth == 1:
            return len(moves)
        return sum(leaves(position.play(move), depth - 1) for move in moves)

    depth = row.depth_within(20_000)
    assert leaves(row.opened(), depth) == row.counts[depth - 1]


def test_nothing_played_is_one_way() -> None:
    assert ROWS[0].opened().perft(0) == 1


def test_every_rulebook_has_its_start_and_a_position_full_of_kings() -> None:
    for book_id in (*rulebook_ids(), *other_readings()):
        rows = [row for row in ROWS if row.rulebook == book_id]
        assert any(row.position == "start" for row in rows), book_id
        assert any(sum(row.opened().counts[1::2]) >= 5 for row in rows), book_id
        assert {row.routes for row in rows} == {False, True}, book_id


def test_there_is_something_deep_for_the_bench() -> None:
    assert {row.rulebook for row in DEEP} >= {
        "brasileira",
        "internacional",
        "portuguesa",
        "russa",
        "frisia",
        "canadense",
    }
