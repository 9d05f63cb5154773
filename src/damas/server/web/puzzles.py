"""Puzzles: their page, the sheets, how a try went, and training that follows the solver's rating."""

import time
from datetime import UTC, datetime
from secrets import randbits
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from damas.rules import rulebook, rulebook_ids
from damas.rules.library import home_rulebooks
from damas.server.analysing.places import book_named
from damas.server.learning import training
from damas.server.learning.motif import MOTIFS
from damas.server.learning.own_puzzle import Mistake
from damas.server.learning.puzzle import (
    GRADES,
    MAX_RATING,
    Puzzle,
    Sheet,
    rulebooks_with_puzzles,
    sheet_of,
)
from damas.server.learning.repetition import new_review, reviewed
from damas.server.learning.views import PuzzleView, puzzle_entry
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.store.errors import TooManyReviews
from damas.server.store.rows import PuzzleAttempt, RatingRow
from damas.server.web import previews, replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import AccountId, number_in_query
from damas.server.web.local_games import check_account
from damas.server.web.pages import page
from damas.server.web.recent import Recent
from damas.server.web.static_files import cached_json
from damas.server.web.work import answer, ask
from damas.server.words import Content, language_of
from damas.server.work import lessons as work
from damas.views.rulebook_pages import listed

endpoints = Endpoints("learning")

PAGE_SIZE = 50
"""Puzzles that one answer lists."""
MAX_POINTS = 200
"""Points of the plot of a rating."""
MAX_DAYS = 400
"""Days that are looked back at for days in a row."""


def _sheet(request: Request) -> Sheet:
    sheet = sheet_of(book_named(request.path_params["id"]).id)
    if not len(sheet):
        raise ApiError(404, "NOT_FOUND")
    return sheet


async def _puzzle_named(request: Request, sheet: Sheet) -> tuple[Puzzle, Mistake | None]:
    """The puzzle of a path, and the mistake that it was made of."""
    name: str = request.path_params["puzzle"]
    if name in sheet.entries:
        return sheet[name], None
    own = await services_of(request).store.puzzles.own(person_of(request), sheet.rulebook, name)
    if own is None:
        raise ApiError(404, "NOT_FOUND")
    mistake = msgspec.json.decode(own.data, type=Mistake)
    return mistake.puzzle, mistake


@endpoints.route("GET /puzzles")
async def _puzzles_page(request: Request) -> Response:
    offered = dict.fromkeys([*home_rulebooks(language_of(request)), *rulebook_ids()])
    names = [name for name in offered if name in rulebooks_with_puzzles()]
    return page(
        request,
        "puzzles.html",
        here="puzzles",
        preview=previews.of_puzzle(request),
        books=[listed(rulebook(name), language_of(request)) for name in names],
        motifs=MOTIFS,
        grades=GRADES,
    )


@endpoints.call(
    "GET /api/puzzles/{id}",
    access=_sheet,
    parameters={"id": "brasileira"},
    query={"motif": "two", "min": "1000", "max": "1400", "near": "1200", "page": "0"},
)
async def _puzzles(request: Request, sheet: Sheet) -> replies.PuzzleList:
    """A page of the puzzles of a motif between two ratings, those nearest to a rating first."""
    matching = sheet.matching(
        request.query_params.get("motif", ""),
        number_in_query(request, "min", 0),
        number_in_query(request, "max", MAX_RATING),
        number_in_query(request, "near", 0),
    )
    first = number_in_query(request, "page", 0) * PAGE_SIZE
    return {
        "rulebook": sheet.rulebook,
        "total": len(sheet),
        "motifs": sheet.motifs,
        "matching": len(matching),
        "puzzles": [puzzle_entry(entry.puzzle) for entry in matching[first : first + PAGE_SIZE]],
    }


_samples = Recent[Content](24)
"""The sample of a rulebook in a language, encoded and compressed: some tens of kilobytes each."""


@endpoints.call(
    "GET /api/puzzles/{id}/sample",
    access=_sheet,
    parameters={"id": "brasileira"},
    reply=replies.PuzzleSample,
)
async def _puzzle_sample(request: Request, sheet: Sheet) -> Response:
    """A hundred puzzles of all kinds with their solutions, for when there is no network."""
    key = sheet.rulebook, language_of(request)

    async def compressed() -> Content:
        return await run_in_threadpool(Content.of, await ask(request, work.puzzle_sample, *key))

    return cached_json(request, await _samples.get(key, compressed))


PUZZLE = {"id": "brasileira", "puzzle": "PUZZLE"}
"""Example of a puzzle's path."""


@endpoints.call("GET /api/puzzles/{id}/{puzzle}", access=_sheet, parameters=PUZZLE, reply=PuzzleView)
async def _puzzle(request: Request, sheet: Sheet) -> Response:
    """A puzzle of the sheet, or one made of the visitor's own mistake."""
    puzzle, mistake = await _puzzle_named(request, sheet)
    return await answer(request, work.puzzle, sheet.rulebook, puzzle, language_of(request), mistake)


class Attempt(msgspec.Struct, forbid_unknown_fields=True):
    """How a puzzle went. An attempt that is sent again with its `id` is stored once."""

    solved: bool
    hints: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    spent_ms: Annotated[int, msgspec.Meta(ge=0, le=86_400_000)] = 0
    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{8,64}$", examples=["q7Vd0c2LxWmA"])] | None = (
        None
    )
    at_ms: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """When it was, in milliseconds since 1970; now if it is left out."""
    rated: bool = False
    """Whether it is for the rating. Only a first try without hints counts, and only one that is not dated by the page: what
    was tried without the server is stored, and changes no rating."""
    account: AccountId = ""


