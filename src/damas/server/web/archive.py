"""A visitor's own games and the archive of finished games: searched, and downloaded as PDN."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from damas.board import Color
from damas.game import Record
from damas.rules.library import builtin_id
from damas.server.addresses import public_address
from damas.server.rooms.seats import Seats
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.store.errors import DamagedGame, StoreError, UnknownGame
from damas.server.store.rows import Filter, GameRow
from damas.server.web.endpoints import Endpoints
from damas.server.web.replies import Archive, ArchivedGame, PlayerName, PlayerNames
from damas.server.web.work import ask, caller_of
from damas.server.words import language_of
from damas.server.work.files import StoredGame, game_pdn
from damas.views.plain import view_of

log = logging.getLogger("damas")

endpoints = Endpoints("files")

ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids of games."""
PAGE = 24
"""Games of one page."""
SCANNED = 200
"""Games that are read with one query."""
MAX_SCANNED = 2000
"""Games that are checked for one page."""
MAX_DOWNLOADED = 5000
"""Games that are checked for one file."""
MAX_PLIES = 250_000
"""Plies of all games in one file: each game is replayed from its events."""
MAX_BUSY = 5
"""How often a download waits for one game while the server is too busy to write it."""
RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}
"""Stored result for each value of the query `result`."""
MY_RESULTS = {**RESULTS, "won": "won", "lost": "lost", "drawn": "drawn", "draw": "drawn"}
"""The same for one's own games, where one may also ask for `won` and `lost`."""
OPPONENTS = ("person", "level", "bot")
"""Kinds of opponents that can be searched for."""


# One game


async def stored_game(request: Request, game: str) -> tuple[GameRow, StoredGame]:
    """A stored game and its events, whose chain is checked. Raises `ApiError` 404 if there is none, and
    `DamagedGame`.
    """
    store = services_of(request).store
    if not ID.fullmatch(game):
        raise ApiError(404, "NOT_FOUND")
    try:
        head, rows = await store.games.history(game)
    except UnknownGame:
        raise ApiError(404, "NOT_FOUND") from None
    return head, StoredGame(head.rulebook, head.fen, [row.data for row in rows])


async def record_of_game(request: Request, game: str) -> tuple[GameRow, Record]:
    """A stored game and its moves."""
    head, stored = await stored_game(request, game)
    return head, await ask(request, StoredGame.record, stored)


def players(request: Request, head: GameRow) -> PlayerNames:
    """The players' names in the reader's language: levels of the computer and players at one device have no own names."""
    words, language, seats = services_of(request).words, language_of(request), Seats.of(head)

    def player(side: Color) -> PlayerName:
        name = seats[side].name
        if level := seats[side].level:
            name = words.say("play.player.level", language, level=level)
        elif seats.shared:
            name = words.say(f"board.side.{side.value}", language)
        return {"name": name, "kind": seats[side].shown_kind}

    return {"white": player(Color.WHITE), "black": player(Color.BLACK)}


def pdn_tags(request: Request, head: GameRow) -> dict[str, str]:
    """PDN tags that do not follow from the events."""
    began = datetime.fromtimestamp(head.created_ms / 1000, UTC)
    return {
        "Event": "damas",
        "Site": f"{public_address(request)}/game/{head.id}",
        "Date": began.strftime("%Y.%m.%d"),
    }


# Many games


@dataclass(frozen=True)
class ArchiveSearch:
    """A search for games: criteria of the store, and those that are checked game by game."""

    criteria: Filter
    name: str
    """Part of a player's name, in any case."""
    since_ms: int

    @classmethod
    def of(cls, request: Request) -> "ArchiveSearch":
        """Unknown values are ignored: a link may be older than this version."""
        query = request.query_params
        mine = query.get("mine", "") in ("1", "true")
        before, _, before_id = query.get("after", "").partition("-")
        until = _day(query.get("until", ""), timedelta(days=1))
        page = int(before) if before.isdecimal() and len(before) < 16 else None
        results = MY_RESULTS if mine else RESULTS
        criteria = Filter(
            person=visitor_of(request).id if mine else None,
            rulebook=builtin_id(query.get("rulebook", "")) or None,
            result=results.get(query.get("result", "")),
            opponent_kind=query["opponent"] if query.get("opponent") in OPPONENTS else None,
            status="over" if not mine else "playing" if query.get("status") == "playing" else None,
            public=None if mine else True,
            before=page if page is not None else until,
            before_id=before_id if page is not None and ID.fullmatch(before_id) else None,
            limit=SCANNED,
        )
        return cls(criteria, query.get("name", "").strip().casefold()[:60], _day(query.get("since", "")) or 0)

    def fits(self, head: GameRow) -> bool:
        """Whether a game that the store found meets the other criteria."""
        if head.status == "aborted" and not Seats.of(head).full:  # nobody ever came
            return False
        names = (head.white_name.casefold(), head.black_name.casefold())
        return not self.name or any(self.name in name for name in names)


