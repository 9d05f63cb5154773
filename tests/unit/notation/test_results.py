"""Spellings of results, and whom they are for."""

import pytest

from damas import Color, rulebook
from damas.notation import Result, result_of


@pytest.mark.parametrize(
    ("text", "meaning", "winner"),
    [
        ("1-0", "1-0", Color.WHITE),
        ("2-0", "1-0", Color.WHITE),
        ("0-1", "0-1", Color.BLACK),
        ("0-2", "0-1", Color.BLACK),
        ("1/2-1/2", "1/2-1/2", None),
        ("1-1", "1/2-1/2", None),
        ("0-0", "0-0", None),
        ("*", "*", None),
        ("1+ - 1-", "*", None),
    ],
)
def test_every_spelling_has_its_meaning(text: str, meaning: str, winner: Color | None) -> None:
    assert Result(text).meaning == meaning
    assert Result(text).winner(rulebook("brasileira")) is winner


def test_the_first_figure_is_that_of_the_side_that_begins() -> None:
    # PDN 2.0, 6.1.1.1.1.5: in English draughts 1-0 is a win of Black, who moves first.
    assert Result("1-0").winner(rulebook("inglesa")) is Color.BLACK
    assert Result("0-1").winner(rulebook("pool")) is Color.WHITE


@pytest.mark.parametrize(
    ("book", "winner", "text"),
    [
        ("brasileira", Color.WHITE, "1-0"),
        ("brasileira", Color.BLACK, "0-1"),
        ("brasileira", None, "1/2-1/2"),
        ("internacional", Color.WHITE, "2-0"),
        ("internacional", Color.BLACK, "0-2"),
        ("canadense", None, "1-1"),
        ("frisia", Color.WHITE, "1-0"),
        ("inglesa", Color.WHITE, "0-1"),
        ("concurso", Color.BLACK, "0-1"),
    ],
)
def test_a_result_is_spelled_as_its_gametype_asks(book: str, winner: Color | None, text: str) -> None:
    assert result_of(winner, rulebook(book)).text == text
    assert result_of(winner, rulebook(book)).winner(rulebook(book)) is winner
