"""The arena over the web: contests are made, entered, watched, and their papers taken away."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.language import sentence
from damas.matches.entrant import shown_spec
from damas.rules.library import builtin_id
from damas.server.addresses import public_address
from damas.server.arena import programs, views
from damas.server.arena.arena import Arena, now_ms
from damas.server.arena.contest import Contest, Mode, Terms
from damas.server.security.bodies import Json
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
from damas.server.web.work import ask, caller_of
from damas.server.words import language_of
from damas.server.work import files
from damas.tournaments.journal import pdn_of, receipt_of, record_of
from damas.tournaments.report.figures import results_csv, results_json, table_csv
from damas.tournaments.report.games import all_pdn
from damas.tournaments.report.page import html
from damas.tournaments.settings import FORMATS
from damas.views.replay import ReplayView

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


def _run(request: Request) -> int:
    """The run of a standing ladder that is asked for; 0: the last."""
    text = request.query_params.get("run", "0")
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise ApiError(404, "NOT_FOUND")
    run = int(text)
    if run > contest_of(request).run:
        raise ApiError(404, "NOT_FOUND")
    return run


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
        endings=", ".join(await asyncio.to_thread(programs.accepted_endings)),
        missing=", ".join(await asyncio.to_thread(programs.missing_languages)),
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
    status, version, run = arena.status(contest), arena.stage(contest).version, _run(request)
    tag = f'"{version}-{status}-{run}-{language}-{(me or "")[:12]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    table = await arena.table(contest, run)
    view = {
        **views.card(contest, status, language, me),
        "entries": [views.entrant(entry, me) for entry in contest.entries],
        "out": contest.out,
        "submissions": views.submissions(contest, arena.stage(contest).preparing, me),
        "takes_entries": contest.takes_entries(now_ms()),
        "shown_run": (run or contest.run) if contest.standing else 0,
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
    arena, wanted, run = arena_of(request), request.path_params["receipt"], _run(request)
    table = await arena.table(contest, run)
    lost = table and any(game.receipt == wanted and game.offender for game in table[1].games.values())
    if not RECEIPT.fullmatch(wanted) or not lost:
        raise ApiError(404, "NOT_FOUND")
    receipt = await asyncio.to_thread(receipt_of, arena.play_folder(contest, run), wanted)
    if receipt is None:
        raise ApiError(404, "NOT_FOUND")
    me = visitor_of(request).account
    owner = contest.owner_of(str(receipt.get("name")))
    own = me is not None and me in (contest.organiser, owner)
    return views.receipt(receipt, contest, language_of(request), own=own)


@_call("/games/{game}.pdn", parameters={"game": "001-001-01"}, media="text/x-pdn")
async def _contest_game(request: Request, contest: Contest) -> Response:
    """One game as PDN."""
    game = request.path_params["game"]
    folder = arena_of(request).play_folder(contest, _run(request))
    text = await asyncio.to_thread(pdn_of, folder, game) if GAME.fullmatch(game) else ""
    if not text:
        raise ApiError(404, "NOT_FOUND")
    data = text.encode("utf-8", "replace")
    return file_response(data, MEDIA_TYPES["games.pdn"], f"damas-{contest.id}-{game}.pdn")


async def _recorded(request: Request, contest: Contest) -> files.RecordedGame:
    """The game that the path names; raises `ApiError` 404 where its record is not kept."""
    game, folder = request.path_params["game"], arena_of(request).play_folder(contest, _run(request))
    text = await asyncio.to_thread(record_of, folder, game) if GAME.fullmatch(game) else ""
    if not text:
        raise ApiError(404, "NOT_FOUND")
    return files.RecordedGame(text)


@_call("/games/{game}/replay", parameters={"game": "001-001-01"}, reply=ReplayView)
async def _contest_replay(request: Request, contest: Contest) -> Response:
    """Every position of a finished game, to step through."""
    game = await _recorded(request, contest)
    replay, _ = await ask(request, files.replay, game, language_of(request))
    return Json(replay)


@_call("/games/{game}/certificate", parameters={"game": "001-001-01"}, reply=replies.Certificate)
async def _contest_certificate(request: Request, contest: Contest) -> Response:
    """The certificate of a finished game, which `damas judge` checks."""
    game = await _recorded(request, contest)
    data = await ask(request, files.certificate, game)
    name = f"damas-{contest.id}-{request.path_params['game']}-certificate.json"
    return file_response(data, "application/json", name)


@endpoints.route("GET /arena/{id}/games/{game}/certificate", access=contest_of)
async def _certificate_page(request: Request, contest: Contest) -> Response:
    """The same to be printed."""
    document = await ask(request, *await _certificate(request, contest))
    tail = f"?run={run}" if (run := _run(request)) else ""
    return page(
        request,
        "paper.html",
        here="arena",
        kind="certificate",
        paper=document,
        pdf_address=f"{request.url.path}.pdf{tail}",
        back_address=f"/arena/{contest.id}",
    )


@endpoints.route("GET /arena/{id}/games/{game}/certificate.pdf", access=contest_of)
async def _certificate_pdf(request: Request, contest: Contest) -> Response:
    lane = services_of(request).work.files
    name, data = await lane.run(
        files.as_pdf, *await _certificate(request, contest), caller=caller_of(request)
    )
    return file_response(data, "application/pdf", f"{name}.pdf")


async def _certificate(request: Request, contest: Contest) -> tuple[Any, ...]:
    game, name = await _recorded(request, contest), request.path_params["game"]
    tail = f"?run={run}" if (run := _run(request)) else ""
    address = f"{public_address(request)}/api/arena/{contest.id}/games/{name}/certificate{tail}"
    date = f"{datetime.fromtimestamp((contest.started_ms or 0) / 1000, UTC):%Y.%m.%d}"
    title = f"damas-{contest.id}-{name}-certificate"
    return files.certificate_of, game, language_of(request), title, address, date, False


@_call("/files/{what}", parameters={"what": "results.json"}, reply=replies.ContestResults)
async def _contest_file(request: Request, contest: Contest) -> Response:
    """Downloads the file named in the path, made from the current standings."""
    arena, what, language = arena_of(request), request.path_params["what"], language_of(request)
    run = _run(request)
    table = await arena.table(contest, run) if what in MEDIA_TYPES else None
    if table is None:
        raise ApiError(404, "NOT_FOUND")
    settings, standings = table
    folder = arena.play_folder(contest, run)
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


@endpoints.route("POST /api/arena/{id}/programs", access=entrant, status=202)
async def _upload(request: Request, visitor: Visitor) -> views.View:
    """Sends a program: the body is its file; name, entry code, file name and mode are query parameters.

    The file name only decides how the program is compiled and run. The answer comes once it is on the disk; it enters
    when it is compiled and checked.
    """
    arena, contest, query = arena_of(request), contest_of(request), request.query_params
    await arena.check_box()
    mode: Mode = "text" if query.get("mode") == "text" else "json"
    name, code, file = (query.get(key, "")[:200] for key in ("name", "code", "file"))
    body = request.stream()
    sent = await arena.submissions.receive(
        contest, visitor, name=name, code=code, file_name=file, mode=mode, body=body
    )
    return views.submission(sent, contest, None, visitor.account)


@endpoints.route("GET /api/arena/{id}/submissions/{submission}", access=member)
async def _submission(request: Request, visitor: Visitor) -> views.View:
    """How the preparation of a version went, for its owner and the organiser."""
    arena, contest = arena_of(request), contest_of(request)
    wanted = request.path_params["submission"]
    sent = next((each for each in contest.submissions if each.id == wanted), None)
    if sent is None:
        raise ApiError(404, "NOT_FOUND")
    if visitor.account not in (contest.organiser, sent.owner):
        raise ApiError(403, "FORBIDDEN")
    report = await arena.submissions.report(contest, sent)
    return {
        **views.submission(sent, contest, arena.stage(contest).preparing.get(sent.id), visitor.account),
        **views.preparation(report, contest.rulebook, language_of(request)),
        "rulebook": contest.rulebook,
    }


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
