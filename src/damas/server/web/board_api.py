"""Games for boards and programs over plain HTTP, modelled on lichess' API: streams of JSON lines, and POST to act."""

from collections.abc import AsyncIterator, Callable
from hashlib import sha256
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from damas.board import Color
from damas.server.messages import Act, Deed, Move
from damas.server.nodes.tunnel import BrokenTunnel
from damas.server.player_events import ending, game_info
from damas.server.rooms.answers import Answer
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.record import StoredAnswer
from damas.server.rooms.room import Room
from damas.server.rooms.watchers import Watcher
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import Services, services_of
from damas.server.store.errors import DamagedGame
from damas.server.store.rows import Filter
from damas.server.web import replies
from damas.server.web.archive import stored_game
from damas.server.web.endpoints import NDJSON, Endpoints, Handler
from damas.server.web.replies import Ok, StreamEvent
from damas.server.web.streams import Stream
from damas.server.web.work import ask
from damas.server.words import language_of
from damas.server.work.files import certificate
from damas.views.bots import GameStateView, game_state_view

TOO_LATE = {
    "FLAG",
    "GAME_OVER",
    "NOT_YOUR_TURN",
    "BEHIND",
    "WAITING",
    "NOT_OVER",
    "ID_REUSED",
    "SUSPENDED",
    "CALLED_OFF",
}
"""Codes of commands that came too late: the game has moved on."""
NOT_YOURS = {"NOT_A_PLAYER", "NOT_YOUR_SEAT", "SUPERSEDED"}
"""Codes of commands from somebody who may not give them."""
MAX_RUNNING_GAMES = 50
"""Games of one player that a new stream announces."""

endpoints = Endpoints("play")


def player(request: Request) -> Visitor:
    """The visitor, who must have the scope of this path: `bot:play` or `board:play`."""
    visitor = visitor_of(request)
    scope = "bot:play" if request.url.path.startswith("/api/bot/") else "board:play"
    if scope not in visitor.scopes:
        raise ApiError(403, "SCOPE", scope=scope)
    return visitor


def may_play(request: Request) -> Visitor:
    """The visitor, whose token must have a scope to play."""
    visitor = visitor_of(request)
    if not visitor.scopes & {"bot:play", "board:play"}:
        raise ApiError(403, "SCOPE", scope="bot:play")
    return visitor


def account_holder(request: Request) -> Visitor:
    """The visitor, who must have an account."""
    visitor = visitor_of(request)
    if visitor.account is None:
        raise ApiError(401, "LOGIN_NEEDED")
    return visitor


def playing_account(request: Request) -> Visitor:
    """The visitor, who must have an account and a scope to play."""
    account_holder(request)
    return may_play(request)


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """A line of chat."""

    text: str


# What happens to me


@endpoints.call(
    "GET /api/stream/event", access=playing_account, scopes=("bot:play",), media=NDJSON, reply=StreamEvent
)
async def _stream_event(request: Request, visitor: Visitor) -> Response:
    """Streams `challenge`, `gameStart` and `gameFinish`: first for what is open now, then as it happens."""
    services = services_of(request)
    listener = services.player_events.open_stream(visitor.id, visitor.login)

    async def calls() -> AsyncIterator[dict[str, Any]]:
        try:
            announced = set()
            wanted = Filter(person=visitor.id, status="playing", limit=MAX_RUNNING_GAMES)
            for head in await services.store.games.search(wanted):
                if info := await _info(services, head.id, visitor):
                    announced.add(("gameStart", head.id))
                    yield {"type": "gameStart", "game": info}
            for challenge in list(services.player_events.challenges.values()):
                if challenge.to == visitor.id:
                    announced.add(("challenge", challenge.id))
                    yield {"type": "challenge", "challenge": challenge.view()}
            async for call in listener:
                about = call["type"], call.get("game", call.get("challenge", {})).get("id")
                if about in announced:  # it came while the games were being read
                    announced.discard(about)
                else:
                    yield call
        finally:
            services.player_events.close_stream(listener)

    return Stream.json_lines(calls())


async def _info(services: Services, game: str, visitor: Visitor) -> dict[str, Any]:
    """A game that is being played, here or at another node; empty where it cannot be had now."""
    try:
        if owner := await services.passing.owner(game):
            status, answer = await services.passing.ask(owner, "GET", f"/node/games/{game}", visitor)
            return dict(msgspec.json.decode(answer)) if status == 200 else {}
        room = await services.rooms.room(game)
    except (ApiError, DamagedGame, BrokenTunnel):
        return {}
    return game_info(room, visitor.id) if room.playing else {}


# One game


