"""Rules to read, lessons, endings and puzzles: their pages, and what their scripts ask for."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from secrets import randbits
from typing import Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from damas.board import Color
from damas.game import LETTER, Game, Record
from damas.rules import Rulebook, rulebook, rulebook_ids
from damas.rules.about import about
from damas.rules.library import builtin_id
from damas.server.analysing.places import book_named
from damas.server.analysing.verdicts import NO_PLACE
from damas.server.learning.ending import Ending, books_with_endings, candidates, ending, endings_of
from damas.server.learning.lesson import CHAPTERS, lessons
from damas.server.learning.puzzle import rulebooks_with_puzzles, sheet_of
from damas.server.learning.views import (
    example_frames,
    example_views,
    lesson_entry,
    lesson_view,
    puzzle_entry,
    puzzle_view,
)
from damas.server.security.bodies import Json, encode, read
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.people import PuzzleAttempt
from damas.server.web.fields import Fen, MoveText, Name
from damas.server.web.pages import page
from damas.server.web.static_files import ASK_AGAIN, sent
from damas.server.words import Sent, language_of
from damas.views import plain
from damas.views.boards import game_view
from damas.views.endgames import BoardProbeView, NoProbeView
from damas.views.rulebook_pages import ListedRulebookView, listed
from damas.views.rulebooks import Difference, rulebook_view

MOST_KEYS = 200
SHORTEST_WIN = 3
"""Moves below which an ending is no exercise."""

Key = Annotated[str, msgspec.Meta(max_length=80, pattern=r"^[a-z]+\.[a-z0-9-]+$")]


# Rules


def _entries(request: Request, names: Iterable[str]) -> list[ListedRulebookView]:
    return [listed(rulebook(name), language_of(request)) for name in names]


async def _rules(request: Request) -> Response:
    return page(
        request,
        "rules.html",
        here="rules",
        documents=_entries(request, (name for name in rulebook_ids() if about(name).document)),
        others=_entries(request, (name for name in rulebook_ids() if not about(name).document)),
    )


async def _rulebook(request: Request) -> Response:
    name = builtin_id(request.path_params["id"])
    if not name:
        raise HTTPException(404)
    if name != request.path_params["id"]:
        return RedirectResponse(f"/rules/{name}")
    book, language = rulebook(name), language_of(request)
    told: dict[str, Any] = plain(rulebook_view(book, language))
    shown = {view["article"] for view in example_views(name)}
    return page(
        request,
        "rulebook.html",
        here="rules",
        book=listed(book, language),
        told=told,
        chapters=_chapters(told),
        general=[reading for reading in told["readings"] if not reading["id"].startswith("B.")],
        others=_entries(request, (other for other in rulebook_ids() if other != name)),
        shown=shown,
    )


def _chapters(told: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Articles that are cited alike together, in the order of the document.

    Each has its readings beside it; one that speaks of several articles stands at the first and is named at the others.
    """
    readings = {reading["id"]: reading for reading in told["readings"]}
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    told_before: set[str] = set()
    for article in told["articles"]:
        own = [name for name in article["readings"] if name.startswith("B.")]
        here = [name for name in own if name not in told_before]
        told_before.update(here)
        entry = {
            **article,
            "here": [readings[name] for name in here],
            "elsewhere": [name for name in article["readings"] if name not in here],
        }
        if groups and groups[-1][0] == article["cite"]:
            groups[-1][1].append(entry)
        else:
            groups.append((article["cite"], [entry]))
    return groups


