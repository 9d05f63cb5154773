"""The queue of reports, which all processes of a database share.

Whoever takes a report owns it by its epoch as long as a lease lasts, by the database's clock; after that anybody may take it
again. Every change names the epoch, so that nobody writes over the work of a later owner.
"""

import secrets
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import now_ms, put
from damas.server.store.errors import TooManyReports, WriteRefused
from damas.server.store.rows import ReportJobRow, Study
from damas.server.store.writer import Writer

_job, _study = schema.report_job, schema.study

MAX_ATTEMPTS = 3
"""How often a report is begun whose maker is lost; then it has failed."""
KEPT_MS = 3_600_000
"""How long a report that has ended stays in the queue."""
REPORT_PREFIX = "report:"
"""Before a report's key in its id among the studies of the store."""


class ReportJobs:
    """`store.report_jobs`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._limits = database.settings.limits

    async def add(
        self, key: str, task: str, total: int, *, format: int, holder: str, person: str | None, keep: bool
    ) -> ReportJobRow:
        """The job of that key: the one that is there, unless it has failed, or a new one. Raises `TooManyReports`.

        One that a second person requests belongs to nobody in particular.
        """

        def work(connection: Connection) -> ReportJobRow:
            old = connection.execute(select(_job).where(_job.c.id == key).with_for_update()).one_or_none()
            if old is not None and old.state != "failed":
                shared = {"person": old.person if old.person == person else None, "keep": old.keep or keep}
                if old.state != "done":
                    connection.execute(update(_job).where(_job.c.id == key).values(shared))
                return _row(old)
            self._check_limits(connection, holder)
            now = connection.scalar(select(now_ms(connection)))
            connection.execute(
                delete(_job).where(or_(_job.c.id == key, _ended() & (_job.c.updated_ms < now - KEPT_MS)))
            )
            new = ReportJobRow(
                id=key,
                format=format,
                person=person,
                holder=holder,
                keep=keep,
                task=task,
                state="waiting",
                node=None,
                epoch=secrets.randbelow(
                    2**30
                ),  # not that of whoever may still work on one that was withdrawn
                lease_until_ms=0,
                attempts=0,
                done=0,
                total=total,
                result=None,
                created_ms=now,
                updated_ms=now,
            )
            connection.execute(insert(_job).values(msgspec.structs.asdict(new)))
            return new

        return await self._writer.do(work)

    def _check_limits(self, connection: Connection, holder: str) -> None:
        unfinished = select(func.count()).select_from(_job).where(~_ended())
        if (connection.scalar(unfinished) or 0) >= self._limits.reports_waiting:
            raise TooManyReports(of_all=True)
        mine = connection.scalar(unfinished.where(_job.c.holder == holder)) or 0
        if mine >= self._limits.analysis_per_address:
            raise TooManyReports(of_all=False)

    async def get(self, key: str) -> ReportJobRow | None:
        """The job of that key."""
        row = await self._database.row(select(_job).where(_job.c.id == key))
        return None if row is None else _row(row)

    async def withdraw(self, key: str, person: str) -> bool:
        """Deletes an unfinished job that this person alone has requested; whether there was one."""
        own = delete(_job).where(_job.c.id == key, _job.c.person == person, ~_ended())
        return await self._writer.do(lambda connection: connection.execute(own).rowcount == 1)

    # For those who make reports

    async def release(self, node: str) -> None:
        """Has what an earlier process of this name was making taken again at once."""
        own = (_job.c.node == node) & (_job.c.state == "working")
        free = update(_job).where(own).values(state="waiting", node=None)
        await self._writer.do(lambda connection: connection.execute(free))

    async def take(self, node: str, format: int) -> ReportJobRow | None:
        """Takes the next job: first of those who have none before it, then the oldest. None where there is none."""

        def some(connection: Connection) -> bool:
            return connection.scalar(select(_job.c.id).where(_free(connection, format)).limit(1)) is not None

        def work(connection: Connection) -> ReportJobRow | None:
            now = connection.scalar(select(now_ms(connection)))
            lost = _free(connection, format) & (_job.c.attempts >= MAX_ATTEMPTS)
            connection.execute(update(_job).where(lost).values(**_END, state="failed", updated_ms=now))
            chosen = select(_job).where(_free(connection, format)).order_by(_before(), _job.c.created_ms)
            chosen = chosen.limit(1).with_for_update(of=_job, skip_locked=True)
            row = connection.execute(chosen).one_or_none()
            if row is None:
                return None
            values = {
                "state": "working",
                "node": node,
                "epoch": row.epoch + 1,
                "lease_until_ms": now + self._lease_ms,
                "attempts": row.attempts + 1,
                "done": 0,
                "updated_ms": now,
            }
            connection.execute(update(_job).where(_job.c.id == row.id).values(values))
            return msgspec.structs.replace(_row(row), **values)

        if not await self._database.read(some):
            return None
        return await self._writer.do(work)

    @property
    def _lease_ms(self) -> int:
        return int(self._limits.report_lease_s * 1000)

    async def renew(self, job: ReportJobRow, done: int) -> bool:
        """Renews the lease of a job, with its progress; False where it was lost or withdrawn."""

        def work(connection: Connection) -> bool:
            now = connection.scalar(select(now_ms(connection)))
            values = {"lease_until_ms": now + self._lease_ms, "done": done, "updated_ms": now}
            return connection.execute(update(_job).where(_owned(job)).values(values)).rowcount == 1

        return await self._writer.do(work)

    async def finish(self, job: ReportJobRow, report: str) -> bool:
        """Stores a report, for good or for a while; False, and nothing is stored, where the job was lost or withdrawn.

        Raises `WriteRefused` beyond the limit of bytes.
        """
        if len(report.encode()) > self._limits.study_bytes:
            raise WriteRefused(f"a report has {self._limits.study_bytes} bytes at most")

        def work(connection: Connection) -> bool:
            kept = connection.execute(select(_job.c.keep).where(_owned(job)).with_for_update())
            keep = kept.scalar_one_or_none()
            if keep is None:
                return False
            now = connection.scalar(select(now_ms(connection)))
            if keep:
                # Each report owns itself: whoever may see the game may see its report.
                name = REPORT_PREFIX + job.id
                study = Study(
                    id=name,
                    owner=name,
                    title="",
                    data=report,
                    public=True,
                    created_ms=now,
                    updated_ms=now,
                )
                put(connection, _study, msgspec.structs.asdict(study))
                connection.execute(delete(_job).where(_job.c.id == job.id))
            else:
                values = {**_END, "state": "done", "result": report, "done": job.total, "updated_ms": now}
                connection.execute(update(_job).where(_job.c.id == job.id).values(values))
            return True

        return await self._writer.do(work)

    async def fail(self, job: ReportJobRow) -> bool:
        """Says that a report cannot be made; False where the job was lost or withdrawn."""
        return await self._change(job, **_END, state="failed")

    async def hand_back(self, job: ReportJobRow, *, begun: bool) -> bool:
        """Lets others take a job, `begun` if this counts as an attempt; False where it was lost or withdrawn."""
        attempts = job.attempts - (not begun)
        return await self._change(job, state="waiting", node=None, lease_until_ms=0, attempts=attempts)

    async def _change(self, job: ReportJobRow, **values: Any) -> bool:
        def work(connection: Connection) -> bool:
            now = connection.scalar(select(now_ms(connection)))
            change = update(_job).where(_owned(job)).values(**values, updated_ms=now)
            return connection.execute(change).rowcount == 1

        return await self._writer.do(work)


_END: dict[str, Any] = {"holder": "", "person": None, "node": None, "lease_until_ms": 0}
"""Of a job that has ended, nothing says any more who wanted it."""


def _ended() -> ColumnElement[bool]:
    return _job.c.state.in_(("done", "failed"))


def _owned(job: ReportJobRow) -> ColumnElement[bool]:
    return and_(_job.c.id == job.id, _job.c.epoch == job.epoch, _job.c.state == "working")


def _free(connection: Connection, format: int) -> ColumnElement[bool]:
    expired = and_(_job.c.state == "working", _job.c.lease_until_ms <= now_ms(connection))
    return and_(_job.c.format == format, or_(_job.c.state == "waiting", expired))


def _before() -> ColumnElement[int]:
    """How many jobs of the same address are being made or have waited longer."""
    other = _job.alias()
    earlier = or_(other.c.state == "working", other.c.created_ms < _job.c.created_ms)
    return (
        select(func.count())
        .select_from(other)
        .where(other.c.holder == _job.c.holder, other.c.id != _job.c.id, earlier)
        .scalar_subquery()
    )


def adopt_report_jobs(connection: Connection, person: str, heir: str | None) -> None:
    """Gives the unfinished jobs of a person to another, or to nobody."""
    connection.execute(update(_job).where(_job.c.person == person).values(person=heir))


def _row(row: Any) -> ReportJobRow:
    return ReportJobRow(**row._mapping)
