"""The catalogue: stable key -> sentence in each language. Codes are never translated, sentences are.

A key is a path below the folder `sentences`: `refusal.NO_CAPTURE` is an entry of `refusal.toml`, `cli.arena.player` of
`cli/arena.toml`. A file is read when one of its sentences is first needed. In a sentence, {name} is filled with a
fact and {name:piece|pieces} with the word that goes with that number. A refusal takes no full stop: its citation and
the stop come after it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from os import listdir
from os.path import dirname, isdir, isfile, join
from typing import Any, Self

LANGUAGES = ("pt-BR", "pt-PT", "es", "en")
"""Tags of the languages of the catalogue."""
FOLDERS = ("cli", "pages")
"""Rooms with so many sentences that each of their files is read by itself."""
_ROOT = join(dirname(__file__), "sentences")
_RULEBOOKS = join(dirname(dirname(__file__)), "rulebooks")


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
    """A fact as it stands in a sentence; one that has a `sentence` of its own, such as a colour, says it."""
    if type(fact) is int:
        return _Number(fact)
    if in_words := getattr(fact, "sentence", None):
        return in_words(language)
    return _Comma(fact) if type(fact) is float and language != "en" else fact


class BookLanguage(str):
    """A language spoken in the words of a rulebook's text; it equals the tag of the language itself."""

    __slots__ = ("rulebook",)
    rulebook: str

    def __new__(cls, language: str, rulebook: str) -> Self:
        tag = super().__new__(cls, language)
        tag.rulebook = rulebook
        return tag

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]  # str itself has one argument
        """What `pickle` and `copy` make it of again."""
        return str(self), self.rulebook


def language_of(rulebook: str, language: str) -> str:
    """The language as sentences about a rulebook speak it: in the words of its text, where these are its own.

    >>> [sentence("piece.W", language_of(book, "es")) for book in ("espanhola", "concurso-men-forward")]
    ['dama blanca', 'ficha coronada blanca']
    """
    own = _rulebook_with_words(rulebook)
    return BookLanguage(language, own) if own and language in own_words()[own] else language


@cache
def _rulebook_with_words(rulebook: str) -> str:
    """The rulebook whose own words sentences use; empty for the usual words."""
    while rulebook not in own_words():  # another reading of a text is named after it, and speaks as it does
        if not rulebook or isdir(join(_RULEBOOKS, rulebook)):
            return ""
        rulebook = rulebook.rpartition("-")[0]
    return rulebook


@cache
def own_words() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """The files `rulebooks/ID/words.toml` by id: in each language, sentences that replace those of a key."""
    return _of_rulebooks("words.toml")


def rulebook_word(rulebook: str, language: str) -> str:
    """What sentences call a rulebook: its id, or the name of the reading where it is another reading of a text.

    >>> rulebook_word("oficial", "pt-BR"), rulebook_word("oficial-men-backward", "pt-BR")
    ('oficial', 'Oficial com captura para trás')
    """
    return _reading_names().get(rulebook, {}).get(language, rulebook)


@cache
def _reading_names() -> Mapping[str, Mapping[str, str]]:
    """The names of other readings of a text (`damas.rules.readings`), by the id of the rulebook read so."""
    return {
        f"{folder}-{key}": reading["name"]
        for folder, readings in _of_rulebooks("readings.toml").items()
        for key, reading in readings.items()
    }


def _of_rulebooks(name: str) -> dict[str, dict[str, Any]]:
    """The files of this name in the folders of rulebooks, by folder."""
    import tomllib

    files: dict[str, dict[str, Any]] = {}
    for folder in listdir(_RULEBOOKS):
        path = join(_RULEBOOKS, folder, name)
        if isfile(path):
            with open(path, "rb") as file:
                files[folder] = tomllib.load(file)
    return files


@cache
def _file(name: str) -> Mapping[str, Any]:
    import tomllib  # only those who print a sentence pay for reading the catalogue

    try:
        with open(join(_ROOT, f"{name}.toml"), "rb") as file:
            return tomllib.load(file)
    except FileNotFoundError:
        raise KeyError(name) from None


def entries(key: str) -> Mapping[str, Any]:
    """What stands at a key: a sentence by language, or a table of such entries; raises `KeyError` if nothing does."""
    name, *parts = key.split(".")
    if name in FOLDERS:
        name = f"{name}/{parts.pop(0)}"
    table = _file(name)
    for part in parts:
        table = table[part]
    return table


def keys(folder: str = "") -> Iterator[str]:
    """Every key of the catalogue, or of one of its `FOLDERS`."""
    if not folder:
        for inner in FOLDERS:
            yield from keys(inner)
    for file in sorted(listdir(join(_ROOT, folder))):
        name, dot, _ = file.partition(".")
        if dot:
            yield from _keys(f"{folder}.{name}" if folder else name)


def _keys(key: str) -> Iterator[str]:
    for name, value in entries(key).items():
        inner = f"{key}.{name}"
        if "en" in value:
            yield inner
        else:
            yield from _keys(inner)


def sentence(key: str, language: str, /, **facts: object) -> str:
    """The sentence for a key, filled in.

    >>> sentence("color.white", "pt-PT")
    'brancas'
    >>> facts = {"elo0": 0.0, "elo1": 0.5, "llr": 1.2, "verdict": "?"}
    >>> [sentence("cli.match.test", language, **facts) for language in ("es", "en")]
    ['Prueba [0,0; 0,5]: LLR 1,2, ?', 'Test [0.0, 0.5]: LLR 1.2, ?']
    """
    written = {name: _written(fact, language) for name, fact in facts.items()}
    own = own_words()[language.rulebook][language] if isinstance(language, BookLanguage) else {}
    texts = entries(key)
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are: {', '.join(LANGUAGES)}")
    return str(own.get(key) or texts[language]).format(**written)


def word(table: str, key: str, language: str) -> str:
    """What a table of the catalogue calls something; a name that is not in it stands for itself.

    >>> word("regulation", "school", "es"), word("regulation", "my club", "es")
    ('escolares', 'my club')
    """
    return sentence(f"{table}.{key}", language) if key in entries(table) else key


@dataclass(frozen=True)
class Saying:
    """A sentence whose language is not chosen yet: its key and its facts, which may be such sentences themselves.

    >>> Saying("file.at", {"name": "a.toml", "why": Saying("file.missing")}).sentence("es")
    'a.toml: no existe'
    """

    key: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, language: str) -> str:
        """The sentence in a language, with its facts filled in."""
        return sentence(self.key, language, **self.facts)


def best_language(wanted: str) -> str:
    """The nearest language we speak for a locale or tag such as `pt_BR.UTF-8`, `es-CO` or `de`."""
    tag = wanted.replace("_", "-").split(".")[0].lower()
    if tag.startswith("pt"):
        return "pt-PT" if tag.startswith("pt-pt") else "pt-BR"
    return "es" if tag.startswith("es") else "en"
