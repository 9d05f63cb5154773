"""S5: the cycle of document 004, by the arbiter: five runs go on, the sixth decides by pieces."""

import pytest

from damas.arbiter import TimeControl
from damas.matches import Entrant, Start, Terms, play

WHITE, BLACK = "moves:g1-h2;h2-g1", "moves:b8-a7;a7-b8"


@pytest.mark.parametrize(
    ("fen", "points"), [("W:WKg1,a3:BKb8", 1.0), ("W:WKg1,a3:BKb8,h6", 0.5), ("W:WKg1:BKb8,h6", 0.0)]
)
def test_the_sixth_run_decides(fen, points):
    terms = Terms("concurso", TimeControl.parse("1s/move"))
    result = play(Entrant.parse(WHITE), Entrant.parse(BLACK), Start(fen=fen), terms)
    assert (result.reason, result.points, result.plies) == ("CYCLE", points, 24)
    assert result.article == "concurso, 4. Escenarios de victoria"
    assert "1, 5, 9, 13, 17, 21" in result.events[-1]
    assert result.offender is None


def test_five_runs_go_on():
    terms = Terms("concurso", TimeControl.parse("1s/move"), max_plies=23)
    result = play(Entrant.parse(WHITE), Entrant.parse(BLACK), Start(fen="W:WKg1,a3:BKb8"), terms)
    assert (result.reason, result.plies) == ("LENGTH", 23)
