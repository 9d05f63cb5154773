"""Engines kept between the searches of visitors, so that the next search finds a warm hash table."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from damas.engine import Engine
from damas.engine.endings import possible
from damas.rules import Rulebook
from damas.tablebase import Store


class Engines:
    """At most `limit` engines, each lent to one thread at a time. All methods may be called from any thread."""

    def __init__(self, limit: int, *, threads: int, hash_mb: int, idle_s: float) -> None:
        self._limit = limit
        self._threads, self._hash_mb = threads, hash_mb
        self.idle_s = idle_s
        """An engine unused for so long is closed by `close_idle`."""
        self._lock = threading.Lock()
        self._unused: deque[tuple[float, Engine]] = deque()
        """Oldest first, each with the time since which it is unused."""
        self._lent = 0

    def __len__(self) -> int:
        return len(self._unused) + self._lent

    @contextmanager
    def lend(self, book: Rulebook) -> Iterator[Engine]:
        engine = self._take(book)
        try:
            yield engine
        finally:
            with self._lock:
                self._lent -= 1
                self._unused.append((monotonic(), engine))

    def _take(self, book: Rulebook) -> Engine:
        with self._lock:
            self._lent += 1
            for unused in self._unused:
                if unused[1].book is book:
                    self._unused.remove(unused)
                    return unused[1]
            surplus = self._unused.popleft()[1] if len(self) > self._limit and self._unused else None
        if surplus:
            surplus.close()
        try:
            return self._new(book)
        except BaseException:
            with self._lock:
                self._lent -= 1
            raise

    def _new(self, book: Rulebook) -> Engine:
        # A table store for each engine: no two threads share open table files.
        tables = Store(book) if possible(book) else False
        return Engine(book, threads=self._threads, hash_mb=self._hash_mb, tables=tables)

    def close_idle(self) -> None:
        self._close_unused(since=monotonic() - self.idle_s)

    def close(self) -> None:
        """Closes every engine that is not lent."""
        self._close_unused(since=float("inf"))

    def _close_unused(self, since: float) -> None:
        with self._lock:
            closing = []
            while self._unused and self._unused[0][0] <= since:
                closing.append(self._unused.popleft()[1])
        for engine in closing:
            engine.close()
