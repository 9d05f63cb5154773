"""PostgreSQL: several server processes on one database, each owning its games by the epochs of `game_owner`.

Each renews its lease on a connection of its own (`nodes`), and has its own name (`Settings.node`): whoever writes holds a lock
of that name, which the database gives up when the connection ends, however it ends.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import Connection, Table, make_url, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from damas.server.settings import Settings
from damas.server.store.database import Database, message_of, verify_settings
from damas.server.store.errors import CannotOpen, InUse

log = logging.getLogger("damas.store")

T = TypeVar("T")

_DURABLE: dict[str, object] = {"synchronous_commit": "on", "fsync": "on"}
_CHANNEL = "damas"
"""Name of the notifications."""
_READERS = 4
_NODE_WAIT_S = 3.0
"""How long a server that starts waits for the end of another one of its name."""


class PostgresqlDatabase(Database):
    """A database server with one connection that writes and a pool that reads."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._url = postgresql_url(settings.database_url)
        self._boot = secrets.token_hex(4)
        # A writer whose process is gone must not hold its games' rows for longer than anybody waits for them.
        writing = {
            "synchronous_commit": "on",
            "idle_in_transaction_session_timeout": str(int(settings.limits.lease_s * 1000)),
            # A machine that is gone without a word gives up its name before long.
            "tcp_keepalives_idle": "5",
            "tcp_keepalives_interval": "2",
            "tcp_keepalives_count": "3",
        }
        self._write_engine = self._engine("writer", writing, poolclass=NullPool)
        self._lease_engine = self._engine("lease", writing, poolclass=NullPool)
        reading = str(int(settings.limits.read_s * 1000))
        limits = {
            "default_transaction_read_only": "on",
            "statement_timeout": reading,
            "idle_in_transaction_session_timeout": reading,
        }
        # Pinged before use: after a restart of the server the pool is full of dead connections.
        self._read_engine = self._engine(
            "reader", limits, pool_size=_READERS, pool_timeout=settings.limits.read_s, pool_pre_ping=True
        )

    @property
    def name(self) -> str:
        return self._url.set(drivername="postgresql").render_as_string(hide_password=True)

    @property
    def patience(self) -> float:
        return self.settings.limits.commit_s

    async def writer(self, *, patient: bool = False) -> "_LoopConnection":
        limits = self.settings.limits
        async with asyncio.timeout(limits.commit_s if patient else limits.connect_s):
            line = _LoopConnection(await self._write_engine.connect())

            def check(connection: Connection) -> None:
                verify_settings(connection, "SHOW", _DURABLE)
                connection.rollback()

            try:
                await line.run(check)
                await self._take_name(line, _NODE_WAIT_S if patient else limits.connect_s / 2)
            except BaseException:
                await line.drop()
                raise
        return line

    async def renewing(self) -> "_LoopConnection":
        return _LoopConnection(await self._lease_engine.connect())

    async def notifications(self, hear: Callable[[str], None]) -> "_ListeningConnection":
        line = _ListeningConnection(await self._lease_engine.connect())
        try:
            await line.listen(hear)
        except BaseException:
            await line.drop()
            raise
        return line

    async def _take_name(self, line: "_LoopConnection", wait_s: float) -> None:
        """Takes the lock of this node's name. Raises `InUse` where another process has it.

        A process that was killed may need a moment to be gone. A lost connection of our own, with which the database may
        still be busy, is ended: whatever it was writing is of unknown outcome already.
        """
        digest = sha256(f"damas node {self.settings.node}".encode()).digest()
        query = text("SELECT pg_try_advisory_lock(:key)")
        key = {"key": int.from_bytes(digest[:8], "big", signed=True)}

        end_own = text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = :name AND pid <> pg_backend_pid()"
        )

        def take(connection: Connection) -> bool:
            with connection.begin():
                taken = bool(connection.execute(query, key).scalar_one())
                if not taken:
                    connection.execute(end_own, {"name": self._application_name("writer")})
                return taken

        until = time.monotonic() + wait_s
        while not await line.run(take):
            if time.monotonic() >= until:
                raise InUse("store.node_in_use", node=self.settings.node, name=self.name)
            await asyncio.sleep(0.05)

    async def read(self, work: Callable[[Connection], T]) -> T:
        limits = self.settings.limits
        try:
            async with (
                asyncio.timeout(limits.connect_s + limits.read_s),
                self._read_engine.connect() as connection,
            ):
                return await connection.run_sync(work)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise self.cannot_read(error) from error

    async def snapshot(
        self, tables: Sequence[Table], rows: int
    ) -> AsyncIterator[tuple[Table, list[dict[str, Any]]]]:
        """All rows of the tables at one moment, in batches."""
        async with self._write_engine.connect() as connection:
            connection = await connection.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
            for table in tables:
                result = await connection.stream(select(table).order_by(*table.primary_key))
                async for some in result.mappings().partitions(rows):
                    yield table, [dict(row) for row in some]

    async def stop_reading(self) -> None:
        await self._read_engine.dispose()

    async def close(self) -> None:
        await self.stop_reading()
        await self._lease_engine.dispose()
        await self._write_engine.dispose()

    def _application_name(self, role: str) -> str:
        """The name of our connections among those of the database, which cuts it at 63 bytes."""
        return f"damas {self._boot} {role} {self.settings.node}".encode("ascii", "replace").decode()[:63]

    def _engine(self, role: str, server_settings: dict[str, str], **options: Any) -> AsyncEngine:
        limits = self.settings.limits
        arguments = {
            "server_settings": {"application_name": self._application_name(role), **server_settings},
            "timeout": limits.commit_s,
            "command_timeout": limits.commit_s,
        }
        try:
            return create_async_engine(self._url, connect_args=arguments, **options)
        except ModuleNotFoundError as error:
            raise CannotOpen("store.no_driver", command="pip install 'damas[web,postgres]'") from error