async def _examples(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    return Json(await run_in_threadpool(example_views, book.id))


async def _example(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    article, name = request.path_params["article"], request.path_params["name"]
    try:
        found = await run_in_threadpool(example_frames, book.id, article, name, language_of(request))
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None
    return Json({"frames": found})


async def _difference(request: Request) -> Response:
    first, second = (book_named(request.path_params[name]) for name in ("first", "second"))

    language = language_of(request)
    return Json(await run_in_threadpool(lambda: Difference(first, second).view(language)))


# Lessons


async def _learn(request: Request) -> Response:
    language = language_of(request)
    chapters = [
        (chapter, [lesson_entry(each, language) for each in lessons().values() if each.chapter == chapter])
        for chapter in CHAPTERS
    ]
    return page(request, "learn.html", here="learn", chapters=chapters)


async def _lesson(request: Request) -> Response:
    lesson = lessons().get(request.path_params["lesson"])
    if lesson is None:
        raise HTTPException(404)
    return page(request, "lesson.html", here="learn", lesson=lesson_entry(lesson, language_of(request)))


async def _lesson_data(request: Request) -> Response:
    name = request.path_params["lesson"]
    if name not in lessons():
        raise ApiError(404, "NOT_FOUND")
    return Json(await run_in_threadpool(lesson_view, name, language_of(request)))


async def _lessons_data(request: Request) -> Response:
    return Json({"lessons": [lesson_entry(lesson, language_of(request)) for lesson in lessons().values()]})


# Progress


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """What a visitor has done, by key: `lesson.ID`, `puzzles.RULEBOOK`, `endings.RULEBOOK`."""

    progress: Annotated[dict[Key, Any], msgspec.Meta(max_length=MOST_KEYS)]


async def _progress(request: Request) -> Response:
    kept = await services_of(request).store.people.progress(_person(request))
    return Json({"progress": {key: json.loads(value) for key, value in kept.items()}})


async def _keep_progress(request: Request) -> Response:
    asked = await read(request, Progress)
    if not all(map(_known, asked.progress)):
        raise ApiError(404, "NOT_FOUND")
    services = services_of(request)
    texts = {key: json.dumps(value, separators=(",", ":")) for key, value in asked.progress.items()}
    if any(len(text) > services.settings.limits.kept_bytes for text in texts.values()):
        raise ApiError(413, "TOO_LARGE", most=services.settings.limits.kept_bytes)
    for key, text in texts.items():
        await services.store.people.set_progress(_person(request), key, text)
    return Json({"ok": True})


def _known(key: str) -> bool:
    """Whether there is such a lesson, or such a rulebook to practise."""
    kind, _, name = key.partition(".")
    return (
        name in lessons() if kind == "lesson" else kind in ("puzzles", "endings") and name in rulebook_ids()
    )


def _person(request: Request) -> str:
    visitor = visitor_of(request)
    return visitor.account or visitor.id


# Puzzles


async def _puzzles(request: Request) -> Response:
    names = [name for name in rulebook_ids() if name in rulebooks_with_puzzles()]
    books = _entries(request, names)
    return page(request, "puzzles.html", here="puzzles", books=books)


async def _puzzle_list(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    puzzles = sheet_of(book.id).puzzles
    if not puzzles:
        raise ApiError(404, "NOT_FOUND")
    return Json({"rulebook": book.id, "puzzles": [puzzle_entry(puzzle) for puzzle in puzzles]})


@lru_cache(maxsize=8)
def _whole_sheet(book: str, language: str) -> Sent:
    """Written and compressed once: a megabyte, a tenth of it on its way."""
    puzzles = [puzzle_view(book, puzzle.id, language) for puzzle in sheet_of(book).puzzles]
    return Sent.of(encode({"rulebook": book, "puzzles": puzzles}))


async def _puzzle_sheet(request: Request) -> Response:
    """Every puzzle of a rulebook with its solution, for when there is no network."""
    book = book_named(request.path_params["id"])
    if not sheet_of(book.id).puzzles:
        raise ApiError(404, "NOT_FOUND")
    whole = await run_in_threadpool(_whole_sheet, book.id, language_of(request))
    answer = sent(request, *whole, "application/json", ASK_AGAIN)
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return answer


async def _puzzle(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    try:
        found = puzzle_view(book.id, request.path_params["puzzle"], language_of(request))
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None
    return Json(found)


class Attempt(msgspec.Struct, forbid_unknown_fields=True):
    """How a puzzle went."""

    solved: bool
    hints: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    spent_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0


async def _attempt(request: Request) -> Response:
    book = book_named(request.path_params["id"])
    name = request.path_params["puzzle"]
    if all(puzzle.id != name for puzzle in sheet_of(book.id).puzzles):
        raise ApiError(404, "NOT_FOUND")
    made = await read(request, Attempt)
    attempt = PuzzleAttempt(
        rulebook=book.id,
        puzzle=name,
        solved=made.solved,
        hints=made.hints,
        spent_ms=made.spent_ms,
        wall_ms=int(time.time() * 1000),
    )
    await services_of(request).store.people.add_attempt(_person(request), attempt)
    return Json({"ok": True})


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


async def _endings(request: Request) -> Response:
    books = _entries(request, books_with_endings())
    named = {book.id: endings_of(book.id) for book in books}
    return page(request, "endings.html", here="learn", books=books, endings=named)


async def _new_ending(request: Request) -> Response:
    asked = await read(request, AskEnding)
    book = book_named(asked.rulebook)
    try:
        chosen = ending(asked.ending)
    except KeyError:
        raise ApiError(404, "NOT_FOUND") from None
    if chosen not in endings_of(book.id):
        raise ApiError(404, "NOT_FOUND")
    random = Random(randbits(31) if asked.seed is None else asked.seed)
    record, verdict = await _to_practise(request, chosen, book, random)
    game = Game(record, LETTER)
    return Json(
        {
            "rulebook": book.id,
            "ending": chosen.id,
            "goal": chosen.goal,
            "fen": record.position.fen,
            "view": game_view(game, language_of(request)),
            "verdict": verdict,
        }
    )


async def _to_practise(
    request: Request, chosen: Ending, book: Rulebook, random: Random
) -> tuple[Record, BoardProbeView]:
    """A position in which the goal can be reached, and not at once."""
    positions = await run_in_threadpool(candidates, chosen, book, random)
    fallback = None
    for position in positions:
        record = Record(position)
        verdict = await _verdict(request, record)
        if verdict.value != chosen.goal:
            continue
        if chosen.goal != "win" or (verdict.plies or 0) >= 2 * SHORTEST_WIN - 1:
            return record, verdict
        fallback = fallback or (record, verdict)
    if fallback is None:
        raise ApiError(404, "NOT_FOUND")
    return fallback


async def _verdict(request: Request, record: Record) -> BoardProbeView:
    found = await services_of(request).analysing.verdicts.on(record, language_of(request))
    if isinstance(found, NoProbeView):
        refusal = (NO_PLACE, 60) if found.code == NO_PLACE else ("BUSY", 1)
        raise ApiError(503, refusal[0], retry_s=refusal[1])
    return found


async def _reply(request: Request) -> Response:
    """Judges the learner's move, and answers it as the tables do."""
    asked = await read(request, AskReply)
    book, language = book_named(asked.rulebook), language_of(request)
    game = Game.start(book, fen=asked.fen, customs=LETTER)
    for text in asked.moves[:-1]:
        game = game.play(text)
    before = await _verdict(request, game.record)
    game = game.play(asked.moves[-1])
    played = game.record.move(game.record.length).text
    best = before.moves[0]
    mine = next(move for move in before.moves if move.text == played)
    answer: dict[str, Any] = {
        "played": played,
        "kept": mine.value == best.value,
        "best": best,
        "reply": None,
        "after_move": game_view(game, language),
    }
    if not game.outcome:
        verdict = await _verdict(request, game.record)
        answer["reply"] = verdict.moves[0].text
        game = game.play(answer["reply"])
    answer["view"] = game_view(game, language)
    answer["verdict"] = None if game.outcome else await _verdict(request, game.record)
    answer["won"] = bool(game.outcome and game.outcome.winner is Color.WHITE)
    return Json(answer)


routes: list[BaseRoute] = [
    Route("/rules", _rules, name="rules"),
    Route("/rules/{id}", _rulebook, name="rulebook"),
    Route("/api/examples/{id}", _examples),
    Route("/api/examples/{id}/{article}/{name}", _example),
    Route("/api/difference/{first}/{second}", _difference),
    Route("/learn", _learn, name="learn"),
    Route("/learn/{lesson}", _lesson, name="lesson"),
    Route("/api/lessons", _lessons_data),
    Route("/api/lessons/{lesson}", _lesson_data),
    Route("/api/progress", _progress, methods=["GET"]),
    Route("/api/progress", _keep_progress, methods=["POST"]),
    Route("/puzzles", _puzzles, name="puzzles"),
    Route("/api/puzzles/{id}", _puzzle_list),
    Route("/api/puzzles/{id}/all", _puzzle_sheet),
    Route("/api/puzzles/{id}/{puzzle}", _puzzle, methods=["GET"]),
    Route("/api/puzzles/{id}/{puzzle}", _attempt, methods=["POST"]),
    Route("/endings", _endings, name="endings"),
    Route("/api/endings", _new_ending, methods=["POST"]),
    Route("/api/endings/reply", _reply, methods=["POST"]),
]
