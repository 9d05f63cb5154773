"""Playing over the web: games are created, joined and shown over HTTP, and played over a socket."""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from damas.arbiter.regulation import PRESETS, usual_time
from damas.server.messages import (
    Act,
    Arbitrate,
    Chat,
    Compute,
    Intervene,
    Move,
    Ping,
    Pong,
    Resume,
    encode,
    read_message,
)
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.ledger import Busy
from damas.server.rooms.new_game import AgainstLevel, NewGame
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.sockets import NOT_TEXT, POLICY, TOO_BIG, UNREADABLE, Socket
from damas.server.rooms.watchers import Watcher
from damas.server.security.bodies import Json, read_bytes
from damas.server.security.errors import ApiError, refused
from damas.server.security.hosts import address_of
from damas.server.security.visitors import Visitor, visitor_of
from damas.server.services import services_of
from damas.server.store.errors import DamagedGame, StoreError
from damas.server.web import replies
from damas.server.web.endpoints import Endpoints
from damas.server.web.fair_play import check_fair_play_with_people
from damas.server.web.replies import Created, created_game
from damas.server.web.streams import Stream
from damas.server.words import language_of

endpoints = Endpoints("games")

FORM = "application/x-www-form-urlencoded"
"""Media type of a form."""
MAX_FORM_BYTES = 4096
"""Longest form of the home page."""
MAX_PAGE_ID = 64
"""Characters of the name that a page gives itself."""
NO_SUCH_GAME, ENDED, TRY_AGAIN = 4404, 1000, 1013
"""Codes with which a socket is closed."""


def rooms_of(connection: Request | WebSocket) -> Rooms:
    """The rooms of this server."""
    rooms: Rooms = services_of(connection).rooms
    return rooms


# By HTTP


@endpoints.call(
    "POST /api/games",
    example={"rulebook": "faraes", "opponent": {"kind": "level", "level": 2}, "color": "white"},
    status=201,
)
async def _new_game(request: Request, wanted: NewGame) -> Created:
    return created_game(await create_game(request, visitor_of(request), wanted))


@endpoints.route("POST /play")
async def _play_form(request: Request) -> Response:
    """Starts a game from the form of the home page when its script has not come yet, or never does."""
    if not request.headers.get("content-type", "").startswith(FORM):
        raise ApiError(415, "MEDIA_TYPE", wanted=FORM)
    sent = (await read_bytes(request, MAX_FORM_BYTES)).decode("utf-8", "replace")
    try:
        fields = dict(parse_qsl(sent, max_num_fields=20))
    except ValueError as error:  # more fields than the form has
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
    preset = "contest" if "by-document" in fields else fields.get("preset", "casual")
    time = fields.get("time")
    if time is not None and preset in PRESETS:
        if time.endswith("/move") != usual_time(preset).endswith("/move"):
            time = None  # chosen for another way to play
    wanted = {
        "rulebook": fields.get("rulebook", ""),
        "opponent": {"kind": fields.get("opponent", "level"), "level": fields.get("level", "4")},
        "color": fields.get("colour", "random"),
        "preset": preset,
        "time": time,
    }
    try:
        game = await create_game(request, visitor_of(request), msgspec.convert(wanted, NewGame, strict=False))
    except msgspec.ValidationError as error:
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
    return RedirectResponse(created_game(game)["url"], 303)


async def create_game(request: Request, visitor: Visitor, wanted: NewGame, invited: str | None = None) -> str:
    """Creates a game, within the limits of the visitor and of the address; its id."""
    await _check_attention(request)
    if wanted.fen and isinstance(wanted.opponent, AgainstLevel):
        await check_fair_play_with_people(request, wanted.rulebook, wanted.fen)
    count_new_game(request)
    return await rooms_of(request).create(
        wanted, visitor, invited=invited, address=address_of(request), language=language_of(request)
    )


async def _check_attention(request: Request) -> None:
    """Raises `ApiError` 409 for a pupil whose teacher has asked for attention: no game begins meanwhile."""
    if class_id := visitor_of(request).school_class:
        school_class = await services_of(request).store.classes.get(class_id)
        if school_class and school_class.held and school_class.notice:
            raise ApiError(409, "CLASS_HELD")


def count_new_game(request: Request) -> None:
    """Counts a new game of the visitor and of the address. Raises `ApiError` where they have too many."""
    rates = services_of(request).rates
    rates.spend("games of an address", address_of(request))
    rates.spend("games", visitor_of(request).id)


