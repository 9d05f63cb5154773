"""When the garbage collector runs, so that its pauses do not delay games.

A full collection stops the event loop for a third of a second at a thousand games and finds next to nothing, since
rooms, sockets and events hold no reference cycles. So young objects are collected every 100 ms while they are few and
then frozen; a full collection runs when the server is idle, and at least once an hour. CPython's own trigger (new minus
freed objects) fires every few seconds under load with all the young objects of that time: pauses of 50 ms.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

YOUNG_INTERVAL_S = 0.1
"""How often young objects are collected."""
IDLE_CHECK_INTERVAL_S = 5.0
"""How often it is checked whether the server is idle."""
FULL_INTERVAL_S = 3600.0
"""Longest time between two full collections."""
BUSY_OBJECTS = 500
"""More new objects than this between two young collections mean that the server is in use."""
THRESHOLD_NEVER_REACHED = 1_000_000
"""Keeps CPython's own trigger from firing."""


@contextmanager
def imports_uncollected() -> Iterator[None]:
    """Imports modules without looking for garbage: they leave next to none, and the search takes a fifth of their time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def freeze_startup_objects() -> None:
    """Exempts everything that exists once the server has started, and turns automatic collections off."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(THRESHOLD_NEVER_REACHED, 10, THRESHOLD_NEVER_REACHED)


class IdleCollector:
    """Collects young objects at every tick, and all objects when the server is `idle` after use or one is overdue."""

    def __init__(self, idle: Callable[[], bool], now: float) -> None:
        self._idle = idle
        self._checked = self._collected = now
        self._active = False

    async def run(self) -> None:
        """Ticks for ever."""
        while True:
            await asyncio.sleep(YOUNG_INTERVAL_S)
            self.tick(time.monotonic())

    def tick(self, now: float) -> None:
        """Collects what is due at this time."""
        self._active |= gc.get_count()[0] > BUSY_OBJECTS
        gc.collect(0)
        gc.freeze()
        if now - self._checked <= IDLE_CHECK_INTERVAL_S:
            return
        self._checked = now
        if (self._active and self._idle()) or now - self._collected > FULL_INTERVAL_S:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._collected, self._active = now, False
