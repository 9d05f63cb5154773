"""The annotated example files of house rules: complete, explained, and played to the end."""

import re
from pathlib import Path
from random import Random

import pytest

import damas
from damas.game.core import rules_of
from damas.rules import schema

HOW_TO = Path(__file__).resolve().parents[2] / "docs" / "how-to"
FILES = ("house_rules.toml", "regras_da_casa.toml")


@pytest.mark.parametrize("name", FILES)
def test_a_game_is_played_to_its_end_by_the_example(name: str) -> None:
    book = damas.rulebook(str(HOW_TO / name))
    assert not rules_of(book).compiled
    outcomes = set()
    for seed in range(5):
        chance = Random(seed)
        game = damas.Game.start(book)
        for _ in range(400):
            if game.outcome:
                break
            game = game.play(chance.choice(list(game.position.legal_moves)))
        outcomes.add(game.outcome.reason if game.outcome else "unfinished")
    assert outcomes & {"NO_PIECES", "NO_MOVES", "LIMIT"}


def test_both_languages_give_the_same_rules() -> None:
    first, second = (damas.rulebook(str(HOW_TO / name)) for name in FILES)
    assert first.hash == second.hash


@pytest.mark.parametrize("name", FILES)
def test_the_example_explains_every_question_and_answer(name: str) -> None:
    text = (HOW_TO / name).read_text(encoding="utf-8")
    for questions in schema.SECTIONS.values():
        for question in questions:
            assert re.search(rf"^{question.key} = ", text, re.MULTILINE), question.key
            for answer in question.allowed:
                if isinstance(answer, str):
                    assert f'"{answer}"' in text, f"{question.key}: {answer}"
    named = (*schema.RULES, *schema.CLAIMS, *schema.DECIDES, *schema.COUNTS, *schema.STARTS, *schema.WHILE)
    for word in (*named, *schema.RESETS):
        assert f'"{word}"' in text, word


def test_its_refusals_cite_the_paper_of_the_house() -> None:
    position = damas.Position.from_fen("W:Wc3:Bb2,b4,d4", str(HOW_TO / FILES[0]))
    with pytest.raises(damas.IllegalMove) as caught:
        position.play("c3xa1")
    assert (caught.value.code, caught.value.article) == ("NO_BACKWARD", "kitchen door, rule 2")
