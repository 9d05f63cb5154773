"""The arena over the web: contests are made, entered, watched, and their papers taken away."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.language import sentence
from damas.matches.entrant import shown_spec
from damas.rules.library import builtin_id
from damas.server.arena import programs, views
from damas.server.arena.arena import Arena
from damas.server.arena.contest import Contest, Mode, Terms
from damas.server.security.bodies import Json, read_bytes
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.web import replies
from damas.server.web.endpoints import EVENTS, Endpoints, Handler
from damas.server.web.pages import page
from damas.server.web.people import member
from damas.server.web.replies import Created
from damas.server.web.static_files import file_response
from damas.server.web.streams import Stream
from damas.server.words import language_of
from damas.tournaments.journal import pdn_of, receipt_of
from damas.tournaments.report.figures import results_csv, results_json, table_csv
from damas.tournaments.report.games import all_pdn
from damas.tournaments.report.page import html
from damas.tournaments.settings import FORMATS

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A reason, in the organiser's words."""
Title = Annotated[str, msgspec.Meta(max_length=60)]
"""Name of an entrant."""
Code = Annotated[str, msgspec.Meta(max_length=40)]
"""The word that entrants must know."""

endpoints = Endpoints("arena")

RECEIPT = re.compile(r"[0-9a-f]{12}")
"""Ids of receipts."""
GAME = re.compile(r"\d{3,6}-\d{3,6}-\d{2,6}")
"""Ids of games: round, pair and game."""

MEDIA_TYPES = {
    "games.pdn": "text/x-pdn; charset=utf-8",
    "results.json": "application/json",
    "games.csv": "text/csv; charset=utf-8",
    "table.csv": "text/csv; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
}
"""Files of a contest that can be downloaded."""
STATUS_ORDER = {"running": 0, "queued": 0, "paused": 1, "stuck": 1, "open": 2, "closed": 2, "finished": 3}
"""Order of contests in the list: those first in which something happens."""


class OwnPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A player of ours that is entered."""

    name: Title
    kind: Literal["random", "greedy", "level"]
    level: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    code: Code = ""


class Closed(msgspec.Struct, forbid_unknown_fields=True):
    """Whether entries are closed."""

    closed: bool


class Out(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody is disqualified, and everybody may read why."""

    name: Title
    reason: Words


def arena_of(request: Request) -> Arena:
    """The arena of this server."""
    return services_of(request).arena


def contest_of(request: Request) -> Contest:
    """The contest that the path names; raises `ApiError` 404."""
    return arena_of(request).find(request.path_params["id"])


def organised(request: Request) -> Contest:
    """The contest, for its organiser alone."""
    visitor, contest = member(request), contest_of(request)
    if visitor.account != contest.organiser:
        raise ApiError(403, "FORBIDDEN")
    return contest


def entrant(request: Request) -> Visitor:
    """The visitor, who must be logged in and not do this too often."""
    visitor = member(request)
    services_of(request).rates.spend("arena", visitor.account)
    return visitor


def _call(tail: str, **description: Any) -> Callable[[Handler], Handler]:
    """Declares a call about one contest, which the handler gets."""
    parameters = {"id": "CONTEST", **description.pop("parameters", {})}
    return endpoints.call(
        f"GET /api/arena/{{id}}{tail}", access=contest_of, parameters=parameters, **description
    )


# Pages


@endpoints.route("GET /arena")
async def _arena_page(request: Request) -> Response:
    language = language_of(request)
    formats = [(name, sentence(f"tournament.format.{name}", language)) for name in FORMATS]
    return page(request, "arena.html", here="arena", limits=arena_of(request).limits, formats=formats)


@endpoints.route("GET /arena/{id}", access=contest_of)
async def _contest_page(request: Request, contest: Contest) -> Response:
    return page(
        request,
        "contest.html",
        here="arena",
        contest=contest,
        organised=visitor_of(request).account == contest.organiser,
        megabytes=f"{arena_of(request).limits.arena_program_bytes / (1 << 20):g}",
        endings=", ".join(ending for ending in programs.kinds() if ending != "ELF"),
    )


