"""Challenges and seeks over HTTP: a certain player, a level of the computer, anybody with the link, anybody."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.server.nodes.tunnel import BrokenTunnel
from damas.server.player_events import Challenge
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.new_game import AgainstFriend, AgainstLevel, AgainstSeek, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.seats import Seats
from damas.server.rooms.watchers import Watcher
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor
from damas.server.services import Services, services_of
from damas.server.web import replies
from damas.server.web.board_api import account_holder, may_play, playing_account
from damas.server.web.endpoints import NDJSON, Endpoints
from damas.server.web.play import create_game
from damas.server.web.replies import Created, Ok, created_game
from damas.server.web.streams import Stream
from damas.server.words import language_of

endpoints = Endpoints("games")

PLAY = ("bot:play",)
"""Scopes of the calls that only players with an account make."""
MAX_CHALLENGES = 20
"""Open challenges of one player."""


class Terms(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a game."""

    rulebook: Annotated[str, msgspec.Meta(max_length=40, examples=["brasileira"])]
    time: Annotated[str, msgspec.Meta(max_length=40, examples=["5+3", "none"])] | None = None
    """The preset's usual time where it is left out."""
    color: Literal["white", "black", "random"] = "random"
    """Color of the challenger."""
    preset: Annotated[str, msgspec.Meta(max_length=20, examples=["casual"])] = "casual"
    fen: Annotated[str, msgspec.Meta(max_length=400)] | None = None

    def game(self, opponent: AgainstLevel | AgainstFriend | AgainstSeek) -> NewGame:
        """A new game by these terms."""
        return NewGame(self.rulebook, opponent, self.color, time=self.time, preset=self.preset, fen=self.fen)


class AiTerms(Terms, forbid_unknown_fields=True):
    """The terms of a game against a level of the computer."""

    level: Annotated[int, msgspec.Meta(ge=1, le=10)] = 4


@endpoints.call(
    "POST /api/challenge/ai",
    access=may_play,
    example={"rulebook": "brasileira", "level": 3, "color": "white"},
    status=201,
)
async def _challenge_ai(request: Request, visitor: Visitor, terms: AiTerms) -> Created:
    wanted = terms.game(AgainstLevel(terms.level))
    return created_game(await create_game(request, visitor, wanted))


@endpoints.call(
    "POST /api/challenge/open",
    access=may_play,
    example={"rulebook": "portuguesa", "time": "5+3"},
    status=201,
)
async def _challenge_open(request: Request, visitor: Visitor, terms: Terms) -> Created:
    """A game by link: whoever accepts first takes the other seat."""
    return created_game(await create_game(request, visitor, terms.game(AgainstFriend())))


@endpoints.call(
    "POST /api/challenge/{user}",
    access=playing_account,
    parameters={"user": "OTHER"},
    scopes=PLAY,
    example={"rulebook": "faraes", "time": "3+2"},
    status=201,
    reply=replies.CreatedChallenge,
)
async def _challenge_user(request: Request, visitor: Visitor, terms: Terms) -> dict[str, Any]:
    services = services_of(request)
    other = await services.store.people.account_named(request.path_params["user"][:60])
    if other is None or other.id == visitor.id:
        raise ApiError(404, "NO_PLAYER", name=request.path_params["user"][:60])
    if (
        sum(challenge.by == visitor.id for challenge in services.player_events.challenges.values())
        >= MAX_CHALLENGES
    ):
        raise ApiError(429, "CHALLENGES", most=MAX_CHALLENGES, retry_s=60)
    game = await create_game(request, visitor, terms.game(AgainstFriend()), invited=other.id)
    challenge = Challenge.of((await services.rooms.room(game)).head, other.name)
    services.player_events.add_challenge(challenge)
    return {**created_game(game), "challenge": challenge.view()}


def _challenge(services: Services, request: Request) -> Challenge:
    challenge = services.player_events.challenges.get(request.path_params["id"])
    if challenge is None:
        raise ApiError(404, "NO_CHALLENGE")
    return challenge


