"""The database behind the store: a single writer connection, and read-only connections.

Work is a plain function of a SQLAlchemy `Connection`. SQLite runs it in threads, PostgreSQL on the event loop; the
function does not see the difference.
"""

import errno
import logging
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Row, Select
from sqlalchemy.exc import DataError, DBAPIError, SQLAlchemyError

from damas.language import Saying
from damas.server.settings import Settings
from damas.server.store import migrations
from damas.server.store.errors import BadValue, CannotOpen, StoreError, StoreFailed
from damas.server.store.files import is_own_folder, make_private

log = logging.getLogger("damas.store")

T = TypeVar("T")

_WRITE_ERRORS = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
)


class WriteConnection(Protocol):
    """A connection that writes, for one user at a time."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, which begins and ends its own transactions."""

    async def drop(self) -> None:
        """Closes it in whatever state it is; what was not committed is undone. Never raises."""


class NotificationLine(Protocol):
    """A connection for messages between the processes of a database."""

    async def notify(self, texts: Sequence[str]) -> None:
        """Sends messages, in their order."""

    async def drop(self) -> None:
        """Closes it in whatever state it is. Never raises."""


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

        Only `Writer` keeps one. Raises `InUse` where another process writes under the same name.
        """

    async def renewing(self) -> WriteConnection:
        """A new connection for renewing the lease of this node, apart from the writer's."""
        raise NotImplementedError("one process alone has no lease")

    async def notifications(self, hear: Callable[[str], None]) -> NotificationLine:
        """A new connection for messages; `hear` is called with each that comes, those of this process too."""
        raise NotImplementedError("one process alone hears nobody")

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

    def purge(self, connection: Connection) -> bool:  # noqa: ARG002 (a server clears its own files)
        """Clears the files of the database of what has been deleted, on the writer's connection between two transactions;
        whether that is done.
        """
        return True

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
        reason = Saying("store.cannot_read", {"name": self.name, "why": trouble(error)})
        return StoreFailed(reason, unknown=False)


async def open_database(settings: Settings) -> Database:
    """The database of these settings, brought up to date. Raises `CannotOpen`, whose message says what to do."""
    database: Database
    if is_own_folder(settings.data):
        make_private(settings.data)
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
        raise CannotOpen("store.cannot_open", name=database.name, why=trouble(error)) from error
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
        f"{name}={actual[name]!r} (≠ {value!r})" for name, value in expected.items() if actual[name] != value
    ]
    if wrong:
        raise CannotOpen("store.not_durable", settings=", ".join(wrong))


def is_bad_value(error: Exception) -> bool:
    """Whether the value is at fault and not the database, so that it would be refused again."""
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ if error.orig is not None else None
        state = getattr(error.orig, "sqlstate", None) or ""
        return state.startswith("22") or isinstance(error, DataError) or isinstance(cause, ValueError)
    return isinstance(error, UnicodeError | OverflowError)


def message_of(error: BaseException) -> str:
    """The reason in English, for logs."""
    return trouble(error).sentence("en")


def trouble(error: BaseException) -> Saying:
    """The reason: a full disk, no answer, or the database's own message without the statement and its values."""
    cause = _cause(error)
    if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL or (
        isinstance(cause, OSError) and cause.errno == errno.ENOSPC
    ):
        return Saying("file.full")
    if isinstance(cause, TimeoutError) and not str(cause):
        return Saying("store.no_answer")
    return Saying("file.other", {"text": " ".join(str(cause).split()) or type(cause).__name__})


def cannot_write(error: BaseException) -> bool:
    """Whether SQLite could not write a file, as on a full disk: what it has read is not at fault."""
    return getattr(_cause(error), "sqlite_errorcode", None) in _WRITE_ERRORS


def _cause(error: BaseException) -> BaseException:
    return error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
