"""Reports on whole games in the making: one at a time, identified by the game, kept once they are done."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from damas.engine import Engine
from damas.engine.endings import possible
from damas.game import Record
from damas.server.analysing.report import key_of, report
from damas.server.shares import Shares
from damas.server.waiting import Signal
from damas.server.workers import Stop, Stopped, Workers
from damas.tablebase import Store
from damas.views import plain

log = logging.getLogger("damas.analysing")

MAX_FINISHED_IN_MEMORY = 64
RETRY_S = 5.0

Save = Callable[[str, dict[str, Any]], Awaitable[None]]
Load = Callable[[str], Awaitable[dict[str, Any] | None]]


class ReportJob:
    """One report and its progress, in plies. `total` counts the final position too."""

    def __init__(self, key: str, total: int) -> None:
        self.key = key
        self.total = total
        self.done = 0
        self.result: dict[str, Any] | None = None
        self.failed = False
        self.changed = Signal()

    @property
    def finished(self) -> bool:
        return self.failed or self.result is not None

    def view(self) -> dict[str, Any]:
        state = "failed" if self.failed else "done" if self.result else "working"
        return {"id": self.key, "state": state, "done": self.done, "total": self.total, "report": self.result}

    async def watch(self) -> AsyncGenerator[dict[str, Any]]:
        """Its view now and after each change, until it is finished."""
        while True:
            change, finished = self.changed.next, self.finished
            yield self.view()
            if finished:  # as of this view: it may have finished while the view was being sent
                return
            await change.wait()

    def progress(self, done: int) -> None:
        self.done = done
        self.changed.notify()


class Reports:
    """Makes reports in one thread, so that games keep their processors. Belongs to one event loop."""

    def __init__(
        self,
        *,
        nodes: int,
        hash_mb: int,
        threads: int,
        load: Load,
        save: Save,
        max_waiting: int = 64,
        per_address: int = 2,
    ) -> None:
        self._nodes, self._hash_mb, self._threads = nodes, hash_mb, threads
        self._load, self._save = load, save
        self._shares = Shares(per_address, total=max_waiting, retry_s=RETRY_S)
        self._workers = Workers("report", 1)
        self._jobs: dict[str, ReportJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def key(self, record: Record) -> str:
        return key_of(record, self._nodes)

    async def request(self, record: Record, *, keep: bool = True, address: str = "") -> ReportJob:
        """The report on a game: the existing one, or a new one that is started.

        With `keep` it is saved, else only kept in memory for a while. Raises `ApiError` 429 or 503 where too many wait.
        """
        key = self.key(record)
        existing = await self.get(key)
        if existing is not None and not existing.failed:
            return existing
        self._shares.take(address)
        job = self._jobs[key] = ReportJob(key, record.length + 1)
        task = asyncio.create_task(self._run(job, record, keep=keep))
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._shares.give_back(address))
        task.add_done_callback(self._tasks.discard)
        return job

    async def get(self, key: str) -> ReportJob | None:
        """A report that is being made or was made before."""
        if job := self._jobs.get(key):
            return job
        saved = await self._load(key)
        if saved is None or key in self._jobs:
            return self._jobs.get(key)
        job = ReportJob(key, saved["plies"] + 1)
        job.done, job.result = job.total, saved
        return job

    async def _run(self, job: ReportJob, record: Record, *, keep: bool) -> None:
        loop = asyncio.get_running_loop()

        def work(stop: Stop) -> dict[str, Any]:
            def progress(done: int, _total: int) -> None:
                stop.check()
                loop.call_soon_threadsafe(job.progress, done)

            book = record.rulebook
            tables = Store(book) if possible(book) else False
            with Engine(book, threads=self._threads, hash_mb=self._hash_mb, tables=tables) as engine:
                view: dict[str, Any] = plain(report(record, engine, self._nodes, progress))
                return view

        try:
            result = await self._workers.run(work)
            if keep:
                await self._save(job.key, result)
            job.result = result
        except Stopped:
            pass
        except Exception:
            log.exception("report %s failed", job.key)
        finally:
            job.failed = job.result is None
            job.changed.notify()
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.finished]
        for key in finished[: max(0, len(finished) - MAX_FINISHED_IN_MEMORY)]:
            del self._jobs[key]

    async def close(self) -> None:
        """Gives unfinished reports up; requested again, they start again."""
        self._workers.stop()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
