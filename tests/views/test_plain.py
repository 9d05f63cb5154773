"""Views as JSON values."""

import pytest

from damas.errors import SquareName, UnknownRulebook
from damas.game import Position
from damas.rules import rulebook
from damas.views import move_view, plain
from damas.views.errors import error_view, refusal_view
from damas.views.explain import Explanation


def test_an_optional_field_is_left_out_and_a_keyword_is_a_name() -> None:
    position = Position.start("brasileira")
    view = plain(move_view(position.parse("c3-d4"), position.rulebook.square_names))
    assert view["from"] == "c3" and "squares" not in view


def test_facts_stand_beside_the_other_fields_as_plain_values() -> None:
    why = Explanation(Position.from_fen("W:Wc3:Bb4,d4,f6", "faraes"), "b2-c3").refusal
    assert why and isinstance(why.facts["square"], SquareName)
    view = plain(refusal_view(why, "en"))
    assert view["code"] == "EMPTY_SQUARE" and type(view["square"]) is str and "more" not in view


def test_an_unknown_rulebook_names_those_there_are() -> None:
    with pytest.raises(UnknownRulebook) as error:
        rulebook("xadrez")
    view = plain(error_view(error.value, "pt-BR"))
    assert view["code"] == "UNKNOWN_RULEBOOK" and "brasileira" in view["known"]
