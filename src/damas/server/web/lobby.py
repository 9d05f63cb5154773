"""The lobby over HTTP: once, or as a stream of server-sent events."""

from collections.abc import AsyncIterator

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from damas.server.rooms.lobby import Lobby
from damas.server.security.bodies import Json
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of


def lobby_of(request: Request) -> Lobby:
    lobby: Lobby = services_of(request).lobby
    return lobby


async def show_lobby(request: Request) -> Response:
    return Json(lobby_of(request).snapshot(visitor_of(request).id))


async def stream_lobby(request: Request) -> Response:
    visitor = visitor_of(request).id

    async def lines() -> AsyncIterator[bytes]:
        async for snapshot in lobby_of(request).watch(services_of(request).closing, visitor):
            if snapshot is None:
                yield b": still here\n\n"
            else:
                yield b"event: lobby\ndata: " + msgspec.json.encode(snapshot) + b"\n\n"

    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(lines(), media_type="text/event-stream", headers=headers)


routes: list[BaseRoute] = [
    Route("/api/lobby", show_lobby, methods=["GET"]),
    Route("/api/lobby/stream", stream_lobby, methods=["GET"]),
]
