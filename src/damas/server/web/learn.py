"""Rules to read, lessons, drills and endings: their pages, and what their scripts ask for."""

from collections.abc import Iterable
from secrets import randbits
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from damas.rules import rulebook, rulebook_ids
from damas.rules.about import about
from damas.rules.library import builtin_id, home_rulebooks
from damas.rules.readings import folder_of
from damas.server.analysing.places import book_named
from damas.server.learning.course import Course, Lesson, courses, first_courses, lessons, lessons_of
from damas.server.learning.ending import books_with_endings, endings_of
from damas.server.learning.glossary import entry_views
from damas.server.learning.lesson import CHAPTERS
from damas.server.learning.views import (
    ExampleView,
    LessonView,
    example_views,
    lesson_entry,
)
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.store.errors import TooMuchProgress
from damas.server.web import previews, replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fair_play import check_fair_play_with_people
from damas.server.web.fields import AccountId, Fen, MoveText, Name, number_in_query
from damas.server.web.local_games import check_account
from damas.server.web.pages import page
from damas.server.web.work import answer, answer_from_tables
from damas.server.words import language_of
from damas.server.work import lessons as work
from damas.server.work import tables
from damas.views.rulebook_pages import ListedRulebookView, chapters, general_readings, listed, rulebook_page
from damas.views.rulebooks import RulebookDifferenceView

endpoints = Endpoints("learning")

MAX_PROGRESS_KEYS = 200
"""Entries of one request that stores progress."""

Key = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[a-z]+\.[a-z0-9-]+$")]
"""A key of `Progress`."""


# Rules


def _listed(request: Request, names: Iterable[str]) -> list[ListedRulebookView]:
    return [listed(rulebook(name), language_of(request)) for name in names]


@endpoints.route("GET /rules")
async def _rules_page(request: Request) -> Response:
    names = rulebook_ids()
    return page(
        request,
        "rules.html",
        here="rules",
        documents=_listed(request, (name for name in names if about(name).document)),
        others=_listed(request, (name for name in names if not about(name).document)),
    )


@endpoints.route("GET /rules/{id}")
async def _rulebook_page(request: Request) -> Response:
    name = folder_of(builtin_id(request.path_params["id"]))  # a page has its text with all its readings
    if not name:
        raise ApiError(404, "NOT_FOUND")
    if name != request.path_params["id"]:
        return RedirectResponse(f"/rules/{name}")
    book = rulebook_page(rulebook(name), language_of(request))
    return page(
        request,
        "rulebook.html",
        here="rules",
        preview=previews.of_rulebook(request, name),
        book=book,
        chapters=chapters(book),
        general=general_readings(book),
        others=_listed(request, (other for other in rulebook_ids() if other != name)),
        shown={view.article for view in example_views(name)},
        course=name in courses(),
    )


