"""The one database behind the store: a single writer, and readers that cannot write.

Statements are plain functions of a SQLAlchemy `Connection`. SQLite runs them in threads of its own, PostgreSQL on the
event loop; who writes such a function does not see the difference.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Row, Select
from sqlalchemy.exc import DataError, DBAPIError

from damas.server.settings import Settings
from damas.server.store.errors import BadValue, CannotOpen, StoreError, StoreFailed

T = TypeVar("T")


class Line(Protocol):
    """One connection to the database, for one user at a time."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns. It begins and ends its own transactions."""

    async def drop(self) -> None:
        """Closes it, whatever state it is in; what was not committed is undone. Never raises."""


class Database(ABC):
    """Open, upgraded, its settings read back: made by `open_database`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    @abstractmethod
    def name(self) -> str:
        """For messages: never a password."""

    @property
    @abstractmethod
    def patience(self) -> float | None:
        """Seconds after which a transaction that does not answer is given up, if it can be."""

    @abstractmethod
    async def writer(self) -> Line:
        """A new connection that writes, its settings read back. Only `Writer` keeps one, and only one."""

    @abstractmethod
    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs one short read transaction: a second at most (`Limits.read_s`), or it raises `StoreFailed`."""

    @abstractmethod
    async def stop_reading(self) -> None:
        """Closes the readers' connections."""

    @abstractmethod
    async def close(self) -> None:
        """Nothing may use it any more."""

    def wal_bytes(self) -> int:
        """The length of SQLite's write-ahead log; 0 for PostgreSQL."""
        return 0

    async def rows(self, wanted: Select[Any]) -> Sequence[Row[Any]]:
        return await self.read(lambda connection: connection.execute(wanted).all())

    async def row(self, wanted: Select[Any]) -> Row[Any] | None:
        return await self.read(lambda connection: connection.execute(wanted).one_or_none())

    def cannot_read(self, error: Exception) -> StoreError:
        if is_bad_value(error):
            return BadValue(words_of(error))
        return StoreFailed(f"cannot read {self.name}: {words_of(error)}", unknown=False)


async def open_database(settings: Settings) -> Database:
    """Raises `CannotOpen`, whose message says what to do."""
    # Each with its own driver, which the other does not need.
    if settings.sqlite_path is not None:
        from damas.server.store.sqlite import SqliteDatabase

        return await SqliteDatabase.open(settings, settings.sqlite_path)
    from damas.server.store.postgresql import PostgresqlDatabase

    return await PostgresqlDatabase.open(settings)


def read_back(connection: Connection, command: str, wanted: dict[str, object]) -> None:
    """Raises `CannotOpen` unless every setting is as it was asked for: asking is not having."""
    found = {name: connection.exec_driver_sql(f"{command} {name}").scalar() for name in wanted}
    wrong = [
        f"{name} is {found[name]!r}, not {value!r}" for name, value in wanted.items() if found[name] != value
    ]
    if wrong:
        raise CannotOpen(f"the database would not keep what it acknowledges: {', '.join(wrong)}")


def is_bad_value(error: Exception) -> bool:
    """Whether the value is at fault, and not the database: it will be refused each time."""
    if isinstance(error, DBAPIError):
        cause = error.orig.__cause__ if error.orig is not None else None
        state = getattr(error.orig, "sqlstate", None) or ""
        return state.startswith("22") or isinstance(error, DataError) or isinstance(cause, ValueError)
    return isinstance(error, UnicodeError | OverflowError)


def words_of(error: BaseException) -> str:
    """The database's own words, without the statement and its values."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    if isinstance(cause, TimeoutError) and not str(cause):
        return "no answer in time"
    return " ".join(str(cause).split()) or type(cause).__name__
