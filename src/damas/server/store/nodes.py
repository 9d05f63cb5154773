"""Processes that share a database: their signs of life, and the leases by which they own games.

A node owns its games as long as its lease lasts, by the database's clock. SQLite has one process, which renews by the writer
like any other write; PostgreSQL has a connection for renewals alone, so that a slow commit does not look like death.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, select, update
from sqlalchemy.exc import SQLAlchemyError

from damas.server.store import schema
from damas.server.store.database import Database, WriteConnection, message_of
from damas.server.store.dialects import now_ms, put
from damas.server.store.errors import StoreFailed
from damas.server.store.rows import Alive
from damas.server.store.writer import Writer

log = logging.getLogger("damas.store")

_alive, _owner, _game = schema.alive, schema.game_owner, schema.game
_FIELDS = Alive.__struct_fields__


class Taken(NamedTuple):
    """A game that was taken from its former owner."""

    epoch: int
    """Number of the new ownership."""
    node: str
    """The former owner."""
    beat: Alive | None
    """The last sign of life of the former owner, where that is another node whose lease has ended."""


class Peer(NamedTuple):
    """A node, as the database knows it."""

    node: str
    address: str | None
    lease_until_ms: int
    """The end of its lease by the database's clock."""
    alive: bool
    """Whether that is still to come."""


class Orphans(NamedTuple):
    """Games whose owners have lost their leases."""

    games: list[str]
    """Those that can be taken now."""
    later: bool
    """Whether there are others that can be taken before long: a new owner has a game for one lease at least."""


class NodeReplaced(StoreFailed):
    """Another process has begun under the name of this node."""

    def __init__(self, node: str) -> None:
        super().__init__(f"another process is called {node}", unknown=False)


class Nodes:
    """`store.nodes`."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer
        self._lease_ms = int(database.settings.limits.lease_s * 1000)
        self._line: WriteConnection | None = None
        self._connecting: asyncio.Task[WriteConnection] | None = None

    async def heartbeat(self, beat: Alive) -> None:
        """Stores a sign of life of a process that has its database for itself."""
        await self._writer.do(lambda connection: put(connection, _alive, self._values(connection, beat)))

    async def renew(self, beat: Alive, *, start: bool, within_s: float) -> list[Peer]:
        """Renews the lease of a node, and returns all nodes. Raises `StoreFailed`, and `NodeReplaced`.

        At its `start` a node takes the place of an earlier process of its name.
        """

        def work(connection: Connection) -> list[Peer]:
            with connection.begin():
                if start:
                    put(connection, _alive, self._values(connection, beat))
                else:
                    own = update(_alive).where(_alive.c.node == beat.node, _alive.c.boot == beat.boot)
                    if connection.execute(own.values(self._values(connection, beat))).rowcount != 1:
                        raise NodeReplaced(beat.node)
                return _peers(connection)

        try:
            async with asyncio.timeout(within_s):
                line = await self._connected()
                return await line.run(work)
        except NodeReplaced:
            raise
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            await self._drop()
            raise StoreFailed(message_of(error), unknown=True) from error

    async def _connected(self) -> WriteConnection:
        """The connection for renewals. One that takes longer than a renewal may is there for a later one."""
        if self._line is None:
            self._connecting = self._connecting or asyncio.create_task(self._database.renewing())
            try:
                self._line = await asyncio.shield(self._connecting)
            except Exception:
                self._connecting = None
                raise
            self._connecting = None
        return self._line

    def _values(self, connection: Connection, beat: Alive) -> dict[str, Any]:
        until = connection.scalar(select(now_ms(connection))) + self._lease_ms
        return {**msgspec.structs.asdict(beat), "lease_until_ms": until}

    async def peer(self, node: str) -> Peer | None:
        """A node, if it has ever given a sign of life."""
        peers = await self._database.read(_peers)
        return next((peer for peer in peers if peer.node == node), None)

    async def end_lease(self, node: str, games: Sequence[str]) -> None:
        """Gives up the lease of a node and of these games of it: any other node may take them at once."""

        def work(connection: Connection) -> None:
            ended = {"lease_until_ms": 0}
            connection.execute(
                update(_owner).where(_owner.c.game.in_(games), _owner.c.node == node).values(ended)
            )
            connection.execute(update(_alive).where(_alive.c.node == node).values(ended))

        await self._writer.do(work)

    async def orphans(self, nodes: Sequence[str], limit: int) -> Orphans:
        """Games with a clock that are being played and whose owner, one of these nodes, has lost its lease."""

        def work(connection: Connection) -> Orphans:
            now = connection.scalar(select(now_ms(connection)))
            query = (
                select(_game.c.id, _owner.c.lease_until_ms)
                .join(_owner, _owner.c.game == _game.c.id)
                .join(_alive, _alive.c.node == _owner.c.node)
                .where(
                    _game.c.status == "playing",
                    _game.c.time_control != "none",
                    _owner.c.node.in_(nodes),
                    _alive.c.lease_until_ms <= now,
                )
                .order_by(_owner.c.lease_until_ms)
                .limit(limit)
            )
            rows = connection.execute(query).all()
            games = [row.id for row in rows if row.lease_until_ms <= now]
            return Orphans(games, later=len(games) < len(rows))

        return await self._database.read(work)

    async def lost(self, node: str, epochs: Mapping[str, int]) -> list[str]:
        """Which of these games, of which a node knows its epochs, belong to another owner by now."""
        query = select(_owner.c.game, _owner.c.node, _owner.c.epoch).where(_owner.c.game.in_(epochs))
        owners = {row.game: (row.node, row.epoch) for row in await self._database.rows(query)}
        return [game for game, epoch in epochs.items() if owners.get(game) != (node, epoch)]

    async def last_beat(self, node: str) -> Alive | None:
        """The last sign of life of a node: after a crash, the time up to which its clocks ran. None if it is damaged."""
        columns = [_alive.c[name] for name in _FIELDS]
        row = await self._database.row(select(*columns).where(_alive.c.node == node))
        return None if row is None else sign_of_life(row)

    async def close(self) -> None:
        """Drops the connection for renewals."""
        connecting, self._connecting = self._connecting, None
        if connecting is not None:
            connecting.cancel()
            with suppress(asyncio.CancelledError, Exception):
                self._line = await connecting
        await self._drop()

    async def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await line.drop()


def _peers(connection: Connection) -> list[Peer]:
    now = connection.scalar(select(now_ms(connection)))
    rows = connection.execute(select(_alive.c.node, _alive.c.address, _alive.c.lease_until_ms)).all()
    return [Peer(*row, alive=row.lease_until_ms > now) for row in rows]


def sign_of_life(row: Row[Any]) -> Alive | None:
    """The sign of life in a row; None, with a line in the log, where it is damaged."""
    values = row._mapping
    try:
        return msgspec.convert({name: values[name] for name in _FIELDS}, Alive)
    except msgspec.ValidationError as error:
        log.error(
            "ALARM: the last sign of life of node %s is damaged (%s); no time since is charged",
            values["node"],
            error,
        )
        return None
