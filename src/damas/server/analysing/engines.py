"""Engines kept between the searches of visitors, so that the next search finds a warm hash table."""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from damas.engine import Engine
from damas.engine.endings import possible
from damas.rules import Rulebook
from damas.server.settings import Limits
from damas.tablebase import Store


class Engines:
    """At most `size` engines, each lent to one thread at a time. All methods may be called from any thread."""

    def __init__(self, size: int, limits: Limits) -> None:
        self.size = size
        self._limits = limits
        self._lock = threading.Lock()
        self._unused: deque[tuple[float, Engine]] = deque()
        """Oldest first, each with the time since which it is unused."""
        self._lent = 0

    def __len__(self) -> int:
        return len(self._unused) + self._lent

    @contextmanager
    def lend(self, book: Rulebook) -> Iterator[Engine]:
        """An engine for these rules: an unused one, or a new one."""
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
            surplus = self._unused.popleft()[1] if len(self) > self.size and self._unused else None
        if surplus:
            surplus.close()
        try:
            return new_engine(book, self._limits)
        except BaseException:
            with self._lock:
                self._lent -= 1
            raise

    def close_idle(self) -> None:
        """Closes the engines that were unused for `analysis_idle_s`."""
        self._close_unused(since=monotonic() - self._limits.analysis_idle_s)

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


def new_engine(book: Rulebook, limits: Limits) -> Engine:
    """An engine with a table store of its own: no two threads share open table files."""
    tables = Store(book) if possible(book) else False
    return Engine(book, threads=limits.analysis_threads, hash_mb=limits.analysis_hash_mb, tables=tables)
