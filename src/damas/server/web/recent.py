"""Answers that never change while the server runs and cost a worker process some time: those used last are remembered."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """At most so many results; the one that nobody has used for the longest time makes room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: dict[Hashable, asyncio.Future[T]] = {}
        """The one used last is the last."""

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The result of this key, made if it is not remembered: once for all who ask meanwhile."""
        result = self._results.pop(key, None) or asyncio.ensure_future(make())
        self._results[key] = result
        if len(self._results) > self._most:
            del self._results[next(iter(self._results))]
        try:
            return await asyncio.shield(result)  # whoever asked first may go away
        except BaseException:
            failed = result.done() and (result.cancelled() or result.exception() is not None)
            if failed and self._results.get(key) is result:
                del self._results[key]
            raise
