"""The queue of one game: what reaches it is dealt with one by one, in the order in which it came."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from damas.server.rooms import measures

Work = Callable[[], Awaitable[None]]


class Owner(Protocol):
    """Whose queue it is: a room."""

    def failed(self, error: Exception) -> None:
        """Some work raised this."""


@dataclass(frozen=True)
class _Job:
    work: Work
    drop: Callable[[], None] = lambda: None
    """What to do instead where the queue is closed before its turn comes: whoever waits is told."""


class Queue:
    """One task deals with it, and there is never another; while there is nothing to do, there is none."""

    def __init__(self, name: str, owner: Owner) -> None:
        self._name = name
        self._owner = owner
        self._jobs: deque[_Job] = deque()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def empty(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._jobs and self._task is None

    def put(self, work: Work, drop: Callable[[], None] = lambda: None) -> None:
        if self._closed:
            drop()
            return
        self._jobs.append(_Job(work, drop))
        measures.waiting.inc()
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=self._name)

    async def in_turn(self, work: Work, closed: Exception) -> None:
        """Waits for its place in the queue, and for its end; raises `closed` where its place never comes."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def told() -> None:
            try:
                await work()
            except Exception as error:  # noqa: BLE001 whoever waits is told
                ended(error)
            else:
                ended(None)

        def ended(error: Exception | None) -> None:
            if done.done():  # whoever waited has given up
                return
            if error:
                done.set_exception(error)
            else:
                done.set_result(None)

        self.put(told, lambda: ended(closed))
        await done

    def close(self) -> None:
        """What waits is dropped; what is under way goes on to its end."""
        self._closed = True
        while self._jobs:
            self._jobs.popleft().drop()
            measures.waiting.dec()

    async def _run(self) -> None:
        while self._jobs:
            job = self._jobs.popleft()
            measures.waiting.dec()
            try:
                await job.work()
            except Exception as error:  # noqa: BLE001 the next is not to suffer from it
                self._owner.failed(error)
        self._task = None
