"""Games and positions as files: PDN, JSON, SVG, PNG, GIF; and QR codes of pages."""

import asyncio
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import Response

from damas.arbiter import Table
from damas.drawing.view import NUMBERINGS
from damas.game import Position, Record
from damas.judging.scoresheet import to_pdn
from damas.notation import write_game
from damas.server import pictures
from damas.server.analysing.places import record_of
from damas.server.rooms.seats import Seats
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.rows import GameRow
from damas.server.web.archive import pdn_tags, players, table_of_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.static_files import ASK_AGAIN, file_response
from damas.server.words import language_of
from damas.server.workers import Stop
from damas.views import plain
from damas.views.table import table_view

endpoints = Endpoints("files")

SIZES = {"png": 640, "gif": 360, "svg": 640}
"""Pixels of each kind of picture, unless others are asked for."""
MIN_SIZE, MAX_SIZE = 80, 1200
"""Pixels of a picture."""
MAX_PATH = 512
"""Longest path in a QR code: phones cannot read larger codes from a screen."""


def _look(request: Request, kind: str) -> dict[str, Any]:
    """Size, orientation and numbering of a picture, as the query asks for them; unknown values are ignored."""
    query = request.query_params
    size, numbering = query.get("size", ""), query.get("numbering", "")
    pixels = int(size) if size.isdecimal() and len(size) < 6 else SIZES[kind]
    return {
        "size": max(MIN_SIZE, min(MAX_SIZE, pixels)),
        "orientation": "black" if query.get("orientation") == "black" else "white",
        "numbering": numbering if numbering in NUMBERINGS else "rulebook",
    }


# Games


@endpoints.call("GET /game/export/{id}.{kind}", parameters={"id": "GAME", "kind": "pdn"}, media="text/x-pdn")
async def _export(request: Request) -> Response:
    """`/game/export/{id}.{kind}`: the game as a file."""
    game, kind = request.path_params["id"], request.path_params["kind"]
    if kind not in ("pdn", "json", "svg", "png", "gif"):
        raise ApiError(404, "NOT_FOUND")
    head, table = await table_of_game(request, game)
    if kind == "pdn":
        text = write_game(to_pdn(table, pdn_tags(request, head)))
        return file_response(text.encode(), "text/x-pdn; charset=utf-8", f"damas-{game}.pdn", cache=ASK_AGAIN)
    if kind == "json":
        return Json({**plain(table_view(table, language_of(request))), **_about(request, head, table)})
    record = table.game.record
    look = _look(request, kind)
    if kind == "gif":
        return await _film(request, record, look, f"damas-{game}.gif")
    return await _picture(record, _ply(request, table), kind, look)


def _about(request: Request, head: GameRow, table: Table) -> dict[str, object]:
    """Facts about a game that are not part of its board."""
    return {
        "id": head.id,
        "start": table.game.record.start.fen,
        "you": Seats.of(head).you(visitor_of(request).id),
        **players(request, head),
        "status": head.status,
        "created_ms": head.created_ms,
    }


def _ply(request: Request, table: Table) -> int:
    """The ply to be shown: the last one, unless another is named."""
    last = table.game.record.length
    query = request.query_params.get("ply", "")
    return min(last, int(query)) if query.isdecimal() and len(query) < 6 else last


# Positions


@endpoints.route("GET /position.{kind}")
async def _position(request: Request) -> Response:
    """`/position.{kind}?rulebook=&fen=&moves=`: any position as a picture, its moves as a film."""
    query, kind = request.query_params, request.path_params["kind"]
    if kind not in SIZES:
        raise ApiError(404, "NOT_FOUND")
    record = await asyncio.to_thread(
        record_of, query.get("rulebook", ""), query.get("fen", ""), query.get("moves", "")
    )
    if kind == "gif":
        return await _film(request, record, _look(request, kind), "damas.gif")
    return await _picture(record, record.length, kind, _look(request, kind))


async def _film(request: Request, record: Record, look: dict[str, Any], name: str) -> Response:
    """A film; one at a time for each address."""
    if look["size"] > pictures.MAX_FILM_SIZE or pictures.length(record) > pictures.MAX_FRAMES:
        raise ApiError(413, "FILM_TOO_LARGE", frames=pictures.MAX_FRAMES, size=pictures.MAX_FILM_SIZE)

    def paint(stop: Stop) -> bytes:
        return pictures.gif(record, check=stop.check, **look)

    film = await services_of(request).films.run(request, paint)
    return file_response(film, "image/gif", name, inline=True, cache=ASK_AGAIN)


async def _picture(record: Record, ply: int, kind: str, look: dict[str, Any]) -> Response:
    position: Position = record.position_after(ply)
    route = tuple(record.move(ply).route) if ply else ()
    if kind == "svg":
        text = position.svg(**look, last_move=route)
        kind = "image/svg+xml; charset=utf-8"
        response = file_response(text.encode(), kind, "damas.svg", inline=True, cache=ASK_AGAIN)
        # Opened by itself the picture may style itself, and nothing else.
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
        return response
    data = await asyncio.to_thread(pictures.png, position, route=route, **look)
    return file_response(data, "image/png", "damas.png", inline=True, cache=ASK_AGAIN)


# Addresses


@endpoints.route("GET /qr.svg")
async def _qr(request: Request) -> Response:
    """A QR code of a page of this server, so that a phone opens it."""
    data = await asyncio.to_thread(qr_svg, public_address(request) + _own_path(request))
    return Response(data, media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


def qr_svg(address: str) -> bytes:
    """The code as SVG: black on white whatever the page, as scanners want it."""
    try:
        code = segno.make_qr(address, error="m", boost_error=False)
    except segno.DataOverflowError:
        raise ApiError(400, "BAD_PATH") from None
    data = BytesIO()
    code.save(data, kind="svg", scale=8, border=4, dark="#000", light="#fff", xmldecl=False, svgclass=None)
    return data.getvalue()


def _own_path(request: Request) -> str:
    """The requested path, which must be one of this server, so that no code of ours leads elsewhere."""
    path = request.query_params.get("path", "")
    parts = (
        urlsplit(path)
        if path.startswith("/") and len(path) <= MAX_PATH and path.isprintable() and "\\" not in path
        else None
    )
    if parts is None or parts.netloc or parts.scheme or path.startswith("//") or " " in path:
        raise ApiError(400, "BAD_PATH")
    return path


def public_address(request: Request) -> str:
    """The public address of the server: from the settings, else as this visitor reached it."""
    public_url: str = services_of(request).settings.public_url
    return (public_url or f"{request.url.scheme}://{request.url.netloc}").rstrip("/")
