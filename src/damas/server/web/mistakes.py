"""One's own mistakes as puzzles: proved, stored, and put into the review."""

import time
from typing import Annotated

import msgspec
from starlette.requests import Request

from damas.server.analysing.places import book_named, record_of
from damas.server.learning.own_puzzle import Mistake, Verdict
from damas.server.learning.puzzle import rulebooks_with_puzzles
from damas.server.learning.repetition import new_review
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of
from damas.server.services import services_of
from damas.server.store.errors import TooManyPuzzles, TooManyReviews
from damas.server.store.rows import OwnPuzzle
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fair_play import check_fair_play
from damas.server.web.fields import AccountId, Fen, MoveText, Name, NameOrNothing
from damas.server.web.local_games import check_account
from damas.server.web.work import ask
from damas.server.work.mistakes import prove_mistakes

endpoints = Endpoints("learning")

MAX_MISTAKES = 8
"""Mistakes of one request: a proof takes a second or two."""


class OwnMistake(msgspec.Struct, forbid_unknown_fields=True):
    """A move of the game that was a mistake, and what the report says of it."""

    ply: Annotated[int, msgspec.Meta(ge=1, le=2000)]
    message: Annotated[str, msgspec.Meta(max_length=600)] = ""


class OwnMistakes(msgspec.Struct, forbid_unknown_fields=True):
    """Mistakes of a game to be trained."""

    rulebook: Name
    moves: Annotated[list[MoveText], msgspec.Meta(min_length=1, max_length=2000)]
    mistakes: Annotated[list[OwnMistake], msgspec.Meta(min_length=1, max_length=MAX_MISTAKES)]
    fen: Fen = ""
    game: NameOrNothing = ""
    account: AccountId = ""


EXAMPLE = {"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"], "mistakes": [{"ply": 1}]}


@endpoints.call("POST /api/training/mistakes", example=EXAMPLE)
async def _train_mistakes(request: Request, body: OwnMistakes) -> replies.MistakesTaken:
    """Takes those mistakes as puzzles in which one line wins and no other move does; they are due for review at once."""
    check_account(request, body.account)
    services, book = services_of(request), book_named(body.rulebook)
    services.rates.spend("learning", address_of(request))
    if book.id not in rulebooks_with_puzzles():
        raise ApiError(404, "NOT_FOUND")
    record = await ask(request, record_of, book.id, body.fen, body.moves)
    given = {mistake.ply: mistake for mistake in body.mistakes}
    if max(given) > record.length:
        raise ApiError(400, "BAD_BODY", problem=f"the game has {record.length} plies")
    await check_fair_play(request, record, body.game)
    limits = services.settings.limits
    verdicts: list[Verdict] = await services.proofs.run(request, prove_mistakes, record, list(given), limits)
    judged = list(zip(given.values(), verdicts, strict=True))
    now_ms, person = time.time_ns() // 1_000_000, person_of(request)
    puzzles = [
        OwnPuzzle(
            rulebook=book.id,
            id=verdict.puzzle.id,
            data=_data(Mistake(verdict.puzzle, record.moves[mistake.ply - 1].text, mistake.message)),
            created_ms=now_ms,
        )
        for mistake, verdict in judged
        if verdict.puzzle
    ]
    try:
        await services.store.puzzles.add_own(person, puzzles)
        reviews = [new_review(f"puzzle:{book.id}", puzzle.id, now_ms) for puzzle in puzzles]
        await services.store.reviews.add(reviews, person)
    except (TooManyPuzzles, TooManyReviews) as error:
        raise ApiError(409, "TOO_MANY_REVIEWS", most=error.most) from None
    return {
        "rulebook": book.id,
        "taken": [
            replies.TakenMistake(ply=mistake.ply, id=verdict.puzzle.id)
            for mistake, verdict in judged
            if verdict.puzzle
        ],
        "left": [
            replies.LeftMistake(ply=mistake.ply, why=verdict.why)
            for mistake, verdict in judged
            if not verdict.puzzle
        ],
    }


def _data(mistake: Mistake) -> str:
    return msgspec.json.encode(mistake).decode()
