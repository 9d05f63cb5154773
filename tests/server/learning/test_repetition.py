"""Spaced repetition: FSRS as its authors publish it, and an answer that counts once."""

import asyncio
import math
from datetime import UTC, datetime

import fsrs
import httpx
import msgspec
import pytest

from damas.server.learning.repetition import NEW, SCHEDULER, Grade, Memory, reviewed
from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.errors import TooManyReviews
from damas.server.store.rows import Review

DAY_MS = 86_400_000
START_MS = int(datetime(2022, 11, 29, 12, 30, tzinfo=UTC).timestamp() * 1000)
PUBLISHED = fsrs.Scheduler(enable_fuzzing=False)
"""The parameters and steps of the authors' own examples."""


def new(item: str = "a", deck: str = "opening:x", due_ms: int = START_MS) -> Review:
    return Review(deck=deck, item=item, memory=NEW, due_ms=due_ms, updated_ms=0)


def memory_of(review: Review) -> Memory:
    return msgspec.json.decode(review.memory, type=Memory)


def test_the_days_are_those_of_the_authors_example() -> None:
    review, days = new(), []
    grades: list[Grade] = [*["good"] * 6, "again", "again", *["good"] * 5]  # type: ignore[list-item]
    for grade in grades:
        at_ms = review.due_ms
        review = reviewed(review, grade, at_ms, PUBLISHED)
        days.append((review.due_ms - at_ms) // DAY_MS)
    assert days == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21]


def test_stability_and_difficulty_are_those_of_the_authors_example() -> None:
    review, at_ms = new(), START_MS
    for days, grade in zip((0, 0, 1, 3, 8, 21), ("again", *("good",) * 5), strict=True):
        at_ms += days * DAY_MS
        review = reviewed(review, grade, at_ms, PUBLISHED)  # type: ignore[arg-type]
    memory = memory_of(review)
    assert memory.stability == pytest.approx(53.62691, abs=1e-4)
    assert memory.difficulty == pytest.approx(6.3574867, abs=1e-4)


def test_the_formulas_are_those_of_fsrs_6() -> None:
    """Written out from the description of the algorithm: two answers `good`, the second when it was due."""
    w = fsrs.scheduler.DEFAULT_PARAMETERS
    first = reviewed(new(), "good", START_MS)
    stability, difficulty = w[2], w[4] - math.exp(w[5] * 2) + 1
    assert memory_of(first).stability == pytest.approx(stability)
    assert memory_of(first).difficulty == pytest.approx(difficulty)
    assert first.due_ms - START_MS == round(stability) * DAY_MS
    second = reviewed(first, "good", first.due_ms)
    factor = 0.9 ** (-1 / w[20]) - 1
    recall = (1 + factor * round(stability) / stability) ** -w[20]
    gain = math.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * (math.exp(w[10] * (1 - recall)) - 1)
    assert memory_of(second).stability == pytest.approx(stability * (1 + gain))


def test_what_was_forgotten_comes_back_in_ten_minutes_and_what_was_not_after_days() -> None:
    assert SCHEDULER.desired_retention == 0.9
    for grade in ("again", "hard", "good", "easy"):
        after = reviewed(new(), grade, START_MS)  # type: ignore[arg-type]
        assert (after.due_ms - START_MS >= DAY_MS) is (grade in ("good", "easy"))
        assert after.updated_ms == START_MS
    forgotten = reviewed(new(), "again", START_MS)
    assert forgotten.due_ms - START_MS == 600_000
    assert reviewed(forgotten, "good", START_MS - DAY_MS).updated_ms == START_MS, (
        "the clock of a device is late"
    )


