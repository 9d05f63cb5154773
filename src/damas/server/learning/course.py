"""Courses: the lessons of one document, in its words and its numbering.

`courses.toml` names the courses. A step of a topic belongs to the courses whose articles it names; it is written once, for
the rulebook of its first article, and translated here for each of the others.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from damas.language import LANGUAGES
from damas.rules import Rulebook, articles, rulebook
from damas.server.learning.lesson import Heading, Step, Texts, Topic, topics

FILE = Path(__file__).parent / "courses.toml"
"""The courses and their words."""
MOVE = re.compile(r"[-x ]")
"""Between two squares of a move."""
FEN_SQUARE = re.compile(r"[a-h]?\d+")
TOKEN = re.compile(r"\{([^{}]*)\}")
"""What `adapt_text` puts in: a word of the course, an ending by gender, a square or a move."""


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a course is for and what its document calls the pieces."""

    intro: Texts
    """For whom it is, in a sentence."""
    starts: list[str]
    """The languages whose readers are offered it first; with several such courses they choose."""
    man: dict[str, list[str]]
    """In each language the man, the men, and the word's gender (f or m)."""
    king: dict[str, list[str]]
    """In each language the king and the kings; feminine in Portuguese and Spanish."""
    piece: dict[str, list[str]]
    """In each language a piece of any kind and its plural; feminine in Portuguese and Spanish."""
    capture: dict[str, list[str]]
    """In each language a capture and its plural, feminine in Portuguese and Spanish, and the verb."""
    preset: str = ""
    """The regulation whose players it is for, where there is one."""
    id: str = ""
    """Id of its rulebook."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A topic as one course tells it."""

    id: str
    """The topic in the course it is written for (that of its first article), COURSE-TOPIC in the others."""
    course: str
    topic: str
    chapter: str
    title: Texts
    summary: Texts
    step: tuple[Step, ...]

    def rulebook_of(self, step: Step) -> str:
        """Id of the rulebook whose board a step shows."""
        return step.rulebook or self.course


@cache
def courses() -> dict[str, Course]:
    """Every course by the id of its rulebook."""
    data = tomllib.loads(FILE.read_text("utf-8"))
    usual = data.pop("words")
    return {
        name: msgspec.convert({**course, **_words(usual, course), "id": name}, Course)
        for name, course in data.items()
    }


