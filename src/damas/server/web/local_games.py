"""Games that a browser has played by itself: stored once, however often they are sent."""

import re

from starlette.requests import Request

from damas.server.rooms.local_game import LocalGame, replayed
from damas.server.rooms.seats import Seats
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store.errors import WriteRefused
from damas.server.web.board_api import may_play
from damas.server.web.endpoints import Endpoints
from damas.server.web.play import count_new_game
from damas.server.web.replies import Created, created_game
from damas.server.web.work import caller_of
from damas.server.words import language_of

endpoints = Endpoints("games")

LOCAL_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""Ids that browsers give to their games."""

EXAMPLE = {
    "rulebook": "brasileira",
    "opponent": {"kind": "level", "level": 4},
    "begun_ms": 1_790_000_000_000,
    "ended_ms": 1_790_000_060_000,
    "events": [
        {"kind": "moved", "at": 0, "by": "white", "move": "c3-d4"},
        {"kind": "resigned", "at": 60_000, "by": "white"},
    ],
}
"""A short game."""


def check_account(request: Request, account: str) -> None:
    """What was done while somebody was logged in is stored for nobody else. Raises `ApiError`."""
    if account and account != visitor_of(request).known:
        raise ApiError(403, "OTHER_ACCOUNT")


@endpoints.call(
    "PUT /api/local-games/{id}", access=may_play, parameters={"id": "q7Vd0c2LxWmA"}, example=EXAMPLE
)
async def _keep_local_game(request: Request, visitor: Visitor, game: LocalGame) -> Created:
    """Stores a game that is over. The same game sent again is answered as it was the first time."""
    local_id, services = request.path_params["id"], services_of(request)
    if not LOCAL_ID.fullmatch(local_id):
        raise ApiError(404, "NOT_FOUND")
    check_account(request, game.account)
    # The second is for whoever sends what somebody else has sent: both keep a game of their own.
    ids = [game.game_id(local_id), game.game_id(local_id, visitor.id)]
    taken = await services.store.games.heads(ids)
    if own := [each for each in ids if each in taken and Seats.of(taken[each]).sides_of(visitor.id)]:
        return created_game(own[0])
    count_new_game(request)
    new = next(each for each in ids if each not in taken)
    now_ms = services.rooms.time.wall_ms()
    head = game.head(new, visitor, services.words, language_of(request), now_ms)
    files, caller = services.work.files, caller_of(request)
    head, rows = await files.run(replayed, head, game.events, game.lot, caller=caller)
    try:
        await services.store.games.create(head, rows)
    except WriteRefused:  # sent twice at the same moment
        if await services.store.games.head(new) is None:
            raise
    return created_game(new)