def full(room: Room, visitor: Visitor, language: str) -> dict[str, Any]:
    """`gameFull`: the first message of a game stream."""
    head, control = room.head, room.table.regulation.time_control
    return {
        "type": "gameFull",
        "id": room.id,
        "url": f"/game/{room.id}",
        "rulebook": head.rulebook,
        "rulebookHash": head.rulebook_hash,
        "preset": head.preset,
        "time": head.time_control,
        "clock": None if control.budget is None else {"initial": control.budget, "control": str(control)},
        "createdAt": head.created_ms,
        "initialFen": room.table.started.fen,
        "color": room.seats.you(visitor.id),
        **{side.value: {"name": room.seats[side].name, "kind": room.seats[side].kind} for side in Color},
        "state": state(room, language),
    }


def state(room: Room, language: str) -> GameStateView:
    """`gameState`: what changes with every event."""
    outcome = room.table.outcome
    return game_state_view(
        room.table,
        room.audience.clocks(),
        seq=room.seq,
        status=room.head.status,
        server_ms=room.services.time.mono_ms(),
        language=language,
        ending={**ending(room), "message": outcome.sentence(language)} if outcome else {},
    )


def _call(tail: str, game: str = "GAME", **description: Any) -> Callable[[Handler], Handler]:
    """Declares a call of a player about one game; `description` has the examples of other parameters."""
    parameters = {"id": game, **description.pop("parameters", {})}
    return endpoints.call(
        f"POST /api/bot/game/{{id}}/{tail}",
        access=player,
        parameters=parameters,
        scopes=("bot:play",),
        reply=Ok,
        **description,
    )


@endpoints.call(
    "GET /api/bot/game/stream/{id}",
    access=player,
    parameters={"id": "GAME"},
    scopes=("bot:play",),
    media=NDJSON,
    reply=StreamEvent,
)
async def _stream_game(request: Request, visitor: Visitor) -> Response:
    services, language = services_of(request), language_of(request)
    room = await _room(request)
    most = services.settings.limits.events_in_memory
    watcher = Watcher(visitor.id, visitor.name, language, most, address_of(request))

    async def lines() -> AsyncIterator[dict[str, Any] | GameStateView]:
        try:
            await room.enter(watcher)
            # Before the line is sent: whatever happens meanwhile is news.
            seq, shown, gone = room.seq, room.head.status, False
            yield full(room, visitor, language)
            async for text in watcher:
                message = msgspec.json.decode(text)
                match message["t"]:
                    case "event" | "players" | "called_off":
                        # Several events may have come meanwhile: the state is that of now, once.
                        if message["t"] != "event" or room.seq > seq or message["seq"] > seq:
                            seq, shown = room.seq, room.head.status
                            yield state(room, language)
                    case "chat":
                        yield {
                            "type": "chatLine",
                            "username": message["name"],
                            "text": message["text"],
                            "room": "player" if message["room"] == "players" else "spectator",
                        }
                    case "presence":
                        away = any(not message[side.other.value] for side in room.seats.sides_of(visitor.id))
                        if away != gone:
                            gone = away
                            yield {"type": "opponentGone", "gone": gone}
                    case "superseded":
                        return
                if shown in ("over", "aborted"):
                    return
        finally:
            room.leave(watcher)

    return Stream.json_lines(lines())


