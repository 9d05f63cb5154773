"""The database of games, people and studies: SQLite by default, PostgreSQL by one setting, with the same guarantees.

    store = await Store.open(settings)
    await store.games.append(game_id, epoch, events, head)   # returns when the disk has it
    await store.close()

`schema` tables · `migrations` · `database`, `sqlite`, `postgresql`, `lock` connections · `append` events to disk ·
`writer` group commit · `rows` values · `games`, `nodes`, `people`, `studies`, `report_jobs`, `puzzles`, `reviews`, `classes`,
`tournaments` what callers use · `keys` · `backup`.
"""

import secrets
from collections.abc import Iterable
from typing import Self

from sqlalchemy import Connection, select

from damas.server.settings import Settings
from damas.server.store import schema
from damas.server.store.classes import Classes
from damas.server.store.database import Database, open_database
from damas.server.store.dialects import put_if_absent
from damas.server.store.errors import CannotOpen
from damas.server.store.games import Games
from damas.server.store.nodes import Nodes
from damas.server.store.openings import Openings
from damas.server.store.people import People
from damas.server.store.puzzles import Puzzles
from damas.server.store.repertoires import Repertoires
from damas.server.store.report_jobs import ReportJobs
from damas.server.store.reviews import Reviews
from damas.server.store.sqlite import log_library
from damas.server.store.studies import Studies
from damas.server.store.tournaments import Tournaments
from damas.server.store.writer import Writer


class Store:
    """One open database."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self.database = database
        self.writer = writer
        self.games = Games(database, writer)
        self.nodes = Nodes(database, writer)
        self.people = People(database, writer)
        self.openings = Openings(database, writer)
        self.repertoires = Repertoires(database, writer)
        self.studies = Studies(database, writer)
        self.report_jobs = ReportJobs(database, writer)
        self.puzzles = Puzzles(database, writer)
        self.reviews = Reviews(database, writer)
        self.classes = Classes(database, writer)
        self.tournaments = Tournaments(database, writer)

    @classmethod
    async def open(cls, settings: Settings) -> Self:
        """Opens, and upgrades, the database. Raises `CannotOpen`, whose message says what to do."""
        database = await open_database(settings)
        if settings.sqlite_path is not None:
            log_library()
        try:
            return cls(database, await Writer.open(database))
        except BaseException:
            await database.close()
            raise

    async def close(self) -> None:
        """Writes what waits, then closes. On SQLite the writer closes last, which empties the write-ahead log."""
        await self.writer.drain()
        await self.nodes.close()
        await self.database.stop_reading()
        await self.writer.close()
        await self.database.close()

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now, in the database's words; None if it can."""
        return self.writer.trouble

    async def secret(self, name: str, known: bytes | None = None) -> bytes:
        """The secret of that name, the same on every node; on first use it is `known`, or 32 random bytes.

        Raises `CannotOpen` where it is damaged.
        """
        table = schema.secret
        kept_value = select(table.c.value).where(table.c.name == name)

        value = (known or secrets.token_bytes(32)).hex()

        def work(connection: Connection) -> str:
            put_if_absent(connection, table, {"name": name, "value": value})
            kept: str = (connection.execute(kept_value)).scalar_one()
            return kept

        try:
            return bytes.fromhex(await self.writer.do(work))
        except (TypeError, ValueError) as error:
            raise CannotOpen("store.damaged_secret", name=name, variable="DAMAS_SECRET") from error

    def figures(self) -> dict[str, float]:
        """The writer's counters, its times in ms, and the length of the write-ahead log, for the metrics."""
        writer = self.writer
        return {
            "queue": writer.waiting,
            **writer.counts,
            "commit_ms_p50": _quantile(writer.commit_ms, 0.5),
            "commit_ms_p99": _quantile(writer.commit_ms, 0.99),
            "transaction_ms_p99": _quantile(writer.transaction_ms, 0.99),
            "wal_bytes": self.database.wal_bytes(),
            "damaged_games": len(self.games.damaged),
        }


def _quantile(values: Iterable[float], share: float) -> float:
    """The value at `share` (0 to 1) of the sorted values, not interpolated; 0.0 if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0
