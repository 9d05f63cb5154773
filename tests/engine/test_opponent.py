"""The computer at the table: what it answers to an offer of a draw."""

import pytest

from damas.arbiter import Accepted, Declined, Offered, Table
from damas.board import Color
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
