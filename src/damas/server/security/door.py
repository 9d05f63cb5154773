"""The door: finds out who is asking before any handler runs, and gives a newcomer a cookie."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from http.cookies import SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damas.language import LANGUAGES
from damas.server.security.errors import ApiError, refuse
from damas.server.security.hosts import address_of
from damas.server.security.visitors import YEAR, Visitor, anonymous, new_id, visitor_of
from damas.server.services import Services
from damas.server.store.errors import StoreError
from damas.server.words import LANGUAGE_COOKIE, language_of

log = logging.getLogger("damas")

VISITOR_COOKIE = "damas_visitor"
LOGIN_COOKIE = "damas_login"
KEPT_BY_CACHES = ("/static/", "/words/", "/sw.js", "/favicon.ico", "/healthz", "/readyz", "/metrics")
"""Caches keep what lies here, and must not keep a cookie with it."""

STREAMS = ("/stream", "/seek", "/archive.pdn")
"""In the path of every answer that goes on until somebody ends it, or for as long as there are games."""


def cookie_name(name: str, secure: bool) -> str:
    """`__Host-` binds a cookie to this very host, and browsers allow it over https only."""
    return f"__Host-{name}" if secure else name


def set_cookie(name: str, value: str, *, secure: bool, seconds: int = YEAR, script: bool = False) -> str:
    """A cookie as a header carries it: for this host only, and out of reach of scripts unless `script`."""
    made: SimpleCookie = SimpleCookie()
    made[name] = value
    made[name]["path"] = "/"
    made[name]["max-age"] = seconds
    made[name]["samesite"] = "Lax"
    made[name]["secure"] = secure
    made[name]["httponly"] = not script
    return made[name].OutputString()


class Door:
    """Middleware: `scope["visitor"]` for every request and socket."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._services = services
        self._sockets: Counter[str] = Counter()
        """Open ones of people without a login, by address."""
        self._streams: Counter[str] = Counter()
        """Answers without an end that go on, by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            visitor, cookies = await self._visitor(connection)
        except ApiError as error:
            await refuse(connection, receive, send, error)
            return
        except StoreError as trouble:
            log.error("nobody can be recognised: %s", trouble)
            await refuse(connection, receive, send, ApiError(503, "STORE_FAILED", retry_s=1))
            return
        scope["visitor"] = visitor
        sending = _with_cookies(send, cookies) if cookies else send
        if scope["type"] == "websocket":
            await self._socket(connection, receive, send)
        elif any(part in scope["path"] for part in STREAMS):
            await self._stream(visitor, scope, receive, sending)
        else:
            await self._app(scope, receive, sending)

    async def _visitor(self, connection: HTTPConnection) -> tuple[Visitor, list[str]]:
        """Who is asking, and the cookies to give. A token that is not valid is refused; a login that is not, forgotten."""
        services, secure = self._services, self._services.settings.secure
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            shown = await services.logins.visitor(token.strip()) if token.strip().startswith("dam_") else None
            if shown is None:
                raise ApiError(401, "TOKEN")
            return shown, []
        cookies = []
        chosen = connection.query_params.get("lang")
        if chosen in LANGUAGES and connection.cookies.get(LANGUAGE_COOKIE) != chosen:
            cookies.append(set_cookie(LANGUAGE_COOKIE, chosen, secure=secure))
        if login := connection.cookies.get(cookie_name(LOGIN_COOKIE, secure)):
            known = await services.logins.visitor(login) if not login.startswith("dam_") else None
            if known:
                return known, cookies
            cookies.append(set_cookie(cookie_name(LOGIN_COOKIE, secure), "", secure=secure, seconds=0))
        name = cookie_name(VISITOR_COOKIE, secure)
        unnamed = services.words.texts("play.player.unnamed")[language_of(connection)]
        if told := services.signature.read(connection.cookies.get(name, "")):
            return anonymous(*told, unnamed), cookies
        visitor = anonymous(new_id(), "", unnamed)
        if not connection.scope["path"].startswith(KEPT_BY_CACHES):
            cookies.append(set_cookie(name, services.signature.write(visitor.id), secure=secure))
        return visitor, cookies

    async def _socket(self, connection: HTTPConnection, receive: Receive, send: Send) -> None:
        visitor = visitor_of(connection)
        if visitor.login:
            await self._while_valid(visitor, connection.scope, receive, send)
            return
        address = address_of(connection)
        if self._sockets[address] >= self._services.settings.limits.sockets_per_address:
            await refuse(connection, receive, send, ApiError(429, "SOCKETS"))
            return
        self._sockets[address] += 1
        try:
            await self._app(connection.scope, receive, send)
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    async def _while_valid(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """A socket stays open as long as the login by which it was opened. (Rooms close their own when we stop.)"""
        async with self._services.logins.holding(visitor) as ended:
            if not await _until(self._app(scope, receive, send), ended):
                await send({"type": "websocket.close", "code": 1008, "reason": "LOGIN_ENDED"})

    def _stream_ended(self, address: str) -> None:
        self._streams -= Counter({address: 1})

    async def _stream(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """So does an answer without an end, which also ends when the server stops; an address has so many of them."""
        begun = False
        address = address_of(HTTPConnection(scope))
        if self._streams[address] >= self._services.settings.limits.streams_per_address:
            await refuse(HTTPConnection(scope), receive, send, ApiError(429, "SOCKETS", retry_s=5))
            return
        self._streams[address] += 1

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        async with AsyncExitStack() as stack:
            stack.callback(self._stream_ended, address)
            ends = [self._services.closing]
            if visitor.login:
                ends.append(await stack.enter_async_context(self._services.logins.holding(visitor)))
            whole = await _until(self._app(scope, receive, sending), *ends)
        if whole:
            return
        if begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await refuse(HTTPConnection(scope), receive, send, ApiError(503, "RESTARTING", retry_s=1))


async def _until(work: Awaitable[None], *ends: asyncio.Event) -> bool:
    """Works until it is done, or one of the ends has come: then what is left of it is cancelled. Whether it was done."""
    doing = asyncio.ensure_future(work)
    waiting = [asyncio.ensure_future(end.wait()) for end in ends]
    try:
        await asyncio.wait({doing, *waiting}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            doing.result()
        return doing.done()
    finally:
        for task in (doing, *waiting):
            task.cancel()
        await asyncio.gather(doing, *waiting, return_exceptions=True)


def _with_cookies(send: Send, cookies: list[str]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            given = {cookie.partition("=")[0] for cookie in headers.getlist("set-cookie")}
            for cookie in cookies:
                if cookie.partition("=")[0] not in given:  # a handler that logs in or out knows better
                    headers.append("set-cookie", cookie)
        await send(message)

    return sending
