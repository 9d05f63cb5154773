"""Engines for visitors: so many think at once, the others wait for their turn, and none stays that nobody uses."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from damas.engine import Engine
from damas.engine.endings import possible
from damas.rules import Rulebook
from damas.tablebase import Store


class Pool:
    """Belongs to one event loop. An engine is lent to one search at a time and keeps its memory for the next."""

    def __init__(self, *, slots: int, threads: int, hash_mb: int, idle: float) -> None:
        self.slots = slots
        self.waiting = 0
        """Searches that wait for a turn."""
        self._threads, self._hash_mb, self._idle = threads, hash_mb, idle
        self._turns = asyncio.Semaphore(slots)
        self._resting: deque[tuple[float, Engine]] = deque()
        """Oldest first, each with the time since which nobody uses it."""
        self._busy: set[Engine] = set()

    @property
    def engines(self) -> int:
        """How many there are."""
        return len(self._resting) + len(self._busy)

    @asynccontextmanager
    async def engine(self, book: Rulebook) -> AsyncIterator[Engine]:
        """An engine of one's own for a while, as soon as it is one's turn."""
        self.waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self.waiting -= 1
        try:
            engine = await self._take(book)
            self._busy.add(engine)
            try:
                yield engine
            finally:
                self._busy.discard(engine)
                self._rest(engine)
        finally:
            self._turns.release()

    async def _take(self, book: Rulebook) -> Engine:
        for resting in self._resting:
            if resting[1].book is book:
                self._resting.remove(resting)
                return resting[1]
        if self.engines >= self.slots and self._resting:
            self._resting.popleft()[1].close()
        return await asyncio.to_thread(self._new, book)

    def _new(self, book: Rulebook) -> Engine:
        # A store of its own: what one engine opens, no other thread touches.
        tables = Store(book) if possible(book) else False
        return Engine(book, threads=self._threads, hash_mb=self._hash_mb, tables=tables)

    def _rest(self, engine: Engine) -> None:
        self._resting.append((monotonic(), engine))
        asyncio.get_running_loop().call_later(self._idle + 0.01, self.tidy)

    def tidy(self) -> None:
        """Closes what has rested long enough."""
        while self._resting and self._resting[0][0] <= monotonic() - self._idle:
            self._resting.popleft()[1].close()

    def stop(self) -> None:
        """Ends every search, and lets go of every engine that rests."""
        for engine in self._busy:
            engine.stop()
        while self._resting:
            self._resting.popleft()[1].close()
