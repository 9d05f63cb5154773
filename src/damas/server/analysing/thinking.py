"""What an engine thinks of a place, told while it thinks."""

import asyncio
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress

from damas.engine import Limits, Result
from damas.game import Record
from damas.game.game import legal_moves
from damas.server.analysing.pool import Pool
from damas.views.analysis import SearchView, search_view

BREATH = 0.12
"""Seconds between two tellings: a page need not be drawn more often."""
DEEPEST = 60
"""Plies; where a search gets so far, there is nothing left to find out."""


class _Search:
    """One visitor's search: the last thing heard of it, and whether it is to end."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.news = asyncio.Event()
        self.latest: Result | None = None
        self.why = ""
        """Why it was ended, if it was."""

    def hear(self, found: Result) -> None:
        self.latest = found
        self.news.set()

    def end(self, why: str) -> None:
        self.why = self.why or why
        self.news.set()


class TooManySearches(Exception):
    """Whoever asks has their share under way."""


class Thoughts:
    """One search a visitor: whoever asks again has the old one stopped. An address has so many, whoever sits there."""

    def __init__(self, pool: Pool, *, seconds: float, fair: float = 3.0, each: int = 2) -> None:
        self._pool = pool
        self._each = each
        self.seconds = seconds
        """That a search goes on if nobody stops it."""
        self.fair = fair
        """And while others wait for their turn."""
        self._running: dict[str, _Search] = {}
        self._threads = ThreadPoolExecutor(pool.slots, thread_name_prefix="damas-thought")

    @property
    def running(self) -> int:
        return len(self._running)

    def about(
        self, visitor: str, record: Record, lines: int, address: str = ""
    ) -> AsyncGenerator[SearchView]:
        """What is known after each depth, ending with one in which `done` says why: time, newer, others, closed, over.

        Whoever stops listening stops the search. Raises `TooManySearches`.
        """
        if not legal_moves(record):
            return _nothing_to_find()
        search = _Search(address)
        of_others = [kept for who, kept in self._running.items() if who != visitor]
        if address and sum(kept.address == address for kept in of_others) >= self._each:
            raise TooManySearches
        if older := self._running.get(visitor):
            older.end("newer")
        self._running[visitor] = search
        return self._until_the_end(visitor, search, record, lines)

    async def _until_the_end(
        self, visitor: str, search: _Search, record: Record, lines: int
    ) -> AsyncGenerator[SearchView]:
        try:
            async with aclosing(self._told(search, record, lines)) as thoughts:
                async for told in thoughts:
                    yield told
        finally:
            if self._running.get(visitor) is search:
                del self._running[visitor]

    async def _told(self, search: _Search, record: Record, lines: int) -> AsyncGenerator[SearchView]:
        loop = asyncio.get_running_loop()
        turn = record.position.turn
        if self._pool.waiting or self._running_elsewhere(search):
            yield SearchView(waiting=True)
        async with self._pool.engine(record.rulebook) as engine:
            if search.why:
                yield SearchView(done=search.why)
                return
            limits = Limits(movetime=self.seconds, depth=DEEPEST, lines=lines)

            def watcher(found: Result) -> None:
                loop.call_soon_threadsafe(search.hear, found)

            thinking = engine.think(record, limits, watcher=watcher)
            ended = loop.run_in_executor(self._threads, thinking.wait)
            ended.add_done_callback(lambda _: search.news.set())
            began = loop.time()
            try:
                while not ended.done() and not search.why:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(search.news.wait(), 0.5)
                    search.news.clear()
                    if search.latest is not None and not ended.done():
                        yield search_view(search.latest, turn)
                        search.latest = None
                        await asyncio.sleep(BREATH)
                    if self._pool.waiting and loop.time() - began > self.fair:
                        search.end("others")
                thinking.stop()
                found = await ended
                yield search_view(found, turn, search.why or "time")
            finally:
                thinking.stop()
                if not ended.done():
                    # The engine goes back to the pool only once it is at rest.
                    await asyncio.shield(asyncio.wait([ended]))

    def _running_elsewhere(self, search: _Search) -> bool:
        return len([other for other in self._running.values() if other is not search]) >= self._pool.slots

    def close(self) -> None:
        for search in self._running.values():
            search.end("closed")
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _nothing_to_find() -> AsyncGenerator[SearchView]:
    yield SearchView(done="over", lines=())