def _day(text: str, later: timedelta = timedelta()) -> int | None:
    """The beginning of a day, or a while later, in milliseconds; None where the text is no day."""
    try:
        day = datetime.strptime(text[:10], "%Y-%m-%d").replace(tzinfo=UTC)
        return round((day + later).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


async def _heads(
    request: Request, search: ArchiveSearch, most_scanned: int
) -> AsyncGenerator[GameRow | None]:
    """Matching games, newest first; None at the end if the scan stopped before the last game."""
    store, scanned, page_filter = services_of(request).store, 0, search.criteria
    while scanned < most_scanned:
        rows: list[GameRow] = await store.games.search(page_filter)
        for head in rows:
            if head.updated_ms < search.since_ms:
                return
            if search.fits(head):
                yield head
        if len(rows) < SCANNED:
            return
        scanned += len(rows)
        page_filter = msgspec.structs.replace(page_filter, before=rows[-1].updated_ms, before_id=rows[-1].id)
    yield None


@endpoints.call("GET /api/archive", query={"rulebook": "brasileira", "since": "2024-01-01"})
async def _archive(request: Request) -> Archive:
    """A page of games, newest first; `next` is the value of `after` for the next page."""
    search, person = ArchiveSearch.of(request), visitor_of(request).id
    games: list[GameRow] = []
    more = False
    async with aclosing(_heads(request, search, MAX_SCANNED)) as heads:
        async for head in heads:
            if head is None or len(games) == PAGE:
                more = True
                break
            games.append(head)
    following = f"{games[-1].updated_ms}-{games[-1].id}" if more and games else None
    return {"games": [_row(request, head, person) for head in games], "next": following}


def _row(request: Request, head: GameRow, person: str) -> ArchivedGame:
    seats = Seats.of(head)
    you = seats.you(person) if seats.sides_of(person) else None
    return view_of(ArchivedGame, head, **players(request, head), you=you, time=head.time_control)


@endpoints.call("GET /api/archive.pdn", query={"rulebook": "brasileira"}, media="text/x-pdn")
async def _archive_pdn(request: Request) -> Response:
    """All matching games as one PDN file, streamed game by game."""
    search = ArchiveSearch.of(request)
    name = "damas-my-games.pdn" if search.criteria.person else "damas-archive.pdn"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    kind = "text/x-pdn; charset=utf-8"
    return _Download(_pdn(request, search), media_type=kind, headers=headers)


class _Download(StreamingResponse):
    """A download; one at a time for each address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        with services_of(request).downloads.hold(address_of(request)):
            await super().__call__(scope, receive, send)


async def _pdn(request: Request, search: ArchiveSearch) -> AsyncIterator[str]:
    """The PDN of each game; one that cannot be written is logged and left out.

    Where the server itself cannot go on, the response is broken off: a file that looks whole is whole.
    """
    sent = plies = 0
    async with aclosing(_heads(request, search, MAX_DOWNLOADED)) as heads:
        async for head in heads:
            if head is None or head.plies == 0:
                continue
            plies += head.plies
            if plies > MAX_PLIES:
                return
            try:
                _, stored = await stored_game(request, head.id)
                text = await _patiently(request, stored, pdn_tags(request, head))
            except DamagedGame:
                continue  # the log names it
            except (StoreError, ApiError):
                raise
            except Exception:
                log.exception("ALARM: game %s cannot be written, and is left out of a download", head.id)
                continue
            yield ("\n" if sent else "") + text
            sent += 1


async def _patiently(request: Request, stored: StoredGame, tags: dict[str, str]) -> str:
    """The PDN of one game of a download, which waits where its address has used up its processor time, or all are busy."""
    files, caller, busy = services_of(request).work.files, caller_of(request), 0
    while True:
        try:
            text: str = await files.run(game_pdn, stored, tags, caller=caller)
        except ApiError as refused:
            busy += refused.code == "BUSY"
            if refused.status != 429 and (refused.code != "BUSY" or busy > MAX_BUSY):
                raise
            await asyncio.sleep(1.0 if refused.retry_s is None else refused.retry_s)
        else:
            return text
