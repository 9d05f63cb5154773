"""Waiting for events in asyncio: a signal for many waiters, an outbox for one reader, work with an early end."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from typing import Generic, TypeVar

T = TypeVar("T")


class Signal:
    """Wakes everybody who waits for the next change.

    Take `next` before you read the state: a change after that is not missed.
    """

    def __init__(self) -> None:
        self.next = asyncio.Event()

    def notify(self) -> None:
        """Wakes everybody who waits."""
        self.next.set()
        self.next = asyncio.Event()


class Outbox(Generic[T]):
    """Messages for one reader, who iterates over it. Adding never waits; `close` ends the iteration."""

    def __init__(self) -> None:
        self._messages: deque[T] = deque()
        self._closed = False
        self._wake = asyncio.Event()

    @property
    def unread(self) -> int:
        """Messages that wait for the reader."""
        return len(self._messages)

    def add(self, message: T) -> None:
        """Adds a message, and wakes the reader."""
        self._messages.append(message)
        self._wake.set()

    def close(self) -> None:
        """No more after the messages that are already here."""
        self._closed = True
        self._wake.set()

    def take(self) -> T | None:
        """The next message; None while there is none."""
        return self._messages.popleft() if self._messages else None

    async def __aiter__(self) -> AsyncIterator[T]:
        while True:
            while (message := self.take()) is not None:
                yield message
            if self._closed:
                return
            self._wake.clear()
            await self._wake.wait()


class EndedEarly(Exception):
    """One of the ends came before the work was done."""


async def run_until(work: Awaitable[T], *ends: Awaitable[object]) -> T:
    """The result of `work`. Cancels it and raises `EndedEarly` when one of the `ends` comes first."""
    working = asyncio.ensure_future(work)
    waiting = [asyncio.ensure_future(end) for end in ends]
    try:
        await asyncio.wait({working, *waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise EndedEarly
        return working.result()
    finally:
        for task in (working, *waiting):
            task.cancel()
        await asyncio.gather(working, *waiting, return_exceptions=True)
