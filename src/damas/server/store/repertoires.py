"""Stored repertoires: the lines that a person wants to play."""

import msgspec
from sqlalchemy import Connection, delete, func, select

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.dialects import put_if_absent
from damas.server.store.errors import RepertoireFull
from damas.server.store.rows import RepertoireLine
from damas.server.store.writer import Writer

_line = schema.repertoire_line


class Repertoires:
    """`store.repertoires`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._most = database.settings.limits.repertoire_lines

    async def add(self, person: str, line: RepertoireLine) -> None:
        """Stores a line; one that is there stays as it is. Raises `RepertoireFull` beyond `repertoire_lines`."""

        def work(connection: Connection) -> None:
            before = _count(connection, person)
            put_if_absent(connection, _line, {"person": person, **msgspec.structs.asdict(line)})
            if _count(connection, person) > max(before, self._most):
                raise RepertoireFull(self._most)

        await self._writer.do(work)

    async def remove(self, person: str, line: str) -> bool:
        """Deletes a line; False if there was none."""
        this = _line.c.person == person, _line.c.id == line
        return await self._writer.do(
            lambda connection: connection.execute(delete(_line).where(*this)).rowcount > 0
        )

    async def lines(self, person: str) -> list[RepertoireLine]:
        """All lines of a person, oldest first."""
        columns = [_line.c[name] for name in RepertoireLine.__struct_fields__]
        query = select(*columns).where(_line.c.person == person)
        rows = await self._database.rows(query.order_by(_line.c.created_ms, _line.c.id))
        return [RepertoireLine(**row._mapping) for row in rows]


def adopt_repertoire(connection: Connection, visitor: str, account: str, most: int) -> None:
    """Gives a visitor's lines to an account; what would be too much is forgotten."""
    room = most - _count(connection, account)
    rows = connection.execute(
        select(_line).where(_line.c.person == visitor).order_by(_line.c.created_ms)
    ).all()
    for row in rows[: max(0, room)]:
        put_if_absent(connection, _line, {**row._mapping, "person": account})
    connection.execute(delete(_line).where(_line.c.person == visitor))


def _count(connection: Connection, person: str) -> int:
    count = select(func.count()).select_from(_line).where(_line.c.person == person)
    return connection.scalar(count) or 0
