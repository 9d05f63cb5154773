"""Levels of the computer at a seat. They think in a few threads of their own, never in the server's."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple, Protocol

from damas.arbiter import Event, Moved, Table
from damas.board import Color
from damas.engine.opponent import Computer
from damas.server.rooms import measures
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.seats import Seats
from damas.server.rooms.timekeeper import Timekeeper

log = logging.getLogger("damas.rooms")

HASH_MB = 2
THREADS = 2
OF_ONE_ADDRESS = 2
"""Thoughts that are in the line or at work for one address; its others wait outside."""


class Asker(NamedTuple):
    """For whom a level thinks."""

    visitor: str
    address: str


class Turns:
    """The line before the threads. Each visitor has one turn in each round, however many games they play; and since
    anybody can be many visitors, only so many of one address stand in the line.

    Used as `async with turns.of(asker):`.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        """By visitor; the first has the next turn."""
        self._doors: dict[str, tuple[asyncio.Semaphore, int]] = {}
        """By address, with how many stand at it or are inside."""

    @asynccontextmanager
    async def of(self, asker: Asker) -> AsyncIterator[None]:
        door, here = self._doors.get(asker.address, (asyncio.Semaphore(OF_ONE_ADDRESS), 0))
        self._doors[asker.address] = door, here + 1
        try:
            async with door:
                await self._come(asker.visitor)
                try:
                    yield
                finally:
                    self._go()
        finally:
            door, here = self._doors[asker.address]
            self._doors[asker.address] = door, here - 1
            if here == 1:
                del self._doors[asker.address]

    async def _come(self, visitor: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(visitor, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had come just then: the next may have it
                self._go()
            raise

    def _go(self) -> None:
        """The next visitor's turn; who has another thought waiting goes to the end of the line."""
        while self._lines:
            visitor = next(iter(self._lines))
            line = self._lines.pop(visitor)
            turn = line.popleft()
            if line:
                self._lines[visitor] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class Thinking:
    """The threads in which all levels of a server think, and the queue before them."""

    def __init__(self, threads: int = THREADS, least_ms: int = 0) -> None:
        self._pool = ThreadPoolExecutor(threads, "damas-level")
        self._at_work: set[Computer] = set()
        self._turns = Turns(threads)
        self.least_ms = least_ms
        """A person looks at the own move a moment before the answer comes."""
        self.under_way = 0

    async def acts(
        self, game: str, side: Color, level: int, table: Table, now: Callable[[], int], asker: Asker
    ) -> Event | None:
        """What a level does `now`, which is when its turn has come; or None if it waits for its opponent."""
        self.under_way += 1
        loop = asyncio.get_running_loop()
        try:
            async with self._turns.of(asker):
                seed, at = seed_of(game), now()
                return await loop.run_in_executor(self._pool, self._acts, seed, side, level, table, at)
        finally:
            self.under_way -= 1

    def _acts(self, seed: int, side: Color, level: int, table: Table, now: int) -> Event | None:
        """A level brings nothing from one move to the next, so its engine lives for one move: games that wait hold
        none.
        """
        computer = Computer(side, seed, level, hash_mb=HASH_MB)
        self._at_work.add(computer)
        try:
            return computer.acts(table, now)
        finally:
            self._at_work.discard(computer)
            computer.close()

    def close(self) -> None:
        """Lets go of what waits, and ends what is being thought about."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for computer in tuple(self._at_work):
            computer.stop()


def seed_of(game: str) -> int:
    """The same game has the same chance, also after it was loaded again."""
    return int.from_bytes(sha256(game.encode()).digest()[:6], "big")


class Played(Protocol):
    """The game a level sits at: a room."""

    table: Table
    seats: Seats
    keeper: Timekeeper
    closed: bool
    address: str

    @property
    def id(self) -> str: ...
    @property
    def playing(self) -> bool: ...
    def put_answer(self, work: Callable[[], Awaitable[None]]) -> None: ...
    async def by_itself(self, event: Event) -> bool: ...


class Levels:
    """The levels at the seats of one game. They think about one table at a time, and answer by the common door. While
    they think they hold the room, else it holds them.
    """

    def __init__(self, thinking: Thinking, time: MachineTime) -> None:
        self._pool = thinking
        self._time = time
        self._task: asyncio.Task[None] | None = None

    @property
    def thinking(self) -> bool:
        return self._task is not None

    def wake(self, room: Played) -> None:
        """Begins to think, if there is something to think about."""
        if room.playing and not room.closed and self._task is None and _to_act(room) is not None:
            self._task = asyncio.create_task(self._think(room), name=f"level of {room.id}")

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    async def _think(self, room: Played) -> None:
        table, side = room.table, _to_act(room)
        try:
            level = room.seats[side].level if side else None
            if side is None or level is None:
                return
            began = self._time.mono_ms()
            person = room.seats[side.other].id or room.id
            asker = Asker(person, room.address or person)
            event = await self._pool.acts(room.id, side, level, table, lambda: room.keeper.now, asker)
            if isinstance(event, Moved):
                await self._unhurried(side, table, began)
            if event is not None:
                received = self._time.mono_ms()
                room.put_answer(lambda: self._answer(room, event, table, received))
        except Exception:
            log.exception("game %s: a level could not think", room.id)
            measures.alarms.labels("level").inc()
        finally:
            self._task = None
            if room.table is not table:
                self.wake(room)

    async def _unhurried(self, side: Color, table: Table, began: int) -> None:
        """Waits a moment, unless time is short."""
        wait = self._pool.least_ms - (self._time.mono_ms() - began)
        left = table.clocks.remaining(side, table.now)
        if wait > 0 and (left is None or left > 20 * wait):
            await asyncio.sleep(wait / 1000)

    async def _answer(self, room: Played, event: Event, table: Table, received: int) -> None:
        if room.table is not table:  # the game has moved on meanwhile
            self.wake(room)
            return
        assert event.by is not None
        move = isinstance(event, Moved)
        at = room.keeper.move_at(event.by, received) if move else room.keeper.other_at(received)
        await room.by_itself(replace(event, at=at))


def _to_act(room: Played) -> Color | None:
    """The level that owes a move or an answer."""
    table, seats = room.table, room.seats
    if table.suspended or (seats.white.level is None and seats.black.level is None):
        return None
    for side in Color:
        if seats[side].level is None:
            continue
        chain = table.chain and not table.chain.demanded and table.chain.by is side.other
        if table.offer is side.other or table.take_back is side.other or chain or table.awaited is side:
            return side
    return None
