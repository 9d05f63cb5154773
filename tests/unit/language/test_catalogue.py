"""Every sentence is there in four languages, filled with the same facts, and every key that is asked for exists."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

import damas
from damas.language import LANGUAGES, Saying

CATALOGUE = tomllib.loads((files("damas.language") / "catalogue.toml").read_text(encoding="utf-8"))
SOURCE = "".join(path.read_text(encoding="utf-8") for path in Path(damas.__file__).parent.rglob("*.py"))


def entries(table: Mapping[str, object], name: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    for key, value in table.items():
        assert isinstance(value, dict)
        if any(isinstance(inner, str) for inner in value.values()):
            yield f"{name}{key}", value
        else:
            yield from entries(value, f"{name}{key}.")


ENTRIES = dict(entries(CATALOGUE))


@pytest.mark.parametrize("key", ENTRIES)
def test_the_four_languages_are_filled_with_the_same_facts(key: str) -> None:
    entry = ENTRIES[key]
    assert set(entry) == set(LANGUAGES)
    facts = {
        language: {name for _, name, _, _ in Formatter().parse(text) if name and "[" not in name}
        for language, text in entry.items()
    }
    assert len({frozenset(names) for names in facts.values()}) == 1, facts


@pytest.mark.parametrize(
    ("section", "asked"),
    [
        ("wanted", r'wanted\(\s*"(\w+)"'),
        ("cli.bad", r'"cli\.bad\.(\w+)"'),
        ("file", r'"file\.(\w+)"'),
    ],
)
def test_what_is_asked_for_is_there(section: str, asked: str) -> None:
    keys = set(re.findall(asked, SOURCE))
    assert len(keys) > 3
    assert keys <= {key.removeprefix(f"{section}.") for key in ENTRIES}


def test_a_saying_is_told_with_the_sayings_in_it() -> None:
    told = Saying("file.at", {"name": "a", "why": Saying("file.missing")})
    assert [told.sentence(language) for language in ("pt-BR", "es")] == ["a: não existe", "a: no existe"]
