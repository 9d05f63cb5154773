"""Games for boards and programs over plain HTTP, modelled on lichess' API: streams of JSON lines, and POST to act."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from damas.board import Color
from damas.judging.certificate import Certificate
from damas.server.messages import Act, Command, Deed, Move
from damas.server.player_events import ending, game_info
from damas.server.rooms.answers import Answer
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.record import StoredAnswer
from damas.server.rooms.room import Room
from damas.server.rooms.watchers import Watcher
from damas.server.security.bodies import Json, read
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store.rows import Filter
from damas.server.web.play import command_refused
from damas.server.web.streams import Stream
from damas.server.words import language_of
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


def player(request: Request) -> Visitor:
    """The visitor, who must have the scope of this path: `bot:play` or `board:play`."""
    visitor = visitor_of(request)
    scope = "bot:play" if request.url.path.startswith("/api/bot/") else "board:play"
    if scope not in visitor.scopes:
        raise ApiError(403, "SCOPE", scope=scope)
    return visitor


def account_holder(request: Request) -> Visitor:
    """The visitor, who must have an account."""
    visitor = visitor_of(request)
    if visitor.account is None:
        raise ApiError(401, "LOGIN_NEEDED")
    return visitor


# What happens to me


async def _events(request: Request) -> Response:
    """Streams `challenge`, `gameStart` and `gameFinish`: first for what is open now, then as it happens."""
    services, visitor = services_of(request), account_holder(request)
    if not visitor.scopes & {"bot:play", "board:play"}:
        raise ApiError(403, "SCOPE", scope="bot:play")
    listener = services.player_events.open_stream(visitor.id, visitor.login)

    async def calls() -> AsyncIterator[dict[str, Any]]:
        try:
            announced = set()
            wanted = Filter(person=visitor.id, status="playing", limit=MAX_RUNNING_GAMES)
            for head in await services.store.games.search(wanted):
                room = await services.rooms.room(head.id)
                if room.playing:
                    announced.add(("gameStart", room.id))
                    yield {"type": "gameStart", "game": game_info(room, visitor.id)}
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


async def _game_stream(request: Request) -> Response:
    services, visitor, language = services_of(request), player(request), language_of(request)
    room = await services.rooms.room(request.path_params["id"])
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
                            "room": "player",
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


async def submit(request: Request, room: Room, command: Command, visitor: Visitor) -> Response:
    """The response to a command, when its result is on disk."""
    if (sides := room.seats.sides_of(visitor.id)) and (again := await _stored_answer(room, command, sides)):
        return _answer(again)
    room.address = address_of(request) if sides else room.address
    return _answer(await room.submit(command, visitor.id, language_of(request)))


async def _stored_answer(room: Room, command: Command, sides: frozenset[Color]) -> Answer | None:
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


async def _move(request: Request) -> Response:
    visitor, text = player(request), request.path_params["move"]
    if len(text) > 200:
        raise ApiError(400, "NOTATION_LONG")
    room = await services_of(request).rooms.room(request.path_params["id"])
    given = request.query_params.get("ply", "")
    ply = int(given) if given.isdecimal() and len(given) < 6 else room.table.ply
    command_id = client_id(request, room, visitor, f"{ply}/{text}")
    return await submit(request, room, Move(command_id, ply, room.seq, text), visitor)


async def _act(request: Request, do: Deed, rule: str = "") -> Response:
    visitor = player(request)
    room = await services_of(request).rooms.room(request.path_params["id"])
    command_id = client_id(request, room, visitor, f"{do}/{rule}")
    return await submit(request, room, Act(command_id, room.seq, do, rule), visitor)


async def _seat(request: Request) -> tuple[Room, frozenset[Color]]:
    room = await services_of(request).rooms.room(request.path_params["id"])
    return room, room.seats.sides_of(player(request).id)


def _yes(request: Request) -> bool:
    answer = request.path_params["answer"]
    if answer not in ("yes", "no"):
        raise ApiError(404, "NOT_FOUND")
    return bool(answer == "yes")


async def _draw(request: Request) -> Response:
    """`yes` accepts an open offer or makes one; `no` declines."""
    room, held = await _seat(request)
    offered = room.table.offer is not None and room.table.offer.other in held
    yes = _yes(request)
    return await _act(request, ("accept" if offered else "offer") if yes else "decline")


async def _take_back(request: Request) -> Response:
    room, held = await _seat(request)
    requested = room.table.take_back is not None and room.table.take_back.other in held
    yes = _yes(request)
    return await _act(request, ("grant" if requested else "take_back") if yes else "refuse")


async def _claim(request: Request) -> Response:
    """Claims a draw by a limit, or calls attention where that starts the count."""
    room, _ = await _seat(request)
    rule = request.path_params["rule"][:100]
    kinds = {claim.rule.id: claim.kind for claim in room.table.claims_open()}
    return await _act(request, "attention" if kinds.get(rule) == "attention" else "claim", rule)


async def _resign(request: Request) -> Response:
    return await _act(request, "resign")


async def _claim_victory(request: Request) -> Response:
    """Claims the win because the opponent has been absent too long."""
    return await _act(request, "absence")


async def _abort(request: Request) -> Response:
    return await _act(request, "abort")


class Said(msgspec.Struct, forbid_unknown_fields=True):
    text: str


async def _chat(request: Request) -> Response:
    services, visitor = services_of(request), player(request)
    room, held = await _seat(request)
    text = (await read(request, Said)).text
    if not held:
        raise ApiError(403, "FORBIDDEN")
    try:
        await services.rooms.chat.say(room, visitor.id, visitor.name, text)
    except CommandRefused as refused:
        if refused.code in ("NOTHING_SAID", "TOO_LONG"):
            raise ApiError(400, "CHAT_LENGTH", most=services.settings.limits.chat_characters) from None
        return command_refused(request, refused)
    return Json({"ok": True})


async def _certificate(request: Request) -> Response:
    """The certificate of a finished game, which `damas judge` verifies."""
    room = await services_of(request).rooms.room(request.path_params["id"])
    data = await asyncio.to_thread(lambda: Certificate(room.table).json)
    name = f'attachment; filename="damas-{room.id}.certificate.json"'
    return Response(data, media_type="application/json", headers={"Content-Disposition": name})


def _both(path: str, handler: Any, *, methods: tuple[str, ...] = ("POST",)) -> list[BaseRoute]:
    """The routes of a handler for bots and for boards."""
    return [Route(f"/api/{who}/game/{path}", handler, methods=list(methods)) for who in ("bot", "board")]


routes: list[BaseRoute] = [
    Route("/api/stream/event", _events),
    Route("/api/games/{id}/certificate", _certificate),
    *_both("stream/{id}", _game_stream, methods=("GET",)),
    *_both("{id}/move/{move}", _move),
    *_both("{id}/draw/{answer}", _draw),
    *_both("{id}/takeback/{answer}", _take_back),
    *_both("{id}/claim/{rule}", _claim),
    *_both("{id}/resign", _resign),
    *_both("{id}/claim-victory", _claim_victory),
    *_both("{id}/abort", _abort),
    *_both("{id}/chat", _chat),
]
