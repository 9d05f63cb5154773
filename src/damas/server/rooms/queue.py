"""The queue of one game: work is done one at a time, in the order in which it came."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from damas.server.rooms import metrics

Work = Callable[[], Awaitable[None]]
"""One piece of work."""
Drop = Callable[[], None]
"""Called instead of work whose turn never comes."""


class Queue:
    """One task works it off; while there is nothing to do there is none."""

    def __init__(self, name: str, on_error: Callable[[Exception], None]) -> None:
        self._name = name
        self._on_error = on_error
        self._waiting: deque[tuple[Work, Drop]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def empty(self) -> bool:
        """Whether nothing waits and nothing is being done."""
        return not self._waiting and self._task is None

    def put(self, work: Work, drop: Drop = lambda: None) -> None:
        """Adds work; `drop` is called instead if the queue is closed before its turn."""
        if self._closed:
            drop()
            return
        self._waiting.append((work, drop))
        metrics.waiting.inc()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def in_turn(self, work: Work, closed: Exception) -> None:
        """Waits until the work is done, and raises what it raises; raises `closed` if its turn never comes."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def end(error: Exception | None) -> None:
            if done.done():  # the caller was cancelled
                return
            if error:
                done.set_exception(error)
            else:
                done.set_result(None)

        async def run() -> None:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 it goes to the caller
                end(error)
            else:
                end(None)

        self.put(run, lambda: end(closed))
        await done

    def close(self) -> None:
        """Drops what waits; what is being done goes on to its end."""
        self._closed = True
        while self._waiting:
            self._waiting.popleft()[1]()
            metrics.waiting.dec()

    async def _run(self) -> None:
        while self._waiting:
            work, _ = self._waiting.popleft()
            metrics.waiting.dec()
            try:
                await work()
            except Exception as error:  # noqa: BLE001 the next work must not suffer from it
                self._on_error(error)
        self._task = None
