"""A visitor's repertoire: lines that they want to play, learnt by repetition."""

import time
from typing import Annotated, Literal

import msgspec
from starlette.requests import Request

from damas.rules import Rulebook
from damas.server.analysing.places import book_named
from damas.server.learning.repetition import NEW
from damas.server.openings.repertoire import NoOwnMove, deck_of
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.store.errors import RepertoireFull, TooManyReviews
from damas.server.store.rows import RepertoireLine, Review
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fields import EXAMPLE_PDN, AccountId, MoveText
from damas.server.web.local_games import check_account
from damas.server.web.work import ask
from damas.server.work import openings as work

endpoints = Endpoints("learning")

MAX_MOVES = 200
"""Moves of one line that are read."""
MAX_PDN_CHARS = 200_000
"""Characters of a PDN whose games become lines."""
PARAMETERS = {"id": "brasileira"}
"""Example of a repertoire's path."""


class NewLines(msgspec.Struct, forbid_unknown_fields=True):
    """A line to learn, from the first position of the rulebook; or a PDN, of which each game is one."""

    side: Literal["white", "black"]
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MAX_MOVES)] = []
    name: Annotated[str, msgspec.Meta(max_length=80)] = ""
    pdn: Annotated[str, msgspec.Meta(max_length=MAX_PDN_CHARS)] = ""
    account: AccountId = ""


class OldLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line that is no longer to be learnt."""

    line: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}$", examples=["0123456789abcdef"])]
    account: AccountId = ""


def _book(request: Request) -> Rulebook:
    return book_named(request.path_params["id"])


@endpoints.call("GET /api/repertoire/{id}", access=_book, parameters=PARAMETERS)
async def _repertoire(request: Request, book: Rulebook) -> replies.Repertoire:
    """The visitor's lines of a rulebook. An item of theirs comes back as a review of the deck of its side."""
    lines = await services_of(request).store.repertoires.lines(person_of(request))
    own = [line for line in lines if line.rulebook == book.id]
    asked = await ask(
        request, work.questions_of, book.id, [(line.side, line.moves.split(".")) for line in own]
    )
    return {
        "rulebook": book.id,
        "lines": [
            {
                "id": line.id,
                "side": line.side,
                "name": line.name,
                "moves": line.moves.split("."),
                "questions": [{"ply": q.ply, "item": q.item, "move": q.move} for q in questions],
            }
            for line, questions in zip(own, asked, strict=True)
        ],
    }


@endpoints.call(
    "POST /api/repertoire/{id}",
    access=_book,
    parameters=PARAMETERS,
    example={"side": "white", "pdn": EXAMPLE_PDN},
)
async def _add_to_repertoire(request: Request, book: Rulebook, body: NewLines) -> replies.RepertoireAdded:
    """Adds a line, or the games of a PDN as lines; those that are there stay as they are. Their positions are due at once."""
    _check_write(request, body.account)
    services, person = services_of(request), person_of(request)
    most = services.settings.limits.repertoire_lines
    try:
        lines = await ask(
            request, work.checked_lines, book.id, body.side, body.moves, body.name, body.pdn, most
        )
    except NoOwnMove:
        raise ApiError(400, "NO_OWN_MOVE") from None
    if not lines:
        raise ApiError(400, "PDN_WITHOUT_LINES")
    now_ms = time.time_ns() // 1_000_000
    deck = deck_of(book.id, body.side)
    try:
        for line in lines:
            items = [
                Review(deck=deck, item=item, memory=NEW, due_ms=now_ms, updated_ms=0) for item in line.items
            ]
            await services.store.repertoires.add(
                person,
                RepertoireLine(
                    id=line.id,
                    rulebook=book.id,
                    side=body.side,
                    name=line.name,
                    moves=".".join(line.moves),
                    created_ms=now_ms,
                ),
            )
            await services.store.reviews.add(items, person)
    except RepertoireFull as error:
        raise ApiError(409, "REPERTOIRE_FULL", most=error.most) from None
    except TooManyReviews as error:
        raise ApiError(409, "TOO_MANY_REVIEWS", most=error.most) from None
    return {"added": len(lines), "deck": deck}


@endpoints.call(
    "POST /api/repertoire/{id}/remove",
    access=_book,
    parameters=PARAMETERS,
    example={"line": "0123456789abcdef"},
)
async def _remove_from_repertoire(request: Request, book: Rulebook, body: OldLine) -> None:
    """Removes a line, and from its deck the positions that no other line has."""
    _check_write(request, body.account)
    store, person = services_of(request).store, person_of(request)
    lines = {line.id: line for line in await store.repertoires.lines(person)}
    if (old := lines.get(body.line)) is None or old.rulebook != book.id:
        return
    await store.repertoires.remove(person, old.id)
    kept = [
        line
        for line in lines.values()
        if (line.rulebook, line.side) == (old.rulebook, old.side) and line != old
    ]
    asked = await ask(
        request, work.questions_of, book.id, [(line.side, line.moves.split(".")) for line in (old, *kept)]
    )
    still = {question.item for questions in asked[1:] for question in questions}
    for question in asked[0]:
        if question.item not in still:
            await store.reviews.remove(person, deck_of(old.rulebook, old.side), question.item)


def _check_write(request: Request, account: str) -> None:
    check_account(request, account)
    services_of(request).rates.spend("learning", address_of(request))
