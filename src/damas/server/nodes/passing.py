"""Requests for a game that another node owns are passed on to it, with all they send and all that is answered.

The node that a client reached does everything that concerns the client: limits, identity, cookies. A request is passed on once
at most, so it cannot go round in circles.
"""

import asyncio
import logging
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from damas.server.nodes.listener import scope_to_send
from damas.server.nodes.tunnel import DISCONNECTED, END, BrokenTunnel, Tunnel
from damas.server.rooms import metrics
from damas.server.rooms.new_game import ID_LENGTH
from damas.server.rooms.rooms import Rooms
from damas.server.security.errors import ApiError, refuse
from damas.server.security.visitors import Visitor
from damas.server.services import Services
from damas.server.store.errors import StoreError
from damas.server.store.nodes import Peer

log = logging.getLogger("damas.nodes")

GAME = re.compile(
    rf"/game/(\w{{{ID_LENGTH}}})/socket"
    rf"|/api/games/(\w{{{ID_LENGTH}}})(?:/(?:join|rematch|arbiter))?"
    rf"|/api/(?:bot|board)/game/(?:stream/)?(\w{{{ID_LENGTH}}})(?:/.*)?"
    rf"|/api/challenge/(\w{{{ID_LENGTH}}})/(?:accept|decline|cancel)"
)
"""Addresses that only the owner of a game can answer."""
HOME = re.compile(r"/api/(?:club|classes)/(\w+)(?:/.*)?")
"""Addresses of what has many games, a tournament or a class: one node begins and follows them all."""
PUPILS = re.compile(r"/api/class(?:/stream)?")
"""Addresses at which a pupil follows the class."""
CONNECT_S = 1.0
"""Longest time for reaching another node."""
ANSWER_S = 5.0
"""Longest time for an answer to this node itself."""
PATIENCE_S = 6.0
"""How long a request waits for the owner of its game: when a node is lost, others have its games by then."""
RETRY_S = 0.2
GONE_AWAY, TRY_AGAIN = 1012, 1013
"""Close codes after which pages come back by themselves."""


class Owner(NamedTuple):
    """The other node that owns a game."""

    node: str
    address: str


