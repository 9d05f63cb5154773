"""Rules to read, lessons, endings and puzzles: their pages, and what their scripts ask for."""

import json
import time
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from secrets import randbits
from typing import Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from damas.board import Color
from damas.game import LETTER, Game, Record
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.about import about
from damas.rules.library import builtin_id, home_rulebooks
from damas.rules.readings import folder_of
from damas.server.analysing.places import book_named
from damas.server.analysing.verdicts import NO_PLACE
from damas.server.learning.course import Course, Lesson, courses, first_courses, lessons, lessons_of
from damas.server.learning.ending import Ending, books_with_endings, candidates, endings_of
from damas.server.learning.glossary import entry_views
from damas.server.learning.lesson import CHAPTERS
from damas.server.learning.puzzle import Puzzle, Sheet, rulebooks_with_puzzles, sheet_of
from damas.server.learning.views import (
    ExampleView,
    LessonView,
    PuzzleView,
    example_frames,
    example_views,
    lesson_entry,
    lesson_view,
    puzzle_entry,
    puzzle_view,
)
from damas.server.security.bodies import encode
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.people import PuzzleAttempt
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import Fen, MoveText, Name
from damas.server.web.pages import page
from damas.server.web.static_files import cached_json
from damas.server.words import Content, language_of
from damas.views.boards import game_view
from damas.views.endgames import BoardProbeView, NoProbeView
from damas.views.rulebook_pages import ListedRulebookView, chapters, general_readings, listed, rulebook_page
from damas.views.rulebooks import Difference, RulebookDifferenceView

endpoints = Endpoints("learning")

MAX_PROGRESS_KEYS = 200
"""Entries of one request that stores progress."""
MIN_MOVES_TO_WIN = 3
"""An ending that is won in fewer moves is no exercise."""

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
        book=book,
        chapters=chapters(book),
        general=general_readings(book),
        others=_listed(request, (other for other in rulebook_ids() if other != name)),
        shown={view.article for view in example_views(name)},
        course=name in courses(),
    )


@endpoints.call("GET /api/examples/{id}", tag="rules", parameters={"id": "faraes"})
async def _examples(request: Request) -> list[ExampleView]:
    book = book_named(request.path_params["id"])
    return await run_in_threadpool(example_views, book.id)


@endpoints.call(
    "GET /api/examples/{id}/{article}/{name}",
    tag="rules",
    parameters={"id": "faraes", "article": "002-12", "name": "four-kings-are-not-three"},
)
async def _example(request: Request) -> replies.Frames:
    book = book_named(request.path_params["id"])
    article, name = request.path_params["article"], request.path_params["name"]
    try:
        frames = await run_in_threadpool(example_frames, book.id, article, name, language_of(request))
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None
    return {"frames": frames}


@endpoints.call(
    "GET /api/difference/{first}/{second}",
    tag="rules",
    parameters={"first": "brasileira", "second": "portuguesa"},
)
async def _difference(request: Request) -> RulebookDifferenceView:
    first, second = (book_named(request.path_params[name]) for name in ("first", "second"))
    language = language_of(request)
    return await run_in_threadpool(lambda: Difference(first, second).view(language))


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
async def _lesson_page(request: Request, found: Course | Lesson) -> Response:
    if isinstance(found, Course):
        return _course_page(request, found, [])
    return page(request, "lesson.html", here="learn", lesson=lesson_entry(found, language_of(request)))


@endpoints.route("GET /glossary")
async def _glossary_page(request: Request) -> Response:
    return page(request, "glossary.html", here="learn", entries=entry_views(language_of(request)))


@endpoints.call("GET /api/lessons")
async def _lessons(request: Request) -> replies.LessonList:
    return {"lessons": [lesson_entry(lesson, language_of(request)) for lesson in lessons().values()]}


@endpoints.call("GET /api/lessons/{lesson}", access=_lesson_named, parameters={"lesson": "lei-da-maioria"})
async def _lesson(request: Request, lesson: Lesson) -> LessonView:
    return await run_in_threadpool(lesson_view, lesson.id, language_of(request))


