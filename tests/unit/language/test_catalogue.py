"""Every sentence is there in four languages, filled with the same facts, and every key that is asked for exists."""

import copy
import pickle
import re
from pathlib import Path
from string import Formatter

import pytest

import damas
from damas.language import LANGUAGES, Saying, entries, keys, language_of, sentence

SOURCE = "".join(path.read_text(encoding="utf-8") for path in Path(damas.__file__).parent.rglob("*.py"))


def gaps(text: str) -> set[str]:
    """The names of the facts that fill a sentence."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_sentence_is_there_in_four_languages() -> None:
    wrong = [
        key
        for key in keys()
        if set(entries(key)) != set(LANGUAGES)
        or len({not text.strip() for text in entries(key).values()}) > 1
    ]
    assert not wrong
    assert len(list(keys("cli"))) > 200 and len(list(keys("pages"))) > 500


def test_the_languages_are_filled_with_the_same_facts() -> None:
    assert gaps("{n} {n:peça|peças} {who}") == {"n", "who"}
    wrong = [
        (key, {language: sorted(gaps(text)) for language, text in entries(key).items()})
        for key in keys()
        if len({frozenset(gaps(text)) for text in entries(key).values()}) > 1
    ]
    assert not wrong


def test_a_number_chooses_its_word() -> None:
    message = [sentence("tournament.counted", "en", count=count) for count in (0, 1, 2)]
    assert message == ["0 games", "1 game", "2 games"]


@pytest.mark.parametrize("key", ["color.green", "nothing.at.all", "cli.nothing.at_all", "pages.nothing"])
def test_an_unknown_key_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        sentence(key, "en")


@pytest.mark.parametrize(
    ("section", "pattern"),
    [
        ("wanted", r'wanted\(\s*"(\w+)"'),
        ("cli.bad", r'"cli\.bad\.(\w+)"'),
        ("file", r'"file\.(\w+)"'),
        ("store", r'"store\.(\w+)"'),
    ],
)
def test_every_used_key_is_in_the_catalogue(section: str, pattern: str) -> None:
    names = set(re.findall(pattern, SOURCE))
    assert len(names) > 3
    assert names <= set(entries(section))


def test_a_saying_includes_its_inner_sayings() -> None:
    message = Saying("file.at", {"name": "a", "why": Saying("file.missing")})
    assert [message.sentence(language) for language in ("pt-BR", "es")] == ["a: não existe", "a: no existe"]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda tag: pickle.loads(pickle.dumps(tag))])
def test_the_words_of_a_text_travel_with_its_language(again):
    tag = again(language_of("concurso", "es"))
    assert tag == "es" and sentence("piece.W", tag) == "ficha coronada blanca" != sentence("piece.W", "es")