class Passing:
    """Finds the owners of games, and passes requests on to them."""

    def __init__(self, rooms: Rooms, secret: bytes) -> None:
        self._rooms = rooms
        self._secret = secret
        self._keeper = rooms.ownership.keeper
        self._tunnels: defaultdict[str, set[asyncio.Task[None]]] = defaultdict(set)
        """What is being passed on, by node."""
        if self._keeper:
            self._keeper.follow(self._cut_off_dead)
            rooms.tell_successors = self._tell_successors

    @property
    def node(self) -> str:
        """The name of this node."""
        return self._rooms.settings.node

    @property
    def peers(self) -> list[Peer]:
        """The other nodes that live."""
        peers = self._keeper.peers.values() if self._keeper else ()
        return [peer for peer in peers if peer.alive and peer.address]

    async def ask(
        self, owner: Owner, method: str, path: str, visitor: Visitor | None = None, body: bytes = b""
    ) -> tuple[int, bytes]:
        """The status and body of another node's answer to a short request of this node. Raises `BrokenTunnel`."""
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
            "visitor": visitor or Visitor("", ""),
        }
        tunnel = await self._reach(owner, {"scope": scope_to_send(scope)})
        status, answer = 0, b""
        try:
            await tunnel.send({"type": "http.request", "body": body, "more_body": False})
            while (message := await tunnel.receive())["type"] != END:
                status = message.get("status", status)
                answer += message.get("body", b"")
        finally:
            tunnel.close()
        return status, answer

    async def ask_all(self, path: str) -> None:
        """Sends a request without a body to every other node, and waits until they have done it; never raises."""

        async def ask_one(peer: Peer) -> None:
            try:
                async with asyncio.timeout(ANSWER_S):
                    status, _ = await self.ask(Owner(peer.node, peer.address or ""), "POST", path)
            except (BrokenTunnel, TimeoutError) as error:
                log.warning("node %s does not answer to %s: %r", peer.node, path, error)
            else:
                if status >= 400:
                    log.warning("node %s answers %s to %s", peer.node, status, path)

        await asyncio.gather(*map(ask_one, self.peers))

    async def owner(self, game: str) -> Owner | None:
        """The other node that owns a game; None where this one does, or may take it."""
        room = self._rooms.in_memory(game)
        if not self.peers or (room and not room.closed and room.ledger.epoch):
            return None
        owned = await self._rooms.store.games.owner(game)
        if owned is None or owned[0] == self.node:
            return None
        # A node that has just begun is not among those of the last renewal.
        known = self._keeper.peers.get(owned[0]) if self._keeper else None
        peer = known or await self._rooms.store.nodes.peer(owned[0])
        return Owner(peer.node, peer.address) if peer and peer.alive and peer.address else None

    def home(self, name: str) -> Owner | None:
        """The other node that begins and follows the games of a tournament or class; None where this one does.

        All nodes find the same one as long as they see the same nodes, and what is decided anywhere is right anywhere.
        """
        places = {self.node: "", **{peer.node: peer.address or "" for peer in self.peers}}
        first = max(places, key=lambda node: sha256(f"{node}/{name}".encode()).digest())
        return None if first == self.node else Owner(first, places[first])

    async def pass_on(self, owner: Owner, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request or socket on. Raises `BrokenTunnel` before anything was answered if that can be tried again."""
        tunnel = await self._reach(owner, {"scope": scope_to_send(scope)})
        metrics.passed_on.labels(scope["type"]).inc()
        task = asyncio.create_task(_both_ways(tunnel, receive, send))
        self._tunnels[owner.node].add(task)
        try:
            await task
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            if current and current.cancelling():
                raise
            raise _Cut from None  # its node is dead
        finally:
            self._tunnels[owner.node].discard(task)
            tunnel.close()

    async def _tell_successors(self) -> None:
        """Tells every other node that this one has given up its games, and waits until they have them."""
        node = self.node
        owners = [Owner(peer.node, peer.address or "") for peer in self.peers]

        async def tell(owner: Owner) -> None:
            tunnel = await self._reach(owner, {"leaving": node})
            try:
                await tunnel.receive()
            finally:
                tunnel.close()

        for error in await asyncio.gather(*map(tell, owners), return_exceptions=True):
            if isinstance(error, BrokenTunnel):
                log.info("a node does not hear that this one stops: %s", error)

    async def _reach(self, owner: Owner, head: dict[str, Any]) -> Tunnel:
        host, _, port = owner.address.rpartition(":")
        tunnel: Tunnel | None = None
        try:
            async with asyncio.timeout(CONNECT_S):
                tunnel = Tunnel(*await asyncio.open_connection(host.strip("[]"), int(port)))
                await tunnel.send({"secret": self._secret, **head})
        except (OSError, TimeoutError) as error:
            if tunnel:
                tunnel.close()
            raise BrokenTunnel(f"node {owner.node} at {owner.address}: {error!r}") from error
        return tunnel

    def _cut_off_dead(self, peers: Sequence[Peer]) -> None:
        """What hangs at a node whose lease has ended would hang for ever."""
        for peer in peers:
            if not peer.alive:
                for task in self._tunnels.pop(peer.node, ()):
                    task.cancel()


class _Cut(Exception):
    """The other node has gone in the middle of something."""


async def _both_ways(tunnel: Tunnel, receive: Receive, send: Send) -> None:
    """Passes messages on until the other node says that it has done. Raises `_Cut` where it goes before."""

    async def upstream() -> None:
        with suppress(BrokenTunnel):
            while True:
                message = await receive()
                await tunnel.send(message)
                if message["type"] in DISCONNECTED:
                    return

    sending = asyncio.create_task(upstream())
    receiving = asyncio.create_task(_downstream(tunnel, send))
    try:
        await asyncio.wait({sending, receiving}, return_when=asyncio.FIRST_COMPLETED)
        if sending.done() and (error := sending.exception()):  # the body was refused on its way
            raise error
        await receiving
    finally:
        for task in (sending, receiving):
            task.cancel()
        await asyncio.gather(sending, receiving, return_exceptions=True)


async def _downstream(tunnel: Tunnel, send: Send) -> None:
    while True:
        try:
            message = await tunnel.receive()
        except BrokenTunnel as error:
            raise _Cut from error
        if message["type"] == END:
            return
        try:
            await send(message)
        except (OSError, RuntimeError):  # the client has gone
            return


class PassOn:
    """Middleware, the innermost one: passes requests for games of other nodes on to them."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        find = self._finder(scope) if scope["type"] in ("http", "websocket") else None
        if find is None:
            await self._app(scope, receive, send)
            return
        state = _Answer(scope, receive, send)
        try:
            owner = await self._pass_on(find, state)
            if owner is None:
                await self._app(scope, receive, send)
        except (_Cut, BrokenTunnel) as error:
            log.info("%s: its node has gone: %r", scope["path"], error)
            await state.break_off()
        except ApiError as error:
            if state.started:
                raise
            await refuse(HTTPConnection(scope), receive, send, error)

    def _finder(self, scope: Scope) -> Callable[[], Awaitable[Owner | None]] | None:
        """What finds the node that must answer; None where any may."""
        passing, path = self._services.passing, scope["path"]
        if match := GAME.fullmatch(path):
            game = next(filter(None, match.groups()))
            return lambda: passing.owner(game)
        match, visitor = HOME.fullmatch(path), scope["visitor"]
        name = match[1] if match else visitor.school_class if PUPILS.fullmatch(path) else None

        async def home() -> Owner | None:
            return passing.home(name or "")

        return home if name and passing.peers else None

    async def _pass_on(self, find: Callable[[], Awaitable[Owner | None]], state: "_Answer") -> Owner | None:
        """The owner that has answered; None where this node must. Waits while nobody has the game of a lost node."""
        passing, loop = self._services.passing, asyncio.get_running_loop()
        until = loop.time() + PATIENCE_S
        while True:
            try:
                owner = await find()
            except StoreError:
                return None  # this node says so as it always does
            if owner is None:
                return None
            try:
                await passing.pass_on(owner, state.scope, state.receive, state.send)
            except BrokenTunnel:
                if loop.time() > until or self._services.closing.is_set():
                    raise
                await asyncio.sleep(RETRY_S)
            else:
                return owner


class _Answer:
    """What the client has been sent of an answer so far."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.receive = receive
        self._send = send
        self.started = False
        """Whether an answer has begun, or a socket been accepted."""
        self._complete = False

    async def send(self, message: Message) -> None:
        """Sends a part of it."""
        self.started = True
        kind = message["type"]
        self._complete = kind == "websocket.close" or (
            kind == "http.response.body" and not message.get("more_body")
        )
        await self._send(message)

    async def break_off(self) -> None:
        """Ends an answer that will not be completed, so that the client comes back."""
        if self._complete:
            return
        if self.scope["type"] == "websocket":
            code = GONE_AWAY if self.started else TRY_AGAIN
            with suppress(OSError, RuntimeError):  # the client may have gone too
                if not self.started:
                    await self._send({"type": "websocket.accept"})
                await self._send({"type": "websocket.close", "code": code, "reason": "the node has gone"})
        elif not self.started:
            connection = HTTPConnection(self.scope)
            await refuse(connection, self.receive, self._send, ApiError(503, "RESTARTING", retry_s=1))
        else:  # half an answer must not look like a whole one
            raise ConnectionError("the node that was answering has gone")
