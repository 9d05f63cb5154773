"""Games and positions as files: PDN, JSON, SVG, PNG, GIF; and QR codes of pages."""

from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from damas.drawing.view import NUMBERINGS
from damas.server import pictures
from damas.server.addresses import public_address
from damas.server.rooms.seats import Seats
from damas.server.security.errors import ApiError
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.rows import GameRow
from damas.server.web.archive import pdn_tags, players, stored_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.static_files import ASK_AGAIN, file_response
from damas.server.web.work import answer, ask
from damas.server.words import language_of
from damas.server.work import files

endpoints = Endpoints("files")

SIZES = {"png": 640, "gif": 360, "svg": 640}
"""Pixels of each kind of picture, unless others are asked for."""
MIN_SIZE, MAX_SIZE = 80, 1200
"""Pixels of a picture."""
MAX_PATH = 512
"""Longest path in a QR code: phones cannot read larger codes from a screen."""


def look_of(request: Request, kind: str) -> dict[str, Any]:
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
    head, stored = await stored_game(request, game)
    if kind == "pdn":
        text = await ask(request, files.game_pdn, stored, pdn_tags(request, head))
        return file_response(text.encode(), "text/x-pdn; charset=utf-8", f"damas-{game}.pdn", cache=ASK_AGAIN)
    if kind == "json":
        about = _about(request, head)
        return await answer(request, files.game_json, stored, about, language_of(request))
    look = look_of(request, kind)
    if kind == "gif":
        return await _film(request, stored, look, f"damas-{game}.gif")
    return await picture(request, stored, _ply(request), kind, look)


def _about(request: Request, head: GameRow) -> dict[str, object]:
    """Facts about a game that are not part of its board."""
    return {
        "id": head.id,
        "you": Seats.of(head).you(visitor_of(request).id),
        **players(request, head),
        "status": head.status,
        "created_ms": head.created_ms,
    }


def _ply(request: Request) -> int | None:
    """The ply to be shown; None for the last one."""
    query = request.query_params.get("ply", "")
    return int(query) if query.isdecimal() and len(query) < 6 else None


# Positions


@endpoints.route("GET /position.{kind}")
async def _position(request: Request) -> Response:
    """`/position.{kind}?rulebook=&fen=&moves=`: any position as a picture, its moves as a film; `card`: for a preview."""
    query, kind = request.query_params, request.path_params["kind"]
    if kind not in SIZES:
        raise ApiError(404, "NOT_FOUND")
    named = files.NamedLine(query.get("rulebook", ""), query.get("fen", ""), query.get("moves", ""))
    if kind == "gif":
        return await _film(request, named, look_of(request, kind), "damas.gif")
    return await picture(request, named, None, kind, look_of(request, kind))


async def _film(request: Request, source: files.Source, look: dict[str, Any], name: str) -> Response:
    """A film; one at a time for each address."""
    film = None
    if look["size"] <= pictures.MAX_FILM_SIZE:
        film = await services_of(request).films.run(request, files.film, source, look)
    if film is None:
        raise ApiError(413, "FILM_TOO_LARGE", frames=pictures.MAX_FRAMES, size=pictures.MAX_FILM_SIZE)
    return file_response(film, "image/gif", name, inline=True, cache=ASK_AGAIN)


async def picture(
    request: Request, source: files.Source, ply: int | None, kind: str, look: dict[str, Any]
) -> Response:
    """A position of a game as SVG or PNG; with `card` in the address the PNG is the one of a preview."""
    if kind == "png" and "card" in request.query_params:
        data = await ask(request, files.card, source, ply, look["orientation"])
    else:
        data = await ask(request, files.picture, source, ply, kind, look)
    if kind == "png":
        return file_response(data, "image/png", "damas.png", inline=True, cache=ASK_AGAIN)
    kind = "image/svg+xml; charset=utf-8"
    response = file_response(data, kind, "damas.svg", inline=True, cache=ASK_AGAIN)
    # Opened by itself the picture may style itself, and nothing else.
    response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


# Addresses


@endpoints.route("GET /qr.svg")
async def _qr(request: Request) -> Response:
    """A QR code of a page of this server, so that a phone opens it."""
    data = await ask(request, files.qr_code, public_address(request) + _own_path(request))
    if data is None:
        raise ApiError(400, "BAD_PATH")
    return Response(data, media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})


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