class _LoopConnection:
    """A connection on the event loop."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await self._connection.run_sync(work)

    async def drop(self) -> None:
        # No rollback: the server may not respond.
        try:
            await self._connection.invalidate()
            await self._connection.close()
        except Exception as error:  # noqa: BLE001 it is broken already, and only has to be gone
            log.info("dropping a broken connection: %s", message_of(error))


class _ListeningConnection(_LoopConnection):
    """A connection for messages, by the driver itself."""

    async def listen(self, hear: Callable[[str], None]) -> None:
        await (await self._driver()).add_listener(_CHANNEL, lambda *message: hear(message[-1]))

    async def notify(self, texts: Sequence[str]) -> None:
        query = "SELECT pg_notify($1, text) FROM unnest($2::text[]) WITH ORDINALITY AS t (text, n) ORDER BY n"
        try:
            await (await self._driver()).fetch(query, _CHANNEL, list(texts))
        except OSError:
            raise
        except Exception as error:
            raise OSError(str(error)) from error

    async def _driver(self) -> Any:
        return (await self._connection.get_raw_connection()).driver_connection


def postgresql_url(url: str) -> URL:
    """The URL for SQLAlchemy, from any of the usual forms.

    >>> postgresql_url("postgres://ana@db/damas?sslmode=require").render_as_string()
    'postgresql+asyncpg://ana@db/damas?ssl=require'
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise CannotOpen("store.bad_url") from error
    if parsed.drivername not in ("postgres", "postgresql", "postgresql+asyncpg"):
        raise CannotOpen("store.unknown_kind", kind=parsed.drivername)
    query = dict(parsed.query)
    if "sslmode" in query:  # libpq's word for what asyncpg calls ssl
        query["ssl"] = query.pop("sslmode")
    return parsed.set(drivername="postgresql+asyncpg", query=query)
