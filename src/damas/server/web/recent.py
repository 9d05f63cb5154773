"""Answers that never change while the server runs and cost a worker process some time: those used last are remembered."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """At most so many results; the one that nobody has used for the longest time makes room."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._results: dict[Hashable, T] = {}
        """The one used last is the last."""

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> T:
        """The result of this key, made if it is not remembered."""
        result = self._results.pop(key) if key in self._results else await make()
        self._results[key] = result
        if len(self._results) > self._most:
            del self._results[next(iter(self._results))]
        return result
