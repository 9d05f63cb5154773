"""All connections of the server: how many there may be, by address and in all, and how long each may keep it waiting."""

import asyncio
import logging
from collections import Counter, defaultdict
from ipaddress import ip_network
from math import inf
from typing import Protocol

from damas.server.security.hosts import counted_address, is_among
from damas.server.security.token_buckets import TokenBuckets
from damas.server.settings import Settings
from damas.server.transport.files import connections_within

log = logging.getLogger("damas")

PATROL_INTERVAL_S = 0.5
"""How often deadlines are looked at."""
LINGER_S = 5.0
"""A connection that is closed may take so long to send what is left."""
WARNING_INTERVAL_S = 60.0
"""A full server says so once in this time."""


class Guarded(Protocol):
    """A connection as the gate sees it."""

    transport: asyncio.Transport
    address: str | None
    """The network it comes from; None for a trusted proxy, which stands for many."""
    deadline: float
    """When what it is sending must be complete."""
    stalled: float
    """When it must have read what we send, or be gone."""

    def expire(self) -> None:
        """The deadline has passed."""


class Gate:
    """Counts connections. Plain HTTP has at most half of the places, so that players' sockets always find some."""

    def __init__(self, settings: Settings, file_limit: int = 0) -> None:
        self.limits = settings.limits
        self._proxies = [ip_network(proxy, strict=False) for proxy in settings.trusted_proxies]
        self._places = settings.limits.connections or connections_within(file_limit)
        self._per_address = min(settings.limits.connections_per_address, max(1, self._places // 4))
        self._held: Counter[str] = Counter()
        self._requests: dict[Guarded, None] = {}
        """Plain HTTP connections."""
        self._idle: dict[Guarded, None] = {}
        """Those of them that no request runs on, the longest idle first."""
        self._idle_by_address: defaultdict[str | None, dict[Guarded, None]] = defaultdict(dict)
        self._sockets: set[Guarded] = set()
        frames, size = settings.limits.socket_frames_of_address, settings.limits.socket_bytes_of_address
        self.frames = TokenBuckets(frames, frames)
        """Frames that all sockets of one address may send together in a second."""
        self.bytes = TokenBuckets(size, size)
        """The same for bytes."""
        self._patrolling = False
        self._warned = -inf

    def __len__(self) -> int:
        return len(self._requests) + len(self._sockets)

    # Who comes and goes

    def address_of_peer(self, peer: tuple[str, int] | None) -> str | None:
        """The address under which a connection is counted; None for a trusted proxy."""
        return None if peer and is_among(peer[0], self._proxies) else counted_address(peer)

    def admit(self, connection: Guarded) -> int:
        """Takes in a new connection and returns 0, or the status with which it is refused.

        Where the address or all together have too many, the longest idle one makes room.
        """
        address = connection.address
        if address is not None and self._held[address] >= self._per_address:
            if not self._close_longest(self._idle_by_address.get(address)):
                return 429
        elif len(self._requests) >= self._places // 2 or len(self) >= self._places:
            self._warn("all %s places for connections are taken: the longest idle make room", self._places)
            if not self._close_longest(self._idle):
                return 503
        self._requests[connection] = None
        self.set_idle(connection)
        self._count(connection)
        return 0

    def _close_longest(self, idle: dict[Guarded, None] | None) -> bool:
        """Closes the longest idle of these connections; False if there is none."""
        if not idle:
            return False
        longest = next(iter(idle))
        longest.transport.abort()
        self.leave(longest)
        return True

    def admit_socket(self, socket: Guarded) -> None:
        """Takes in a websocket; the connection was counted as HTTP before."""
        self._sockets.add(socket)
        self._count(socket)

    def _count(self, connection: Guarded) -> None:
        if connection.address is not None:
            self._held[connection.address] += 1
        if not self._patrolling:
            self._patrolling = True
            asyncio.get_running_loop().call_later(PATROL_INTERVAL_S, self._patrol)

    def leave(self, connection: Guarded) -> None:
        """Forgets a connection that has closed or become a websocket, if it was admitted."""
        if connection in self._requests:
            del self._requests[connection]
        elif connection in self._sockets:
            self._sockets.remove(connection)
        else:
            return
        self.set_busy(connection)
        if connection.address is not None:
            self._held[connection.address] -= 1
            if not self._held[connection.address]:
                del self._held[connection.address]

    def set_busy(self, connection: Guarded) -> None:
        """A request runs on a connection."""
        if connection in self._idle:
            del self._idle[connection]
            of_address = self._idle_by_address[connection.address]
            del of_address[connection]
            if not of_address:
                del self._idle_by_address[connection.address]

    def set_idle(self, connection: Guarded) -> None:
        """No request runs on a connection any more."""
        if connection in self._requests:
            self._idle[connection] = None
            self._idle_by_address[connection.address][connection] = None

    def _warn(self, text: str, *values: object) -> None:
        now = asyncio.get_running_loop().time()
        if now - self._warned > WARNING_INTERVAL_S:
            self._warned = now
            log.warning(text, *values)

    # How long they take

    def _patrol(self) -> None:
        """Looks at every connection's deadlines, as long as there are connections."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in [*self._requests, *self._sockets]:
            if connection.transport.is_closing():
                if connection.stalled == inf:
                    connection.stalled = now + LINGER_S
            elif connection.deadline < now:
                connection.expire()
            if connection.stalled < now:
                connection.transport.abort()
        self._patrolling = len(self) > 0
        if self._patrolling:
            loop.call_later(PATROL_INTERVAL_S, self._patrol)
