"""Reports that are being made: one at a time, known by what they are about, kept once they are done."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from damas.engine import Engine
from damas.engine.endings import possible
from damas.game import Record
from damas.server.analysing.report import key_of, report
from damas.tablebase import Store
from damas.views import plain

log = logging.getLogger("damas.analysing")

KEPT = 64
"""Finished reports that are remembered without asking where they are kept."""

Keep = Callable[[str, dict[str, Any]], Awaitable[None]]
Find = Callable[[str], Awaitable[dict[str, Any] | None]]


class TooManyReports(Exception):
    """The queue is full."""


class TooManyOfAddress(TooManyReports):
    """Whoever asks has their share of it."""


class _Stopped(Exception):
    """The server goes; the report is not finished."""


@dataclass
class Job:
    """One report on its way."""

    id: str
    record: Record | None
    """None where only the finished report is known."""
    total: int
    address: str = ""
    """Of whoever asked for it first."""
    done: int = 0
    result: dict[str, Any] | None = None
    failed: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self) -> None:
        """Wakes everybody who watches."""
        self.news.set()
        self.news = asyncio.Event()

    @property
    def finished(self) -> bool:
        return self.failed or self.result is not None

    def view(self) -> dict[str, Any]:
        state = "failed" if self.failed else "done" if self.result else "working"
        return {"id": self.id, "state": state, "done": self.done, "total": self.total, "report": self.result}


class Jobs:
    """Belongs to one event loop; one thread works, so that players' games keep their processor."""

    def __init__(
        self,
        *,
        nodes: int,
        hash_mb: int,
        threads: int,
        find: Find,
        keep: Keep,
        most_waiting: int = 64,
        each: int = 2,
    ) -> None:
        self._each = each
        self._most_waiting = most_waiting
        self._nodes, self._hash_mb, self._threads = nodes, hash_mb, threads
        self._find, self._keep = find, keep
        self._jobs: dict[str, Job] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="damas-report")
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = False

    def key(self, record: Record) -> str:
        return key_of(record, self._nodes)

    async def ask(self, record: Record, *, keep: bool = True, address: str = "") -> Job:
        """The report on a game: the one there is, or a new one that is begun. Raises `TooManyReports`.

        Reports on games that are kept are kept as well; any other is only remembered for a while.
        """
        key = self.key(record)
        known = await self.get(key)
        if known is not None and not known.failed:
            return known
        unfinished = [job for job in self._jobs.values() if not job.finished]
        if len(unfinished) >= self._most_waiting:
            raise TooManyReports
        if address and sum(job.address == address for job in unfinished) >= self._each:
            raise TooManyOfAddress
        job = self._jobs[key] = Job(key, record, record.length + 1, address)
        task = asyncio.create_task(self._work(job, keep))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def get(self, key: str) -> Job | None:
        """A report that is being made or was made once."""
        if job := self._jobs.get(key):
            return job
        found = await self._find(key)
        if found is None or key in self._jobs:
            return self._jobs.get(key)
        return Job(key, None, found["plies"] + 1, done=found["plies"] + 1, result=found)

    async def watch(self, job: Job) -> AsyncGenerator[dict[str, Any]]:
        """How far it is, until it is done."""
        while True:
            news, view = job.news, job.view()
            yield view
            if view["state"] != "working":
                return
            await news.wait()

    async def _work(self, job: Job, keep: bool) -> None:
        loop = asyncio.get_running_loop()

        def progress(done: int, _total: int) -> None:
            if self._stopping:
                raise _Stopped
            loop.call_soon_threadsafe(self._heard, job, done)

        try:
            assert job.record is not None
            result = await loop.run_in_executor(self._thread, self._make, job.record, progress)
            if keep:
                await self._keep(job.id, result)
            job.result = result
        except _Stopped:
            job.failed = True
        except Exception:
            job.failed = True
            log.exception("report %s failed", job.id)
        finally:
            job.failed = job.failed or job.result is None  # cancelled
            job.tell()
            self._forget()

    def _make(self, record: Record, progress: Callable[[int, int], None]) -> dict[str, Any]:
        book = record.rulebook
        tables = Store(book) if possible(book) else False
        with Engine(book, threads=self._threads, hash_mb=self._hash_mb, tables=tables) as engine:
            view: dict[str, Any] = plain(report(record, engine, self._nodes, progress))
            return view

    def _heard(self, job: Job, done: int) -> None:
        job.done = done
        job.tell()

    def _forget(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.finished]
        for key in finished[: max(0, len(finished) - KEPT)]:
            del self._jobs[key]

    async def close(self) -> None:
        """What is unfinished is given up: asked again, it begins again."""
        self._stopping = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
