"""The computer at the table: what it answers to an offer of a draw, and how its thought is ended."""

import threading

import pytest

from damas.arbiter import Accepted, Declined, Moved, Offered, Table
from damas.board import Color
from damas.engine import levels
from damas.engine.opponent import Computer


@pytest.mark.parametrize(
    ("fen", "answer"),
    [
        ("B:WK1,K2:BK30", Accepted),  # two kings do not catch one
        ("B:WK1,K2,K3:BK30", Declined),  # three do
        ("B:WK1,10,11,12:BK30,23", Declined),  # too much is left to ask the tables
    ],
)
def test_ahead_it_takes_a_draw_where_nothing_can_be_won(fen, answer):
    table = Table.start("portuguesa", "casual", fen=fen).apply(Offered(0, Color.BLACK))
    computer = Computer(Color.WHITE, 1)
    assert type(computer.acts(table, 1)) is answer
    computer.close()


def test_whoever_is_cancelled_before_it_has_an_engine_thinks_no_hour(monkeypatch):
    monkeypatch.setattr(levels, "DEFAULT_MOVETIME_S", 3600.0)
    computer = Computer(Color.WHITE, 1, 10, hash_mb=1)
    computer.cancel()
    acts = []
    thread = threading.Thread(
        target=lambda: acts.append(computer.acts(Table.start("brasileira", "casual"), 1)), daemon=True
    )
    thread.start()
    thread.join(60)
    assert [type(act) for act in acts] == [Moved]
    computer.close()
