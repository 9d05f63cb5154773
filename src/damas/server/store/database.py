"""The database behind the store: a single writer connection, and read-only connections.

Work is a plain function of a SQLAlchemy `Connection`. SQLite runs it in threads, PostgreSQL on the event loop; the
function does not see the difference.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Row, Select
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from damas.server.settings import Settings
from damas.server.store import migrations
from damas.server.store.errors import BadValue, CannotOpen, StoreError, StoreFailed

log = logging.getLogger("damas.store")

T = TypeVar("T")


class WriteConnection(Protocol):
    """A connection that writes, for one user at a time."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, which begins and ends its own transactions."""

    async def drop(self) -> None:
        """Closes it in whatever state it is; what was not committed is undone. Never raises."""


class Database(ABC):
    """An open database with current tables and verified settings; made by `open_database`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    @abstractmethod
    def name(self) -> str:
        """Name for messages, without a password."""

    @property
    @abstractmethod
    def patience(self) -> float | None:
        """Seconds after which a hanging transaction is given up; None if that is impossible."""

    @abstractmethod
    async def writer(self, *, patient: bool = False) -> WriteConnection:
        """A new connection that writes, with verified settings; `patient` while nobody waits for it yet.

        Only `Writer` keeps one.
        """

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs a read transaction of at most `Limits.read_s`; raises `StoreFailed`."""

    @abstractmethod
    async def stop_reading(self) -> None:
        """Closes the readers' connections."""

    @abstractmethod
    async def close(self) -> None:
        """Closes everything; it may not be used after that."""

    async def upgrade(self) -> tuple[str | None, str]:
        """Brings the tables up to date; the revisions before and after."""
        line = await self.writer(patient=True)
        try:
            return await line.run(migrations.upgrade)
        finally:
            await line.drop()

    def wal_bytes(self) -> int:
        """The length of SQLite's write-ahead log; 0 for PostgreSQL."""
        return 0

    async def rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        """All rows of a query."""
        return await self.read(lambda connection: connection.execute(query).all())

    async def row(self, query: Select[Any]) -> Row[Any] | None:
        """The row of a query that has one at most."""
        return await self.read(lambda connection: connection.execute(query).one_or_none())

    def cannot_read(self, error: Exception) -> StoreError:
        """The error for the caller of a failed read."""
        if is_bad_value(error):
            return BadValue(message_of(error))
        return StoreFailed(f"cannot read {self.name}: {message_of(error)}", unknown=False)


async def open_database(settings: Settings) -> Database:
    """The database of these settings, brought up to date. Raises `CannotOpen`, whose message says what to do."""
    database: Database
    # Each with its own driver, which the other does not need.
    if settings.sqlite_path is not None:
        from damas.server.store.sqlite import SqliteDatabase

        database = SqliteDatabase(settings, settings.sqlite_path)
    else:
        from damas.server.store.postgresql import PostgresqlDatabase

        database = PostgresqlDatabase(settings)
    try:
        before, after = await database.upgrade()
    except (SQLAlchemyError, OSError) as error:
        await database.close()
        raise CannotOpen(f"cannot open {database.name}: {message_of(error)}") from error
    except BaseException:
        await database.close()
        raise
    if before != after:
        log.info("database upgraded from revision %s to %s", before, after)
    return database


def verify_settings(connection: Connection, command: str, expected: dict[str, object]) -> None:
    """Raises `CannotOpen` unless `command` (PRAGMA or SHOW) returns the expected value of every setting."""
    actual = {name: connection.exec_driver_sql(f"{command} {name}").scalar() for name in expected}
    wrong = [
        f"{name} is {actual[name]!r}, not {value!r}"
        for name, value in expected.items()
        if actual[name] != value
    ]
    if wrong:
        raise CannotOpen(f"the database would not keep what it acknowledges: {', '.join(wrong)}")


def is_bad_value(error: Exception) -> bool:
    """Whether the value is at fault and not the database, so that it would be refused again."""
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ if error.orig is not None else None
        state = getattr(error.orig, "sqlstate", None) or ""
        return state.startswith("22") or isinstance(error, DataError) or isinstance(cause, ValueError)
    return isinstance(error, UnicodeError | OverflowError)


def message_of(error: BaseException) -> str:
    """The database's own message, without the statement and its values."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(cause, TimeoutError) and not str(cause):
        return "no answer in time"
    return " ".join(str(cause).split()) or type(cause).__name__
