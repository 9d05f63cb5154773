"""Analysis over HTTP: engine searches, endgame tables, reports on whole games, reading and writing PDN."""

from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.engine.analysis import MAX_LINE_MOVES
from damas.engine.engine import WIN
from damas.errors import IllegalSetup, NotationError
from damas.game import Position, Record
from damas.server.analysing import trees
from damas.server.analysing.analysing import Analysing
from damas.server.analysing.measure import TooMuch
from damas.server.analysing.places import book_named, record_of
from damas.server.security.bodies import Json, read, read_bytes
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import person_of, visitor_of
from damas.server.services import services_of
from damas.server.web import replies
from damas.server.web.archive import record_of_game
from damas.server.web.endpoints import Endpoints
from damas.server.web.fair_play import check_fair_play, games_in_progress
from damas.server.web.fields import EXAMPLE_FEN, EXAMPLE_PDN, Fen, MoveText, Name, NameOrNothing
from damas.server.web.streams import Stream
from damas.server.web.work import answer, answer_from_tables, answer_slowly, ask, caller_of
from damas.server.words import language_of
from damas.server.work import questions, tables
from damas.server.work.questions import first_game
from damas.server.work.reports import judge_lines
from damas.views import plain
from damas.views.analysis import ReportView
from damas.views.errors import error_view

endpoints = Endpoints("analysis")

MAX_LINES = 5
"""Lines that a search shows at most."""
MAX_PLIES = 1000
"""Plies of a game that is reported on."""
PDN_TYPES = ("text/plain", "application/x-pdn", "application/vnd.pdn", "text/x-pdn")
"""Media types of a PDN that is sent as a file."""

Moves = Annotated[list[MoveText], msgspec.Meta(max_length=MAX_PLIES)]
"""Moves of a line or a game."""


class Where(msgspec.Struct, forbid_unknown_fields=True):
    """A place in a game."""

    rulebook: Name
    fen: Fen = ""
    moves: Moves = []


class ReportRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The game of a report: a stored game, a PDN, or a position with moves."""

    game: NameOrNothing = ""
    pdn: str = ""
    rulebook: NameOrNothing = ""
    fen: Fen = ""
    moves: Moves = []


class FoundLine(msgspec.Struct, forbid_unknown_fields=True):
    """The best line that a browser's engine found at a ply; without moves where the game is over."""

    score: Annotated[int, msgspec.Meta(ge=-WIN, le=WIN)]
    """For the side to move."""
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MAX_LINE_MOVES)] = []


class FoundLines(Where):
    """A game and what a browser's engine found at each of its plies, from the first position on."""

    game: NameOrNothing = ""
    lines: Annotated[list[FoundLine], msgspec.Meta(max_length=MAX_PLIES + 1)] = []


class Looked(Where):
    """A place in a game, of which a stored one may be meant."""

    game: NameOrNothing = ""


class PdnText(msgspec.Struct, forbid_unknown_fields=True):
    """Games as PDN; `rulebook` is for those that name none."""

    pdn: str
    rulebook: NameOrNothing = ""


def _analysing(request: Request) -> Analysing:
    return services_of(request).analysing


# Setting up


@endpoints.call(
    "POST /api/analysis/setup",
    example={"rulebook": "faraes", "fen": EXAMPLE_FEN},
    reply=replies.SetupCheck,
)
async def _analysis_setup(request: Request, where: Where) -> dict[str, Any]:
    """Whether pieces may stand so. While somebody sets a position up most answers are no, so that no is no error."""
    book = book_named(where.rulebook)
    try:
        position = Position.from_fen(where.fen, book)
    except (NotationError, IllegalSetup) as error:
        return {"fits": False, **plain(error_view(error, language_of(request)))}
    return {"fits": True, "fen": position.fen, "standard": position == Position.start(book)}


class Stretch(Where):
    """A line of play; its positions from ply `since` on are wanted."""

    since: int = 0


@endpoints.call(
    "POST /api/analysis/line",
    example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"], "since": 1},
    reply=replies.LineOfPlay,
)
async def _analysis_line(request: Request, body: Stretch) -> Response:
    """The positions of a line one after the other, so that stepping through a game asks once and not at every step.

    Where a move cannot be played the line ends, and `error` says why.
    """
    arguments = (body.rulebook, body.fen, body.moves, body.since)
    return await answer(request, questions.line, *arguments, language_of(request))


# The engine


@endpoints.route("GET /api/analysis/stream")
async def _search(request: Request) -> Response:
    """Engine results for a position, streamed while it searches."""
    query = request.query_params
    record = await ask(
        request, record_of, query.get("rulebook", ""), query.get("fen", ""), query.get("moves", "")
    )
    body = query.get("lines", "3")
    lines = min(MAX_LINES, max(1, int(body))) if body.isdecimal() and len(body) < 4 else 3
    await check_fair_play(request, record, query.get("game", ""))
    return Stream.events(_analysing(request).searches.start(caller_of(request), record, lines))


@endpoints.call(
    "POST /api/analysis/fair",
    example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
    reply=replies.Fair,
)
async def _analysis_fair(request: Request, body: Looked) -> dict[str, Any]:
    """Whether the browser's own engine may help here: 403 in a game that the visitor is playing."""
    if await games_in_progress(request):
        record = await ask(request, record_of, body.rulebook, body.fen, body.moves)
        await check_fair_play(request, record, body.game)
    return {"fair": True}


# The tables


