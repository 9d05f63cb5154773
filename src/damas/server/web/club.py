"""Tournaments of people over the web: the pages and what they show, the stream of changes, papers and files."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from damas.arbiter.ledger import canonical
from damas.errors import DamagedTournament
from damas.language import sentence
from damas.paper.club_cards import CardLink
from damas.server.addresses import public_address
from damas.server.club.app_boards import NO_RESULT
from damas.server.club.guest import Guest, cookie_of, guest
from damas.server.club.roles import COMPETITORS
from damas.server.encoding import encode
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.services import services_of
from damas.server.store.rows import TournamentRow
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.recent import Recent
from damas.server.web.rules import rulebook_entries
from damas.server.web.static_files import file_response
from damas.server.web.streams import Stream
from damas.server.web.work import caller_of
from damas.server.words import language_of
from damas.server.work import club as work
from damas.tournaments.hall import individuals
from damas.tournaments.hall.conditions import SYSTEMS
from damas.tournaments.hall.rating_list import rating_csv
from damas.tournaments.hall.results import result_text
from damas.tournaments.hall.rounds import Result
from damas.tournaments.hall.state import State
from damas.tournaments.hall.templates import template, template_names
from damas.tournaments.hall.trf import to_trf
from damas.views.club import explanation_view
from damas.views.club_log import log_views
from damas.views.club_page import PLAYERS, lineup_view, table_of, tournament_view

endpoints = Endpoints("club")

RECHECK_S = 20.0
"""A stream looks at its tournament again after this time without a change."""
SETTLING_S = 0.3
"""Changes within this time are told together: many results come in at once."""
MAX_LISTED = 100
"""Tournaments in the list."""

_views = Recent[bytes](64)
"""Encoded views, by version, language and whether they are for the staff: a hall of phones asks at once."""


# Pages


@endpoints.route("GET /club")
async def _list_page(request: Request) -> Response:
    """The tournaments, and the form of a new one."""
    rows = await services_of(request).tournaments.latest(MAX_LISTED)
    own = [row for row in rows if await _is_own(request, row)]
    others = [row for row in rows if row.public and row not in own]
    return page(
        request,
        "club.html",
        own=own,
        others=others,
        names={entry.id: entry.name for entry in rulebook_entries(language_of(request))},
        systems=[(name, sentence(f"club.system.{name}", language_of(request))) for name in SYSTEMS],
        templates=[(name, template(name)) for name in template_names()],
    )


async def _is_own(request: Request, row: TournamentRow) -> bool:
    """Whether the cookie of this browser opens the tournament: anybody can write a cookie."""
    secret = request.cookies.get(cookie_of(request, row.id))
    if not secret:
        return False
    with suppress(ApiError, DamagedTournament):
        return Guest(await services_of(request).tournaments.find(row.id), secret).may("look_private")
    return False


@endpoints.route("GET /club/{id}")
async def _public_page(request: Request) -> Response:
    return await _page(request, "tournament.html")


@endpoints.route("GET /club/{id}/desk")
async def _desk_page(request: Request) -> Response:
    return await _page(request, "desk.html")


@endpoints.route("GET /club/{id}/teams/{number:int}")
async def _team_page(request: Request) -> Response:
    """A team of a league, by its number."""
    return await _page(request, "team.html", team=request.path_params["number"])


async def _page(request: Request, template_name: str, **facts: Any) -> Response:
    """A page of a tournament; whoever may not look at it gets only the form for a PIN."""
    tournament = await services_of(request).tournaments.find(request.path_params["id"])
    title = tournament.head.title if tournament.head.public else ""
    is_league = bool(tournament.state.conditions.boards)
    return page(
        request, template_name, tournament=tournament.id, tournament_title=title, is_league=is_league, **facts
    )


# Looking


@endpoints.route("GET /api/club/{id}")
async def _tournament(request: Request) -> Response:
    """The tournament, and who you are in it."""
    visitor = await guest(request)
    return Json(b'{"you":%s,"tournament":%s}' % (encode(_you(visitor)), await _encoded(request, visitor)))


def _you(visitor: Guest) -> dict[str, Any]:
    """Who the visitor is: the role, the name, at which board the opponent waits to play in the app, and which boards were
    played there without a result.
    """
    state = visitor.tournament.state
    wanting = visitor.tournament.wanting.items()
    return {
        "role": visitor.role,
        "name": visitor.name,
        "may": sorted(action for action in ACTIONS if visitor.may(action)),
        "wanting": [
            {"round": number, **place._asdict(), "names": list(names)} for (number, place), names in wanting
        ],
        "undecided": [
            {"round": played.number, **place._asdict(), "games": signs, "result": _tie_text(signs, state)}
            for played in state.rounds
            for place, games in played.app_games.items()
            if not played.signs_at(place) and (signs := visitor.tournament.undecided.get(games[0]))
        ],
    }


def _tie_text(signs: str, state: State) -> str:
    """The result of games that ended in a tie; empty where one of them has none."""
    return "" if NO_RESULT in signs else result_text(Result(signs), state.conditions)


ACTIONS = (
    "drafts",
    "check_in",
    "score",
    "overrule",
    "player_links",
    "staff_links",
    "draft",
    "report",
    "arrive",
    "lineup",
    "rename",
)
"""What pages ask before they show a button."""


async def _encoded(request: Request, visitor: Guest) -> bytes:
    tournament, language, staff = visitor.tournament, language_of(request), visitor.may("drafts")

    async def make() -> bytes:
        view = tournament_view(tournament.state, tournament.id, tournament.version, language, staff=staff)
        return encode(view)

    return await _views.get((tournament.id, tournament.version, language, staff), make)


@endpoints.route("GET /api/club/{id}/stream")
async def _stream(request: Request) -> Response:
    """The version now, and each later one: a page asks for the tournament again when it changes."""
    await guest(request)

    async def versions() -> AsyncIterator[dict[str, str]]:
        sent = ""
        while True:
            tournament = (await guest(request)).tournament  # ends when the link is revoked
            upcoming = tournament.changed.next
            if tournament.version != sent:
                sent = tournament.version
                yield {"version": sent}
                await asyncio.sleep(SETTLING_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(upcoming.wait(), RECHECK_S)

    async def until_refused() -> AsyncIterator[dict[str, str]]:
        with suppress(ApiError):
            async for version in versions():
                yield version

    return Stream.events(until_refused())


@endpoints.route("GET /api/club/{id}/tables/{category}")
async def _table(request: Request) -> Any:
    """The table of a category, or in a league of the players."""
    tournament, category = (await guest(request)).tournament, request.path_params["category"]

    async def make() -> bytes:
        table = table_of(tournament.state, category)
        if table is None:
            raise ApiError(404, "NOT_FOUND")
        return encode(table)

    return Json(await _views.get((tournament.id, tournament.version, category), make))


@endpoints.route("GET /api/club/{id}/players/{number:int}")
async def _explanation(request: Request) -> Any:
    """How a player came to a place: every tie-break with its sum. `?table=players` is about a player of a league."""
    state = (await guest(request)).tournament.state
    number = request.path_params["number"]
    if state.conditions.boards and request.query_params.get("table", "").split(":")[0] == PLAYERS:
        state = individuals(state)
    if not 1 <= number <= len(state.by_number):
        raise ApiError(404, "NOT_FOUND")
    return explanation_view(state, state.by_number[number - 1], language_of(request))


@endpoints.route("GET /api/club/{id}/teams/{number:int}/lineup")
async def _lineup(request: Request) -> Any:
    """The line-up of a team of a league for its next match: for the desk, or for its captain."""
    visitor = await guest(request, "lineup")
    state, number = visitor.tournament.state, request.path_params["number"]
    if not state.conditions.boards or not 1 <= number <= len(state.by_number):
        raise ApiError(404, "NOT_FOUND")
    team = state.by_number[number - 1]
    if visitor.role == "captain" and visitor.name != team:
        raise ApiError(403, "CLUB_ROLE")
    return lineup_view(state, team, language_of(request), staff=visitor.role != "captain")


@endpoints.route("GET /api/club/{id}/log")
async def _log(request: Request) -> Any:
    """Every entry: who, when, why."""
    state = (await guest(request, "log")).tournament.state
    return {"log": log_views(state, language_of(request))}


# Papers and files


@endpoints.route("GET /club/{id}/papers/{kind}.pdf")
async def _paper(request: Request) -> Response:
    """A paper as PDF: slips have the QR code of their board, cards that of the player's link and the PIN."""
    visitor, kind = await guest(request, "papers"), request.path_params["kind"]
    tournament, text = visitor.tournament, request.query_params.get("round", "")
    state = tournament.state
    number = int(text) if text.isdecimal() and len(text) < 3 else max(1, len(state.rounds))
    if kind not in work.PAPERS:
        raise ApiError(404, "NOT_FOUND")
    address = f"{public_address(request)}/club/{tournament.id}"
    links: dict[str, dict[str, CardLink]] = {role: {} for role in COMPETITORS}
    for key in tournament.keys.values():
        if key.role in COMPETITORS and tournament.opens(key):
            link = CardLink(f"{address}#key={tournament.secret(key)}", tournament.pin(key))
            links[key.role][tournament.name_of(key)] = link
    wanted = work.PaperOrder(
        kind,
        number,
        language_of(request),
        f"damas-{tournament.id}",
        address,
        links["player"],
        links["captain"],
    )
    lane = services_of(request).work.files
    made = await lane.run(work.paper, state, wanted, caller=caller_of(request))
    if made is None:
        raise ApiError(404, "CLUB_NO_PAPER")
    name, data = made
    return file_response(data, "application/pdf", f"{name}.pdf")


@endpoints.route("GET /club/{id}/files/{name}")
async def _file(request: Request) -> Response:
    """The whole log as a file of `damas club`, the tournament as TRF, or the report of ratings for the federation."""
    visitor, name = await guest(request, "export"), request.path_params["name"]
    tournament = visitor.tournament
    if name == "tournament.trf":
        return file_response(
            to_trf(tournament.state).encode(), "text/plain; charset=utf-8", f"{tournament.id}.trf"
        )
    if name == "ratings.csv":
        report = rating_csv(tournament.state).encode()
        return file_response(report, "text/csv; charset=utf-8", f"{tournament.id}-ratings.csv")
    if name != "tournament.damas":
        raise ApiError(404, "NOT_FOUND")
    lines = await services_of(request).store.tournaments.lines(tournament.id)
    data = b"".join(canonical({**json.loads(line.data), "chain": line.chain}) + b"\n" for line in lines)
    return file_response(data, "application/octet-stream", f"{tournament.id}.damas")