# Looking


@endpoints.call("GET /api/arena")
async def _arena(request: Request) -> replies.ContestList:
    """Every contest, those first that something happens in."""
    arena, me, language = arena_of(request), visitor_of(request).account, language_of(request)
    cards = [
        views.card(contest, arena.status(contest), language, me)
        for contest in arena.contests.values()
        if contest.who != "organiser" or contest.organiser == me or contest.started_ms
    ]
    cards.sort(key=lambda card: (STATUS_ORDER[card["status"]], -card["created_ms"]))
    return {"contests": cards[: arena.limits.page_size], "no_box": await arena.no_box()}


@_call("", reply=replies.Contest)
async def _contest(request: Request, contest: Contest) -> Response:
    """All of a contest but the games in play. Answered with 304 where nothing has changed."""
    arena, me, language = arena_of(request), visitor_of(request).account, language_of(request)
    status, version = arena.status(contest), arena.stage(contest).version
    tag = f'"{version}-{status}-{language}-{(me or "")[:12]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    table = await arena.table(contest)
    view = {
        **views.card(contest, status, language, me),
        "entries": [views.entrant(entry, me) for entry in contest.entries],
        "version": version,
        "account": me is not None,
        "no_box": await arena.no_box(),
        "table": views.table(*table, language) if table else None,
    }
    if view["mine"]:
        view["code"] = contest.code
    return Json(view, headers=headers)


@_call("/stream", media=EVENTS, reply=replies.ContestNews)
async def _contest_stream(request: Request, contest: Contest) -> Response:
    async def messages() -> AsyncIterator[dict[str, object]]:
        async with aclosing(arena_of(request).messages(contest)) as changes:
            async for message in changes:
                yield views.live(message, contest.rulebook)

    return Stream.events(messages())


@_call("/receipts/{receipt}", parameters={"receipt": "RECEIPT"}, reply=replies.Receipt)
async def _contest_receipt(request: Request, contest: Contest) -> views.View:
    arena, wanted = arena_of(request), request.path_params["receipt"]
    table = await arena.table(contest)
    lost = table and any(game.receipt == wanted and game.offender for game in table[1].games.values())
    if not RECEIPT.fullmatch(wanted) or not lost:
        raise ApiError(404, "NOT_FOUND")
    receipt = await asyncio.to_thread(receipt_of, arena.folder(contest), wanted)
    if receipt is None:
        raise ApiError(404, "NOT_FOUND")
    me = visitor_of(request).account
    owner = next((entry.owner for entry in contest.entries if entry.name == receipt.get("name")), None)
    own = me is not None and me in (contest.organiser, owner)
    return views.receipt(receipt, contest, language_of(request), own=own)


@_call("/games/{game}.pdn", parameters={"game": "001-001-01"}, media="text/x-pdn")
async def _contest_game(request: Request, contest: Contest) -> Response:
    """One game as PDN."""
    game = request.path_params["game"]
    folder = arena_of(request).folder(contest)
    text = await asyncio.to_thread(pdn_of, folder, game) if GAME.fullmatch(game) else ""
    if not text:
        raise ApiError(404, "NOT_FOUND")
    data = text.encode("utf-8", "replace")
    return file_response(data, MEDIA_TYPES["games.pdn"], f"damas-{contest.id}-{game}.pdn")


