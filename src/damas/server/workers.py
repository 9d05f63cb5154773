"""Threads for long work beside the event loop: so many at once, callers served in turn, work that can be stopped."""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Caller(NamedTuple):
    """For whom work is done: one visitor, and the address they share with others."""

    visitor: str = ""
    address: str = ""
    apart: str = ""
    """Whoever has places in the line, and a budget, besides those of the address."""

    @property
    def line(self) -> str:
        """Under what its requests in the line and their cost are counted."""
        return f"{self.address} {self.apart}" if self.apart else self.address


ANYBODY = Caller()
"""A caller for work that nobody in particular wants."""


class Stopped(Exception):
    """Raised inside work that was told to stop."""


class Stop:
    """Tells work in a thread that nobody waits for its result any more."""

    def __init__(self) -> None:
        self._set = threading.Event()
        self._callback: Callable[[], None] | None = None

    def set(self) -> None:
        """Tells the work to end."""
        self._set.set()
        if self._callback:
            self._callback()

    def check(self) -> None:
        """Raises `Stopped` once the work is no longer wanted."""
        if self._set.is_set():
            raise Stopped

    def call(self, callback: Callable[[], None]) -> None:
        """Has `callback`, which may run twice, called from another thread when the work must stop."""
        self._callback = callback
        if self._set.is_set():
            callback()


class Turns:
    """Fair access to a number of places: visitors take turns, however many requests each has waiting.

    Anybody can be many visitors, so only `per_address` requests of one address wait in the line or have a place; the
    others of that address wait outside.
    """

    def __init__(self, places: int, per_address: int = sys.maxsize) -> None:
        self._free = places
        self._per_address = per_address
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        """Waiting requests by visitor; the first visitor has the next turn."""
        self._addresses: dict[str, tuple[asyncio.Semaphore, int]] = {}
        """By address: admission to the line, and how many requests have asked for it."""

    @property
    def waiting(self) -> int:
        """Requests in the line."""
        return sum(map(len, self._lines.values()))

    async def enter(self, caller: Caller) -> None:
        """Returns when the caller has a place, which `leave` frees."""
        new = asyncio.Semaphore(self._per_address), 0
        admission, requests = self._addresses.get(caller.line, new)
        self._addresses[caller.line] = admission, requests + 1
        try:
            await admission.acquire()
        except asyncio.CancelledError:
            self._forget(caller.line)
            raise
        try:
            await self._line_up(caller.visitor)
        except asyncio.CancelledError:
            admission.release()
            self._forget(caller.line)
            raise

    def leave(self, caller: Caller) -> None:
        """Frees the caller's place for the next."""
        self._addresses[caller.line][0].release()
        self._forget(caller.line)
        self._next()

    def _forget(self, address: str) -> None:
        admission, requests = self._addresses.pop(address)
        if requests > 1:
            self._addresses[address] = admission, requests - 1

    async def _line_up(self, visitor: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(visitor, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place came at the same moment: pass it on
                self._next()
            elif turn in (line := self._lines.get(visitor, deque())):
                line.remove(turn)
                if not line:
                    del self._lines[visitor]
            raise

    def _next(self) -> None:
        """Gives the place to the next visitor, who goes to the end of the line for further requests."""
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


MAX_IDLE_THREADS = 16
"""Threads that wait for the next work."""
_idle_threads: tuple[deque[SimpleQueue[Callable[[], None]]], ...] = (deque(), deque())
"""The queue of each idle thread, of usual and of low priority: starting a thread would keep the event loop waiting for it."""
LOW_PRIORITY = 10
"""Nice value of threads that compute for seconds, the same that worker processes have."""


def _run_in_thread(work: Callable[[], None], low_priority: bool) -> None:
    try:
        queue = _idle_threads[low_priority].pop()
    except IndexError:
        queue = SimpleQueue()
        arguments = queue, low_priority
        threading.Thread(target=_serve, args=arguments, name="damas-worker", daemon=True).start()
    queue.put(work)


def _serve(queue: SimpleQueue[Callable[[], None]], low_priority: bool) -> None:
    if low_priority:
        lower_priority()
    idle = _idle_threads[low_priority]
    while True:
        queue.get()()
        if len(idle) >= MAX_IDLE_THREADS:
            return
        idle.append(queue)


def lower_priority() -> None:
    """Leaves the processor to the other threads of the process; so do the threads that this one starts.

    On Linux alone: elsewhere a thread has no priority of its own that Python could set.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(
                os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + LOW_PRIORITY
            )


class Workers:
    """Up to `size` threads of one kind. Nothing waits for them when the process ends. Belongs to one event loop."""

    def __init__(
        self, name: str, size: int, *, per_address: int = sys.maxsize, low_priority: bool = False
    ) -> None:
        """`low_priority` is for work that keeps a processor busy, so that it keeps the event loop from none."""
        self._name = name
        self._low_priority = low_priority
        self.size = size
        self.turns = Turns(size, per_address)
        self._running: set[Stop] = set()

    @property
    def running(self) -> int:
        """Pieces of work in threads."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Requests in the line."""
        return self.turns.waiting

    async def run(
        self,
        work: Callable[[Stop], T],
        caller: Caller = ANYBODY,
        at_end: Callable[[], None] = lambda: None,
        at_turn: Callable[[], None] = lambda: None,
    ) -> T:
        """The result of `work` in a thread, when the caller's turn has come; unless `at_turn` raises then.

        Cancelling this call stops the work. When the thread has ended, `at_end` is called, in the event loop, and the
        place is free again.
        """
        try:
            await self.turns.enter(caller)
        except BaseException:
            at_end()
            raise
        try:
            at_turn()
        except BaseException:
            at_end()
            self.turns.leave(caller)
            raise
        loop, stop = asyncio.get_running_loop(), Stop()
        result: asyncio.Future[T] = loop.create_future()
        self._running.add(stop)

        def ended(value: Any, error: BaseException | None) -> None:
            self._running.discard(stop)
            at_end()
            self.turns.leave(caller)
            if result.done():
                return
            if error:
                result.set_exception(error)
            else:
                result.set_result(value)

        def run() -> None:
            value, error = None, None
            try:
                value = work(stop)
            except BaseException as raised:  # noqa: BLE001 whatever it is goes to the caller
                error = raised
            with suppress(RuntimeError):  # the loop has closed: nobody waits
                loop.call_soon_threadsafe(ended, value, error)

        try:
            _run_in_thread(run, self._low_priority)
        except RuntimeError as error:  # the machine has no thread to give
            ended(None, error)
        try:
            return await result
        except asyncio.CancelledError:
            stop.set()
            raise

    def stop(self) -> None:
        """Stops all work that is running; what waits is its callers' to cancel."""
        for stop in tuple(self._running):
            stop.set()
