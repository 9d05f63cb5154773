"""The writer: a queue, one transaction for everything that waits (group commit), and answers only after its COMMIT.

A call returns when its write is on disk. Otherwise it raises: `WriteRefused` (or the error of its own work) if it alone
failed, `StoreBusy` if the queue is full, `StoreFailed` if the transaction failed; its `unknown` says whether it may be on
disk all the same. After a failure the writer reconnects.
"""

import asyncio
import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from damas.server.store.append import Append, append_many, append_one
from damas.server.store.database import Database, WriteConnection, is_bad_value, message_of
from damas.server.store.errors import BadValue, StoreBusy, StoreError, StoreFailed, WriteRefused
from damas.server.store.rows import EventRow

log = logging.getLogger("damas.store")

T = TypeVar("T")
Work = Callable[[Connection], Any]
"""A write of any kind, run in a shared transaction."""
Stage = Literal["connect", "begin", "write", "commit", "committed"]
"""Where a transaction stands, for `Writer.fault`."""

# Classes of SQLSTATE: connection, transaction state (a standby), resources, operator, system, internal.
_LOST = ("08", "25", "53", "57", "58", "XX")
_STOPPING = "the server is stopping"


@dataclass(eq=False)
class _Job:
    """One write, and the future of its caller."""

    task: Append | Work
    waiter: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


@dataclass(eq=False)
class _Attempt:
    """The state of one transaction."""

    jobs: Sequence[_Job]
    committing: bool = False
    """Whether COMMIT was sent: from then on the outcome of a failure is unknown."""
    commit_ms: float = 0.0


