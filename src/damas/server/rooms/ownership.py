"""Which games this node owns: its own after a restart, those of nodes whose lease has ended, and what somebody wants.

One process that has its database for itself owns all games, and gives signs of life by the writer. Nodes that share a database
hold leases (`lease`).
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from damas.server.rooms import metrics
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.lease import SWEEP_S, Lease, LeaseKeeper
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.store.rows import Alive, EventRow, GameRow

log = logging.getLogger("damas.rooms")

BATCH = 64
"""Games loaded together: their writes share a commit, and visitors' requests find a gap."""
QUERIED = 2000
"""Games that one query asks for."""


class OwnedGame(NamedTuple):
    """A game that this node owns now, as it is on disk."""

    head: GameRow
    epoch: int
    rows: list[EventRow]
    beat: Alive | None
    """The last sign of life of the owner before: time was charged up to it."""


TakeUp = Callable[[Sequence[str]], Awaitable[int]]
"""Takes and loads games of a batch; how many it got."""


class Ownership:
    """The games of one node."""

    def __init__(self, store: Store, settings: Settings, time: MachineTime, address: str | None) -> None:
        self._store = store
        self._node = settings.node
        self._limits = limits = settings.limits
        self._time = time
        self._last_beat_before: Alive | None = None
        """Last sign of life of this node before its start."""
        self._taking_up = True
        self._swept: dict[str, int] = {}
        """Nodes that had no games left when they were last looked at, with the end of their lease then."""
        self.unread: set[str] = set()
        """Games that this node has taken, or tried to, and could not read then."""
        self._adopt: TakeUp | None = None
        self.lease, self.keeper = Lease.endless(), None
        if settings.sqlite_path is None:
            self.lease = Lease(limits.lease_s)
            self.keeper = LeaseKeeper(
                store.nodes,
                self.lease,
                node=settings.node,
                address=address,
                lease_s=limits.lease_s,
                heartbeat_s=limits.heartbeat_s,
            )

    async def open(self) -> None:
        """Begins the lease."""
        self._last_beat_before = await self._store.nodes.last_beat(self._node)
        if self.keeper:
            await self.keeper.start(self._time, self._last_beat_before, within_s=self._limits.commit_s)

    def tasks(
        self, take_up: TakeUp, adopt: TakeUp, check: Callable[[], Awaitable[None]]
    ) -> list[asyncio.Task[None]]:
        """What goes on by itself. `check` is awaited when a lease that had ended is held again."""
        self._adopt = adopt
        tasks = [asyncio.create_task(self._run(take_up, adopt), name="rooms: take up")]
        if self.keeper:
            keeping = self.keeper.keep(self._time, self._beat_to_keep, check)
            tasks.append(asyncio.create_task(keeping, name="rooms: lease"))
        return tasks

    def _beat_to_keep(self) -> Alive | None:
        """While games are being taken up, they are charged up to the last sign of life before the start."""
        return self._last_beat_before if self._taking_up else None

    async def _run(self, take_up: TakeUp, adopt: TakeUp) -> None:
        """Loads the games whose clocks run; only then gives signs of life of its own, or looks for games of others."""
        try:
            await self._take_up(take_up)
        except Exception:  # the server lives all the same
            log.exception("not every game could be taken up")
            metrics.alarms.labels("take_up").inc()
        self._taking_up = False
        if self.keeper is None:
            await self._beat()
        while self.keeper:
            await asyncio.sleep(SWEEP_S)
            try:
                await self._adopt_orphans(self.keeper, adopt)
                await self._read_again(take_up)
            except StoreError as error:
                log.warning("no games of other nodes could be looked for: %s", error)
            except Exception:
                log.exception("not every game of another node could be taken over")
                metrics.alarms.labels("take_over").inc()

    async def _beat(self) -> None:
        boot = secrets.token_hex(8)
        while True:
            wall_ms, mono_ms = self._time.wall_ms(), self._time.mono_ms()
            with suppress(StoreError):  # the writer logs it, and /readyz shows it
                await self._store.nodes.heartbeat(
                    Alive(node=self._node, boot=boot, wall_ms=wall_ms, mono_ms=mono_ms)
                )
            await asyncio.sleep(self._limits.heartbeat_s)

    async def _take_up(self, take_up: TakeUp) -> None:
        unfinished = await self._store.games.unfinished(self._node)
        timed = [head.id for head in unfinished if head.status == "playing" and head.time_control != "none"]
        remaining = iter(batches(timed, BATCH))

        async def take_up_batches() -> None:
            for games in remaining:
                await take_up(games)

        # Two at a time: while one waits for the disk, the other replays games.
        async with asyncio.TaskGroup() as group:
            group.create_task(take_up_batches())
            group.create_task(take_up_batches())

    async def _adopt_orphans(self, keeper: LeaseKeeper, adopt: TakeUp) -> None:
        """Takes over the games of nodes whose lease has ended, until none is left or others are taking the rest."""
        ended = [peer for peer in keeper.peers.values() if not peer.alive]
        dead = [peer.node for peer in ended if self._swept.get(peer.node) != peer.lease_until_ms]
        adopted = 1
        while dead and adopted and self.lease.held:
            games, later = await self._store.nodes.orphans(dead, BATCH)
            if not games and not later:
                self._swept |= {peer.node: peer.lease_until_ms for peer in ended}
            adopted = await adopt(games) if games else 0
            metrics.takeovers.labels("swept").inc(adopted)

    async def _read_again(self, take_up: TakeUp) -> None:
        """Loads what could not be read: no other node looks for the games of this one while it lives."""
        if self.lease.held:
            games, self.unread = list(self.unread), set()
            for some in batches(games, BATCH):
                await take_up(some)

    async def adopt_from(self, node: str) -> None:
        """Takes over the games of a node that stops, at once."""
        if self.keeper and self._adopt:
            self.keeper.peers.pop(node, None)
            adopted = 1
            while adopted and (games := (await self._store.nodes.orphans([node], BATCH)).games):
                adopted = await self._adopt(games)
                metrics.takeovers.labels("handed_over").inc(adopted)

    @property
    def has_successors(self) -> bool:
        """Whether other nodes would take this one's games over."""
        return self.keeper is not None and any(peer.alive for peer in self.keeper.peers.values())

    async def give_up(self, games: Sequence[str]) -> None:
        """Ends the lease of this node and of these games."""
        self.lease.end()
        await self._store.nodes.end_lease(self._node, games)

    async def take(self, games: Sequence[str], *, skip_locked: bool = False) -> dict[str, OwnedGame]:
        """The games that this node can own. Ownership comes first: after it, nobody else writes to them."""
        store = self._store.games
        taken = await store.take_over(games, self._node, skip_locked=skip_locked)
        heads, histories = await store.heads(games), await store.histories(games)
        return {
            game: OwnedGame(heads[game], epoch, histories[game], self._beat_of(node, beat))
            for game, (epoch, node, beat) in taken.items()
            if game in heads
        }

    def _beat_of(self, former_owner: str, beat: Alive | None) -> Alive | None:
        own = self.keeper is None or former_owner == self._node
        return self._last_beat_before if own else beat

    async def lost(self, epochs: dict[str, int]) -> list[str]:
        """Which of these games, with the epochs of this node, belong to another owner by now."""
        lost: list[str] = []
        for games in batches(list(epochs), QUERIED):
            lost += await self._store.nodes.lost(self._node, {game: epochs[game] for game in games})
        return lost


def batches(games: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    """The games in groups of this size."""
    return (games[at : at + size] for at in range(0, len(games), size))
