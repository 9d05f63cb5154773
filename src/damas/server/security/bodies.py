"""What is sent to us and what we send: JSON, strict and bounded."""

import asyncio
import re
from itertools import accumulate
from typing import NamedTuple, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damas.server.encoding import encode
from damas.server.settings import Limits

T = TypeVar("T")
TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A string of JSON, closed or not."""
OTHERS = re.compile(rb"[^\[\]{}]+")
"""Everything but brackets."""
STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
"""How each bracket changes the depth."""


PROGRAM = re.compile(r"/api/arena/[^/]+/programs")
"""The only address to which programs are sent."""


class BodyBounds(NamedTuple):
    """How much a request may send, and how long that may take."""

    bytes: int
    seconds: float
    streamed: bool
    """Whether its handler takes it to the disk piece by piece, so that it takes no memory."""

    @classmethod
    def of(cls, method: str, path: str, limits: Limits) -> "BodyBounds":
        """Those of a request."""
        if method == "POST" and PROGRAM.fullmatch(path):
            return cls(limits.arena_program_bytes, limits.arena_upload_s, streamed=True)
        return cls(limits.pdn_bytes, limits.body_s, streamed=False)


class Bodies:
    """Middleware: refuses bodies that are too long or too slow, and bounds the memory of all long ones together."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        from damas.server.shares import Shares

        self._app = app
        self._limits = limits
        self._held = Shares(limits.bodies_bytes_of_address, total=limits.bodies_bytes)
        """Bytes of bodies longer than `body_bytes`, by address: short ones never wait for long ones."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from damas.server.security.errors import ApiError, refuse
        from damas.server.security.hosts import address_of

        connection = HTTPConnection(scope)
        most, seconds, streamed = BodyBounds.of(scope["method"], scope["path"], self._limits)
        length = connection.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > most:
            await refuse(connection, receive, send, ApiError(413, "TOO_LARGE", most=most))
            return
        size = held = 0
        complete = False
        address = address_of(connection)
        deadline = asyncio.get_running_loop().time() + seconds

        async def receive_bounded() -> Message:
            nonlocal size, held, complete
            try:
                async with asyncio.timeout_at(None if complete else deadline):
                    message = await receive()
            except TimeoutError:
                raise ApiError(408, "BODY_SLOW", seconds=round(seconds)) from None
            complete = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > most:
                raise ApiError(413, "TOO_LARGE", most=most)
            if not streamed and size > max(held, self._limits.body_bytes):
                self._held.take(address, size - held)
                held = size
            return message

        try:
            await self._app(scope, receive_bounded, send)
        finally:
            if held:
                self._held.give_back(address, held)


class Json(Response):
    """An answer in JSON; bytes are JSON already."""

    media_type = "application/json"

    def __init__(self, content: object, status: int = 200, headers: dict[str, str] | None = None) -> None:
        data = content if isinstance(content, bytes) else encode(content)
        super().__init__(data, status, {"Cache-Control": "no-store", **(headers or {})})


async def read(request: Request, kind: type[T], *, most: int | None = None, deepest: int | None = None) -> T:
    """The body of a request as a value of that kind, or `ApiError`: 415 where it is no JSON, 413 where it is too long,
    400 with the place of the mistake where it does not fit. `most` and `deepest` are other limits than usual.
    """
    from damas.server.security.errors import ApiError
    from damas.server.services import services_of

    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent != "application/json":
        raise ApiError(415, "MEDIA_TYPE", wanted="application/json")
    limits = services_of(request).settings.limits
    data, deepest = await read_bytes(request, most or limits.body_bytes), deepest or limits.body_depth
    if data.count(b"[") + data.count(b"{") > deepest and nesting(data) > deepest:
        raise ApiError(400, "TOO_DEEP", most=deepest)
    try:
        return msgspec.json.decode(data, type=kind, strict=True)
    except msgspec.ValidationError as error:
        raise ApiError(400, "BAD_BODY", problem=str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, "BAD_JSON", problem=str(error)) from None


async def read_bytes(request: Request, most: int) -> bytes:
    """The body as it came, never more than `most` of it in memory."""
    from damas.server.security.errors import ApiError

    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > most:
        raise ApiError(413, "TOO_LARGE", most=most)
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise ApiError(413, "TOO_LARGE", most=most)
        pieces.append(piece)
    return b"".join(pieces)


def nesting(data: bytes) -> int:
    """How deep arrays and objects lie in one another, strings left out.

    >>> nesting(b'{"a": ["[[", [1]]}')
    3
    """
    brackets = OTHERS.sub(b"", TEXT.sub(b"", data))
    return max(accumulate(map(STEPS.__getitem__, brackets)), default=0)