class Writer:
    """Owns the only connection that writes. Made by `Writer.open`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._limits = database.settings.limits
        self._queue: deque[_Job] = deque()
        self._wake = asyncio.Event()
        self._line: WriteConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._since: float | None = None
        self._failure: str | None = None
        self._log_checked = 0.0
        self._purge_due = False
        self.unsettled: set[str] = set()
        """Games with an append of unknown outcome, which may still reach the disk: see `Games.by_client_id`."""
        names = ("transactions", "jobs", "refused", "busy", "failures", "reconnects")
        self.counts = dict.fromkeys(names, 0)
        """What has happened so far, for the metrics."""
        self.commit_ms: deque[float] = deque(maxlen=1024)
        """Duration of the last COMMITs alone."""
        self.transaction_ms: deque[float] = deque(maxlen=1024)
        """Duration of the last transactions."""
        self.fault: Callable[[Stage], None] | None = None
        """For tests: called at each stage; what it raises counts as a failure of the database."""

    @classmethod
    async def open(cls, database: Database) -> "Writer":
        """A writer that is connected and running."""
        writer = cls(database)
        writer._line = await database.writer(patient=True)
        writer._task = asyncio.create_task(writer._run(), name="damas store writer")
        return writer

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._queue)

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now: the last transaction failed, or the current one hangs; None if neither."""
        if self._failure is not None:
            return self._failure
        if self._since is not None and time.monotonic() - self._since > 1.0:
            return "the database does not answer"
        return None

    async def append(self, append: Append) -> list[EventRow]:
        """The events as written, with their chain. Returns after COMMIT."""
        rows: list[EventRow] = await self._put(append)
        return rows

    async def do(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` in a transaction that it shares with others, undone alone if it raises. Returns after COMMIT.

        `work` may run on another thread: it has its connection, and touches nothing else that changes.
        """
        result: T = await self._put(work)
        return result

    async def purge(self) -> None:
        """Clears the files of the database of what has been deleted: now, or after the next transaction at which nobody
        reads.
        """
        self._purge_due = True
        await self.do(lambda _: None)

    async def _put(self, task: Append | Work) -> Any:
        if self._closing:
            raise StoreFailed(_STOPPING, unknown=False)
        if len(self._queue) >= self._limits.queue:
            self.counts["busy"] += 1
            raise StoreBusy(self._limits.busy_retry_ms)
        job = _Job(task, asyncio.get_running_loop().create_future())
        self._queue.append(job)
        self._wake.set()
        return await job.waiter

    async def drain(self) -> None:
        """Accepts no more, and writes what waits; what still waits after `Limits.drain_s` fails."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            _done, late = await asyncio.wait({self._task}, timeout=self._limits.drain_s)
            for task in late:
                task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        for job in self._queue:
            _fail(job, StoreFailed(_STOPPING, unknown=False))
        self._queue.clear()

    async def close(self) -> None:
        """Drains the queue and drops the connection."""
        await self.drain()
        try:
            async with asyncio.timeout(self._limits.stop_s - self._limits.drain_s):
                await self._drop()
        except TimeoutError:
            log.error("the database does not answer: its connection is left behind")

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            batch = [self._queue.popleft() for _ in range(min(len(self._queue), self._limits.batch))]
            # Drop the writes of callers that were cancelled.
            batch = [job for job in batch if not job.waiter.done()]
            if batch:
                await self._transact(_Attempt(batch))

    async def _transact(self, attempt: _Attempt) -> None:
        """Runs one transaction and answers every caller in it. Raises only its own cancellation."""
        began = self._since = time.monotonic()
        try:
            async with asyncio.timeout(self._database.patience):
                line = await self._connected()
                await line.run(lambda connection: self._write(connection, attempt))
                if self._purge_due:
                    self._purge_due = not await line.run(self._database.purge)
        except asyncio.CancelledError:
            for job in attempt.jobs:
                _fail(job, StoreFailed(_STOPPING, unknown=True))
            raise
        except Exception as error:  # noqa: BLE001 whatever it is, nothing may be acknowledged
            await self._failed(attempt, error)
        else:
            self._committed(attempt)
        finally:
            self._since = None
            self.transaction_ms.append((time.monotonic() - began) * 1000)

    def _write(self, connection: Connection, attempt: _Attempt) -> None:
        """Writes everything of the batch that can be written; each other job gets its `error`."""
        self._at("begin")
        appends = [job for job in attempt.jobs if isinstance(job.task, Append)]
        try:
            connection.begin()
            self._at("write")
            _append_together(connection, appends)
        except Exception as error:
            if _is_lost(error):
                raise
            # One of them is bad, and a statement for many does not say which: try each alone.
            connection.rollback()
            connection.begin()
            for job in appends:
                _alone(connection, job)
        for job in attempt.jobs:
            if not isinstance(job.task, Append):
                _alone(connection, job)
        self._at("commit")
        attempt.committing = True
        began = time.monotonic()
        connection.commit()
        attempt.commit_ms = (time.monotonic() - began) * 1000
        self._at("committed")

    def _committed(self, attempt: _Attempt) -> None:
        if self._failure is not None:
            log.info("the database writes again")
            self._failure = None
        self.counts["transactions"] += 1
        self.counts["jobs"] += len(attempt.jobs)
        self.commit_ms.append(attempt.commit_ms)
        self._watch_log()
        for job in attempt.jobs:
            if isinstance(job.task, Append):
                self.unsettled.discard(job.task.game)
            if job.error is not None:
                self.counts["refused"] += 1
                _fail(job, job.error)
            elif not job.waiter.done():
                job.waiter.set_result(job.result)

    async def _failed(self, attempt: _Attempt, error: Exception) -> None:
        reason = message_of(error)
        if self._failure is None:
            log.error("the database does not write: %s", reason, exc_info=error)
        self._failure = reason
        self.counts["failures"] += 1
        # Before the callers are answered, so that whoever reads back finds no transaction still open.
        await self._drop()
        for job in attempt.jobs:
            if isinstance(job.task, Append) and attempt.committing:
                self.unsettled.add(job.task.game)
            _fail(job, StoreFailed(reason, unknown=attempt.committing))

    def _watch_log(self) -> None:
        """Warns, at most once a second, of a write-ahead log that a reader keeps from shrinking."""
        now = time.monotonic()
        if now - self._log_checked < 1.0:
            return
        self._log_checked = now
        length, most = self._database.wal_bytes(), self._limits.wal_bytes
        if length > most:
            log.warning("the write-ahead log has %d bytes, more than %d: some reader holds it", length, most)

    async def _connected(self) -> WriteConnection:
        self._at("connect")
        if self._line is None:
            self._line = await self._database.writer()
            self.counts["reconnects"] += 1
        return self._line

    async def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.drop()

    def _at(self, stage: Stage) -> None:
        if self.fault is not None:
            self.fault(stage)


def _append_together(connection: Connection, jobs: Sequence[_Job]) -> None:
    appends = [job.task for job in jobs if isinstance(job.task, Append)]
    if not appends:
        return
    for job, result in zip(jobs, append_many(connection, appends), strict=True):
        job.result, job.error = (None, result) if isinstance(result, WriteRefused) else (result, None)


def _alone(connection: Connection, job: _Job) -> None:
    """Runs one job in a savepoint, so that only its own failure is undone."""
    savepoint = connection.begin_nested()
    try:
        if isinstance(job.task, Append):
            job.result = append_one(connection, job.task)
        else:
            job.result = job.task(connection)
    except Exception as error:
        if _is_lost(error):
            raise
        savepoint.rollback()
        job.result, job.error = None, _caller_error(error)
    else:
        savepoint.commit()
        job.error = None


def _fail(job: _Job, error: Exception) -> None:
    if not job.waiter.done():
        job.waiter.set_exception(error)


def _is_lost(error: Exception) -> bool:
    """Whether the error concerns the whole transaction (disk, file, connection) and not one write."""
    if isinstance(error, StoreError):
        return False
    if isinstance(error, DBAPIError):
        if error.connection_invalidated or isinstance(error, OperationalError | InterfaceError):
            return True
        state = getattr(error.orig, "sqlstate", None) or ""
        return type(error.orig) is sqlite3.DatabaseError or state[:2] in _LOST
    return isinstance(error, OSError | sqlite3.Error | SQLAlchemyError | TimeoutError)


def _caller_error(error: Exception) -> Exception:
    """The error for the caller of a failed write."""
    if is_bad_value(error):
        return BadValue(message_of(error))
    if isinstance(error, DBAPIError):
        return WriteRefused(message_of(error))
    return error
