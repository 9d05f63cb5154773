"""Tournaments of people: their logs, chained as in the file of a tournament, and their links."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, insert, select, update

from damas.server.store import schema
from damas.server.store.database import Database
from damas.server.store.errors import DuplicateRequest, Overtaken
from damas.server.store.rows import TournamentKey, TournamentLine, TournamentRow
from damas.server.store.writer import Writer

_head, _line, _key = schema.tournament, schema.tournament_line, schema.tournament_key
_line_columns = tuple(_line.c[name] for name in TournamentLine.__struct_encode_fields__)
_key_columns = tuple(_key.c[name] for name in TournamentKey.__struct_encode_fields__)


class Tournaments:
    """`store.tournaments`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def create(
        self, head: TournamentRow, lines: Sequence[TournamentLine], keys: Sequence[TournamentKey]
    ) -> None:
        """Stores a new tournament with its first lines and links."""

        def work(connection: Connection) -> None:
            connection.execute(insert(_head).values(msgspec.structs.asdict(head)))
            _put(connection, head.id, lines, keys)

        await self._writer.do(work)

    async def append(
        self,
        tournament: str,
        follows: str,
        lines: Sequence[TournamentLine],
        keys: Sequence[TournamentKey],
        now_ms: int,
    ) -> None:
        """Appends lines that follow the chain `follows`, and links that came with them. Returns when they are on disk.

        Raises `Overtaken` if the chain ends elsewhere, `DuplicateRequest` if the client id of a line is there already.
        """

        def work(connection: Connection) -> None:
            tip = select(_head.c.chain).where(_head.c.id == tournament).with_for_update()
            chain = connection.scalar(tip)
            ids = [line.client_id for line in lines if line.client_id]
            known = select(_line.c.seq).where(_line.c.tournament == tournament, _line.c.client_id.in_(ids))
            if ids and connection.execute(known).first():
                raise DuplicateRequest(tournament)
            if chain != follows:
                raise Overtaken(tournament)
            _put(connection, tournament, lines, keys)
            values = {"seq": lines[-1].seq, "chain": lines[-1].chain, "updated_ms": now_ms}
            connection.execute(update(_head).where(_head.c.id == tournament).values(values))

        await self._writer.do(work)

    async def add_key(self, tournament: str, key: TournamentKey) -> int:
        """Stores a link; returns the new `updated_ms` of the tournament."""

        def work(connection: Connection) -> int:
            _put(connection, tournament, (), (key,))
            return _touch(connection, tournament, key.created_ms)

        return await self._writer.do(work)

    async def revoke_key(self, tournament: str, key: str, now_ms: int) -> int:
        """From now on the link opens nothing; returns the new `updated_ms` of the tournament."""
        change = update(_key).where(_key.c.tournament == tournament, _key.c.id == key)

        def work(connection: Connection) -> int:
            connection.execute(change.values(revoked_ms=now_ms))
            return _touch(connection, tournament, now_ms)

        return await self._writer.do(work)

    async def head(self, tournament: str) -> TournamentRow | None:
        """The summary of a tournament, if there is one."""
        row = await self._database.row(select(_head).where(_head.c.id == tournament))
        return None if row is None else TournamentRow(**row._mapping)

    async def lines(self, tournament: str, after: int = 0) -> list[TournamentLine]:
        """The lines after a number, in their order."""
        return await self._database.read(lambda connection: tournament_lines(connection, tournament, after))

    async def begun_with(self, chain: str) -> str | None:
        """The id of the tournament whose first line has this chain."""
        query = select(_line.c.tournament).where(_line.c.seq == 1, _line.c.chain == chain).limit(1)
        row = await self._database.row(query)
        return None if row is None else str(row.tournament)

    async def keys(self, tournament: str) -> list[TournamentKey]:
        """All links, also those that were revoked, the oldest first."""
        query = select(*_key_columns).where(_key.c.tournament == tournament)
        rows = await self._database.rows(query.order_by(_key.c.created_ms, _key.c.id))
        return [TournamentKey(**row._mapping) for row in rows]

    async def latest(self, count: int) -> list[TournamentRow]:
        """The tournaments that changed last."""
        query = select(_head).order_by(_head.c.updated_ms.desc(), _head.c.id).limit(count)
        return [TournamentRow(**row._mapping) for row in await self._database.rows(query)]


def tournament_lines(connection: Connection, tournament: str, after: int = 0) -> list[TournamentLine]:
    """The lines of a tournament after a number, in their order."""
    query = select(*_line_columns).where(_line.c.tournament == tournament, _line.c.seq > after)
    return [TournamentLine(**row._mapping) for row in connection.execute(query.order_by(_line.c.seq))]


def _touch(connection: Connection, tournament: str, now_ms: int) -> int:
    """Gives the tournament another `updated_ms`, by which other nodes see that its links have changed."""
    this = _head.c.id == tournament
    before = connection.scalar(select(_head.c.updated_ms).where(this).with_for_update()) or 0
    updated_ms = max(now_ms, before + 1)
    connection.execute(update(_head).where(this).values(updated_ms=updated_ms))
    return updated_ms


def _put(
    connection: Connection, tournament: str, lines: Sequence[TournamentLine], keys: Sequence[TournamentKey]
) -> None:
    for table, rows in ((_line, lines), (_key, keys)):
        if rows:
            values = [{"tournament": tournament, **msgspec.structs.asdict(row)} for row in rows]
            connection.execute(insert(table), values)
