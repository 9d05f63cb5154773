"""The lobby over HTTP: once, or as a stream of server-sent events."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.server.security.bodies import Json
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.web.streams import Stream


async def show_lobby(request: Request) -> Response:
    return Json(services_of(request).lobby.snapshot(visitor_of(request).id))


async def stream_lobby(request: Request) -> Response:
    return Stream.events(services_of(request).lobby.watch(visitor_of(request).id), "lobby")


routes: list[BaseRoute] = [
    Route("/api/lobby", show_lobby, methods=["GET"]),
    Route("/api/lobby/stream", stream_lobby, methods=["GET"]),
]
