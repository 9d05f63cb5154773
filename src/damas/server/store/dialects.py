"""What SQLite and PostgreSQL do differently: a few words, and how a statement on the way of every move is run."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Executable, Table, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError


class Statement:
    """One statement that every move runs, with named values. SQLite gets it as text, by its own driver: what SQLAlchemy
    does anew for each run takes longer there than the statement. Its errors are SQLAlchemy's all the same.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._text = str(statement.compile(dialect=sqlite.dialect(paramstyle="named")))  # type: ignore[attr-defined]

    @staticmethod
    def at_hand(connection: Connection) -> bool:
        """Whether the database is in this process, and a question costs next to nothing."""
        return connection.dialect.name == "sqlite"

    def write(self, connection: Connection, values: Sequence[Mapping[str, Any]]) -> None:
        """For each of the values."""
        if not self.at_hand(connection):
            connection.execute(self._statement, list(values))
            return
        with _told(self._text):
            _driver(connection).executemany(self._text, values)

    def read(self, connection: Connection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        if not self.at_hand(connection):
            return connection.execute(self._statement, dict(values)).all()
        with _told(self._text):
            return _driver(connection).execute(self._text, values).fetchall()


def run(connection: Connection, text: str) -> None:
    """SQLite alone: a statement without values, by its own driver."""
    with _told(text):
        _driver(connection).execute(text)


@contextmanager
def _told(text: str) -> Iterator[None]:
    """The driver's errors as SQLAlchemy's own."""
    try:
        yield
    except sqlite3.Error as error:
        told: Any = DBAPIError.instance(text, None, error, sqlite3.Error)
        raise told from error


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
