"""Long work beside the event loop: so much at once, one piece of it for an address, and given up when nobody waits.

Each errand has a thread that nothing waits for when the process ends, and a flag that it looks at as it goes.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from starlette.requests import Request

from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of

T = TypeVar("T")

RETRY_S = 2.0


class GivenUp(Exception):
    """Raised by work that saw its flag."""


class Flag:
    """Whether work is still wanted."""

    def __init__(self) -> None:
        self._down = threading.Event()

    def drop(self) -> None:
        self._down.set()

    def check(self) -> None:
        """Raises `GivenUp` once nobody waits any more."""
        if self._down.is_set():
            raise GivenUp


class Shares:
    """What each address has under way of something, and how much of it that may be."""

    def __init__(self, each: int) -> None:
        self._each = each
        self._held: Counter[str] = Counter()

    @property
    def under_way(self) -> int:
        return self._held.total()

    @contextmanager
    def hold(self, address: str) -> Iterator[None]:
        """One of them, for as long as it is held. Raises `ApiError` 429 where that is one too many."""
        if self._held[address] >= self._each:
            raise ApiError(429, "UNDER_WAY", retry_s=RETRY_S)
        self._held[address] += 1
        try:
            yield
        finally:
            self._held -= Counter({address: 1})


class BackgroundTasks:
    """One kind of long work. Belongs to one event loop."""

    def __init__(self, at_once: int, closing: asyncio.Event, *, name: str, each: int = 1) -> None:
        self._turns = asyncio.Semaphore(at_once)
        self._shares = Shares(each)
        self._name = name
        self._closing = closing

    @property
    def under_way(self) -> int:
        return self._shares.under_way

    async def run(self, request: Request, work: Callable[[Flag], T]) -> T:
        """What the work gives. Raises `ApiError`: 429 where this address has its share under way, 503 where the server
        stops; whoever asked and went away is answered by nobody.

        The body of the request must have been read: what comes after it can only be the end of the connection.
        """
        with self._shares.hold(address_of(request)):
            return await self._wanted(request, work)

    async def _wanted(self, request: Request, work: Callable[[Flag], T]) -> T:
        flag = Flag()
        doing = asyncio.create_task(self._turn(flag, work))
        ends = [asyncio.create_task(_gone(request)), asyncio.create_task(_set(self._closing))]
        try:
            await asyncio.wait((doing, *ends), return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                raise ApiError(503, "RESTARTING", retry_s=1)
            return doing.result()
        finally:
            flag.drop()
            for task in (doing, *ends):
                task.cancel()
            await asyncio.gather(doing, *ends, return_exceptions=True)

    async def _turn(self, flag: Flag, work: Callable[[Flag], T]) -> T:
        async with self._turns:
            loop = asyncio.get_running_loop()
            ended: asyncio.Future[T] = loop.create_future()

            def run() -> None:
                try:
                    result = work(flag)
                except BaseException as error:  # noqa: BLE001 whoever waits is told, whatever it is
                    _tell(loop, ended, error=error)
                else:
                    _tell(loop, ended, result=result)

            ended.add_done_callback(lambda done: done.cancelled() or done.exception())
            threading.Thread(target=run, name=f"damas-{self._name}", daemon=True).start()
            try:
                return await asyncio.shield(ended)
            except asyncio.CancelledError:
                # The turn is over when the thread is, which sees the flag soon. A server that stops does not wait.
                closing = asyncio.create_task(_set(self._closing))
                await asyncio.wait((ended, closing), return_when=asyncio.FIRST_COMPLETED)
                closing.cancel()
                raise


def _tell(loop: asyncio.AbstractEventLoop, ended: "asyncio.Future[Any]", **how: Any) -> None:
    def told() -> None:
        if ended.done():
            return
        if "error" in how:
            ended.set_exception(how["error"])
        else:
            ended.set_result(how["result"])

    with suppress(RuntimeError):  # the loop has closed: nobody waits
        loop.call_soon_threadsafe(told)


async def _set(event: asyncio.Event) -> None:
    await event.wait()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
