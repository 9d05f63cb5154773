"""S5: the cycle of document 004, by the arbiter: five runs go on, the sixth decides by pieces."""

import pytest

from damas.matches import Start
from matches.bots import play_game

WHITE, BLACK = "moves:g1-h2;h2-g1", "moves:b8-a7;a7-b8"


@pytest.mark.parametrize(
    ("fen", "points"), [("W:WKg1,a3:BKb8", 1.0), ("W:WKg1,a3:BKb8,h6", 0.5), ("W:WKg1:BKb8,h6", 0.0)]
)
def test_the_sixth_run_decides(fen, points):
    result = play_game(WHITE, BLACK, start=Start(fen=fen))
    assert (result.reason, result.points, result.plies) == ("CYCLE", points, 24)
    assert result.article == "concurso, 4. Escenarios de victoria"
    assert "1, 5, 9, 13, 17, 21" in result.events[-1]
    assert result.offender is None


def test_five_runs_go_on():
    result = play_game(WHITE, BLACK, start=Start(fen="W:WKg1,a3:BKb8"), max_plies=23)
    assert (result.reason, result.plies) == ("LENGTH", 23)
