"""The catalogue: stable key -> sentence in each language. Codes are never translated, sentences are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from os.path import dirname, join

LANGUAGES = ("pt-BR", "pt-PT", "es", "en")


class _Number(int):
    """A number that also chooses the word beside it: `{takes} {takes:piece|pieces}`."""

    def __format__(self, words: str) -> str:
        one, bar, other = words.partition("|")
        return (one if self == 1 else other) if bar else super().__format__(words)


class _Comma(float):
    """A fraction as every language we speak writes it, but English."""

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", ",")


def _written(fact: object, language: str) -> object:
    if type(fact) is int:
        return _Number(fact)
    return _Comma(fact) if type(fact) is float and language != "en" else fact


@cache
def _catalogue() -> Mapping[str, Mapping[str, str]]:
    import tomllib  # only those who print a sentence pay for reading the catalogue

    with open(join(dirname(__file__), "catalogue.toml"), "rb") as file:
        return tomllib.load(file)


def sentence(key: str, language: str, /, **data: object) -> str:
    """The sentence for a key, filled in.

    >>> sentence("color.white", "pt-PT")
    'brancas'
    >>> [sentence("forfeit.after", language, why="?", seconds=0.52) for language in ("es", "en")]
    ['? tras 0,5 s', '? after 0.5 s']
    """
    entry: object = _catalogue()
    for part in key.split("."):
        entry = entry[part]  # type: ignore[index]
    assert isinstance(entry, dict)
    facts = {name: _written(fact, language) for name, fact in data.items()}
    return str(entry[language]).format(**facts)


def word(table: str, key: str, language: str) -> str:
    """What a table calls something; somebody's own thing is called as they do.

    >>> word("regulation", "school", "es"), word("regulation", "my club", "es")
    ('escolar', 'my club')
    """
    words = _catalogue()[table]
    return sentence(f"{table}.{key}", language) if key in words else key


@dataclass(frozen=True)
class Saying:
    """A sentence that waits for its language: its key and what fills it, which may be sayings in their turn.

    >>> Saying("file.at", {"name": "a.toml", "why": Saying("file.missing")}).sentence("es")
    'a.toml: no existe'
    """

    key: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, language: str) -> str:
        told = {
            name: fact.sentence(language) if isinstance(fact, Saying) else fact
            for name, fact in self.facts.items()
        }
        return sentence(self.key, language, **told)


def best_language(wanted: str) -> str:
    """The nearest language we speak for a locale or tag such as `pt_BR.UTF-8`, `es-CO` or `de`."""
    tag = wanted.replace("_", "-").split(".")[0].lower()
    if tag.startswith("pt"):
        return "pt-PT" if tag.startswith("pt-pt") else "pt-BR"
    return "es" if tag.startswith("es") else "en"
