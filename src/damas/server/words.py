"""The words of the pages (`pages.*` in the catalogue), and the language that a visitor reads."""

import gzip
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import sha256

import msgspec
from starlette.requests import HTTPConnection

from damas.language import LANGUAGES, best_language, entries, keys, own_words, sentence
from damas.rules.readings import readings_of

LANGUAGE_COOKIE = "damas_lang"
"""Name of the cookie with the language that a visitor chose."""


class Content:
    """Bytes to be sent, with a tag that names them; `packed` are the same compressed, at its first use."""

    def __init__(self, data: bytes, *, compress: bool = True) -> None:
        self.data = data
        self.tag = sha256(data).hexdigest()[:12]
        self._compress = compress

    @cached_property
    def packed(self) -> bytes | None:
        """The bytes compressed; None where that is not worth it."""
        return gzip.compress(self.data, 6, mtime=0) if self._compress else None

    @property
    def is_packed(self) -> bool:
        """Whether `packed` costs no time any more."""
        return "packed" in self.__dict__

    def pack(self) -> None:
        """Compresses it now: for threads, where games need not wait for it."""
        _ = self.packed

    @classmethod
    def of(cls, data: bytes, *, compress: bool = True) -> "Content":
        """The content, compressed already."""
        content = cls(data, compress=compress)
        content.pack()
        return content


class Words:
    """Every word of the pages; `play.resign` is the sentence `pages.play.resign` of the catalogue."""

    def __init__(self) -> None:
        self._sent: dict[str, Content] = {}

    def texts(self, key: str) -> Mapping[str, str]:
        """A sentence in each language; raises `KeyError` for an unknown key."""
        return entries(f"pages.{key}")

    def __iter__(self) -> Iterator[str]:
        """Every key."""
        return (key.removeprefix("pages.") for key in keys("pages"))

    def say(self, key: str, language: str, /, **facts: object) -> str:
        """The sentence for a key, filled in. A word that is missing shows its key, which a test finds."""
        try:
            self.texts(key)
        except KeyError:
            return key
        return sentence(f"pages.{key}", language, **facts)

    def sent(self, language: str) -> Content:
        """All words of a language as the browser gets them."""
        if language not in self._sent:
            texts = {key: self.texts(key)[language] for key in sorted(self)}
            for rulebook, words in own_words().items():
                speakers = (rulebook, *(reading.id for reading in readings_of(rulebook)))
                for key, text in words.get(language, {}).items():
                    if key.startswith("pages."):
                        texts |= dict.fromkeys(
                            (f"{key.removeprefix('pages.')}@{speaker}" for speaker in speakers), text
                        )
            self._sent[language] = Content.of(msgspec.json.encode(texts))
        return self._sent[language]


def language_of(connection: HTTPConnection) -> str:
    """The visitor's language: from `?lang=`, the cookie or the browser's preference, else English."""
    for chosen in (connection.query_params.get("lang"), connection.cookies.get(LANGUAGE_COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    return accepted_language(connection.headers.get("accept-language", ""))


def accepted_language(header: str) -> str:
    """The supported language that an Accept-Language header prefers; English where it names none.

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
