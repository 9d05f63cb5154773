"""The lobbies of other nodes, read from them when they have changed."""

import asyncio
import logging
from collections.abc import Callable, Sequence

import msgspec

from damas.server.nodes.bus import Bus
from damas.server.nodes.passing import Owner, Passing
from damas.server.nodes.tunnel import BrokenTunnel
from damas.server.rooms.lobby import LobbyPart
from damas.server.store.nodes import Peer

log = logging.getLogger("damas.nodes")

SETTLING_S = 0.5
"""Changes within this time are told together."""
ANSWER_S = 1.0
"""A node that takes longer is left as it was."""
PATH = "/node/lobby"
"""Where a node gives its part to others."""


class NodeLobbies:
    """What the other nodes add to the lobby."""

    def __init__(self, passing: Passing, bus: Bus) -> None:
        self._passing = passing
        self._bus = bus
        self._parts: dict[str, LobbyPart] = {}
        self._fresh: set[str] = set()
        """Nodes whose part has not changed since it was read."""
        self._refreshing: asyncio.Task[None] | None = None
        self._telling = False
        self._changed: Callable[[], None] = lambda: None
        bus.subscribe("lobby", self._hear)
        bus.when_missed(self._forget)

    @property
    def parts(self) -> Sequence[LobbyPart]:
        """As they were when they were last read."""
        return list(self._parts.values())

    def follow(self, changed: Callable[[], None]) -> None:
        """Calls `changed` when another node's lobby has changed."""
        self._changed = changed

    def tell(self) -> None:
        """Tells other nodes that this one's has changed."""
        if self._telling or not self._passing.peers:
            return
        self._telling = True
        asyncio.get_running_loop().call_later(SETTLING_S, self._tell)

    def _tell(self) -> None:
        self._telling = False
        self._bus.publish("lobby", self._passing.node)

    def _hear(self, node: str | None) -> None:
        self._fresh.discard(node or "")
        self._changed()

    def _forget(self) -> None:
        self._fresh.clear()
        self._changed()

    async def refresh(self) -> None:
        """Reads those that have changed; never raises."""
        if self._refreshing is None:
            self._refreshing = asyncio.create_task(self._refresh())
            self._refreshing.add_done_callback(self._done)
        await asyncio.shield(self._refreshing)

    def _done(self, _: object) -> None:
        self._refreshing = None

    async def _refresh(self) -> None:
        peers = {peer.node: peer for peer in self._passing.peers}
        self._parts = {node: part for node, part in self._parts.items() if node in peers}
        self._fresh &= set(peers)
        await asyncio.gather(*(self._read(peer) for peer in peers.values() if peer.node not in self._fresh))

    async def _read(self, peer: Peer) -> None:
        self._fresh.add(peer.node)  # before it is read: what changes from now on is news
        try:
            async with asyncio.timeout(ANSWER_S):
                status, answer = await self._passing.ask(Owner(peer.node, peer.address or ""), "GET", PATH)
            if status == 200:
                self._parts[peer.node] = msgspec.json.decode(answer, type=LobbyPart)
        except (BrokenTunnel, TimeoutError, msgspec.MsgspecError) as error:
            self._fresh.discard(peer.node)
            log.info("the lobby of node %s could not be read: %r", peer.node, error)
