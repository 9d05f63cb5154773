"""Engine searches for visitors, whose results are streamed while they run."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress

from damas.board import Color
from damas.engine import Limits as SearchLimits
from damas.engine import Result
from damas.engine.engine import Thinking
from damas.game import Record
from damas.server.analysing.engines import Engines
from damas.server.settings import Limits
from damas.server.shares import Shares
from damas.server.workers import Caller, Stop, Workers
from damas.views.analysis import SearchView, search_view

MESSAGE_INTERVAL_S = 0.12
"""Shortest time between two messages of one search: a page need not be drawn more often."""
CHECK_INTERVAL_S = 0.5
"""How often a search without news checks whether others wait."""
MAX_DEPTH_PLIES = 60
"""Depth at which a search ends."""
RETRY_S = 3.0
"""After a refusal, when to ask again."""


class Search:
    """One visitor's search: its latest result, and why it must end."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.news = asyncio.Event()
        self.latest: Result | None = None
        self.thinking: Thinking | None = None
        """The engine at work; None while none is free."""
        self.started = 0.0
        """Loop time at which the engine started."""
        self.end_reason = ""

    def start(self, thinking: Thinking, now: float) -> None:
        """The engine has started."""
        self.thinking, self.started = thinking, now

    def update(self, result: Result) -> None:
        """A deeper result has come."""
        self.latest = result
        self.news.set()

    def end(self, reason: str) -> None:
        """Ends it; the first reason counts."""
        self.end_reason = self.end_reason or reason
        self.news.set()


class Searches:
    """One search for each visitor: a new one ends the old one. An address has a few of them at most."""

    def __init__(self, engines: Engines, limits: Limits) -> None:
        self._engines = engines
        self._limits = limits
        self._workers = Workers("search", engines.size, low_priority=True)
        self._shares = Shares(limits.analysis_per_address, retry_s=RETRY_S)
        self._searches: dict[str, Search] = {}

    def __len__(self) -> int:
        return len(self._searches)

    def start(self, caller: Caller, record: Record, lines: int) -> AsyncGenerator[SearchView]:
        """The result after each depth; the last message has `done`: time, newer, others, closed or over.

        Closing the generator stops the search. Raises `ApiError` 429 where the address has its share of searches.
        """
        if not record.legal_moves:
            return _game_over()
        older = self._searches.get(caller.visitor)
        if older is None or older.address != caller.address:
            self._shares.take(caller.address)
        if older:
            older.end("newer")
            if older.address != caller.address:
                self._shares.give_back(older.address)
        search = self._searches[caller.visitor] = Search(caller.address)
        return self._run(caller, search, record, lines)

    async def _run(
        self, caller: Caller, search: Search, record: Record, lines: int
    ) -> AsyncGenerator[SearchView]:
        limits = SearchLimits(movetime=self._limits.analysis_s, depth=MAX_DEPTH_PLIES, lines=lines)
        thinking = asyncio.create_task(self._workers.run(self._work(search, record, limits), caller))
        thinking.add_done_callback(lambda _: search.news.set())
        try:
            async with aclosing(self._messages(search, thinking, record.position.turn)) as messages:
                async for message in messages:
                    yield message
        finally:
            thinking.cancel()
            if self._searches.get(caller.visitor) is search:
                del self._searches[caller.visitor]
                self._shares.give_back(search.address)

    def _work(self, search: Search, record: Record, limits: SearchLimits) -> Callable[[Stop], Result]:
        loop = asyncio.get_running_loop()

        def update(result: Result) -> None:
            loop.call_soon_threadsafe(search.update, result)

        def work(stop: Stop) -> Result:
            try:
                with self._engines.lend(record.rulebook) as engine:
                    thinking = engine.think(record, limits, watcher=update)
                    stop.call(thinking.stop)
                    loop.call_soon_threadsafe(search.start, thinking, loop.time())
                    return thinking.wait()
            finally:
                idle_s = self._limits.analysis_idle_s
                loop.call_soon_threadsafe(loop.call_later, idle_s, self._engines.close_idle)

        return work

    async def _messages(
        self, search: Search, thinking: "asyncio.Task[Result]", turn: Color
    ) -> AsyncGenerator[SearchView]:
        if len(self._searches) > self._workers.size or self._workers.waiting:
            yield SearchView(waiting=True)
        while not thinking.done() and not search.end_reason:
            with suppress(TimeoutError):
                await asyncio.wait_for(search.news.wait(), CHECK_INTERVAL_S)
            search.news.clear()
            if search.latest is not None and not thinking.done():
                yield search_view(search.latest, turn)
                search.latest = None
                await asyncio.sleep(MESSAGE_INTERVAL_S)
            elapsed = asyncio.get_running_loop().time() - search.started
            if self._workers.waiting and search.thinking and elapsed > self._limits.analysis_fair_s:
                search.end("others")
        if search.thinking:
            search.thinking.stop()
        elif not thinking.done():  # it never had its turn
            yield SearchView(done=search.end_reason)
            return
        yield search_view(await thinking, turn, search.end_reason or "time")

    def close(self) -> None:
        """Ends every search."""
        for search in self._searches.values():
            search.end("closed")
        self._workers.stop()


async def _game_over() -> AsyncGenerator[SearchView]:
    yield SearchView(done="over", lines=())
