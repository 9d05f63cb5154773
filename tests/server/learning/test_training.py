"""Ratings of solvers and puzzles, what comes next, and the calls behind the page."""

import asyncio
from datetime import date, timedelta
from random import Random

import httpx
import pytest

from damas.server.learning import training
from damas.server.learning.puzzle import load, rulebooks_with_puzzles, sheet_of
from damas.server.store import Store
from damas.server.store.puzzles import Rating
from damas.server.store.rows import PuzzleAttempt, PuzzleResult

DAY_MS = training.PERIOD_MS
BOOK = "brasileira"


def attempt(puzzle: str, solved: bool = True, wall_ms: int = 1_000, hints: int = 0) -> PuzzleAttempt:
    return PuzzleAttempt(
        rulebook=BOOK, puzzle=puzzle, solved=solved, hints=hints, spent_ms=1, wall_ms=wall_ms
    )


def rated(puzzle: str) -> Rating:
    return training.rated_try(sheet_of(BOOK).entries[puzzle])


def test_solver_and_puzzle_move_apart_and_are_surer() -> None:
    name, entry = next(iter(sheet_of(BOOK).entries.items()))
    rating = rated(name)
    solver, puzzle = training.rate(rating.solver, rating.puzzle, True, 5_000)
    assert solver.rating > training.FIRST_RATING and puzzle.rating < entry.rating
    assert solver.deviation < rating.solver.deviation and puzzle.deviation < training.PUZZLE_DEVIATION
    assert (solver.attempts, puzzle.attempts, solver.updated_ms) == (1, 1, 5_000)
    failed, _ = training.rate(solver, puzzle, False, 6_000)
    assert failed.rating < solver.rating
    later, _ = training.rate(solver, puzzle, False, 6_000 + 900 * DAY_MS)
    assert later.deviation > failed.deviation, "who has not solved for long is less sure"


async def test_a_try_counts_once(store: Store) -> None:
    first, second = list(sheet_of(BOOK).entries)[:2]
    add = store.puzzles.add_attempt
    tabs = [add("ana", attempt(first), f"attempt-{n}", rated(first)) for n in range(4)]
    results = [result for result in await asyncio.gather(*tabs) if result is not None]
    assert len(results) == 1 and results[0].change > 0
    [sent] = await asyncio.gather(add("ana", attempt(second, False, 2_000), "attempt-x", rated(second)))
    assert sent is not None and sent.change < 0
    assert await add("ana", attempt(second, False, 2_000), "attempt-x", rated(second)) == sent, "sent again"
    assert await add("ana", attempt(second), "attempt-y", rated(second)) is None, "a second try"
    row = await store.puzzles.rating("ana", BOOK)
    assert row is not None and row.attempts == 2
    history = await store.puzzles.results("ana", BOOK)
    assert [each.rating for each in history][-1] == sent.rating == round(row.rating)
    levels = await store.puzzles.levels(BOOK)
    assert levels[first] < sheet_of(BOOK).entries[first].rating
    assert await store.puzzles.met("ana", BOOK) == [first, second]
    assert await store.puzzles.rating("rui", BOOK) is None


async def test_what_was_tried_before_is_not_rated(store: Store) -> None:
    name = next(iter(sheet_of(BOOK).entries))
    assert await store.puzzles.add_attempt("ana", attempt(name, hints=2)) is None
    assert await store.puzzles.add_attempt("ana", attempt(name), None, rated(name)) is None
    assert await store.puzzles.results("ana", BOOK) == []
    assert await store.puzzles.levels(BOOK) == {}


async def test_of_two_ratings_the_surer_one_stays(store: Store) -> None:
    names = list(sheet_of(BOOK).entries)
    ana = await store.people.create_account("Ana", "correct horse")
    for name in names[:5]:
        await store.puzzles.add_attempt(ana.id, attempt(name), None, rated(name))
    for name in names[4:7]:
        await store.puzzles.add_attempt("v", attempt(name, False), None, rated(name))
    before = await store.puzzles.rating(ana.id, BOOK)
    await store.people.adopt("v", ana.id)
    assert await store.puzzles.rating(ana.id, BOOK) == before
    results = {each.puzzle: each for each in await store.puzzles.results(ana.id, BOOK)}
    assert set(results) == set(names[:7])
    assert results[names[4]].solved, "her own try is the one that counts"
    assert [results[name].rating is None for name in names[:7]] == [False] * 5 + [True] * 2
    assert await store.puzzles.rating("v", BOOK) is None
    for name in names[7:20]:
        await store.puzzles.add_attempt("w", attempt(name), None, rated(name))
    surer = await store.puzzles.rating("w", BOOK)
    await store.people.adopt("w", ana.id)
    assert await store.puzzles.rating(ana.id, BOOK) == surer

    def is_past(result: PuzzleResult) -> bool:
        return result.rating is None

    assert sum(map(is_past, await store.puzzles.results(ana.id, BOOK))) == 7
    await store.people.close_account(ana.id)
    assert await store.puzzles.rating(ana.id, BOOK) is None
    assert await store.puzzles.attempts(ana.id, BOOK) == []


