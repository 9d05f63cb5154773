"""Games and positions in a frame of another site: a board, its steps and a link, and nothing that belongs to a visitor."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from damas.server.rooms.seats import Seats
from damas.server.services import services_of
from damas.server.web.archive import players, stored_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.work import ask
from damas.server.words import language_of
from damas.server.work import files

endpoints = Endpoints()

A_MINUTE = "public, max-age=60"
"""A page that many readers open at once is made once a minute for each of their caches."""
SIDES = ("white", "black")


@endpoints.route("GET /embed/game/{id}")
async def _game(request: Request) -> Response:
    """A game as everybody with its address may see it."""
    head, stored = await stored_game(request, request.path_params["id"])
    words, language = services_of(request).words, language_of(request)
    replay, result = await ask(request, files.replay, stored, language)
    named = players(request, head)
    names = [named["white"]["name"], named["black"]["name"]]
    if not Seats.of(head).full:
        names = [name or words.say("games.nobody", language) for name in names]
    in_progress = words.say("share.in_progress", language) if head.status == "playing" else ""
    return embedded(
        request,
        replay,
        names,
        result=result or in_progress,
        picture=f"/game/export/{head.id}.svg",
        address=f"/game/{head.id}",
        link=words.say("share.open_game", language),
    )


@endpoints.route("GET /embed/position")
async def _position(request: Request) -> Response:
    """`/embed/position?rulebook=&fen=&moves=`: any position, with the moves played from it."""
    query, words, language = request.query_params, services_of(request).words, language_of(request)
    given = {name: query[name] for name in ("rulebook", "fen", "moves") if query.get(name)}
    named = files.NamedLine(*(given.get(name, "") for name in ("rulebook", "fen", "moves")))
    replay, _ = await ask(request, files.replay, named, language)
    return embedded(
        request,
        replay,
        [words.say(f"board.side.{side}", language) for side in SIDES],
        result="",
        picture=f"/position.svg?{urlencode(given)}",
        address=f"/analysis?{urlencode(given)}",
        link=words.say("share.open_position", language),
    )


def embedded(request: Request, replay: bytes, names: list[str], **facts: str) -> Response:
    """A board with its steps for the frame of another site, and the names of the players beside it."""
    flipped = request.query_params.get("orientation") == "black"
    text = replay.decode().replace("<", "\\u003c")
    response = page(
        request,
        "embed.html",
        replay=text,
        above=names[0 if flipped else 1],
        below=names[1 if flipped else 0],
        orientation="black" if flipped else "white",
        title=" – ".join(names),
        facts=facts,
    )
    response.headers["Cache-Control"] = A_MINUTE
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    return response
