"""The words of the pages: `words/<namespace>.toml`, a table for each key, a line for each language.

Sentences about the rules stay in `damas.language`; these are the words around them. Fillers are the same:
`{name}` takes a fact, `{n:peça|peças}` the word that goes with that number.
"""

import gzip
import time
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from starlette.requests import HTTPConnection

from damas.language import LANGUAGES, best_language

FOLDER = Path(__file__).parent / "words"
LOOK_S = 1.0


class _Number(int):
    """A number that also chooses the word beside it, as in `damas.language`."""

    def __format__(self, words: str) -> str:
        one, bar, other = words.partition("|")
        return (one if self == 1 else other) if bar else super().__format__(words)


class Sent(NamedTuple):
    """JSON, the same compressed, and the hash of it."""

    data: bytes
    packed: bytes
    tag: str

    @classmethod
    def of(cls, data: bytes) -> "Sent":
        return cls(data, gzip.compress(data, 6, mtime=0), sha256(data).hexdigest()[:12])


class Words:
    """Every word of the pages, read once and again when a file changes: a page has hundreds of them, so the files are
    looked at once a second and not for every word.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._looked = -LOOK_S
        self._stamp: tuple[tuple[str, int], ...] = ()
        self._texts: dict[str, Mapping[str, str]] = {}
        self._sent: dict[str, Sent] = {}

    def texts(self, key: str) -> Mapping[str, str]:
        """A sentence in each language; raises `KeyError` where nobody wrote it."""
        self._read()
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        """Every key."""
        self._read()
        return iter(self._texts)

    def say(self, key: str, language: str, /, **facts: object) -> str:
        """The sentence for a key, filled in. A word that is missing shows its key, which a test finds."""
        try:
            text = self.texts(key)[language]
        except KeyError:
            return key
        told = {name: _Number(fact) if type(fact) is int else fact for name, fact in facts.items()}
        return text.format(**told)

    def sent(self, language: str) -> "Sent":
        """All words of a language as the browser gets them."""
        self._read()
        if language not in self._sent:
            said = {key: texts.get(language, key) for key, texts in sorted(self._texts.items())}
            self._sent[language] = Sent.of(msgspec.json.encode(said))
        return self._sent[language]

    def _read(self) -> None:
        if time.monotonic() - self._looked < LOOK_S:
            return
        self._looked = time.monotonic()
        files = sorted(self._folder.glob("*.toml"))
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in files)
        if stamp == self._stamp:
            return
        texts: dict[str, Mapping[str, str]] = {}
        for path in files:
            texts.update(_entries(path.stem, tomllib.loads(path.read_text("utf-8"))))
        self._texts, self._stamp, self._sent = texts, stamp, {}


def _entries(prefix: str, table: dict[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """A table with a language in it is an entry; any other is a group of them."""
    for name, value in table.items():
        if not isinstance(value, dict):
            raise ValueError(f"{prefix}.{name}: a word needs a table with {', '.join(LANGUAGES)}")
        if any(language in value for language in LANGUAGES):
            yield f"{prefix}.{name}", value
        else:
            yield from _entries(f"{prefix}.{name}", value)


LANGUAGE_COOKIE = "damas_lang"


def language_of(connection: HTTPConnection) -> str:
    """What the visitor reads: as `?lang=` says, as the cookie says, as the browser asks, or English."""
    for chosen in (connection.query_params.get("lang"), connection.cookies.get(LANGUAGE_COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    return accepted_language(connection.headers.get("accept-language", ""))


def accepted_language(header: str) -> str:
    """The language of ours that a browser would rather have.

    >>> accepted_language("de, pt;q=0.5, es-CO;q=0.9"), accepted_language("fr")
    ('es', 'en')
    """
    wanted = []
    for part in header[:1000].split(","):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        if tag[:2].lower() in ("pt", "es", "en") and weight > 0:
            wanted.append((weight, best_language(tag)))
    return max(wanted, key=lambda pair: pair[0])[1] if wanted else "en"