@endpoints.call("POST /api/puzzles/{id}/{puzzle}", access=_sheet, parameters=PUZZLE, example={"solved": True})
async def _puzzle_tried(request: Request, sheet: Sheet, body: Attempt) -> replies.PuzzleTried:
    """Stores a try; a puzzle that was not solved comes back in the deck `puzzle:RULEBOOK`."""
    check_account(request, body.account)
    now_ms = int(time.time() * 1000)
    person = person_of(request)
    puzzle, mistake = await _puzzle_named(request, sheet)
    attempt = PuzzleAttempt(
        rulebook=sheet.rulebook,
        puzzle=puzzle.id,
        solved=body.solved,
        hints=body.hints,
        spent_ms=body.spent_ms,
        wall_ms=now_ms if body.at_ms is None else min(body.at_ms, now_ms),
    )
    services = services_of(request)
    services.rates.spend("learning", address_of(request))
    is_rated = body.rated and body.at_ms is None and not body.hints and mistake is None
    rating = training.rated_try(sheet.entries[puzzle.id]) if is_rated else None
    result = await services.store.puzzles.add_attempt(person, attempt, body.id, rating)
    if not body.solved:
        await _bring_back(request, sheet.rulebook, puzzle.id, now_ms)
    if result is None:
        return {"ok": True, "rating": None, "change": 0}
    row = await services.store.puzzles.rating(person, sheet.rulebook)
    return {"ok": True, "rating": _rating_view(row or training.NEW_SOLVER), "change": result.change}


async def _bring_back(request: Request, book: str, puzzle: str, now_ms: int) -> None:
    try:
        review = reviewed(new_review(f"puzzle:{book}", puzzle, now_ms), "again", now_ms)
        await services_of(request).store.reviews.add([review], person_of(request))
    except TooManyReviews:
        pass  # the deck is full: the try is stored all the same


# Training


def _rating_view(row: RatingRow) -> replies.SolverRating:
    return {
        "rating": round(row.rating),
        "deviation": round(row.deviation),
        "provisional": row.deviation > training.PROVISIONAL_DEVIATION,
        "attempts": row.attempts,
    }


TRAINING = {"id": "brasileira"}
"""Example of a training's path."""


@endpoints.call("GET /api/training/{id}", access=_sheet, parameters=TRAINING)
async def _training(request: Request, sheet: Sheet) -> replies.Training:
    """The solver's rating and its past, and how each motif goes."""
    puzzles, person = services_of(request).store.puzzles, person_of(request)
    results = await puzzles.results(person, sheet.rulebook)
    attempts = await puzzles.attempts(person, sheet.rulebook)
    points = [replies.RatingPoint(at_ms=each.wall_ms, rating=each.rating) for each in results if each.rating]
    return {
        "rulebook": sheet.rulebook,
        "rating": _rating_view(await puzzles.rating(person, sheet.rulebook) or training.NEW_SOLVER),
        "points": points[-MAX_POINTS:],
        "motifs": [
            replies.MotifRecord(motif=each.motif, tried=each.tried, solved=each.solved)
            for each in training.motif_records(sheet, attempts)
        ],
    }


@endpoints.call("GET /api/training/{id}/today", access=_sheet, parameters=TRAINING, query={"offset": "-180"})
async def _training_today(request: Request, sheet: Sheet) -> replies.TrainingToday:
    """The puzzle of the day, the same for everybody until midnight UTC, what is due, and days in a row. The offset is that of
    the visitor's clock from UTC, in minutes.
    """
    store, person, now = services_of(request).store, person_of(request), datetime.now(UTC)
    now_ms = int(now.timestamp() * 1000)
    daily = training.daily_puzzle(sheet, now.date())
    offset_ms = 60_000 * max(-1440, min(1440, _signed(request.query_params.get("offset", ""))))
    days = await store.puzzles.days(person, offset_ms, MAX_DAYS)
    decks = await store.reviews.decks(person, now_ms)
    attempts = await store.puzzles.attempts(person, sheet.rulebook)
    return {
        "rulebook": sheet.rulebook,
        "date": now.date().isoformat(),
        "daily": daily,
        "daily_solved": any(each.puzzle == daily and each.solved for each in attempts),
        "due": sum(deck.due for deck in decks if deck.deck == f"puzzle:{sheet.rulebook}"),
        "days": training.days_in_a_row(days, (now_ms + offset_ms) // 86_400_000),
    }


def _signed(text: str) -> int:
    """A number with a sign; 0 where it is none."""
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() and len(digits) < 6 else 0


@endpoints.call("GET /api/training/{id}/next", access=_sheet, parameters=TRAINING, query={"motif": "two"})
async def _next_puzzle(request: Request, sheet: Sheet) -> replies.NextPuzzle:
    """A puzzle near the solver's rating that the solver has not tried yet."""
    puzzles, person = services_of(request).store.puzzles, person_of(request)
    row = await puzzles.rating(person, sheet.rulebook) or training.NEW_SOLVER
    met = await puzzles.met(person, sheet.rulebook)
    levels = await puzzles.levels(sheet.rulebook)
    motif = request.query_params.get("motif", "")
    entry = training.next_puzzle(sheet, levels, met, row.rating, motif)
    if entry is None:
        raise ApiError(404, "NOT_FOUND")
    return {"id": entry.id, "met": entry.id in met}


@endpoints.call("GET /api/training/{id}/run", access=_sheet, parameters=TRAINING, query={"seed": "7"})
async def _puzzle_run(request: Request, sheet: Sheet) -> replies.PuzzleRun:
    """Puzzles for a run, each harder than the one before."""
    seed = number_in_query(request, "seed", randbits(16))
    return {"seed": seed, "puzzles": training.run_of(sheet, seed)}
