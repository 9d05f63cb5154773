"""Homework of a class: what is to be done, and by whom it is done."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from damas.rules.about import about
from damas.server.learning.course import lessons
from damas.server.learning.views import lesson_entry
from damas.server.store import Store
from damas.server.store.rows import Homework, Pupil, SchoolClass
from damas.server.words import Words
from damas.views.classes import HomeworkView, TaskView

_words = Words()


@dataclass
class Learnt:
    """What one pupil has done."""

    lessons: set[str] = field(default_factory=set)
    """Lessons that are complete."""
    puzzles: dict[tuple[str, str], int] = field(default_factory=dict)
    """When each puzzle was solved last, by rulebook and id."""
    games: list[tuple[str, int, int]] = field(default_factory=list)
    """Finished games against levels: rulebook, level and when."""

    def has_done(self, homework: Homework) -> bool:
        """Whether homework is done; puzzles and games count from the moment at which it was given."""
        if homework.kind == "lesson":
            return homework.lesson in self.lessons
        if homework.kind == "puzzles":
            return self.solved_for(homework) >= homework.count
        return any(
            book == homework.rulebook and level >= homework.count and ms >= homework.created_ms
            for book, level, ms in self.games
        )

    def solved_for(self, homework: Homework) -> int:
        """How many puzzles of homework are solved; 0 where it has none."""
        if homework.kind != "puzzles":
            return 0
        return sum(
            book == homework.rulebook and ms >= homework.created_ms for (book, _), ms in self.puzzles.items()
        )


async def learnt_by(store: Store, pupils: Collection[str]) -> dict[str, Learnt]:
    """What each pupil has done."""
    learnt: defaultdict[str, Learnt] = defaultdict(Learnt)
    for person, key, value in await store.classes.progress(pupils):
        kind, _, name = key.partition(".")
        if kind == "lesson" and _is_complete(name, value):
            learnt[person].lessons.add(name)
    for person, book, puzzle, ms in await store.classes.solved(pupils):
        learnt[person].puzzles[book, puzzle] = ms
    for person, book, level, ms in await store.classes.games_against_levels(pupils):
        learnt[person].games.append((book, int(level.partition(":")[2]), ms))
    return learnt


def _is_complete(name: str, value: str) -> bool:
    """Whether a pupil's stored progress in a lesson has all of its steps."""
    lesson = lessons().get(name)
    try:
        stored: Any = msgspec.json.decode(value)
    except msgspec.DecodeError:
        return False
    done = stored.get("done") if isinstance(stored, dict) else None
    return lesson is not None and isinstance(done, list) and set(range(len(lesson.step))) <= _numbers(done)


def _numbers(values: list[Any]) -> set[int]:
    return {value for value in values if type(value) is int}


def title_of(homework: Homework, language: str) -> str:
    """What is to be done, in words."""
    if homework.kind == "lesson":
        lesson = lessons().get(homework.lesson)
        title = lesson_entry(lesson, language).title if lesson else homework.lesson
        return _words.say("school.task.lesson", language, title=title)
    book = about(homework.rulebook).name[language]
    return _words.say(f"school.task.{homework.kind}", language, n=homework.count, rulebook=book)


def homework_views(given: Sequence[Homework], learnt: dict[str, Learnt], language: str) -> list[HomeworkView]:
    """The homework of a class, with the pupils who have done it."""
    return [
        HomeworkView(
            each.id,
            each.kind,
            title_of(each, language),
            each.rulebook,
            each.lesson,
            each.count,
            each.due,
            sorted(pupil for pupil, did in learnt.items() if did.has_done(each)),
            {
                pupil: solved
                for pupil, did in learnt.items()
                if (solved := did.solved_for(each)) and not did.has_done(each)
            },
        )
        for each in given
    ]


async def tasks_of(store: Store, school_class: SchoolClass, pupil: Pupil, language: str) -> list[TaskView]:
    """The homework of one pupil."""
    given = await store.classes.homework(school_class.id)
    did = (await learnt_by(store, [pupil.id])).get(pupil.id, Learnt()) if given else Learnt()
    return [
        TaskView(
            each.id,
            each.kind,
            title_of(each, language),
            each.rulebook,
            each.lesson,
            each.count,
            each.due,
            did.has_done(each),
            did.solved_for(each),
        )
        for each in given
    ]
