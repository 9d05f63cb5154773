"""Challenges and seeks over HTTP: a certain player, a level of the computer, anybody with the link, anybody."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.server.player_events import Challenge
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.ledger import Busy
from damas.server.rooms.new_game import AgainstFriend, AgainstLevel, AgainstSeek, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.seats import Seats
from damas.server.rooms.watchers import Watcher
from damas.server.security.bodies import Json, read
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import Services, services_of
from damas.server.web.board_api import account_holder
from damas.server.web.play import command_refused
from damas.server.web.streams import Stream
from damas.server.words import language_of

MAX_CHALLENGES = 20
"""Open challenges of one player."""


class Terms(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a game."""

    rulebook: Annotated[str, msgspec.Meta(max_length=40, examples=["brasileira"])]
    time: Annotated[str, msgspec.Meta(max_length=40, examples=["5+3", "none"])] = "none"
    color: Literal["white", "black", "random"] = "random"
    """Of the challenger."""
    preset: Annotated[str, msgspec.Meta(max_length=20, examples=["casual"])] = "casual"
    fen: Annotated[str, msgspec.Meta(max_length=400)] | None = None

    def game(self, opponent: AgainstLevel | AgainstFriend | AgainstSeek) -> NewGame:
        return NewGame(self.rulebook, opponent, self.color, time=self.time, preset=self.preset, fen=self.fen)


class AiTerms(Terms, forbid_unknown_fields=True):
    level: Annotated[int, msgspec.Meta(ge=1, le=10)] = 4


def may_play(request: Request) -> Visitor:
    """The visitor, whose token must have a scope to play."""
    visitor = visitor_of(request)
    if not visitor.scopes & {"bot:play", "board:play"}:
        raise ApiError(403, "SCOPE", scope="bot:play")
    return visitor


async def _ai(request: Request) -> Response:
    visitor, terms = may_play(request), await read(request, AiTerms)
    opponent = terms.game(AgainstLevel(terms.level))
    game = await services_of(request).rooms.create(opponent, visitor, address=address_of(request))
    return Json({"id": game, "url": f"/game/{game}"}, 201)


async def _open(request: Request) -> Response:
    """A game by link: whoever opens it first takes the other seat."""
    visitor, terms = may_play(request), await read(request, Terms)
    game = await services_of(request).rooms.create(terms.game(AgainstFriend()), visitor)
    return Json({"id": game, "url": f"/game/{game}"}, 201)


async def _user(request: Request) -> Response:
    services, visitor = services_of(request), account_holder(request)
    may_play(request)
    terms = await read(request, Terms)
    other = await services.store.people.account_named(request.path_params["user"][:60])
    if other is None or other.id == visitor.id:
        raise ApiError(404, "NO_PLAYER", name=request.path_params["user"][:60])
    if (
        sum(challenge.by == visitor.id for challenge in services.player_events.challenges.values())
        >= MAX_CHALLENGES
    ):
        raise ApiError(429, "CHALLENGES", most=MAX_CHALLENGES, retry_s=60)
    game = await services.rooms.create(terms.game(AgainstFriend()), visitor, invited=other.id)
    challenge = Challenge.of((await services.rooms.room(game)).head, other.name)
    services.player_events.add_challenge(challenge)
    return Json({"id": game, "url": f"/game/{game}", "challenge": challenge.view()}, 201)


def _challenge(services: Services, request: Request) -> Challenge:
    challenge = services.player_events.challenges.get(request.path_params["id"])
    if challenge is None:
        raise ApiError(404, "NO_CHALLENGE")
    return challenge


async def _accept(request: Request) -> Response:
    """Accepts a challenge; a repeated request gets the same response."""
    services, visitor = services_of(request), account_holder(request)
    may_play(request)
    if await _accepted(services, request.path_params["id"], visitor):
        return Json({"ok": True, "id": request.path_params["id"]})
    challenge = _challenge(services, request)
    if challenge.to != visitor.id:
        raise ApiError(403, "FORBIDDEN")
    room = await services.rooms.room(challenge.id)
    return await _sit(request, room, visitor) or Json({"ok": True, "id": room.id})


async def _accepted(services: Services, game: str, visitor: Visitor) -> bool:
    head = None if game in services.player_events.challenges else await services.store.games.head(game)
    return head is not None and head.status != "waiting" and bool(Seats.of(head).sides_of(visitor.id))


async def _sit(request: Request, room: Room, visitor: Visitor) -> Response | None:
    try:
        await room.take_seat(visitor.id, visitor.name, "bot" if visitor.bot else "person")
    except CommandRefused as refused:
        return command_refused(request, refused)
    except Busy as busy:
        raise ApiError(503, "BUSY", retry_s=busy.retry_ms / 1000) from None
    return None


async def _decline(request: Request) -> Response:
    """Declined by the challenged player; `cancel` by the challenger."""
    services, visitor = services_of(request), account_holder(request)
    challenge = _challenge(services, request)
    canceled = request.url.path.endswith("/cancel")
    if visitor.id != (challenge.by if canceled else challenge.to):
        raise ApiError(403, "FORBIDDEN")
    services.player_events.end_challenge(challenge.id, "canceled" if canceled else "declined")
    services.player_events.call_off(await services.rooms.room(challenge.id), challenge.by)
    return Json({"ok": True})


async def _seek(request: Request) -> Response:
    """Joins a seek with the same terms, or makes one that lasts as long as the response stays open."""
    services, visitor = services_of(request), may_play(request)
    terms = await read(request, Terms)
    for offered in services.lobby.snapshot()["seeks"]:
        room = await services.rooms.room(offered["id"])
        same = all(offered[key] == getattr(terms, key) for key in ("rulebook", "time", "preset"))
        fits = terms.color in ("random", offered["color"])
        if same and fits and terms.fen is None and not room.seats.sides_of(visitor.id):
            if await _sit(request, room, visitor) is None:
                return Json({"id": room.id, "url": f"/game/{room.id}"}, 200)
    game = await services.rooms.create(terms.game(AgainstSeek()), visitor)
    room = await services.rooms.room(game)

    async def waiting() -> AsyncIterator[dict[str, Any]]:
        watcher = Watcher(
            visitor.id, visitor.name, language_of(request), services.settings.limits.events_in_memory
        )
        await room.enter(watcher)
        try:
            yield {"type": "seek", "id": game, "url": f"/game/{game}"}
            async for _ in watcher:
                if room.playing:
                    yield {"type": "gameStart", "id": game, "url": f"/game/{game}"}
                if not room.waiting:
                    return
        finally:
            room.leave(watcher)
            services.player_events.call_off(room, visitor.id)

    return Stream.json_lines(waiting())


routes: list[BaseRoute] = [
    Route("/api/challenge/ai", _ai, methods=["POST"]),
    Route("/api/challenge/open", _open, methods=["POST"]),
    Route("/api/challenge/{id}/accept", _accept, methods=["POST"]),
    Route("/api/challenge/{id}/decline", _decline, methods=["POST"]),
    Route("/api/challenge/{id}/cancel", _decline, methods=["POST"]),
    Route("/api/challenge/{user}", _user, methods=["POST"]),
    Route("/api/board/seek", _seek, methods=["POST"]),
]