@endpoints.call(
    "POST /api/challenge/{id}/accept",
    access=playing_account,
    parameters={"id": "TO_ME"},
    scopes=PLAY,
    reply=Ok,
)
async def _challenge_accept(request: Request, visitor: Visitor) -> dict[str, Any]:
    """Accepts a challenge; a repeated request gets the same response."""
    services = services_of(request)
    if await _accepted(services, request.path_params["id"], visitor):
        return {"ok": True, "id": request.path_params["id"]}
    challenge = _challenge(services, request)
    if challenge.to != visitor.id:
        raise ApiError(403, "FORBIDDEN")
    await _sit(await services.rooms.room(challenge.id), visitor)
    return {"ok": True, "id": challenge.id}


async def _accepted(services: Services, game: str, visitor: Visitor) -> bool:
    head = None if game in services.player_events.challenges else await services.store.games.head(game)
    return head is not None and head.status != "waiting" and bool(Seats.of(head).sides_of(visitor.id))


async def _sit(room: Room, visitor: Visitor) -> None:
    await room.take_seat(visitor.id, visitor.name, "bot" if visitor.bot else "person")


@endpoints.call(
    "POST /api/challenge/{id}/decline",
    access=account_holder,
    id="challenge_decline",
    parameters={"id": "TO_ME_TOO"},
    scopes=PLAY,
)
@endpoints.call(
    "POST /api/challenge/{id}/cancel",
    access=account_holder,
    id="challenge_cancel",
    parameters={"id": "BY_ME"},
    scopes=PLAY,
)
async def _decline(request: Request, visitor: Visitor) -> None:
    """Declined by the challenged player; canceled by the challenger."""
    services = services_of(request)
    challenge = _challenge(services, request)
    canceled = request.url.path.endswith("/cancel")
    if visitor.id != (challenge.by if canceled else challenge.to):
        raise ApiError(403, "FORBIDDEN")
    services.player_events.end_challenge(challenge.id, "canceled" if canceled else "declined")
    services.player_events.call_off(await services.rooms.room(challenge.id), challenge.by)


@endpoints.call(
    "POST /api/board/seek",
    access=may_play,
    example={"rulebook": "internacional", "time": "10"},
    media=NDJSON,
    reply=replies.StreamEvent,
)
async def _seek(request: Request, visitor: Visitor, terms: Terms) -> Response:
    """Joins a seek with the same terms, or makes one that lasts as long as the response stays open."""
    services = services_of(request)
    for offered in (await services.lobby.fresh_snapshot(visitor.id))["seeks"]:
        same = all(offered[key] == getattr(terms, key) for key in ("rulebook", "time", "preset"))
        fits = terms.color in ("random", offered["color"])
        if same and fits and terms.fen is None and not offered["mine"]:
            with suppress(CommandRefused, ApiError):  # somebody was faster, or its node has gone
                await _take_seek(services, offered["id"], visitor)
                return Json(created_game(offered["id"]))
    game = await create_game(request, visitor, terms.game(AgainstSeek()))
    room = await services.rooms.room(game)

    async def waiting() -> AsyncIterator[dict[str, Any]]:
        watcher = Watcher(
            visitor.id, visitor.name, language_of(request), services.settings.limits.events_in_memory
        )
        await room.enter(watcher)
        try:
            yield {"type": "seek", **created_game(game)}
            async for _ in watcher:
                if room.playing:
                    yield {"type": "gameStart", **created_game(game)}
                if not room.waiting:
                    return
        finally:
            room.leave(watcher)
            services.player_events.call_off(room, visitor.id)

    return Stream.json_lines(waiting())


async def _take_seek(services: Services, game: str, visitor: Visitor) -> None:
    """Sits down in a game of the lobby, wherever it is. Raises `CommandRefused` and `ApiError`."""
    owner = await services.passing.owner(game)
    if owner is None:
        await _sit(await services.rooms.room(game), visitor)
        return
    try:
        status, _ = await services.passing.ask(owner, "POST", f"/api/games/{game}/join", visitor)
    except BrokenTunnel:
        status = 503
    if status != 200:
        raise CommandRefused("SEAT_TAKEN")