# Progress


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """What a visitor has done, by key: `lesson.ID`, `puzzles.RULEBOOK`, `endings.RULEBOOK`."""

    progress: Annotated[dict[Key, Any], msgspec.Meta(max_length=MAX_PROGRESS_KEYS)]


@endpoints.call("GET /api/progress")
async def _progress(request: Request) -> replies.KeptProgress:
    stored = await services_of(request).store.people.progress(_person(request))
    return {"progress": {key: json.loads(value) for key, value in stored.items()}}


@endpoints.call("POST /api/progress", example={"progress": {"puzzles.brasileira": {"solved": 3}}})
async def _keep_progress(request: Request, body: Progress) -> None:
    if not all(map(_can_be_learnt, body.progress)):
        raise ApiError(404, "NOT_FOUND")
    services = services_of(request)
    texts = {key: json.dumps(value, separators=(",", ":")) for key, value in body.progress.items()}
    if any(len(text) > services.settings.limits.kept_bytes for text in texts.values()):
        raise ApiError(413, "TOO_LARGE", most=services.settings.limits.kept_bytes)
    for key, text in texts.items():
        await services.store.people.set_progress(_person(request), key, text)


def _can_be_learnt(key: str) -> bool:
    """Whether a key of progress names an existing lesson or rulebook; a course was once a lesson of its name."""
    kind, _, name = key.partition(".")
    return name in {
        "lesson": {*lessons(), *courses()},
        "puzzles": rulebook_ids(),
        "endings": rulebook_ids(),
    }.get(kind, ())


def _person(request: Request) -> str:
    visitor = visitor_of(request)
    return visitor.account or visitor.id


# Puzzles


def _sheet(request: Request) -> Sheet:
    sheet = sheet_of(book_named(request.path_params["id"]).id)
    if not sheet.puzzles:
        raise ApiError(404, "NOT_FOUND")
    return sheet


def _puzzle_named(request: Request) -> Puzzle:
    for puzzle in _sheet(request).puzzles:
        if puzzle.id == request.path_params["puzzle"]:
            return puzzle
    raise ApiError(404, "NOT_FOUND")


@endpoints.route("GET /puzzles")
async def _puzzles_page(request: Request) -> Response:
    offered = dict.fromkeys([*home_rulebooks(language_of(request)), *rulebook_ids()])
    names = [name for name in offered if name in rulebooks_with_puzzles()]
    return page(request, "puzzles.html", here="puzzles", books=_listed(request, names))


@endpoints.call("GET /api/puzzles/{id}", access=_sheet, parameters={"id": "brasileira"})
async def _puzzles(_: Request, sheet: Sheet) -> replies.PuzzleList:
    return {"rulebook": sheet.rulebook, "puzzles": [puzzle_entry(puzzle) for puzzle in sheet.puzzles]}


@lru_cache(maxsize=8)
def _sheet_json(book: str, language: str) -> Content:
    """All puzzles of a rulebook, encoded and compressed once: a megabyte, a tenth of it compressed."""
    puzzles = [puzzle_view(book, puzzle, language) for puzzle in sheet_of(book).puzzles]
    return Content.of(encode({"rulebook": book, "puzzles": puzzles}))


@endpoints.call(
    "GET /api/puzzles/{id}/all", access=_sheet, parameters={"id": "brasileira"}, reply=replies.PuzzleSheet
)
async def _all_puzzles(request: Request, sheet: Sheet) -> Response:
    """Every puzzle of a rulebook with its solution, for when there is no network."""
    return cached_json(request, await run_in_threadpool(_sheet_json, sheet.rulebook, language_of(request)))


PUZZLE = {"id": "brasileira", "puzzle": "PUZZLE"}
"""Example of a puzzle's path."""


