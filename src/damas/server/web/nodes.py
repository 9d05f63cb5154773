"""What nodes of one database ask of each other; clients cannot reach it."""

from typing import Any, get_args

from starlette.requests import Request

from damas.server.classes import boards
from damas.server.nodes.lobbies import PATH
from damas.server.player_events import game_info
from damas.server.rooms.lobby import LobbyPart
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web.endpoints import Endpoints

endpoints = Endpoints()


@endpoints.route(f"GET {PATH}")
async def _lobby(request: Request) -> LobbyPart:
    """What this node adds to the lobby of all."""
    return services_of(request).lobby.part()


@endpoints.route("GET /node/games/{id}")
async def _game(request: Request) -> dict[str, Any]:
    """A game of this node, as its player's event stream describes it; empty if it is not being played."""
    room = await services_of(request).rooms.room(request.path_params["id"])
    return game_info(room, visitor_of(request).id) if room.playing else {}


@endpoints.route("POST /node/games/{id}/left")
async def _left(request: Request) -> None:
    """A player of a game of this node is taken out of their class: it ends without a result."""
    room = await services_of(request).rooms.room(request.path_params["id"])
    await room.stop(boards.LEFT_REASON)


@endpoints.route(f"POST {boards.PATH}/{{id}}/{{action}}")
async def _class(request: Request) -> None:
    """A teacher holds, lets go or ends the games of a class; those of this node too."""
    services, action = services_of(request), request.path_params["action"]
    school_class = await services.store.classes.get(request.path_params["id"])
    if school_class and action in get_args(boards.Action):
        await services.boards.act_here(school_class, action)