@endpoints.call("GET /api/examples/{id}", tag="rules", parameters={"id": "faraes"}, reply=list[ExampleView])
async def _examples(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    return await answer(request, work.examples, book.id)


@endpoints.call(
    "GET /api/examples/{id}/{article}/{name}",
    tag="rules",
    parameters={"id": "faraes", "article": "002-12", "name": "four-kings-are-not-three"},
    reply=replies.Frames,
)
async def _example(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    article, name = request.path_params["article"], request.path_params["name"]
    try:
        return await answer(request, work.example, book.id, article, name, language_of(request))
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None


@endpoints.call(
    "GET /api/difference/{first}/{second}",
    tag="rules",
    parameters={"first": "brasileira", "second": "portuguesa"},
    reply=RulebookDifferenceView,
)
async def _difference(request: Request) -> Response:
    first, second = (request.path_params[name] for name in ("first", "second"))
    return await answer(request, work.difference, first, second, language_of(request))


# Lessons


def _lesson_named(request: Request) -> Lesson:
    lesson = lessons().get(request.path_params["lesson"])
    if lesson is None:
        raise ApiError(404, "NOT_FOUND")
    return lesson


@endpoints.route("GET /learn")
async def _learn_page(request: Request) -> Response:
    """The course of the reader's language; where there are several, they are offered."""
    offered = first_courses(language_of(request))
    return _course_page(request, courses()[offered[0]] if len(offered) == 1 else None, offered)


def _course_page(request: Request, course: Course | None, offered: list[str]) -> Response:
    language = language_of(request)
    entries = [lesson_entry(each, language) for each in lessons_of(course.id)] if course else []
    chapters = [(chapter, [entry for entry in entries if entry.chapter == chapter]) for chapter in CHAPTERS]
    return page(
        request,
        "learn.html",
        here="learn",
        course=course,
        courses=courses(),
        offered=[courses()[name] for name in offered],
        chapters=[(chapter, listed) for chapter, listed in chapters if listed],
    )


def _course_or_lesson(request: Request) -> Course | Lesson:
    course = courses().get(request.path_params["lesson"])
    return course or _lesson_named(request)


@endpoints.route("GET /learn/{lesson}", access=_course_or_lesson)
async def _lesson_page(request: Request, lesson: Course | Lesson) -> Response:
    if isinstance(lesson, Course):
        return _course_page(request, lesson, [])
    preview, entry = previews.of_lesson(request, lesson), lesson_entry(lesson, language_of(request))
    return page(request, "lesson.html", here="learn", preview=preview, lesson=entry)


@endpoints.route("GET /glossary")
async def _glossary_page(request: Request) -> Response:
    return page(request, "glossary.html", here="learn", entries=entry_views(language_of(request)))


@endpoints.call("GET /api/lessons")
async def _lessons(request: Request) -> replies.LessonList:
    return {"lessons": [lesson_entry(lesson, language_of(request)) for lesson in lessons().values()]}


@endpoints.call(
    "GET /api/lessons/{lesson}",
    access=_lesson_named,
    parameters={"lesson": "lei-da-maioria"},
    reply=LessonView,
)
async def _lesson(request: Request, lesson: Lesson) -> Response:
    return await answer(request, work.lesson, lesson.id, language_of(request))


# Progress


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """What a visitor has done, by key: `lesson.ID`, `puzzles.RULEBOOK`, `endings.RULEBOOK`, `drills.RULEBOOK`."""

    progress: Annotated[dict[Key, Any], msgspec.Meta(max_length=MAX_PROGRESS_KEYS)]
    account: AccountId = ""


@endpoints.call("GET /api/progress")
async def _progress(request: Request) -> replies.KeptProgress:
    stored = await services_of(request).store.people.progress(person_of(request))
    return {"progress": {key: msgspec.Raw(value.encode()) for key, value in stored.items()}}


@endpoints.call("POST /api/progress", example={"progress": {"puzzles.brasileira": {"solved": 3}}})
async def _keep_progress(request: Request, body: Progress) -> None:
    if not all(map(_can_be_learnt, body.progress)):
        raise ApiError(404, "NOT_FOUND")
    check_account(request, body.account)
    services = services_of(request)
    services.rates.spend("learning", address_of(request))
    texts = {key: msgspec.json.encode(value).decode() for key, value in body.progress.items()}
    try:
        await services.store.people.add_progress(person_of(request), texts)
    except TooMuchProgress as error:
        raise ApiError(413, "TOO_LARGE", most=error.most) from None


def _can_be_learnt(key: str) -> bool:
    """Whether a key of progress names an existing lesson or rulebook; a course was once a lesson of its name."""
    kind, _, name = key.partition(".")
    return name in {
        "lesson": {*lessons(), *courses()},
        "puzzles": rulebook_ids(),
        "endings": rulebook_ids(),
        "drills": rulebook_ids(),
    }.get(kind, ())


# Drills


@endpoints.route("GET /drills")
async def _drills_page(request: Request) -> Response:
    offered = dict.fromkeys([*home_rulebooks(language_of(request)), *rulebook_ids()])
    return page(request, "drills.html", here="learn", books=_listed(request, offered))


@endpoints.call(
    "GET /api/drills/{id}", parameters={"id": "brasileira"}, query={"seed": "7"}, reply=replies.Drill
)
async def _drill(request: Request) -> Response:
    """Positions in which something must be captured, the same for the same seed of up to five digits."""
    book = book_named(request.path_params["id"])
    return await answer(request, work.drill, book.id, number_in_query(request, "seed", randbits(16)))


# Endings


class AskEnding(msgspec.Struct, forbid_unknown_fields=True):
    """An ending to practise; the same seed gives the same position."""

    rulebook: Name
    ending: Name
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31)] | None = None


class AskReply(msgspec.Struct, forbid_unknown_fields=True):
    """The moves of a practice game, the learner's last one at the end."""

    rulebook: Name
    fen: Fen
    moves: Annotated[list[MoveText], msgspec.Meta(min_length=1, max_length=400)]


@endpoints.route("GET /endings")
async def _endings_page(request: Request) -> Response:
    books = _listed(request, books_with_endings())
    endings = {book.id: endings_of(book.id) for book in books}
    return page(request, "endings.html", here="learn", books=books, endings=endings)


@endpoints.call(
    "POST /api/endings",
    example={"rulebook": "brasileira", "ending": "man-man", "seed": 7},
    reply=replies.Ending,
)
async def _ending(request: Request, body: AskEnding) -> Response:
    book = book_named(body.rulebook)
    if body.ending not in {each.id for each in endings_of(book.id)}:
        raise ApiError(404, "NOT_FOUND")
    seed = randbits(31) if body.seed is None else body.seed
    return await answer_from_tables(request, tables.exercise, book.id, body.ending, seed)


@endpoints.call(
    "POST /api/endings/reply",
    example={"rulebook": "brasileira", "fen": "W:Wc3:Bf6", "moves": ["c3-d4"]},
    reply=replies.EndingReply,
)
async def _ending_reply(request: Request, body: AskReply) -> Response:
    """Judges the learner's move, and answers it as the tables do."""
    await check_fair_play_with_people(request, body.rulebook, body.fen, body.moves)
    return await answer_from_tables(request, tables.ending_reply, body.rulebook, body.fen, body.moves)