@endpoints.call("GET /api/puzzles/{id}/{puzzle}", access=_puzzle_named, parameters=PUZZLE)
async def _puzzle(request: Request, puzzle: Puzzle) -> PuzzleView:
    return puzzle_view(book_named(request.path_params["id"]).id, puzzle, language_of(request))


class Attempt(msgspec.Struct, forbid_unknown_fields=True):
    """How a puzzle went."""

    solved: bool
    hints: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    spent_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0


@endpoints.call(
    "POST /api/puzzles/{id}/{puzzle}", access=_puzzle_named, parameters=PUZZLE, example={"solved": True}
)
async def _puzzle_tried(request: Request, puzzle: Puzzle, body: Attempt) -> None:
    attempt = PuzzleAttempt(
        rulebook=book_named(request.path_params["id"]).id,
        puzzle=puzzle.id,
        **msgspec.structs.asdict(body),
        wall_ms=int(time.time() * 1000),
    )
    await services_of(request).store.people.add_attempt(_person(request), attempt)


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


@endpoints.call("POST /api/endings", example={"rulebook": "brasileira", "ending": "man-man", "seed": 7})
async def _ending(request: Request, body: AskEnding) -> replies.Ending:
    book = book_named(body.rulebook)
    ending = next((each for each in endings_of(book.id) if each.id == body.ending), None)
    if ending is None:
        raise ApiError(404, "NOT_FOUND")
    random = Random(randbits(31) if body.seed is None else body.seed)
    record, verdict = await _exercise(request, ending, book, random)
    return {
        "rulebook": book.id,
        "ending": ending.id,
        "goal": ending.goal,
        "fen": record.position.fen,
        "view": game_view(Game(record, LETTER), language_of(request)),
        "verdict": verdict,
    }


async def _exercise(
    request: Request, ending: Ending, book: Rulebook, random: Random
) -> tuple[Record, BoardProbeView]:
    """A position in which the goal can be reached, and not at once."""
    fallback = None
    for position in await run_in_threadpool(candidates, ending, book, random):
        record = Record(position)
        verdict = await _verdict(request, record)
        if verdict.value != ending.goal:
            continue
        if ending.goal != "win" or (verdict.plies or 0) >= 2 * MIN_MOVES_TO_WIN - 1:
            return record, verdict
        fallback = fallback or (record, verdict)
    if fallback is None:
        raise ApiError(404, "NOT_FOUND")
    return fallback


async def _verdict(request: Request, record: Record) -> BoardProbeView:
    verdict = await services_of(request).analysing.verdicts.on(record, language_of(request))
    if not isinstance(verdict, NoProbeView):
        return verdict
    if verdict.code == NO_PLACE:
        raise ApiError(503, NO_PLACE, retry_s=60)
    raise ApiError(503, "BUSY", retry_s=1)


@endpoints.call(
    "POST /api/endings/reply",
    example={"rulebook": "brasileira", "fen": "W:Wc3:Bf6", "moves": ["c3-d4"]},
)
async def _ending_reply(request: Request, body: AskReply) -> replies.EndingReply:
    """Judges the learner's move, and answers it as the tables do."""
    language = language_of(request)
    game = Game.start(book_named(body.rulebook), fen=body.fen, customs=LETTER)
    for text in body.moves[:-1]:
        game = game.play(text)
    before = await _verdict(request, game.record)
    after_move = game = game.play(body.moves[-1])
    played = game.record.move(game.record.length).text
    value = next(move.value for move in before.moves if move.text == played)
    reply = None
    if not game.outcome:
        reply = (await _verdict(request, game.record)).moves[0].text
        game = game.play(reply)
    return {
        "played": played,
        "kept": value == before.moves[0].value,
        "best": before.moves[0],
        "reply": reply,
        "after_move": game_view(after_move, language),
        "view": game_view(game, language),
        "verdict": None if game.outcome else await _verdict(request, game.record),
        "won": bool(game.outcome and game.outcome.winner is Color.WHITE),
    }
