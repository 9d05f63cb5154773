"""The arbiter's link of a game, and the page on which an arbiter follows many boards."""

from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from damas.server.rooms.followed import MAX_BOARDS, FollowedBoards
from damas.server.security.bodies import Json
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.operations import check_operator
from damas.server.web.streams import Stream
from damas.server.words import language_of

endpoints = Endpoints("games")

Short = Annotated[str, Meta(max_length=64)]
"""An id or a key."""


class BoardKey(Struct, frozen=True):
    """A game and the key of its arbiter's link."""

    id: Short
    key: Short


class BoardKeys(Struct, frozen=True):
    """The boards that an arbiter follows."""

    boards: Annotated[list[BoardKey], Meta(max_length=MAX_BOARDS)]


@endpoints.call("POST /api/games/{id}/arbiter", parameters={"id": "OWN"}, reply=replies.ArbiterLink)
async def _arbiter_link(request: Request) -> Response:
    """The secret link of the game's arbiter: for a player while nobody else plays, for both players once both have asked
    for it, and at any time for the operator of the server.
    """
    services = services_of(request)
    room = await services.rooms.room(request.path_params["id"])
    if "authorization" in request.headers and not room.seats.sides_of(visitor_of(request).id):
        check_operator(request)
    elif not await room.want_arbiter(visitor_of(request).id):
        return Json({"url": None}, 202)
    return Json({"url": f"/game/{room.id}#arbiter={services.signature.arbiter_key(room.id)}"})


def _followed(request: Request, wanted: BoardKeys) -> FollowedBoards:
    services = services_of(request)
    keys = {board.id: board.key for board in wanted.boards}
    visitor = visitor_of(request).id
    return FollowedBoards(services.rooms, services.signature, keys, visitor, language_of(request))


@endpoints.call(
    "POST /api/arbiter/boards",
    example={"boards": [{"id": "GAME", "key": "KEY"}]},
    reply=replies.FollowedBoardList,
)
async def _arbiter_boards(request: Request, wanted: BoardKeys) -> dict[str, Any]:
    """The boards of these arbiter's links; a wrong key has the status `refused`."""
    return {"boards": await _followed(request, wanted).snapshot()}


@endpoints.route("POST /api/arbiter/stream")
async def _arbiter_stream(request: Request, wanted: BoardKeys) -> Response:
    """All of them now, and then those that have changed."""
    return Stream.events(_followed(request, wanted).watch())