def _words(usual: dict[str, dict[str, list[str]]], course: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """The words of a course for each kind of piece and for captures: its own, otherwise the usual ones."""
    return {name: {**words, **course.get(name, {})} for name, words in usual.items()}


def first_courses(language: str) -> list[str]:
    """The courses that a reader of a language is offered first: one to begin with, or several to choose from."""
    return [name for name, course in courses().items() if language in course.starts]


@cache
def lessons() -> dict[str, Lesson]:
    """Every lesson by its id, course by course, in the order to take them."""
    by_id: dict[str, Lesson] = {}
    for course in courses().values():
        for topic in topics().values():
            steps = tuple(adapt_step(step, course) for step in topic.step if articles_for(step, course))
            if steps:
                home = _course_of_article()[topic.step[0].articles[0]]
                lesson_id = topic.id if course.id == home else f"{course.id}-{topic.id}"
                by_id[lesson_id] = _lesson(lesson_id, topic, course, steps)
    return by_id


def lessons_of(course_id: str) -> list[Lesson]:
    """The lessons of a course in the order to take them."""
    return [lesson for lesson in lessons().values() if lesson.course == course_id]


def _lesson(lesson_id: str, topic: Topic, course: Course, steps: tuple[Step, ...]) -> Lesson:
    own = topic.own.get(course.id, Heading())
    return Lesson(
        id=lesson_id,
        course=course.id,
        topic=topic.id,
        chapter=topic.chapter,
        title=_adapted(own.title or topic.title, course),
        summary=_adapted(own.summary or topic.summary, course),
        step=steps,
    )


@cache
def _course_of_article() -> dict[str, str]:
    return {
        article: name
        for name in courses()
        for article in articles(rulebook(name)).by_id
        if not article.startswith("G")  # general readings, which all documents share
    }


def articles_for(step: Step, course: Course) -> list[str]:
    """The articles of a step that are of the course's document; none where it is not a step of that course."""
    return [name for name in step.articles if _course_of_article()[name] == course.id]


def adapt_step(step: Step, course: Course) -> Step:
    """A step in the words and the numbering of a course."""
    written = rulebook(step.rulebook or _course_of_article()[step.articles[0]])
    book = written if step.rulebook else rulebook(course.id)

    def moves(texts: list[str]) -> list[str]:
        return [adapt_move(text, written, book) for text in texts]

    def adapted(texts: Texts) -> Texts:
        return {
            language: adapt_text(text, course, language, written=written, book=book)
            for language, text in texts.items()
        }

    return msgspec.structs.replace(
        step,
        articles=articles_for(step, course),
        text=adapted(step.text),
        after=adapted(step.after),
        position=adapt_fen(step.position, written, book),
        legal=moves(step.legal),
        answer=step.answer if step.task == "count" else moves(step.answer),
        refuted={adapt_move(wrong, written, book): moves(line) for wrong, line in step.refuted.items()},
        tried=adapt_move(step.tried, written, book),
        choices={
            language: [adapt_text(text, course, language, written=written, book=book) for text in texts]
            for language, texts in step.choices.items()
        },
        line=moves(step.line),
        moves=moves(step.moves),
        marks=moves(step.marks),
    )


def adapt_fen(fen: str, written: Rulebook, book: Rulebook) -> str:
    """A position with the same squares on the board of another rulebook, mirrored where its corner is the other one."""
    names = dict(zip(written.square_names, book.square_names, strict=True))
    turn, _, pieces = fen.partition(":")
    return f"{turn}:{FEN_SQUARE.sub(lambda square: names[square[0]], pieces)}" if fen else ""


def adapt_move(text: str, written: Rulebook, book: Rulebook) -> str:
    """A square or a move as another rulebook writes it; any other text (`claim`) unchanged."""
    names = {**_names(written.move_names, book), **_names(written.square_names, book)}
    squares = MOVE.split(text)
    if not all(square in names for square in squares):
        return text
    mark = " " if book.move_text == "rows-columns" else "x" if "x" in text else "-"
    return mark.join(names[square] for square in squares)


def _names(names: tuple[str, ...], book: Rulebook) -> dict[str, str]:
    return dict(zip(names, book.move_names, strict=True))


def _adapted(texts: Texts, course: Course) -> Texts:
    return {language: adapt_text(texts[language], course, language) for language in LANGUAGES}


def adapt_text(
    text: str,
    course: Course,
    language: str,
    *,
    written: Rulebook | None = None,
    book: Rulebook | None = None,
) -> str:
    """A text of a topic in the words of a course.

    {man}, {king}, {piece} and {capture}, their plurals {men}, {kings}, {pieces} and {captures}, and the verb {capturing} are
    the document's words; {a|o} is the ending for a feminine or masculine word for the man; a square or a move is written as
    in the rulebook.
    """
    gender = course.man[language][2]
    names = ("man", "men"), ("king", "kings"), ("piece", "pieces"), ("capture", "captures", "capturing")
    tables = (course.man, course.king, course.piece, course.capture)
    words = {
        name: word
        for group, table in zip(names, tables, strict=True)
        for name, word in zip(group, table[language], strict=False)
    }

    def put(token: re.Match[str]) -> str:
        name = token[1]
        if name.lower() in words:
            word = words[name.lower()]
            return word[:1].upper() + word[1:] if name[0].isupper() else word
        if "|" in name:
            return name.split("|")[gender == "m"]
        if written and book:
            if set(MOVE.split(name)) <= {*written.square_names, *written.move_names}:
                return adapt_move(name, written, book)
        raise ValueError(f"{name!r} in {text!r} is neither a word of a course nor a square")

    return TOKEN.sub(put, text)