@_call("/files/{what}", parameters={"what": "results.json"}, reply=replies.ContestResults)
async def _contest_file(request: Request, contest: Contest) -> Response:
    """Downloads the file named in the path, made from the current standings."""
    arena, what, language = arena_of(request), request.path_params["what"], language_of(request)
    table = await arena.table(contest) if what in MEDIA_TYPES else None
    if table is None:
        raise ApiError(404, "NOT_FOUND")
    settings, standings = table
    folder = arena.folder(contest)
    writers: dict[str, Callable[[], str]] = {
        "games.pdn": lambda: all_pdn(folder, standings),
        "results.json": lambda: results_json(settings, standings, shown_spec),
        "games.csv": lambda: results_csv(standings),
        "table.csv": lambda: table_csv(standings),
        "report.html": lambda: html(folder, settings, standings, language, public=True),
    }
    with services_of(request).downloads.hold(address_of(request)):
        text = await asyncio.to_thread(writers[what])
    # To be saved, never to be opened here: it contains what strangers' programs wrote.
    return file_response(text.encode("utf-8", "replace"), MEDIA_TYPES[what], f"damas-{contest.id}-{what}")


# Entering


@endpoints.route("POST /api/arena/{id}/entries", access=entrant, status=201)
async def _enter(request: Request, visitor: Visitor, body: OwnPlayer) -> views.View:
    level = body.level if body.kind == "level" else 0
    arena = arena_of(request)
    entry = await arena.enter(contest_of(request), visitor, body.name, body.code, body.kind, level)
    return views.entrant(entry, visitor.account)


@endpoints.route("POST /api/arena/{id}/programs", access=entrant, status=201)
async def _upload(request: Request, visitor: Visitor) -> views.View:
    """Enters a program: the body is its file; name, entry code, file name and mode are query parameters.

    The file name only decides how the program is run.
    """
    arena, contest, query = arena_of(request), contest_of(request), request.query_params
    data = await read_bytes(request, arena.limits.arena_program_bytes)
    mode: Mode = "text" if query.get("mode") == "text" else "json"
    name, code, file = (query.get(key, "")[:200] for key in ("name", "code", "file"))
    entry = await arena.upload(contest, visitor, name, code, file, mode, data)
    return views.entrant(entry, visitor.account)


@endpoints.route("DELETE /api/arena/{id}/entries/{entry}", access=member)
async def _leave(request: Request, visitor: Visitor) -> None:
    """Withdraws an entrant before the start: one's own, or any for the organiser."""
    contest = contest_of(request)
    entry = contest.entry(request.path_params["entry"])
    if entry is None:
        raise ApiError(404, "NOT_FOUND")
    if visitor.account not in (contest.organiser, entry.owner):
        raise ApiError(403, "FORBIDDEN")
    await arena_of(request).leave(contest, entry)


# Organising


@endpoints.route("POST /api/arena", access=entrant, status=201)
async def _create(request: Request, visitor: Visitor, body: Terms) -> Created:
    book = builtin_id(body.rulebook)
    if not book:
        raise ApiError(400, "BAD_BODY", problem="rulebook")
    facts: dict[str, Any] = msgspec.structs.asdict(body) | {"rulebook": book}
    contest = Contest(
        **facts, organiser=visitor.id, organiser_name=visitor.name, language=language_of(request)
    )
    await arena_of(request).create(contest)
    return {"id": contest.id, "url": f"/arena/{contest.id}"}


@endpoints.route("POST /api/arena/{id}/closed", access=organised)
async def _close(request: Request, contest: Contest, body: Closed) -> None:
    await arena_of(request).set_closed(contest, body.closed)


@endpoints.route("POST /api/arena/{id}/start", access=organised)
async def _start(request: Request, contest: Contest) -> None:
    await arena_of(request).start(contest)


@endpoints.route("POST /api/arena/{id}/pause", access=organised)
async def _pause(request: Request, contest: Contest) -> None:
    await arena_of(request).pause(contest)


@endpoints.route("POST /api/arena/{id}/go-on", access=organised)
async def _go_on(request: Request, contest: Contest) -> None:
    await arena_of(request).go_on(contest)


@endpoints.route("POST /api/arena/{id}/disqualify", access=organised)
async def _disqualify(request: Request, contest: Contest, body: Out) -> None:
    await arena_of(request).disqualify(contest, body.name, body.reason)


@endpoints.route("DELETE /api/arena/{id}", access=organised)
async def _call_off(request: Request, contest: Contest) -> None:
    await arena_of(request).call_off(contest)
