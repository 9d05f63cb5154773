"""What one request asks is worked out once: a text is read once, a refusal examined once."""

from collections import Counter

import pytest

from damas.arbiter import ProcedureRefused, Table
from damas.game import Position
from damas.views.explain import Explanation
from damas.views.table import command_refusal_view


@pytest.fixture
def examined(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each attempt was examined."""
    counts: Counter[str] = Counter()
    refused = Position.refused

    def counted(self, text):
        counts[text] += 1
        return refused(self, text)

    monkeypatch.setattr(Position, "refused", counted)
    return counts


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each text was parsed."""
    counts: Counter[str] = Counter()
    parse = Position.parse

    def counted(self, text):
        counts[text] += 1
        return parse(self, text)

    monkeypatch.setattr(Position, "parse", counted)
    return counts


def test_an_explanation_examines_the_attempt_once(examined: Counter[str]) -> None:
    explanation = Explanation(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"), "c3xa5")
    for language in ("pt-BR", "en"):
        assert explanation.view(language).refusal and explanation.board_view(language).refusal
    assert examined == {"c3xa5": 1}


def test_numbers_from_the_bottom_left_are_offered_without_another_examination(examined: Counter[str]) -> None:
    view = Explanation(Position.start("brasileira"), "9-13").board_view("en")
    assert view.hint and view.hint.move == "a3-b4"
    assert examined == {"9-13": 1}


def test_a_refused_command_is_examined_and_parsed_once(examined: Counter[str], parsed: Counter[str]) -> None:
    table = Table.start("faraes", "casual", fen="W:Wc3:Bb4,d4,f6")
    with pytest.raises(ProcedureRefused) as refused:
        table.play("c3xa5", at=1)
    assert command_refusal_view(refused.value, table, "pt-BR").alternatives
    assert examined == parsed == {"c3xa5": 1}


def test_a_played_move_is_parsed_once(parsed: Counter[str]) -> None:
    assert Table.start("brasileira", "casual").play("c3-d4", at=1).ply == 1
    assert parsed == {"c3-d4": 1}
