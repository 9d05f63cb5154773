"""Screens in the hall: a page that shows a tournament by itself, and the stream that tells it what has changed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from damas.server.club.guest import guest
from damas.server.club.tournament import Tournament
from damas.server.rooms.ledger import Busy
from damas.server.rooms.room import Room
from damas.server.security.errors import ApiError
from damas.server.services import services_of
from damas.server.store.errors import DamagedGame, StoreError
from damas.server.web.endpoints import Endpoints
from damas.server.web.pages import page
from damas.server.web.streams import Stream
from damas.server.words import language_of
from damas.views.hall_screen import AppBoardView, HallScreenView, app_board_view, limit_of, published_at

endpoints = Endpoints("club")

SETTLING_S = 0.5
"""Changes within this time are sent together."""
RECHECK_S = 20.0
"""A stream looks at its tournament again after this time without a change."""


@endpoints.route("GET /club/{id}/tv")
async def _screen_page(request: Request) -> Response:
    """A page for a television: it needs nobody at it."""
    tournament = await services_of(request).tournaments.find(request.path_params["id"])
    title = tournament.head.title if tournament.head.public else ""
    return page(request, "tv.html", tournament=tournament.id, tournament_title=title)


@endpoints.route("GET /api/club/{id}/screen/stream")
async def _stream(request: Request) -> Response:
    """The screen now, and again whenever the tournament or a board in the app has changed."""
    await guest(request)
    return Stream.events(_screens(request))


async def _screens(request: Request) -> AsyncIterator[HallScreenView]:
    subscribers = services_of(request).rooms.services.subscribers
    changed, games = asyncio.Event(), set[str]()

    def notice(room: Room) -> None:
        if room.id in games:
            changed.set()

    subscribers.append(notice)
    sent: HallScreenView | None = None
    try:
        while True:
            try:
                tournament = (await guest(request)).tournament
            except ApiError:  # the link was revoked
                return
            upcoming = tournament.changed.next
            changed.clear()
            screen = await _screen(request, tournament, games)
            if sent is None or replace(screen, server_ms=0) != replace(sent, server_ms=0):
                sent = screen
                yield screen
            await asyncio.sleep(SETTLING_S)
            waiting = [asyncio.ensure_future(each.wait()) for each in (upcoming, changed)]
            try:
                await asyncio.wait(waiting, timeout=RECHECK_S, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in waiting:
                    each.cancel()
    finally:
        subscribers.remove(notice)


async def _screen(request: Request, tournament: Tournament, games: set[str]) -> HallScreenView:
    """The screen now; `games` becomes the games on it."""
    state, rooms = tournament.state, services_of(request).rooms
    number, published_ms = published_at(state)
    games.clear()
    boards: list[AppBoardView] = []
    played = state.rounds[number - 1] if number else None
    for place, ids in sorted(played.app_games.items()) if played else ():
        seats = played.seats_at(place) if played else None
        if seats is None or (played and played.signs_at(place)):
            continue
        games.update(ids)
        for game in reversed(ids):  # the last that has begun
            with suppress(ApiError, DamagedGame, StoreError, Busy):
                room = await rooms.room(game)
                boards.append(app_board_view(place, seats, room.ledger.table, language_of(request)))
                break
    return HallScreenView(
        tournament.version,
        rooms.time.wall_ms(),
        number,
        published_ms,
        limit_of(state.conditions),
        tuple(boards),
    )