@endpoints.call(
    "POST /api/tablebase",
    example={"rulebook": "brasileira", "fen": "W:WKa1:BKh6"},
    reply=replies.TableAnswer,
)
async def _tablebase(request: Request, where: Where) -> Response:
    record = await ask(request, record_of, where.rulebook, where.fen, where.moves)
    await check_fair_play(request, record)
    return await answer_from_tables(request, tables.verdict, record)


# Reports


@endpoints.call(
    "POST /api/analysis/report",
    example={"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5"]},
    reply=replies.ReportJob,
    status=202,
)
async def _report(request: Request, body: ReportRequest) -> Response:
    record = await _record_for(request, body)
    reports, address = _analysing(request).reports, address_of(request)
    person = person_of(request)
    job = await reports.request(record, keep=bool(body.game), address=address, person=person)
    return Json(job.view(), 200 if job.finished else 202)


@endpoints.call(
    "POST /api/analysis/judge",
    example={
        "rulebook": "brasileira",
        "moves": ["c3-d4"],
        "lines": [{"score": 4, "moves": ["c3-d4", "f6-g5"]}, {"score": -2, "moves": ["f6-g5"]}],
    },
    reply=ReportView,
)
async def _analysis_judge(request: Request, body: FoundLines) -> Response:
    """The report on a game that the browser's own engine has searched; only lines that show no reason are played on here."""
    record = await ask(request, record_of, body.rulebook, body.fen, body.moves)
    _check_length(record)
    await check_fair_play(request, record, body.game)
    if len(body.lines) != record.length + 1 or not all(line.moves for line in body.lines[:-1]):
        raise ApiError(400, "BAD_BODY", problem="lines: one for each ply and one for the last position")
    lines = [(line.score, line.moves) for line in body.lines]
    limits = services_of(request).settings.limits
    return await answer_slowly(request, judge_lines, record, lines, limits)


async def _record_for(request: Request, body: ReportRequest) -> Record:
    if body.game:
        head, record = await record_of_game(request, body.game)
        if head.status not in ("over", "aborted"):
            raise ApiError(403, "FAIR_PLAY", game=body.game)
    elif body.pdn:
        first = await ask(request, first_game, body.pdn, body.rulebook)
        if first is None:
            raise ApiError(400, "NOTHING_TO_REPORT", most=MAX_PLIES)
        record = first
    else:
        record = await ask(request, record_of, body.rulebook, body.fen, body.moves)
    _check_length(record)
    await check_fair_play(request, record, body.game)
    return record


def _check_length(record: Record) -> None:
    if not 1 <= record.length <= MAX_PLIES:
        raise ApiError(400, "NOTHING_TO_REPORT", most=MAX_PLIES)


@endpoints.route("GET /api/analysis/report")
async def _existing_report(request: Request) -> dict[str, Any]:
    """The existing report on a stored game, for a page that is loaded again."""
    _, record = await record_of_game(request, request.query_params.get("game", ""))
    reports = _analysing(request).reports
    job = await reports.get(reports.key(record))
    return job.view() if job else {"state": "none", "report": None}


@endpoints.route("GET /api/analysis/report/{id}")
@endpoints.route("GET /api/analysis/report/{id}/stream")
async def _report_progress(request: Request) -> dict[str, Any] | Stream:
    reports = _analysing(request).reports
    job = await reports.get(request.path_params["id"])
    if job is None:
        raise ApiError(404, "NOT_FOUND")
    return Stream.events(reports.watch(job)) if request.url.path.endswith("/stream") else job.view()


@endpoints.route("DELETE /api/analysis/report/{id}")
async def _withdraw_report(request: Request) -> Response:
    """Withdraws an unfinished report that nobody else has requested."""
    if not await _analysing(request).reports.withdraw(request.path_params["id"], person_of(request)):
        raise ApiError(404, "NOT_FOUND")
    return Response(status_code=204)


# PDN


@endpoints.call(
    "POST /api/pdn/read", tag="files", body=PdnText, example={"pdn": EXAMPLE_PDN}, reply=replies.PdnGames
)
async def _pdn_read(request: Request) -> Response:
    """The games in a PDN, sent as text in JSON or as a file."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    services, language = services_of(request), language_of(request)
    limits = services.settings.limits
    try:
        if kind not in PDN_TYPES:
            sent = await read(request, PdnText)
            book = book_named(sent.rulebook) if sent.rulebook else None
            return await answer_slowly(request, trees.read_as_json, sent.pdn, book, language, limits)
        # A client without cookies is a new visitor each time, but at the same address.
        services.rates.spend("imports of an address", address_of(request))
        services.rates.spend("import", visitor_of(request).id)
        name = request.query_params.get("rulebook", "")
        book = book_named(name) if name else None
        file = await read_bytes(request, limits.pdn_bytes)
        return Json(await services.imports.run(request, trees.read_as_json, file, book, language, limits))
    except TooMuch as much:
        raise ApiError(413, much.limit.upper(), most=much.most, game=much.game) from None


@endpoints.call(
    "POST /api/pdn/write",
    tag="files",
    example={"rulebook": "brasileira", "moves": [{"text": "c3-d4", "comments": ["!"]}]},
)
async def _pdn_write(request: Request, tree: trees.Tree) -> replies.WrittenPdn:
    try:
        return {"pdn": await ask(request, trees.write, tree)}
    except (trees.TreeTooLarge, RecursionError):
        raise ApiError(413, "TOO_LARGE", most=trees.MAX_NODES) from None
    except ValueError as error:
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
