"""Differences between SQLite and PostgreSQL, and the fast execution of statements that every move needs."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, LargeBinary, Table, TextClause, cast, func, text
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
        _by_driver(connection, self._text, values, many=True)

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows for one set of values."""
        if not self.is_local(connection):
            return connection.execute(self._statement, dict(values)).all()
        return _by_driver(connection, self._text, values).fetchall()


def run(connection: Connection, text: str) -> None:
    """Runs a statement without values by SQLite's own driver."""
    _by_driver(connection, text)


def _by_driver(connection: Connection, text: str, values: Any = (), *, many: bool = False) -> sqlite3.Cursor:
    """Runs a statement by SQLite's own driver; its errors are raised as SQLAlchemy's."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        return driver.executemany(text, values) if many else driver.execute(text, values)
    except sqlite3.Error as error:
        wrapped: Any = DBAPIError.instance(text, None, error, sqlite3.Error)
        raise wrapped from error


def now_ms(connection: Connection) -> TextClause:
    """The database's own clock, by which leases are measured."""
    if connection.dialect.name == "sqlite":
        return text("CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)")
    return text("CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


def byte_length(connection: Connection, text: ColumnElement[str]) -> ColumnElement[int]:
    """The length of a text in UTF-8."""
    if connection.dialect.name == "sqlite":  # those before 3.43 have no octet_length
        return func.length(cast(text, LargeBinary))
    return func.octet_length(text)


def put(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Writes a row, over the one with the same key if there is one."""
    keys = [column.name for column in table.primary_key]
    statement = _insert(connection, table).values(values)
    new = {name: statement.excluded[name] for name in values if name not in keys}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=new))


def put_if_absent(connection: Connection, table: Table, values: Mapping[str, Any]) -> None:
    """Writes a row unless there is one with the same key."""
    connection.execute(_insert(connection, table).values(values).on_conflict_do_nothing())


def add_to(connection: Connection, table: Table, values: Mapping[str, Any], names: Sequence[str]) -> None:
    """Writes a row; where there is one with the same key, these values are added to its own."""
    keys = [column.name for column in table.primary_key]
    statement = _insert(connection, table).values(values)
    sums = {name: table.c[name] + statement.excluded[name] for name in names}
    connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=sums))


def _insert(connection: Connection, table: Table) -> Any:
    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
