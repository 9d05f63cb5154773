"""Differences between SQLite and PostgreSQL, and the fast execution of statements that every move needs."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Executable, Table, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError


class Statement:
    """A statement with named values that every move runs.

    SQLite gets it as text by its own driver: SQLAlchemy's overhead would exceed the statement. Errors are SQLAlchemy's.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._text = str(statement.compile(dialect=sqlite.dialect(paramstyle="named")))  # type: ignore[attr-defined]

    @staticmethod
    def is_local(connection: Connection) -> bool:
        """Whether the database is in this process, so that a query has no round trip."""
        return connection.dialect.name == "sqlite"

    def write(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> None:
        """Runs it once for each set of values."""
        if not self.is_local(connection):
            connection.execute(self._statement, list(values))
            return
        with _sqlalchemy_errors(self._text):
            _driver(connection).executemany(self._text, values)

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows for one set of values."""
        if not self.is_local(connection):
            return connection.execute(self._statement, dict(values)).all()
        with _sqlalchemy_errors(self._text):
            return _driver(connection).execute(self._text, values).fetchall()


def run(connection: Connection, text: str) -> None:
    """Runs a statement without values by SQLite's own driver."""
    with _sqlalchemy_errors(text):
        _driver(connection).execute(text)


@contextmanager
def _sqlalchemy_errors(text: str) -> Iterator[None]:
    """Raises errors of the driver as SQLAlchemy's."""
    try:
        yield
    except sqlite3.Error as error:
        wrapped: Any = DBAPIError.instance(text, None, error, sqlite3.Error)
        raise wrapped from error


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def now_ms(connection: Connection) -> TextClause:
    """The database's own clock, by which leases are measured."""
    if connection.dialect.name == "sqlite":
        return text("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")
    return text("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


def put(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Writes a row, over the one with the same key if there is one."""
    keys = [column.name for column in table.primary_key]
    statement = _insert(connection, table).values(values)
    new = {name: statement.excluded[name] for name in values if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=new))


def put_if_absent(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Writes a row unless there is one with the same key."""
    connection.execute(_insert(connection, table).values(values).on_conflict_do_nothing())


def _insert(connection: Connection, table: Table) -> Any:
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
