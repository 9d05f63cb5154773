"""Identifies the visitor before any handler runs, and gives a new visitor a cookie."""

import logging
from contextlib import AsyncExitStack, ExitStack
from dataclasses import replace
from http.cookies import SimpleCookie

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damas.language import LANGUAGES
from damas.server.security.errors import ApiError, refuse
from damas.server.security.headers import EMBEDDED
from damas.server.security.hosts import address_of
from damas.server.security.visitors import YEAR, Visitor, anonymous, new_id
from damas.server.services import Services
from damas.server.shares import Shares
from damas.server.store.errors import StoreError
from damas.server.waiting import EndedEarly, run_until
from damas.server.words import LANGUAGE_COOKIE, language_of

log = logging.getLogger("damas")

VISITOR_COOKIE = "damas_visitor"
"""Name of the signed cookie of every visitor."""
LOGIN_COOKIE = "damas_login"
"""Name of the cookie of a login."""
CACHED_PATHS = ("/static/", "/words/", "/sw.js", "/favicon.ico", "/healthz", "/readyz", "/metrics")
"""Paths whose responses caches keep: they carry no cookie."""

STREAMS = ("/stream", "/seek", "/archive.pdn")
"""In the path of every response that stays open until one side ends it."""
ARBITER_STREAM = "/api/arbiter/stream"
"""The stream of many boards, which costs more than others and has limits of its own."""


def cookie_name(name: str, secure: bool) -> str:
    """`__Host-` binds a cookie to this very host, and browsers allow it over https only."""
    return f"__Host-{name}" if secure else name


def set_cookie(name: str, value: str, *, secure: bool, seconds: int = YEAR) -> str:
    """A cookie as a header carries it: for this host only, and out of reach of scripts."""
    cookie: SimpleCookie = SimpleCookie()
    cookie[name] = value
    cookie[name]["path"] = "/"
    cookie[name]["max-age"] = seconds
    cookie[name]["samesite"] = "Lax"
    cookie[name]["secure"] = secure
    cookie[name]["httponly"] = True
    return cookie[name].OutputString()


class Door:
    """Middleware that identifies the visitor (`scope["visitor"]`) and limits open sockets and streams."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._services = services
        limits = services.settings.limits
        self._sockets = Shares(limits.sockets_per_address, code="SOCKETS", retry_s=5)
        """Open sockets of visitors without a login, by address."""
        self._account_sockets = Shares(limits.sockets_per_account, code="SOCKETS", retry_s=5)
        """Open sockets of logged-in visitors, by account."""
        self._streams = Shares(limits.streams_per_address, code="SOCKETS", retry_s=5)
        """Open streams, by address."""
        self._arbiter_streams = Shares(limits.arbiter_streams, code="ARBITER_STREAMS", retry_s=5)
        """Open pages of many boards, by visitor."""
        self._address_arbiter_streams = Shares(
            limits.arbiter_streams_per_address, code="ARBITER_STREAMS", retry_s=5
        )
        """The same by address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        held = ExitStack()
        try:
            visitor, cookies = await self._visitor(connection)
            scope["visitor"] = visitor
            send = _with_cookies(send, cookies) if cookies and scope["type"] == "http" else send
            for shares, holder in self._shares_for(connection, visitor):
                held.enter_context(shares.hold(holder))
        except ApiError as error:
            held.close()
            await refuse(connection, receive, send, error)
            return
        except StoreError as trouble:
            log.error("visitors cannot be identified: %s", trouble)
            await refuse(connection, receive, send, ApiError(503, "STORE_FAILED", retry_s=1))
            return
        with held:
            await self._run(visitor, scope, receive, send)

    def _shares_for(self, connection: HTTPConnection, visitor: Visitor) -> list[tuple[Shares, str]]:
        """The limits under which a connection falls that stays open, and who is counted."""
        address = address_of(connection)
        if connection.scope["type"] == "websocket":
            return [(self._account_sockets, visitor.id) if visitor.login else (self._sockets, address)]
        if not _is_stream(connection.scope):
            return []
        shares = [(self._streams, address)]
        if connection.scope["path"] == ARBITER_STREAM:
            shares += [(self._arbiter_streams, visitor.id), (self._address_arbiter_streams, address)]
        return shares

    async def _run(self, visitor: Visitor, scope: Scope, receive: Receive, send: Send) -> None:
        """Sockets and streams end with the login by which they were opened, streams also when the server stops.

        (Rooms close their own sockets when the server stops.)
        """
        started = False

        async def noting_start(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        socket = scope["type"] == "websocket"
        async with AsyncExitStack() as stack:
            ends = [self._services.closing.wait()] if not socket and _is_stream(scope) else []
            if visitor.login and (socket or ends):
                ends.append((await stack.enter_async_context(self._services.logins.holding(visitor))).wait())
            if not ends:
                await self._app(scope, receive, send)
                return
            try:
                await run_until(self._app(scope, receive, noting_start), *ends)
                return
            except EndedEarly:
                pass
        if socket:
            await send({"type": "websocket.close", "code": 1008, "reason": "LOGIN_ENDED"})
        elif started:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await refuse(HTTPConnection(scope), receive, send, ApiError(503, "RESTARTING", retry_s=1))

    async def _visitor(self, connection: HTTPConnection) -> tuple[Visitor, list[str]]:
        """The visitor and the cookies to set. An invalid token is refused; the cookie of an invalid login is deleted."""
        services, secure = self._services, self._services.settings.secure
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            program = (
                await services.logins.visitor(token.strip()) if token.strip().startswith("dam_") else None
            )
            if program is None:
                raise ApiError(401, "TOKEN")
            return program, []
        cookies = []
        chosen = connection.query_params.get("lang")
        if connection.scope["path"].startswith(EMBEDDED):
            unnamed = services.words.texts("play.player.unnamed")[language_of(connection)]
            return anonymous(new_id(), "", unnamed), []  # whoever sees it in a frame is nobody here
        if chosen in LANGUAGES and connection.cookies.get(LANGUAGE_COOKIE) != chosen:
            cookies.append(set_cookie(LANGUAGE_COOKIE, chosen, secure=secure))
        if login := connection.cookies.get(cookie_name(LOGIN_COOKIE, secure)):
            member = await services.logins.visitor(login) if not login.startswith("dam_") else None
            if member and member.school_class:
                unnamed = services.words.texts("play.player.unnamed")[language_of(connection)]
                return replace(member, name=anonymous(member.id, "", unnamed).name), cookies
            if member:
                return member, cookies
            cookies.append(set_cookie(cookie_name(LOGIN_COOKIE, secure), "", secure=secure, seconds=0))
        name = cookie_name(VISITOR_COOKIE, secure)
        unnamed = services.words.texts("play.player.unnamed")[language_of(connection)]
        if signed := services.signature.read(connection.cookies.get(name, "")):
            return anonymous(*signed, unnamed), cookies
        visitor = anonymous(new_id(), "", unnamed)
        if not connection.scope["path"].startswith(CACHED_PATHS):
            cookies.append(set_cookie(name, services.signature.write(visitor.id), secure=secure))
        return visitor, cookies


def _is_stream(scope: Scope) -> bool:
    return any(part in scope["path"] for part in STREAMS)


def _with_cookies(send: Send, cookies: list[str]) -> Send:
    async def send_with_cookies(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            given = {cookie.partition("=")[0] for cookie in headers.getlist("set-cookie")}
            for cookie in cookies:
                if cookie.partition("=")[0] not in given:  # a handler that logs in or out has set it
                    headers.append("set-cookie", cookie)
        await send(message)

    return send_with_cookies
