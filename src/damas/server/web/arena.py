"""The arena over the web: contests are made, entered, watched, and their papers taken away."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.language import sentence
from damas.matches.entrant import shown_spec
from damas.rules.library import builtin_id
from damas.server.arena import programs, views
from damas.server.arena.arena import Arena
from damas.server.arena.contest import Contest, Mode
from damas.server.security.bodies import Json, read, read_bytes
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.web.fields import Name
from damas.server.web.pages import page
from damas.server.web.people import member
from damas.server.web.streams import Stream
from damas.server.words import language_of
from damas.tournaments.journal import pdn_of, receipt_of
from damas.tournaments.report.figures import results_csv, results_json, table_csv
from damas.tournaments.report.games import all_pdn
from damas.tournaments.report.page import html
from damas.tournaments.settings import FORMATS

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Title = Annotated[str, msgspec.Meta(max_length=60)]
Code = Annotated[str, msgspec.Meta(max_length=40)]

RECEIPT = re.compile(r"[0-9a-f]{12}")
GAME = re.compile(r"\d{3,6}-\d{3,6}-\d{2,6}")


class NewContest(msgspec.Struct, forbid_unknown_fields=True):
    title: Title
    rulebook: Name = "concurso"
    format: Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder"] = "round-robin"
    games: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2
    rounds: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    time_ms: Annotated[int, msgspec.Meta(ge=20, le=60_000)] = 1000
    legal: bool = True
    openings: Literal["start", "ballot", "random:4"] = "start"
    who: Literal["anybody", "code", "organiser"] = "anybody"
    most: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 32
    each: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2


class OwnPlayer(msgspec.Struct, forbid_unknown_fields=True):
    """A player of ours that is entered."""

    name: Title
    kind: Literal["random", "greedy", "level"]
    level: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    code: Code = ""


class Closed(msgspec.Struct, forbid_unknown_fields=True):
    closed: bool


class Out(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody is disqualified, and everybody may read why."""

    name: Title
    reason: Words


def arena_of(request: Request) -> Arena:
    arena: Arena = services_of(request).arena
    return arena


def _contest(request: Request) -> Contest:
    return arena_of(request).find(request.path_params["id"])


def _organised(request: Request) -> Contest:
    """The contest, for its organiser alone."""
    who, contest = member(request), _contest(request)
    if who.account != contest.organiser:
        raise ApiError(403, "FORBIDDEN")
    return contest


def _changes(request: Request) -> Visitor:
    """Somebody with an account, who does not do this all day."""
    who = member(request)
    services_of(request).rates.spend("arena", who.account)
    return who


# Pages


async def _arena_page(request: Request) -> Response:
    language = language_of(request)
    formats = [(name, sentence(f"tournament.format.{name}", language)) for name in FORMATS]
    return page(request, "arena.html", here="arena", limits=arena_of(request).limits, formats=formats)


async def _contest_page(request: Request) -> Response:
    contest = _contest(request)
    limits = arena_of(request).limits
    return page(
        request,
        "contest.html",
        here="arena",
        contest=contest,
        organised=visitor_of(request).account == contest.organiser,
        megabytes=f"{limits.arena_program_bytes / (1 << 20):g}",
        endings=", ".join(ending for ending in programs.kinds() if ending != "ELF"),
    )


# Looking


async def _list(request: Request) -> Response:
    """Every contest, those first that something happens in."""
    arena, me, language = arena_of(request), visitor_of(request).account, language_of(request)
    order = {"running": 0, "queued": 0, "paused": 1, "stuck": 1, "open": 2, "closed": 2, "finished": 3}
    found = [
        views.card(contest, arena.status(contest), language, me)
        for contest in arena.contests.values()
        if contest.who != "organiser" or contest.organiser == me or contest.started_ms
    ]
    found.sort(key=lambda told: (order[told["status"]], -told["created_ms"]))
    return Json({"contests": found[: arena.limits.page_size], "no_box": await arena.no_box()})