async def test_an_answer_counts_once(store: Store) -> None:
    item = new()
    assert await store.reviews.add([item, new("b")], "ana") == 2
    assert await store.reviews.add([item], "ana") == 0
    answers = await asyncio.gather(
        *(
            store.reviews.change("ana", item, START_MS, lambda it: reviewed(it, "good", START_MS))
            for _ in range(4)
        )
    )
    assert sorted(counted for _, counted in answers) == [False, False, False, True]
    assert {review.due_ms for review, _ in answers} == {START_MS + 2 * DAY_MS}
    fresh = new("c", due_ms=START_MS + 5)
    first, counted = await store.reviews.change("ana", fresh, None, lambda it: reviewed(it, "good", START_MS))
    again = await store.reviews.change("ana", fresh, None, lambda it: reviewed(it, "good", START_MS))
    assert counted and again == (first, False)
    gone = await store.reviews.change("ana", new("d"), 77, lambda it: reviewed(it, "good", START_MS))
    assert gone == (new("d"), False)
    due = await store.reviews.due("ana", "opening:x", START_MS, 10)
    assert [each.item for each in due] == ["b"]
    [deck] = await store.reviews.decks("ana", START_MS + 3 * DAY_MS)
    assert (deck.deck, deck.due, deck.total, deck.next_ms) == ("opening:x", 3, 3, START_MS)
    assert await store.reviews.remove("ana", "opening:x", "b")
    assert not await store.reviews.remove("ana", "opening:x", "b")
    assert [each.item for each in await store.reviews.items("ana", "opening:x")] == ["a", "c"]
    assert await store.reviews.decks("rui", START_MS) == []


async def test_decks_are_limited_adopted_and_forgotten(settings: Settings) -> None:
    store = await Store.open(msgspec.structs.replace(settings, limits=Limits(reviews_per_person=3)))
    ana = await store.people.create_account("Ana", "correct horse")
    mine = reviewed(new("both"), "good", START_MS + 2)
    theirs = reviewed(new("both"), "again", START_MS + 1)
    await store.reviews.add([mine, new("old")], ana.id)
    await store.reviews.add([theirs, new("x"), new("y")], "v")
    for refused in ([new("z")], [new("x"), new("z")]):
        with pytest.raises(TooManyReviews):
            await store.reviews.add(refused, "v")
    with pytest.raises(TooManyReviews):
        await store.reviews.change("v", new("z"), None, lambda it: it)
    await store.people.adopt("v", ana.id)
    items = await store.reviews.items(ana.id, "opening:x")
    assert mine in items and {each.item for each in items} == {"both", "old", "x"}
    assert await store.reviews.items("v", "opening:x") == []
    await store.people.add_progress(ana.id, {"lesson.dama": "1"})
    await store.people.close_account(ana.id)
    assert await store.reviews.items(ana.id, "opening:x") == []
    assert await store.people.progress(ana.id) == {}
    await store.close()


async def test_a_deck_over_http(web: httpx.AsyncClient) -> None:
    deck = "/api/reviews/opening:italian"
    assert (await web.get("/api/reviews")).json() == {"due": 0, "decks": []}
    assert (await web.post(deck, json={"items": ["a", "b", "a"]})).json() == {"added": 2}
    decks = (await web.get("/api/reviews")).json()
    assert decks["due"] == decks["decks"][0]["total"] == 2
    listed = (await web.get(deck)).json()
    assert [each["item"] for each in listed["items"]] == ["a", "b"]
    answer = {"item": "a", "grade": "good", "due_ms": listed["items"][0]["due_ms"]}
    first = (await web.post(f"{deck}/answer", json=answer)).json()
    second = (await web.post(f"{deck}/answer", json=answer)).json()
    assert (first["counted"], second["counted"]) == (True, False)
    assert first["due_ms"] == second["due_ms"] > listed["now_ms"] + DAY_MS
    assert [each["item"] for each in (await web.get(deck)).json()["items"]] == ["b"]
    assert [each["item"] for each in (await web.get(f"{deck}?all=1")).json()["items"]] == ["b", "a"]
    assert (await web.post(f"{deck}/forget", json={"item": "b"})).status_code == 200
    assert (await web.get("/api/reviews")).json()["decks"][0]["due"] == 0
    refused = {
        "/api/reviews/cards:x": {"items": ["a"]},
        "/api/reviews/opening:a!b": {"items": ["a"]},
        deck: {"items": [f"{number}" for number in range(101)]},
        f"{deck}/answer": {"item": "a", "grade": "perfect"},
        f"{deck}/forget": {"item": "a b"},
    }
    for path, body in refused.items():
        reply = await web.post(path, json=body)
        assert reply.status_code in (400, 404) and reply.json()["error"]["message"], path
    other = await web.post(deck, json={"items": ["a"], "account": "somebody"})
    assert other.json()["error"]["code"] == "OTHER_ACCOUNT"
