"""Reports on whole games: a graph, the mistakes in words, the worst moves, and the shots step by step.

They wait in a queue of the database, and any process of it makes them, one at a time (`report_worker`). A report is identified by
its game, and kept once it is done.
"""

import asyncio
import hmac
import logging
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from damas.game import Record
from damas.server.analysing.report_worker import REPORT, WAITING, ReportWorker
from damas.server.nodes.bus import Bus
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.store import Store
from damas.server.store.errors import StoreError, TooManyReports
from damas.server.store.report_jobs import REPORT_PREFIX
from damas.server.store.rows import ReportJobRow
from damas.server.waiting import Signal
from damas.server.work.reports import FORMAT, ReportTask

log = logging.getLogger("damas.analysing")

RETRY_S = 5.0
"""After a refusal, when to ask again."""
READ_AGAIN_S = 2.0
"""How often a report that is watched is read where no message comes."""


class ReportJob:
    """One report and its progress, in plies. `total` counts the final position too."""

    def __init__(self, key: str, total: int) -> None:
        self.key = key
        self.total = total
        self.done = 0
        self.result: dict[str, Any] | None = None
        self.failed = False
        self.stale = False
        """Whether it must be read again."""
        self.changed = Signal()

    @property
    def finished(self) -> bool:
        """Whether it is done or has failed."""
        return self.failed or self.result is not None

    def view(self) -> dict[str, Any]:
        """The job as pages get it."""
        state = "failed" if self.failed else "done" if self.result else "working"
        return {"id": self.key, "state": state, "done": self.done, "total": self.total, "report": self.result}


class Reports:
    """The reports of a server for its visitors. Belongs to one event loop."""

    def __init__(self, limits: Limits, store: Store, bus: Bus, worker: ReportWorker, secret: bytes) -> None:
        self._limits = limits
        self._stored = store.report_jobs
        self._studies = store.studies
        self._bus = bus
        self._secret = secret
        self._jobs: WeakValueDictionary[str, ReportJob] = WeakValueDictionary()
        """Those that somebody watches here."""
        self.worker = worker
        worker.listener = self._hear
        bus.subscribe(REPORT, self._message)
        bus.when_missed(self._missed)

    def key(self, record: Record) -> str:
        """The id of the report on a game."""
        return ReportTask.of(record, self._limits.report_nodes).key()

    async def request(
        self, record: Record, *, keep: bool = True, address: str = "", person: str | None = None
    ) -> ReportJob:
        """The report on a game: the existing one, or a new one for the queue.

        With `keep` it is saved, else only kept for an hour. Raises `ApiError` 429 or 503 where too many wait.
        """
        task = ReportTask.of(record, self._limits.report_nodes)
        key, total = task.key(), record.length + 1
        if (existing := await self._saved(key)) is not None:
            return existing
        holder = hmac.digest(self._secret, address.encode(), "sha256").hex()[:32]
        text = msgspec.json.encode(task).decode()
        try:
            row = await self._stored.add(
                key, text, total, format=FORMAT, holder=holder, person=person, keep=keep
            )
        except TooManyReports as error:
            if error.of_all:
                raise ApiError(503, "BUSY", retry_s=RETRY_S) from None
            raise ApiError(429, "UNDER_WAY", retry_s=RETRY_S) from None
        if row.state == "waiting":
            self.worker.wake()
            self._bus.publish(WAITING, None)
        return self._job_of(row)

    async def get(self, key: str) -> ReportJob | None:
        """A report that waits, is being made or was made before."""
        if not (key.isalnum() and key.isascii()):
            return None
        row = await self._stored.get(key)
        return self._job_of(row) if row else await self._saved(key)

    async def withdraw(self, key: str, person: str) -> bool:
        """Gives up an unfinished report that this person alone has requested; whether there was one."""
        withdrawn = await self._stored.withdraw(key, person)
        if withdrawn:
            self.worker.withdraw(key)
            self._hear(key, None)
            self._bus.publish(REPORT, [key, None])
        return withdrawn

    async def watch(self, job: ReportJob) -> AsyncGenerator[dict[str, Any]]:
        """Its view now and after each change, until it is finished."""
        last = None
        while True:
            change = job.changed.next
            if job.stale:
                await self._read_again(job)
            finished, view = job.finished, job.view()
            if view != last:
                yield view
                last = view
            if finished:  # as of this view: it may have finished while the view was being sent
                return
            try:
                async with asyncio.timeout(READ_AGAIN_S):
                    await change.wait()
            except TimeoutError:
                job.stale = True

    async def _read_again(self, job: ReportJob) -> None:
        with suppress(StoreError):  # it stays to be read
            row = await self._stored.get(job.key)
            job.stale = False
            if row is not None:
                _update(job, row)
            elif (saved := await self._saved(job.key)) is not None:
                job.done, job.result = job.total, saved.result
            else:
                job.failed = True  # withdrawn

    def _job_of(self, row: ReportJobRow) -> ReportJob:
        job = self._jobs.get(row.id)
        if job is None or job.finished:
            job = self._jobs[row.id] = ReportJob(row.id, row.total)
        _update(job, row)
        if (current := self.worker.current) and (current.id, current.epoch) == (row.id, row.epoch):
            job.done = max(job.done, self.worker.done)
        return job

    async def _saved(self, key: str) -> ReportJob | None:
        study = await self._studies.get(REPORT_PREFIX + key)
        if study is None:
            return None
        report = msgspec.json.decode(study.data, type=dict[str, Any])
        job = ReportJob(key, report["plies"] + 1)
        job.done, job.result = job.total, report
        return job

    def _hear(self, key: str, done: int | None) -> None:
        """A report has so many plies done, or must be read again."""
        job = self._jobs.get(key)
        if job is None:
            return
        if done is None:
            job.stale = True
        else:
            job.done = max(job.done, done)
        job.changed.notify()

    def _message(self, content: object) -> None:
        if content is None:
            self._missed()
            return
        key, done = msgspec.convert(content, tuple[str, int | None])
        self._hear(key, done)

    def _missed(self) -> None:
        for key in tuple(self._jobs):
            self._hear(key, None)


def _update(job: ReportJob, row: ReportJobRow) -> None:
    """What the database knows; progress never runs back, also where a report was begun again."""
    job.done = max(job.done, row.done)
    job.failed = row.state == "failed"
    if row.result is not None:
        job.result = msgspec.json.decode(row.result, type=dict[str, Any])