async def _show(request: Request) -> Response:
    """All of a contest but the games in play. Answered with 304 where nothing has changed."""
    arena, contest, who = arena_of(request), _contest(request), visitor_of(request)
    language = language_of(request)
    status = arena.status(contest)
    tag = f'"{arena.stage(contest).version}-{status}-{language}-{(who.account or "")[:12]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    told = views.card(contest, status, language, who.account)
    told["entries"] = [views.entrant(entry, who.account) for entry in contest.entries]
    told["version"] = arena.stage(contest).version
    told["account"] = who.account is not None
    told["no_box"] = await arena.no_box()
    if told["mine"]:
        told["code"] = contest.code
    found = await arena.table(contest)
    told["table"] = views.table(*found, language) if found else None
    return Json(told, headers=headers)


async def _stream(request: Request) -> Response:
    arena, contest = arena_of(request), _contest(request)

    async def messages() -> AsyncIterator[dict[str, object]]:
        async with aclosing(arena.messages(contest)) as heard:
            async for told in heard:
                yield views.live(told, contest.rulebook)

    return Stream.events(messages())


async def _receipt(request: Request) -> Response:
    arena, contest, wanted = arena_of(request), _contest(request), request.path_params["receipt"]
    found = await arena.table(contest)
    lost = found and next(
        (game for game in found[1].games.values() if game.receipt == wanted and game.offender), None
    )
    if not RECEIPT.fullmatch(wanted) or not lost:
        raise ApiError(404, "NOT_FOUND")
    told = await asyncio.to_thread(receipt_of, arena.folder(contest), wanted)
    if told is None:
        raise ApiError(404, "NOT_FOUND")
    me = visitor_of(request).account
    owner = next((entry.owner for entry in contest.entries if entry.name == told.get("name")), None)
    own = me is not None and me in (contest.organiser, owner)
    return Json(views.receipt(told, contest, language_of(request), own=own))


async def _game(request: Request) -> Response:
    """One game as PDN."""
    contest, game = _contest(request), request.path_params["game"]
    if not GAME.fullmatch(game):
        raise ApiError(404, "NOT_FOUND")
    text = await asyncio.to_thread(pdn_of, arena_of(request).folder(contest), game)
    if not text:
        raise ApiError(404, "NOT_FOUND")
    return _file(text, "text/x-pdn; charset=utf-8", f"damas-{contest.id}-{game}.pdn")


KINDS = {
    "games.pdn": "text/x-pdn; charset=utf-8",
    "results.json": "application/json",
    "games.csv": "text/csv; charset=utf-8",
    "table.csv": "text/csv; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
}


async def _download(request: Request) -> Response:
    """The papers of a contest as it stands now."""
    what = request.path_params["what"]
    arena, contest, language = arena_of(request), _contest(request), language_of(request)
    found = await arena.table(contest) if what in KINDS else None
    if found is None:
        raise ApiError(404, "NOT_FOUND")
    settings, standings = found
    folder = arena.folder(contest)
    makers: dict[str, Callable[[], str]] = {
        "games.pdn": lambda: all_pdn(folder, standings),
        "results.json": lambda: results_json(settings, standings, shown_spec),
        "games.csv": lambda: results_csv(standings),
        "table.csv": lambda: table_csv(standings),
        "report.html": lambda: html(folder, settings, standings, language, public=True),
    }
    with services_of(request).downloads.hold(address_of(request)):
        text = await asyncio.to_thread(makers[what])
    return _file(text, KINDS[what], f"damas-{contest.id}-{what}")