@endpoints.call("GET /api/games/{id}", parameters={"id": "GAME"}, reply=replies.GameReply)
async def _game(request: Request) -> dict[str, Any]:
    room = await rooms_of(request).room(request.path_params["id"])
    return room.audience.describe(visitor_of(request).id, language_of(request))


@endpoints.call("POST /api/games/{id}/join", parameters={"id": "OPEN"})
async def _join(request: Request) -> replies.Joined:
    room, visitor = await rooms_of(request).room(request.path_params["id"]), visitor_of(request)
    if not room.seats.sides_of(visitor.id):
        await _check_attention(request)
        await room.take_seat(visitor.id, visitor.name, "bot" if visitor.bot else "person")
    await room.complete()
    return {**created_game(room.id), "you": room.seats.you(visitor.id)}


@endpoints.call(
    "POST /api/games/{id}/rematch",
    parameters={"id": "OVER"},
    scopes=("bot:play",),
    reply=Created,
    status=201,
)
async def _rematch(request: Request) -> Response:
    await _check_attention(request)
    count_new_game(request)
    new = await rooms_of(request).rematch(request.path_params["id"], visitor_of(request))
    if new is None:
        return Json({"id": None, "offered": True}, 202)
    return Json(created_game(new), 201)


async def handle_refused_command(request: Request, refused: Exception) -> Response:
    """The HTTP response to a command that a room refuses."""
    assert isinstance(refused, CommandRefused)
    status = {"INVITED": 403, "RATE": 429, "NOTHING_SAID": 400, "TOO_LONG": 400}.get(refused.code, 409)
    return Json({"error": refused.view(services_of(request).words, language_of(request))}, status)


@endpoints.call("GET /api/lobby", reply=replies.LobbySnapshot)
async def _lobby(request: Request) -> dict[str, Any]:
    return await services_of(request).lobby.fresh_snapshot(visitor_of(request).id)


@endpoints.route("GET /api/lobby/stream")
async def _lobby_stream(request: Request) -> Response:
    return Stream.events(services_of(request).lobby.watch(visitor_of(request).id), "lobby")


async def handle_busy_room(request: Request, busy: Exception) -> Response:
    """The HTTP response to a command that a room cannot take now."""
    assert isinstance(busy, Busy)
    return refused(request, ApiError(503, "BUSY", retry_s=busy.retry_ms / 1000))


# By socket


async def play(websocket: WebSocket) -> None:
    """One socket of a game, from `hello` to its end."""
    rooms, visitor = rooms_of(websocket), visitor_of(websocket)
    limits = rooms.settings.limits
    await websocket.accept()
    try:
        room = await rooms.room(websocket.path_params["id"])
    except ApiError as error:
        exists = error.status != 404
        await websocket.close(TRY_AGAIN if exists else NO_SUCH_GAME, error.code)
        return
    except DamagedGame:
        await websocket.close(NO_SUCH_GAME, "DAMAGED_GAME")
        return
    except (StoreError, Busy):
        await websocket.close(TRY_AGAIN, "STORE")
        return
    if rooms.stopping:
        await websocket.close(1012, "restarting")
        return
    if room.audience.sockets_of(visitor.id) >= limits.sockets_per_game:
        await websocket.close(POLICY, "SOCKETS")
        return
    await services_of(websocket).boards.catch_up(room, visitor)
    watcher = Watcher(
        visitor.id, visitor.name, language_of(websocket), limits.events_in_memory, address_of(websocket)
    )
    watcher.takes_no_side = websocket.query_params.get("as") == "arbiter"
    watcher.page = websocket.query_params.get("page", "")[:MAX_PAGE_ID]
    watcher.attempt = _number(websocket, "attempt") or 0
    socket = rooms.sockets.add(room, watcher)
    try:
        await _both_ways(websocket, rooms, socket)
    finally:
        rooms.sockets.remove(socket)
        room.leave(watcher)


def _number(websocket: WebSocket, name: str) -> int | None:
    text = websocket.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


async def _both_ways(websocket: WebSocket, rooms: Rooms, socket: Socket) -> None:
    """Reads and writes until either side closes. Missed events are queued before anything is read."""
    writing = asyncio.create_task(_write(websocket, socket.watcher))
    reading = asyncio.create_task(_enter_and_read(websocket, rooms, socket))
    try:
        await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done() and not writing.done():  # send what is in the outbox
            socket.watcher.disconnect(ENDED, "")
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(writing), 1)
    finally:
        for task in (reading, writing):
            task.cancel()
        ends = await asyncio.gather(reading, writing, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect):
            raise end


