"""Makes the reports of the queue, one at a time: in a server, or in a `damas worker` that does nothing else."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from damas.server.nodes.bus import Bus
from damas.server.security.errors import ApiError
from damas.server.settings import Limits
from damas.server.store.errors import StoreError, StoreFailed, WriteRefused
from damas.server.store.report_jobs import ReportJobs
from damas.server.store.rows import ReportJobRow
from damas.server.waiting import EndedEarly, run_until
from damas.server.work.lanes import Lane
from damas.server.work.reports import FORMAT, make_report
from damas.server.workers import Caller

log = logging.getLogger("damas.analysing")

MAX_REPORT_S = 3600.0
"""Time limit of one report."""
POLL_S = 3.0
"""How often a queue that other processes share is looked at: leases end without a message."""
RETRY_S = 2.0
"""How long nothing is tried after a failure of the database."""
RENEWALS = 3
"""How often a lease is renewed while it would last."""
MESSAGE_INTERVAL_S = 0.5
"""Shortest time between two messages to other nodes about the progress of a report."""
HAND_BACK_S = 1.0
"""How long a process that stops waits for the database."""

REPORT = "report"
"""Topic of messages about reports: a key and its plies that are done, or None where it is to be read again."""
WAITING = "report waiting"
"""Topic of messages that there is a new report to make."""


class ReportWorker:
    """Takes reports from the queue while it runs. Belongs to one event loop."""

    def __init__(self, jobs: ReportJobs, lane: Lane, bus: Bus, node: str, limits: Limits) -> None:
        self._jobs = jobs
        self._lane = lane
        self._bus = bus
        self._node = node
        self._limits = limits
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._withdrawn = asyncio.Event()
        self._last_message_s = 0.0
        self._last_report = False
        self.current: ReportJobRow | None = None
        """The report that is being made."""
        self.done = 0
        """Its plies that are done."""
        self.made = 0
        """Reports made so far."""
        self.listener: Callable[[str, int | None], None] = lambda *_: None
        """Called as a message of the topic `REPORT` would be."""
        bus.subscribe(WAITING, lambda _: self.wake())
        bus.when_missed(self.wake)

    def start(self) -> None:
        """Begins to take reports, first those that an earlier process of this name has left."""
        self._task = asyncio.create_task(self._run(), name="maker of reports")

    def wake(self) -> None:
        """Something may wait."""
        self._wake.set()

    def withdraw(self, key: str) -> None:
        """Stops work on a report that nobody wants any more."""
        if self.current and self.current.id == key:
            self._withdrawn.set()

    def finish(self) -> None:
        """Takes no more after the present report."""
        self._last_report = True
        self.wake()

    async def close(self) -> None:
        """Stops, and hands back what is unfinished."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def ended(self) -> None:
        """Returns when no more is taken."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        released = False
        while not self._last_report:
            self._wake.clear()
            try:
                if not released:
                    await self._jobs.release(self._node)
                    released = True
                job = await self._jobs.take(self._node, FORMAT)
                if job is not None:
                    await self._process(job)
                    continue
                seconds = POLL_S if self._bus.is_shared else self._limits.report_lease_s
            except StoreError as error:
                log.warning("reports are made later: %s", error)
                seconds = RETRY_S
            except Exception:
                log.exception("ALARM: reports cannot be made")
                seconds = RETRY_S
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()

    async def _process(self, job: ReportJobRow) -> None:
        """Makes a report, and stores it unless it was lost or withdrawn meanwhile."""
        self.current, self.done = job, 0
        self._withdrawn.clear()
        try:
            report: str = await run_until(self._make(job), self._keep_lease(job), self._withdrawn.wait())
            self.made += await self._store(job, report)
        except EndedEarly:
            log.info("report %s was withdrawn or is made elsewhere", job.id)
        except asyncio.CancelledError:
            await self._hand_back(job, begun=False)
            raise
        except ApiError as error:
            if error.code == "RESTARTING":
                self._last_report = True
                await self._hand_back(job, begun=False)
                return
            log.warning("report %s: its process ended", job.id)
            await self._jobs.hand_back(job, begun=True)
        except StoreError as error:
            if not isinstance(error, WriteRefused):
                raise
            log.error("report %s cannot be stored: %s", job.id, error)
            await self._jobs.fail(job)
        except Exception:
            log.exception("report %s failed", job.id)
            await self._jobs.fail(job)
        finally:
            self.current = None
            self._tell(job.id, None)

    async def _make(self, job: ReportJobRow) -> Any:
        loop = asyncio.get_running_loop()

        def progress(done: int) -> None:
            loop.call_soon_threadsafe(self._progress, job, done)

        caller = Caller(job.holder, job.holder)
        return await self._lane.run(
            make_report,
            job.id,
            job.task,
            self._limits,
            caller=caller,
            on_progress=progress,
            seconds=MAX_REPORT_S,
        )

    def _progress(self, job: ReportJobRow, done: int) -> None:
        if self.current is job:
            self.done = done
            self._tell(job.id, done)

    def _tell(self, key: str, done: int | None) -> None:
        self.listener(key, done)
        if done is None or monotonic() - self._last_message_s >= MESSAGE_INTERVAL_S:
            self._last_message_s = monotonic()
            self._bus.publish(REPORT, [key, done])

    async def _keep_lease(self, job: ReportJobRow) -> None:
        """Returns when the job was lost or withdrawn."""
        while True:
            await asyncio.sleep(self._limits.report_lease_s / RENEWALS)
            try:
                if not await self._jobs.renew(job, self.done):
                    return
            except StoreError as error:
                log.warning("the lease of report %s cannot be renewed: %s", job.id, error)

    async def _store(self, job: ReportJobRow, report: str) -> bool:
        """Whether the report was stored; tried again while the database fails and the lease may last."""
        until = monotonic() + self._limits.report_lease_s
        while True:
            try:
                return await self._jobs.finish(job, report)
            except StoreFailed:
                if monotonic() > until:
                    raise
                await asyncio.sleep(RETRY_S)

    async def _hand_back(self, job: ReportJobRow, *, begun: bool) -> None:
        """Hands a job back while this process stops; where that fails, its lease ends by itself."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(HAND_BACK_S):
                await self._jobs.hand_back(job, begun=begun)
                self._bus.publish(WAITING, None)
