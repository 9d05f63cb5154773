"""Reports on whole games: a graph, the mistakes in words, the worst moves, and the shots step by step.

One is made at a time, identified by its game, and kept once it is done.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from hashlib import sha256
from time import time
from typing import Any

import msgspec

from damas.game import Record
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.shares import Shares
from damas.server.store.rows import Study
from damas.server.store.studies import Studies
from damas.server.waiting import Signal
from damas.server.work.lanes import Lane
from damas.server.work.reports import make_report
from damas.server.workers import Caller

log = logging.getLogger("damas.analysing")

FORMAT = 2
"""Version of the report's format; part of its key."""
MAX_FINISHED_IN_MEMORY = 64
"""Finished reports kept in memory."""
MAX_REPORT_S = 3600.0
"""Time limit of one report."""
RETRY_S = 5.0
"""After a refusal, when to ask again."""

REPORT_PREFIX = "report:"
"""Before a report's key in its id among the studies of the store."""


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
        """Whether it is done or has failed."""
        return self.failed or self.result is not None

    def view(self) -> dict[str, Any]:
        """The job as pages get it."""
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
        """So many plies are done."""
        self.done = done
        self.changed.notify()


class Reports:
    """Makes reports in one process, so that games keep their processors. Belongs to one event loop."""

    def __init__(self, limits: Limits, studies: Studies, lane: Lane) -> None:
        self._limits = limits
        self._lane = lane
        self._studies = studies
        self._shares = Shares(limits.analysis_per_address, total=limits.reports_waiting, retry_s=RETRY_S)
        self._jobs: dict[str, ReportJob] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def key(self, record: Record) -> str:
        """The id of the report on a game."""
        return key_of(record, self._limits.report_nodes)

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
        task = asyncio.create_task(self._run(job, record, address, keep=keep))
        self._tasks.add(task)
        task.add_done_callback(lambda _: self._shares.give_back(address))
        task.add_done_callback(self._tasks.discard)
        return job

    async def get(self, key: str) -> ReportJob | None:
        """A report that is being made or was made before."""
        if job := self._jobs.get(key):
            return job
        saved = await self._load(key) if key.isalnum() and key.isascii() else None
        if saved is None or key in self._jobs:
            return self._jobs.get(key)
        job = ReportJob(key, saved["plies"] + 1)
        job.done, job.result = job.total, saved
        return job

    async def _run(self, job: ReportJob, record: Record, address: str, *, keep: bool) -> None:
        loop, caller = asyncio.get_running_loop(), Caller(address, address)

        def progress(done: int) -> None:
            loop.call_soon_threadsafe(job.progress, done)

        try:
            result: dict[str, Any] = await self._lane.run(
                make_report, record, self._limits, caller=caller, on_progress=progress, seconds=MAX_REPORT_S
            )
            if keep:
                await self._save(job.key, result)
            job.result = result
        except ApiError as refused:
            log.warning("report %s: %s", job.key, refused.code)
        except Exception:
            log.exception("report %s failed", job.key)
        finally:
            job.failed = job.result is None
            job.changed.notify()
            self._forget_oldest()

    async def _load(self, key: str) -> dict[str, Any] | None:
        study = await self._studies.get(REPORT_PREFIX + key)
        return None if study is None else msgspec.json.decode(study.data, type=dict[str, Any])

    async def _save(self, key: str, report: dict[str, Any]) -> None:
        # Each report owns itself: whoever may see the game may see its report.
        name, now = REPORT_PREFIX + key, round(time() * 1000)
        data = msgspec.json.encode(report).decode()
        await self._studies.save(
            Study(id=name, owner=name, title="", data=data, public=True, created_ms=now, updated_ms=now)
        )

    def _forget_oldest(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.finished]
        for key in finished[: max(0, len(finished) - MAX_FINISHED_IN_MEMORY)]:
            del self._jobs[key]

    async def close(self) -> None:
        """Gives unfinished reports up; requested again, they start again."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def key_of(record: Record, nodes: int) -> str:
    """The same game looked at in the same way has the same report.

    >>> from damas.game import Position
    >>> len(key_of(Record(Position.start("faraes")), 1000))
    32
    """
    moves = " ".join(move.text for move in record.moves)
    parts = (FORMAT, nodes, record.rulebook.hash, record.start.fen, moves, record.recorded, record.claims)
    return sha256(repr(parts).encode()).hexdigest()[:32]
