"""Engines for asyncio: the same calls as coroutines, so that several engines think while the program goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Self, TypeVar, overload

from damas.client.engine import TIMEOUT_S, Analysis, EngineClient, OptionValue, check_bounded
from damas.client.opening import open_engine
from damas.client.results import Info, PlayResult
from damas.engine.engine import Place
from damas.engine.limits import Limits
from damas.errors import EngineError
from damas.notation.hub import Option
from damas.rules import Rulebook

T = TypeVar("T")


class AsyncClient:
    """An engine to consult with `await`. Each call waits in a thread of its own; a cancelled one stops its search.

    Opened by `await AsyncClient.open(...)`, or made of an engine that is open. Use it in an `async with` block.
    """

    def __init__(self, client: EngineClient) -> None:
        self.client = client

    @classmethod
    async def open(
        cls,
        engine: str | Sequence[str],
        book: Rulebook | str,
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeout: float = TIMEOUT_S,
        cwd: str | Path | None = None,
    ) -> Self:
        """Opens an engine as `open_engine` does."""
        opened = await _in_thread(
            lambda: open_engine(engine, book, options=options, timeout=timeout, cwd=cwd), EngineClient.close
        )
        return cls(opened)

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self.client.name

    @property
    def id(self) -> Mapping[str, str]:
        """What else it tells of itself: version, author …"""
        return self.client.id

    @property
    def options(self) -> Mapping[str, Option]:
        """Its options with their types and bounds, by name."""
        return self.client.options

    async def play(self, place: Place, limits: Limits, *, ponder: bool = False) -> PlayResult:
        """The move that it plays, as `EngineClient.play`."""
        search = await _in_thread(lambda: self.client._begin_play(place, limits), Analysis.stop)
        return await _stoppable(
            search, lambda: self.client._finish_play(search, place, limits, ponder=ponder)
        )

    @overload
    async def analyse(self, place: Place, limits: Limits, *, multipv: None = None) -> Info: ...
    @overload
    async def analyse(self, place: Place, limits: Limits, *, multipv: int) -> list[Info]: ...
    async def analyse(self, place: Place, limits: Limits, *, multipv: int | None = None) -> Info | list[Info]:
        """Its last report of the best line, or of several, as `EngineClient.analyse`."""
        check_bounded(limits)
        analysis = await self.analysis(place, limits, multipv=1 if multipv is None else multipv)
        await analysis.wait()
        return analysis.info if multipv is None else analysis.lines

    async def analysis(
        self, place: Place, limits: Limits | None = None, *, multipv: int = 1
    ) -> AsyncAnalysis:
        """Begins an analysis, as `EngineClient.analysis`: `async with await engine.analysis(game) as analysis`."""
        return AsyncAnalysis(
            await _in_thread(lambda: self.client.analysis(place, limits, multipv=multipv), Analysis.stop)
        )

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Sets options, as `EngineClient.configure`."""
        await _in_thread(lambda: self.client.configure(options))

    async def new_game(self) -> None:
        """Tells it that the next search belongs to another game."""
        await _in_thread(self.client.new_game)

    async def ping(self) -> None:
        """Waits for a sign of life."""
        await _in_thread(self.client.ping)

    def stop(self) -> None:
        """Ends the search in progress, which then returns what it has."""
        self.client.stop()

    async def close(self) -> None:
        """Ends its search and the engine itself."""
        await _in_thread(self.client.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncAnalysis(AsyncIterator[Info]):
    """A search in progress, as `Analysis`: `async for info in analysis`."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    async def __anext__(self) -> Info:
        info = await _in_thread(lambda: next(self.analysis, None))
        if info is None:
            raise StopAsyncIteration
        return info

    @property
    def done(self) -> bool:
        """Whether the search has ended."""
        return self.analysis.done

    @property
    def lines(self) -> list[Info]:
        """The last report of each line, best first."""
        return self.analysis.lines

    @property
    def info(self) -> Info:
        """The last report of the best line."""
        return self.analysis.info

    def stop(self) -> None:
        """Asks the engine to end the search."""
        self.analysis.stop()

    async def wait(self) -> PlayResult:
        """Waits for the end of the search and returns the move that the engine prefers."""
        return await _stoppable(self.analysis, self.analysis.wait)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self.done:
            return
        try:
            self.stop()
            await self.wait()
        except EngineError:
            if kind is None:
                raise


async def _stoppable(search: Analysis, wait: Callable[[], T]) -> T:
    """Waits for a search in a thread; whoever cancels this stops the search."""
    try:
        return await _in_thread(wait)
    except asyncio.CancelledError:
        search.stop()
        raise


async def _in_thread(function: Callable[[], T], undo: Callable[[T], None] | None = None) -> T:
    """Calls a function in a thread. If this is cancelled meanwhile, `undo` is called with its value.

    The threads are of no pool: one that waits for an engine does not keep the program from ending.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:  # noqa: BLE001 (raised where it is awaited)
            future.set_exception(error)

    Thread(target=run, name="damas-client", daemon=True).start()
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        if undo:
            future.add_done_callback(lambda done: None if done.exception() else undo(done.result()))
        raise
