"""The glossary: the words of the game in each language, with the articles that use them and the lesson that teaches them."""

from __future__ import annotations

import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from damas.rules import articles, cite, rulebook, rulebook_ids
from damas.server.learning.course import Lesson, first_courses, lessons
from damas.server.learning.lesson import Texts

FILE = Path(__file__).parent / "glossary.toml"
"""The words."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word in each language and what it means."""

    id: str
    word: Texts
    meaning: Texts
    articles: dict[str, str]
    """The articles in which it stands, each with the word as the document writes it."""
    topic: str
    """The topic of the lessons that teach it."""
    about: list[str] = []
    """Articles with the rule but without the word, and our readings of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """A word of the glossary in one language, with the address of a lesson and of each article."""

    id: str
    word: str
    meaning: str
    lesson: str
    lesson_title: str
    articles: list[tuple[str, str]]
    """Address and citation of the articles in which the word stands."""
    about: list[tuple[str, str]]
    """Address and citation of the articles that rule it without the word."""


@cache
def glossary() -> list[Entry]:
    """Every entry."""
    return msgspec.convert(tomllib.loads(FILE.read_text("utf-8"))["entry"], list[Entry])


def entry_views(language: str) -> list[EntryView]:
    """The glossary in one language, in the order of its alphabet."""
    views = [_view(entry, language) for entry in glossary()]
    return sorted(views, key=lambda view: unicodedata.normalize("NFKD", view.word).lower())


def _view(entry: Entry, language: str) -> EntryView:
    lesson = _lesson(entry.topic, language)
    return EntryView(
        id=entry.id,
        word=entry.word[language],
        meaning=entry.meaning[language],
        lesson=f"/learn/{lesson.id}",
        lesson_title=lesson.title[language],
        articles=_articles(list(entry.articles), language),
        about=_articles(entry.about, language),
    )


def _lesson(topic: str, language: str) -> Lesson:
    """The lesson of the course that the reader begins with, or else of the course the topic is written for."""
    versions = [lesson for lesson in lessons().values() if lesson.topic == topic]
    first = first_courses(language)
    return next((lesson for lesson in versions if lesson.course in first), lessons()[topic])


def _articles(names: list[str], language: str) -> list[tuple[str, str]]:
    """Address and citation of each article; of several that are cited alike, the first."""
    cited: dict[str, str] = {}
    for name in names:
        book = next(book for book in map(rulebook, rulebook_ids()) if name in articles(book).by_id)
        cited.setdefault(cite(book, name).sentence(language), f"/rules/{book.id}#{name}")
    return [(address, citation) for citation, address in cited.items()]
