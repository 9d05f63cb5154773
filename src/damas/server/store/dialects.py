"""The few words that SQLite and PostgreSQL spell differently."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, TextClause, text
from sqlalchemy.dialects import postgresql, sqlite


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