async def _enter_and_read(websocket: WebSocket, rooms: Rooms, socket: Socket) -> None:
    room, watcher = socket.room, socket.watcher
    last, chain = _number(websocket, "last"), websocket.query_params.get("chain", "")
    if not _may_replay(websocket, socket, last, chain):
        return
    try:
        await room.enter(watcher, last, chain)
        await _send_chat(rooms, socket)
    except StoreError:
        watcher.disconnect(TRY_AGAIN, "STORE")
        return
    await _read(websocket, rooms, socket)


def _may_replay(websocket: WebSocket, socket: Socket, last: int | None, chain: str) -> bool:
    """Counts a resume that takes more than the last few events; one too many closes the socket."""
    if not socket.room.audience.is_replay(last, chain):
        return True
    try:
        services_of(websocket).rates.spend("replays", socket.watcher.address)
    except ApiError:
        socket.watcher.disconnect(TRY_AGAIN, "RATE")
        return False
    return True


async def _send_chat(rooms: Rooms, socket: Socket) -> None:
    """Sends the chat so far to a player or the arbiter."""
    lines = await rooms.chat.history(socket.room, socket.watcher)
    socket.watcher.send_missed([encode(line) for line in lines])


async def _write(websocket: WebSocket, watcher: Watcher) -> None:
    try:
        async for text in watcher:
            await websocket.send_text(text)
        if websocket.application_state is WebSocketState.CONNECTED:
            code, reason = watcher.closing or (ENDED, "")
            await websocket.close(code, reason)
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # the reader notices too that it is gone


async def _read(websocket: WebSocket, rooms: Rooms, socket: Socket) -> None:
    watcher = socket.watcher
    while True:
        frame = await websocket.receive()
        received = rooms.time.mono_ms()
        if frame["type"] == "websocket.disconnect":
            return
        text = frame.get("text")
        if text is None:
            watcher.disconnect(NOT_TEXT, "text, please")
        elif len(text) > socket.limits.frame_bytes or len(text.encode()) > socket.limits.frame_bytes:
            watcher.disconnect(TOO_BIG, "too long")
        elif not socket.count_message(received):
            watcher.disconnect(POLICY, "RATE")
        if watcher.closing or text is None:
            return
        _handle(text, rooms, socket, received, websocket)


def _handle(text: str, rooms: Rooms, socket: Socket, received: int, websocket: WebSocket) -> None:
    room, watcher = socket.room, socket.watcher
    try:
        message = read_message(text)
    except msgspec.ValidationError as error:
        _send_refusal(watcher, rooms, CommandRefused("BAD_MESSAGE", problem=str(error)))
        return
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        watcher.disconnect(UNREADABLE, "JSON, please")
        return
    match message:
        case Arbitrate(key=key):
            signature = services_of(websocket).signature
            if room.plays_against_another(watcher.visitor):
                _send_refusal(watcher, rooms, CommandRefused("OWN_GAME"))
            elif watcher.takes_no_side and signature.is_arbiter_key(room.id, key):
                room.appoint(watcher)
                socket.start(_send_chat(rooms, socket))
            else:
                _send_refusal(watcher, rooms, CommandRefused("NOT_ARBITER"))
        case Move() | Act() | Intervene():
            room.ask(message, watcher.visitor, received, watcher.language, watcher)
        case Compute(ready=ready):
            watcher.computes = ready
        case Ping(n=number):
            watcher.send(encode({"t": "pong", "n": number, "server_ms": rooms.time.mono_ms()}))
        case Pong(n=nonce):
            socket.pong(nonce, received)
        case Resume(last=last, chain=chain):
            if _may_replay(websocket, socket, last, chain):
                socket.start(room.resume(watcher, last, chain))
        case Chat(text=line):
            socket.start(_chat(line, rooms, socket))


def _send_refusal(watcher: Watcher, rooms: Rooms, refused: CommandRefused) -> None:
    """Refuses a message that has no id."""
    error = refused.view(rooms.services.words, watcher.language)
    watcher.send(encode({"t": "nack", "id": None, "code": refused.code, "error": error}))


async def _chat(text: str, rooms: Rooms, socket: Socket) -> None:
    watcher = socket.watcher
    try:
        await rooms.chat.say(socket.room, watcher.visitor, watcher.name, text, is_arbiter=watcher.is_arbiter)
    except CommandRefused as refused:
        _send_refusal(watcher, rooms, refused)


endpoints.routes.append(WebSocketRoute("/game/{id}/socket", play))