def client_id(request: Request, room: Room, visitor: Visitor, content: str) -> str:
    """The id of a command: from Idempotency-Key where there is one, so that the same request twice counts once; else
    from the command and the point of the game, so that a repeated request counts once.
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= 200:
        raise ApiError(400, "IDEMPOTENCY_KEY")
    text = f"{visitor.id}/{key}" if key is not None else f"{visitor.id}/{room.seq}/{content}"
    return sha256(f"{room.id}/{text}".encode()).hexdigest()[:32]


async def submit(request: Request, room: Room, command: Move | Act, visitor: Visitor) -> Response:
    """The response to a command, when its result is on disk."""
    if (sides := room.seats.sides_of(visitor.id)) and (again := await _stored_answer(room, command, sides)):
        return _answer(again)
    room.address = address_of(request) if sides else room.address
    return _answer(await room.submit(command, visitor.id, language_of(request)))


async def _stored_answer(room: Room, command: Move | Act, sides: frozenset[Color]) -> Answer | None:
    """The answer that was given to the same player's id before, if it asked for the same. A page says at which ply it meant its
    move; a program that repeats a request cannot know how far the game has gone.
    """
    row = await room.services.games.by_client_id(room.id, command.id)
    stored = StoredAnswer.read(row)
    if stored is None:
        return None
    kind, _, rest = stored.content.partition(" ")
    before = rest.split(" ", 2)[2] if kind == "move" else rest
    now = command.move if isinstance(command, Move) else f"{command.do}  {command.rule}  "
    if before.strip() != now.strip() or not stored.given_to(sides):
        raise ApiError(409, "ID_REUSED")
    return Answer(stored.message)


def _answer(answer: Answer) -> Response:
    message = answer.message
    if answer.kind == "ack":
        return Json({"ok": True, "seq": message["seq"], "clocks": message["clocks"]})
    if answer.kind == "busy":
        raise ApiError(503, "BUSY", retry_s=message["retry_ms"] / 1000)
    code = message["code"]
    status = 409 if code in TOO_LATE else 403 if code in NOT_YOURS else 500 if code == "OUR_FAULT" else 400
    return Json({"error": message["error"]}, status)


@_call("move/{move}", parameters={"move": "c3-d4"}, query={"ply": "0"})
async def _move(request: Request, visitor: Visitor) -> Response:
    text = request.path_params["move"]
    if len(text) > 200:
        raise ApiError(400, "NOTATION_LONG")
    room = await _room(request)
    given = request.query_params.get("ply", "")
    ply = int(given) if given.isdecimal() and len(given) < 6 else room.table.ply
    command_id = client_id(request, room, visitor, f"{ply}/{text}")
    return await submit(request, room, Move(command_id, ply, room.seq, text), visitor)


@_call("chat", example={"text": "Boa sorte!"})
async def _chat(request: Request, visitor: Visitor, body: Said) -> None:
    services, room = services_of(request), await _room(request)
    if not room.seats.sides_of(visitor.id):
        raise ApiError(403, "FORBIDDEN")
    try:
        await services.rooms.chat.say(room, visitor.id, visitor.name, body.text)
    except CommandRefused as refused:
        if refused.code in ("NOTHING_SAID", "TOO_LONG"):
            raise ApiError(400, "CHAT_LENGTH", most=services.settings.limits.chat_characters) from None
        raise


async def _room(request: Request) -> Room:
    return await services_of(request).rooms.room(request.path_params["id"])


async def _act(request: Request, visitor: Visitor, do: Deed, rule: str = "") -> Response:
    room = await _room(request)
    command_id = client_id(request, room, visitor, f"{do}/{rule}")
    return await submit(request, room, Act(command_id, room.seq, do, rule), visitor)


async def _answer_offer(request: Request, visitor: Visitor, kind: str, deeds: tuple[Deed, ...]) -> Response:
    """Accepts or declines the opponent's offer or, where there is none, makes one: `deeds` has these three words."""
    room, answer = await _room(request), request.path_params["answer"]
    if answer not in ("yes", "no"):
        raise ApiError(404, "NOT_FOUND")
    accept, decline, offer = deeds
    by: Color | None = getattr(room.table, kind)
    offered = by is not None and by.other in room.seats.sides_of(visitor.id)
    return await _act(request, visitor, decline if answer == "no" else accept if offered else offer)


@_call("draw/{answer}", parameters={"answer": "yes"})
async def _draw(request: Request, visitor: Visitor) -> Response:
    """`yes` accepts an open offer or makes one; `no` declines."""
    return await _answer_offer(request, visitor, "offer", ("accept", "decline", "offer"))


@_call("claim/{rule}", "CLAIMING", parameters={"rule": "RULE"})
async def _claim(request: Request, visitor: Visitor) -> Response:
    """Claims a draw by a limit, or calls attention where that starts the count."""
    rule = request.path_params["rule"][:100]
    kinds = {claim.rule.id: claim.kind for claim in (await _room(request)).table.claims_open()}
    return await _act(request, visitor, "attention" if kinds.get(rule) == "attention" else "claim", rule)


@_call("takeback/{answer}", parameters={"answer": "yes"})
async def _takeback(request: Request, visitor: Visitor) -> Response:
    """`yes` grants a request to take back or makes one; `no` refuses."""
    return await _answer_offer(request, visitor, "take_back", ("grant", "refuse", "take_back"))


@_call("resign")
async def _resign(request: Request, visitor: Visitor) -> Response:
    return await _act(request, visitor, "resign")


@_call("claim-victory", "DESERTED")
async def _claim_victory(request: Request, visitor: Visitor) -> Response:
    """Claims the win because the opponent has been absent too long."""
    return await _act(request, visitor, "absence")


@_call("abort", "YOUNG")
async def _abort(request: Request, visitor: Visitor) -> Response:
    return await _act(request, visitor, "abort")


@endpoints.call(
    "GET /api/games/{id}/certificate", tag="files", parameters={"id": "GAME"}, reply=replies.Certificate
)
async def _certificate(request: Request) -> Response:
    """The certificate of a finished game, which `damas judge` verifies."""
    game = request.path_params["id"]
    _, stored = await stored_game(request, game)
    data = await ask(request, certificate, stored)
    name = f'attachment; filename="damas-{game}.certificate.json"'
    return Response(data, media_type="application/json", headers={"Content-Disposition": name})
