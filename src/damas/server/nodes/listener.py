"""Requests that other nodes pass on to this one.

They come to a port of their own, with the secret that all nodes of a database share. The node that a client reached has
identified the visitor and applied all limits: here they are believed.
"""

import asyncio
import hmac
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope

from damas.server.addresses import lan_addresses
from damas.server.nodes.tunnel import DISCONNECTED, END, BrokenTunnel, Tunnel
from damas.server.security.hosts import EVERYWHERE
from damas.server.security.visitors import Visitor
from damas.server.settings import Settings

log = logging.getLogger("damas.nodes")

MAX_HEAD_BYTES = 256 * 1024
"""Longest first message of a connection."""
HEAD_S = 10.0
"""Longest time for it."""
MAX_STRANGERS = 256
"""Connections that have not shown the secret yet."""
MAX_WAITING = 16
"""Messages of a client that wait for the handler."""
SCOPE_KEYS = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "root_path"),
    *("headers", "client", "server", "subprotocols", "extensions"),
)
"""What a scope has that another node needs."""


class NoNodeAddress(Exception):
    """The address for other nodes cannot be used: host, port and the system's reason."""

    def __init__(self, host: str, port: int, text: str) -> None:
        super().__init__(host, port, text)
        self.facts = {"host": host, "port": port, "text": text}


def scope_to_send(scope: Scope) -> dict[str, Any]:
    """A scope as another node gets it."""
    sent = {key: scope[key] for key in SCOPE_KEYS if key in scope}
    return sent | {"visitor": msgspec.to_builtins(scope["visitor"])}


def received_scope(sent: dict[str, Any]) -> Scope:
    """The scope that another node has sent."""
    scope: Scope = {key: sent[key] for key in SCOPE_KEYS if key in sent}
    for key in ("client", "server"):
        if scope.get(key) is not None:
            scope[key] = tuple(scope[key])
    scope["headers"] = [tuple(header) for header in scope["headers"]]
    scope["visitor"] = msgspec.convert(sent["visitor"], Visitor)
    scope["state"] = {}
    return scope


class NodeListener:
    """Listens for other nodes from `open` until `close`."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self.on_leaving: Callable[[str], Awaitable[None]] | None = None
        """Called with the name of a node that has given up its games."""
        self._socket, self.address = _bind(settings)
        self._secret = b""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._strangers = 0

    async def open(self, secret: bytes) -> None:
        """Begins to answer whoever shows this secret."""
        self._secret = secret
        self._server = await asyncio.start_server(self._connected, sock=self._socket)

    async def close(self) -> None:
        """Ends what is being answered."""
        if self._server:
            self._server.close()
        self._socket.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        tunnel = Tunnel(reader, writer)
        try:
            head = await self._head(tunnel)
            if head and "leaving" in head:
                if self.on_leaving:
                    await self.on_leaving(head["leaving"])
                await tunnel.send({"type": END})
            elif head:
                await _handle(self._app, tunnel, received_scope(head["scope"]))
        except (BrokenTunnel, TimeoutError, msgspec.ValidationError, LookupError, TypeError) as trouble:
            log.info("a connection of another node ended: %r", trouble)
        except asyncio.CancelledError:
            pass  # the server stops
        except Exception:
            log.exception("a request that another node passed on failed")
        finally:
            tunnel.close()
            self._tasks.discard(task)

    async def _head(self, tunnel: Tunnel) -> dict[str, Any] | None:
        """The first message; None for a stranger."""
        if self._strangers >= MAX_STRANGERS:
            return None
        self._strangers += 1
        try:
            async with asyncio.timeout(HEAD_S):
                head = dict(await tunnel.receive(MAX_HEAD_BYTES))
        finally:
            self._strangers -= 1
        shown = head.get("secret")
        if isinstance(shown, bytes) and hmac.compare_digest(shown, self._secret):
            return head
        log.warning("somebody without the secret of the nodes has come to the port for nodes")
        return None


async def _handle(app: ASGIApp, tunnel: Tunnel, scope: Scope) -> None:
    """Runs the app for one request or socket."""
    inbox: asyncio.Queue[Message] = asyncio.Queue(MAX_WAITING)
    gone = {"type": f"{scope['type']}.disconnect", "code": 1006}

    async def read() -> None:
        try:
            while (message := await tunnel.receive())["type"] not in DISCONNECTED:
                await inbox.put(message)
        except BrokenTunnel:
            message = gone
        while True:  # whoever asks again is told again
            await inbox.put(message)

    reading = asyncio.create_task(read())
    try:
        await app(scope, _receiver(inbox), tunnel.send)
        await tunnel.send({"type": END})
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


def _receiver(inbox: asyncio.Queue[Message]) -> Receive:
    return inbox.get


def _bind(settings: Settings) -> tuple[socket.socket, str]:
    """A listening socket, and the address by which other nodes reach it. Raises `NoNodeAddress`."""
    given_host, _, given_port = settings.node_address.rpartition(":")
    host = given_host.strip("[]") or settings.host
    port = int(given_port or 0)
    try:
        family, *_, bound = socket.getaddrinfo(
            None if host in EVERYWHERE else host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise NoNodeAddress(host, port, error.strerror or str(error)) from error
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(bound)
    except OSError as error:
        listener.close()
        raise NoNodeAddress(host, port, error.strerror or str(error)) from error
    listener.setblocking(False)
    known = next(iter(lan_addresses()), "127.0.0.1") if host in EVERYWHERE else host
    return listener, f"[{known}]:{port_of(listener)}" if ":" in known else f"{known}:{port_of(listener)}"


def port_of(listener: socket.socket) -> int:
    """The port of a listening socket."""
    port: int = listener.getsockname()[1]
    return port
