"""What is sent to us and what we send: JSON, strict and bounded."""

import asyncio
from collections import Counter
from typing import Any, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damas.server.settings import Limits
from damas.views import plain

T = TypeVar("T")


class Bodies:
    """Middleware: a body longer than anything we take is refused before it is read, whoever would have read it; one that
    does not come to its end is given up; and all long ones together hold so much memory and no more.
    """

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._most = limits.pdn_bytes
        self._held: Counter[str] = Counter()
        """Bytes of long bodies, by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from damas.server.security.errors import ApiError, refuse
        from damas.server.security.hosts import address_of

        connection = HTTPConnection(scope)
        length = connection.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 18 or int(length) > self._most:
            await refuse(connection, receive, send, ApiError(413, "TOO_LARGE", most=self._most))
            return
        taken, whole = 0, False
        address, loop = address_of(connection), asyncio.get_running_loop()
        latest = loop.time() + self._limits.body_s

        async def bounded() -> Message:
            nonlocal taken, whole
            try:
                async with asyncio.timeout_at(None if whole else latest):
                    message = await receive()
            except TimeoutError:
                raise ApiError(408, "BODY_SLOW", seconds=round(self._limits.body_s)) from None
            whole = not message.get("more_body", False)
            before, taken = taken, taken + len(message.get("body", b""))
            self._held[address] += self._long(taken) - self._long(before)
            if taken > self._most:
                raise ApiError(413, "TOO_LARGE", most=self._most)
            if self._long(taken):
                self._check(address)
            return message

        try:
            await self._app(scope, bounded, send)
        finally:
            self._held -= Counter({address: self._long(taken)})

    def _long(self, size: int) -> int:
        """What of a body counts: short ones never wait for long ones."""
        return size if size > self._limits.body_bytes else 0

    def _check(self, address: str) -> None:
        """Whether there is room for what an address sends."""
        from damas.server.security.errors import ApiError

        if self._held[address] > self._limits.bodies_bytes_of_address:
            raise ApiError(429, "UNDER_WAY", retry_s=2)
        if self._held.total() > self._limits.bodies_bytes:
            raise ApiError(503, "BUSY", retry_s=2)


class Json(Response):
    """An answer in JSON."""

    media_type = "application/json"

    def __init__(self, content: object, status: int = 200, headers: dict[str, str] | None = None) -> None:
        super().__init__(encode(content), status, {"Cache-Control": "no-store", **(headers or {})})


async def read(request: Request, kind: type[T], *, most: int | None = None) -> T:
    """The body of a request as a value of that kind, or `ApiError`: 415 where it is no JSON, 413 where it is too long,
    400 with the place of the mistake where it does not fit.
    """
    from damas.server.security.errors import ApiError
    from damas.server.services import services_of

    sent = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if sent != "application/json":
        raise ApiError(415, "MEDIA_TYPE", wanted="application/json")
    data = await read_bytes(
        request, services_of(request).settings.limits.body_bytes if most is None else most
    )
    deepest = services_of(request).settings.limits.body_depth
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
    depth = deepest = 0
    inside = escaped = False
    for byte in data:
        if inside:
            if escaped:
                escaped = False
            elif byte == 0x5C:
                escaped = True
            elif byte == 0x22:
                inside = False
        elif byte == 0x22:
            inside = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def encode(value: Any) -> bytes:
    """JSON of a view, or of anything with views in it."""
    return _ENCODER.encode(plain(value))


_ENCODER = msgspec.json.Encoder()
