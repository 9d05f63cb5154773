"""How long this node may answer for its games (docs/reference/protocol.md, 45-48).

The database's clock decides when a lease ends; this node's own clock only has to tell it to stop earlier. So time is measured
from before a renewal is sent, and on a clock that goes on while the machine sleeps.
"""

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence

from damas.server.rooms import metrics
from damas.server.rooms.clockwork import MachineTime
from damas.server.store.errors import StoreError
from damas.server.store.nodes import Nodes, Peer
from damas.server.store.rows import Alive

log = logging.getLogger("damas.rooms")

MARGIN = 0.1
"""Part of a lease that is not used: clocks run at different speeds, and an answer needs time to go out."""
RENEWALS = 3
"""A lease is renewed so often before it would end."""
RETRY_S = 0.2
"""Wait after a renewal that failed."""
BOOTTIME: int | None = getattr(time, "CLOCK_BOOTTIME", None)
"""Linux's clock that counts the time in which the machine sleeps."""
SWEEP_S = 0.5
"""How often the games of nodes whose lease has ended are looked for."""


def steady_s() -> float:
    """Seconds on a clock that nobody sets, and that counts the time in which the machine sleeps where the system can."""
    return time.monotonic() if BOOTTIME is None else time.clock_gettime(BOOTTIME)


class Lease:
    """The lease as this node knows it.

    >>> clock = [100.0]
    >>> lease = Lease(3.0, lambda: clock[0])
    >>> lease.held
    False
    >>> lease.renewed(sent_s=99.5)
    >>> clock[0] = 102.1
    >>> lease.held
    True
    >>> clock[0] = 102.2
    >>> lease.held
    False
    """

    def __init__(self, lease_s: float, clock: Callable[[], float] = steady_s) -> None:
        self._usable_s = lease_s * (1 - MARGIN)
        self._clock = clock
        self._until_s = -math.inf

    @classmethod
    def endless(cls) -> "Lease":
        """That of a process which has its database for itself."""
        lease = cls(math.inf)
        lease._until_s = math.inf
        return lease

    @property
    def held(self) -> bool:
        """Whether it lasts now, so that something may be acknowledged."""
        return self._until_s == math.inf or self._clock() < self._until_s

    @property
    def left_s(self) -> float:
        """How long it still lasts."""
        return max(0.0, self._until_s - self._clock())

    def renewed(self, sent_s: float) -> None:
        """The database has renewed it: `sent_s` is the time before it was asked to."""
        self._until_s = max(self._until_s, sent_s + self._usable_s)

    def end(self) -> None:
        """Gives it up."""
        self._until_s = -math.inf


class LeaseKeeper:
    """Renews the lease of this node, and knows the other nodes."""

    def __init__(
        self,
        nodes: Nodes,
        lease: Lease,
        *,
        node: str,
        address: str | None,
        lease_s: float,
        heartbeat_s: float,
    ) -> None:
        self._nodes = nodes
        self._lease = lease
        self._node, self._address = node, address
        self._boot = secrets.token_hex(8)
        self._interval_s = min(heartbeat_s, lease_s / RENEWALS)
        self._lease_s = lease_s
        self._followers: list[Callable[[Sequence[Peer]], None]] = []
        self.peers: dict[str, Peer] = {}
        """The other nodes by name, as of the last renewal."""

    def follow(self, follower: Callable[[Sequence[Peer]], None]) -> None:
        """Calls `follower` with all other nodes after every renewal."""
        self._followers.append(follower)

    async def renew(self, time: MachineTime, beat: Alive | None, *, start: bool = False) -> None:
        """Renews it once. `beat` is the sign of life to store in place of this moment's. Raises `StoreError`."""
        wall_ms, mono_ms = (beat.wall_ms, beat.mono_ms) if beat else (time.wall_ms(), time.mono_ms())
        life = Alive(
            node=self._node, boot=self._boot, wall_ms=wall_ms, mono_ms=mono_ms, address=self._address
        )
        sent_s = steady_s()
        peers = await self._nodes.renew(life, start=start, within_s=self._lease_s / 2)
        self._sent_s = sent_s
        self.peers = {peer.node: peer for peer in peers if peer.node != self._node}
        for follower in self._followers:
            follower(tuple(self.peers.values()))

    async def keep(
        self, time: MachineTime, beat: Callable[[], Alive | None], regained: Callable[[], Awaitable[None]]
    ) -> None:
        """Renews it again and again. After it has ended, `regained` is awaited before it counts as held again."""
        failing = False
        while True:
            try:
                await self.renew(time, beat())
                if not self._lease.held:
                    log.warning("the lease of node %s had ended: looking which games are lost", self._node)
                    metrics.leases_ended.inc()
                    await regained()
                self._lease.renewed(self._sent_s)
                failing = False
            except StoreError as error:
                if not failing:
                    log.error("the lease of node %s could not be renewed: %s", self._node, error)
                failing = True
            except Exception:  # without a lease no game goes on
                log.exception("our mistake at the renewal of the lease of node %s", self._node)
                metrics.alarms.labels("lease").inc()
                failing = True
            await asyncio.sleep(RETRY_S if failing else self._interval_s)

    async def start(self, time: MachineTime, beat: Alive | None, *, within_s: float) -> None:
        """The first renewal. Raises `StoreError` where the database does not answer for so long."""
        deadline = steady_s() + within_s
        while True:
            try:
                await self.renew(time, beat, start=True)
            except StoreError:
                if steady_s() > deadline:
                    raise
                await asyncio.sleep(RETRY_S)
            else:
                self._lease.renewed(self._sent_s)
                return