async def test_days_are_those_of_the_visitors_clock(store: Store) -> None:
    for hour in (1, 23, 25, 73):
        await store.puzzles.add_attempt("ana", attempt("p", wall_ms=hour * 3_600_000))
    assert await store.puzzles.days("ana", 0, 10) == [3, 1, 0]
    assert await store.puzzles.days("ana", -2 * 3_600_000, 2) == [2, 0]
    assert training.days_in_a_row([], 3) == 0
    assert training.days_in_a_row([5, 4, 3], 5) == 3


def test_the_next_puzzle_is_near_and_new() -> None:
    sheet, random = sheet_of(BOOK), Random(1)
    for rating in (700.0, 1100.0, 1900.0):
        entry = training.next_puzzle(sheet, {}, [], rating, random=random)
        assert entry is not None and abs(entry.rating - rating) < 100
    near = [entry.id for entry in sheet.matching("saved", near=1000)]
    met = near[:-1]
    last = training.next_puzzle(sheet, {}, met, 1000, "saved")
    assert last is not None and last.id == near[-1]
    again = training.next_puzzle(sheet, {}, [near[-1], *met], 1000, "saved")
    assert again is not None and again.id == near[-1], "what was met longest ago"
    assert training.next_puzzle(sheet, {}, [], 1000, "none") is None
    moved = training.next_puzzle(sheet, {near[0]: 3000.0}, [], 3000.0)
    assert moved is not None


@pytest.mark.parametrize("book", rulebooks_with_puzzles())
def test_each_day_has_its_puzzle(book: str) -> None:
    sheet, first = load(book), date(2026, 11, 19)
    days = [training.daily_puzzle(sheet_of(book), first + timedelta(days=day)) for day in range(365)]
    assert len(set(days)) == 365
    assert {sheet[name].grade for name in days} <= set(training.DAILY_GRADES)
    run = [sheet.entries[name].rating for name in training.run_of(sheet, 7)]
    assert run == sorted(run) and len(run) == training.RUN_STEPS
    assert training.run_of(sheet, 7) != training.run_of(sheet, 8)


def test_motifs_are_judged_by_first_tries() -> None:
    sheet = sheet_of(BOOK)
    names = [entry.id for entry in sheet.matching("two")][:6]
    tries = [attempt(name, solved=number > 1) for number, name in enumerate(names)]
    tries += [attempt(names[0]), attempt("unknown")]
    records = {each.motif: each for each in training.motif_records(sheet, tries)}
    assert (records["two"].tried, records["two"].solved) == (6, 4)
    hinted = training.motif_records(sheet, [attempt(name, hints=1) for name in names])
    assert [each.solved for each in hinted if each.motif == "two"] == [0]


async def test_a_day_of_training_over_http(web: httpx.AsyncClient) -> None:
    today = (await web.get(f"/api/training/{BOOK}/today?offset=-180")).json()
    assert (today["days"], today["due"], today["daily_solved"]) == (0, 0, False)
    start = (await web.get(f"/api/training/{BOOK}")).json()
    assert start["rating"] == {"rating": 1000, "deviation": 350, "provisional": True, "attempts": 0}
    chosen = (await web.get(f"/api/training/{BOOK}/next")).json()
    assert not chosen["met"]
    path = f"/api/puzzles/{BOOK}/{chosen['id']}"
    failed = {"solved": False, "rated": True, "id": "attempt-1"}
    first = (await web.post(path, json=failed)).json()
    assert first["rating"]["rating"] < 1000 and first["change"] < 0
    assert (await web.post(path, json=failed)).json() == first
    second = (await web.post(path, json={"solved": True, "rated": True, "id": "attempt-2"})).json()
    assert second == {"ok": True, "rating": None, "change": 0}
    deck = (await web.get(f"/api/reviews/puzzle:{BOOK}?all=1")).json()
    assert [each["item"] for each in deck["items"]] == [chosen["id"]]
    assert 0 < deck["items"][0]["due_ms"] - deck["now_ms"] <= 600_000, "it comes back in ten minutes"
    daily = f"/api/puzzles/{BOOK}/{today['daily']}"
    for unrated in ({"rated": True, "at_ms": 5}, {"rated": True, "hints": 1}, {"rated": False}):
        reply = (await web.post(daily, json={"solved": True, **unrated})).json()
        assert reply["rating"] is None
    after = (await web.get(f"/api/training/{BOOK}/today")).json()
    assert (after["days"], after["due"], after["daily_solved"]) == (1, 0, True)
    dashboard = (await web.get(f"/api/training/{BOOK}")).json()
    assert [each["rating"] for each in dashboard["points"]] == [first["rating"]["rating"]]
    assert dashboard["rating"]["attempts"] == 1
    other = (await web.get(f"/api/training/{BOOK}/next")).json()
    assert other["id"] not in (chosen["id"], today["daily"])
    run = (await web.get(f"/api/training/{BOOK}/run?seed=3")).json()
    assert run["seed"] == 3 and len(run["puzzles"]) == training.RUN_STEPS
    for path in ("/api/training/turca", f"/api/training/{BOOK}/next?motif=none", "/api/training/x/run"):
        assert (await web.get(path)).status_code == 404