def _file(text: str, kind: str, name: str) -> Response:
    """To be kept, never to be opened here: what strangers' programs said is in it."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text.encode("utf-8", "replace"), media_type=kind, headers=headers)


# Entering


async def _enter(request: Request) -> Response:
    who, contest = _changes(request), _contest(request)
    wanted = await read(request, OwnPlayer)
    level = wanted.level if wanted.kind == "level" else 0
    entered = await arena_of(request).enter(contest, who, wanted.name, wanted.code, wanted.kind, level)
    return Json(views.entrant(entered, who.account), 201)


async def _upload(request: Request) -> Response:
    """Enters a program: the body is its file; name, entry code, file name and mode are query parameters.

    The file name only decides how the program is run.
    """
    who, contest, asked = _changes(request), _contest(request), request.query_params
    data = await read_bytes(request, arena_of(request).limits.arena_program_bytes)
    mode: Mode = "text" if asked.get("mode") == "text" else "json"
    name, code, file = (asked.get(key, "")[:200] for key in ("name", "code", "file"))
    entered = await arena_of(request).upload(contest, who, name, code, file, mode, data)
    return Json(views.entrant(entered, who.account), 201)


async def _leave(request: Request) -> Response:
    """Before it begins: one's own entrant, or any for the organiser."""
    who, contest = member(request), _contest(request)
    entry = contest.entry(request.path_params["entry"])
    if entry is None:
        raise ApiError(404, "NOT_FOUND")
    if who.account not in (contest.organiser, entry.owner):
        raise ApiError(403, "FORBIDDEN")
    await arena_of(request).leave(contest, entry)
    return Json({"ok": True})


# Organising


async def _create(request: Request) -> Response:
    who = _changes(request)
    wanted = await read(request, NewContest)
    book = builtin_id(wanted.rulebook)
    if not book:
        raise ApiError(400, "BAD_BODY", problem="rulebook")
    assert who.account
    facts: dict[str, Any] = msgspec.structs.asdict(wanted)
    contest = Contest(
        **facts | {"rulebook": book},
        id="",
        code="",
        organiser=who.account,
        organiser_name=who.name,
        language=language_of(request),
        created_ms=0,
    )
    await arena_of(request).create(contest)
    return Json({"id": contest.id, "url": f"/arena/{contest.id}"}, 201)


async def _close(request: Request) -> Response:
    contest = _organised(request)
    await arena_of(request).set_closed(contest, (await read(request, Closed)).closed)
    return Json({"ok": True})


async def _start(request: Request) -> Response:
    await arena_of(request).start(_organised(request))
    return Json({"ok": True})


async def _pause(request: Request) -> Response:
    await arena_of(request).pause(_organised(request))
    return Json({"ok": True})


async def _go_on(request: Request) -> Response:
    await arena_of(request).go_on(_organised(request))
    return Json({"ok": True})


async def _disqualify(request: Request) -> Response:
    contest = _organised(request)
    out = await read(request, Out)
    await arena_of(request).disqualify(contest, out.name, out.reason)
    return Json({"ok": True})


async def _call_off(request: Request) -> Response:
    await arena_of(request).call_off(_organised(request))
    return Json({"ok": True})


routes: list[BaseRoute] = [
    Route("/arena", _arena_page, name="arena"),
    Route("/arena/{id}", _contest_page, name="contest"),
    Route("/api/arena", _list, methods=["GET"]),
    Route("/api/arena", _create, methods=["POST"]),
    Route("/api/arena/{id}", _show, methods=["GET"]),
    Route("/api/arena/{id}", _call_off, methods=["DELETE"]),
    Route("/api/arena/{id}/stream", _stream),
    Route("/api/arena/{id}/receipts/{receipt}", _receipt),
    Route("/api/arena/{id}/games/{game}.pdn", _game),
    Route("/api/arena/{id}/files/{what}", _download),
    Route("/api/arena/{id}/entries", _enter, methods=["POST"]),
    Route("/api/arena/{id}/entries/{entry}", _leave, methods=["DELETE"]),
    Route("/api/arena/{id}/programs", _upload, methods=["POST"]),
    Route("/api/arena/{id}/closed", _close, methods=["POST"]),
    Route("/api/arena/{id}/start", _start, methods=["POST"]),
    Route("/api/arena/{id}/pause", _pause, methods=["POST"]),
    Route("/api/arena/{id}/go-on", _go_on, methods=["POST"]),
    Route("/api/arena/{id}/disqualify", _disqualify, methods=["POST"]),
]
