"""Spaced repetition: the decks of a visitor, what is due, and how it went."""

import re
import time
from typing import Annotated

import msgspec
from starlette.requests import Request

from damas.server.learning.repetition import Grade, new_review, reviewed
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.store.errors import TooManyReviews
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import AccountId
from damas.server.web.local_games import check_account

endpoints = Endpoints("learning")

DECK = re.compile(r"(puzzle|opening):[A-Za-z0-9._-]{1,64}")
"""Names of decks."""
MAX_NEW_ITEMS = 100
"""Items of one request that are put into a deck."""
MAX_DUE_ITEMS = 200
"""Items that one answer lists."""

Item = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._:,;=-]{1,100}$", examples=["69d59dca"])]
"""What an item is called in its deck."""


class NewItems(msgspec.Struct, forbid_unknown_fields=True):
    """Items to be learnt; they are due at once."""

    items: Annotated[list[Item], msgspec.Meta(min_length=1, max_length=MAX_NEW_ITEMS)]
    account: AccountId = ""


class Answered(msgspec.Struct, forbid_unknown_fields=True):
    """How well an item was remembered."""

    item: Item
    grade: Grade
    due_ms: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """When it was due, as the page was told; None for an item that is not in the deck yet, and comes into it now."""
    at_ms: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """When it was, in milliseconds since 1970; now if it is left out."""
    account: AccountId = ""


class OldItem(msgspec.Struct, forbid_unknown_fields=True):
    """An item that is not to come back."""

    item: Item
    account: AccountId = ""


def _deck(request: Request) -> str:
    deck: str = request.path_params["deck"]
    if not DECK.fullmatch(deck):
        raise ApiError(404, "NOT_FOUND")
    return deck


PARAMETERS = {"deck": "opening:example"}
"""Example of a deck's path."""


@endpoints.call("GET /api/reviews")
async def _review_decks(request: Request) -> replies.ReviewDecks:
    """The decks of the visitor, and how much of each is due."""
    decks = await services_of(request).store.reviews.decks(person_of(request), _now_ms())
    counts = [
        replies.ReviewDeckCount(deck=each.deck, due=each.due, total=each.total, next_ms=each.next_ms)
        for each in decks
    ]
    return {"due": sum(deck.due for deck in decks), "decks": counts}


@endpoints.call("GET /api/reviews/{deck}", access=_deck, parameters=PARAMETERS, query={"all": "1"})
async def _review_deck(request: Request, deck: str) -> replies.ReviewDeck:
    """What is due of a deck, those items first that wait for longest; with `all` the others as well, due first."""
    reviews, now_ms = services_of(request).store.reviews, _now_ms()
    if request.query_params.get("all"):
        listed = await reviews.items(person_of(request), deck)
    else:
        listed = await reviews.due(person_of(request), deck, now_ms, MAX_DUE_ITEMS)
    items = [replies.ReviewItem(item=each.item, due_ms=each.due_ms) for each in listed]
    return {"deck": deck, "now_ms": now_ms, "items": items}


@endpoints.call(
    "POST /api/reviews/{deck}", access=_deck, parameters=PARAMETERS, example={"items": ["c3-d4", "b6-c5"]}
)
async def _add_reviews(request: Request, deck: str, body: NewItems) -> replies.ReviewsAdded:
    """Puts items into a deck, to be learnt from now on; those that are there stay as they are."""
    _check_write(request, body.account)
    now_ms = _now_ms()
    new = [new_review(deck, item, now_ms) for item in dict.fromkeys(body.items)]
    try:
        return {"added": await services_of(request).store.reviews.add(new, person_of(request))}
    except TooManyReviews as error:
        raise ApiError(409, "TOO_MANY_REVIEWS", most=error.most) from None


@endpoints.call(
    "POST /api/reviews/{deck}/answer",
    access=_deck,
    parameters=PARAMETERS,
    example={"item": "c3-d4", "grade": "good"},
)
async def _review_answered(request: Request, deck: str, body: Answered) -> replies.ReviewAnswered:
    """Says how well an item was remembered, and when it comes back."""
    _check_write(request, body.account)
    now_ms = _now_ms()
    at_ms = now_ms if body.at_ms is None else min(body.at_ms, now_ms)
    try:
        review, counted = await services_of(request).store.reviews.change(
            person_of(request),
            new_review(deck, body.item, now_ms),
            body.due_ms,
            lambda stored: reviewed(stored, body.grade, at_ms),
        )
    except TooManyReviews as error:
        raise ApiError(409, "TOO_MANY_REVIEWS", most=error.most) from None
    return {"item": review.item, "due_ms": review.due_ms, "counted": counted}


@endpoints.call(
    "POST /api/reviews/{deck}/forget", access=_deck, parameters=PARAMETERS, example={"item": "c3-d4"}
)
async def _forget_review(request: Request, deck: str, body: OldItem) -> None:
    """Takes an item out of a deck."""
    _check_write(request, body.account)
    await services_of(request).store.reviews.remove(person_of(request), deck, body.item)


def _check_write(request: Request, account: str) -> None:
    check_account(request, account)
    services_of(request).rates.spend("learning", address_of(request))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
