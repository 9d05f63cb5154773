"""Backups of everything, made while the server runs, and restoring them.

    await backup(settings, target, files) -> Report     # beside a running server, or without one
    await restore(source: Path, settings) -> Report     # into an empty place only; no server may run on it
    verify(path: Path) -> Report                        # a copy on its own

A backup is one SQLite file, whatever database it comes from: so it opens anywhere, is checked by the same code, and can
be put back into either kind. The files of the arena are in it too, each with its hash, and the secret that signs visitors'
cookies. It is written under another name, sealed (`seal`), checked whole (the seal; SQLite's own check; the hash chain of
every game, event by event; the hash of every file), flushed, and only then given its name. A file that is there is never
written over.

With `salvage` a damaged database or backup is no reason to stop: what is damaged is named and set aside (`salvage`).

Raises `BadBackup`, which says what is wrong with a copy, and other `StoreError`s, which say what to do.
"""

import asyncio
import hashlib
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, create_engine, event, func, insert, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from damas.errors import file_trouble
from damas.language import Saying
from damas.server.settings import Settings
from damas.server.store import migrations, schema
from damas.server.store.append import event_columns, event_row
from damas.server.store.attached import AttachedFile, attach, attached, put_back
from damas.server.store.database import cannot_write, open_database, trouble
from damas.server.store.dialects import put_if_absent
from damas.server.store.errors import BadBackup, CannotOpen, StoreFailed
from damas.server.store.files import written_whole
from damas.server.store.keys import VISITORS, earlier_secret
from damas.server.store.lock import check_one_name
from damas.server.store.rows import NO_CHAIN, TournamentRow, broken_line, broken_link
from damas.server.store.salvage import Damage, copy_sound, set_aside, weed
from damas.server.store.seal import check_seal, seal, unseal
from damas.server.store.sqlite import open_read_only, sqlite_url
from damas.server.store.tournaments import tournament_lines

_OF_ROWS = ("games", "events", "moves", "accounts", "halls", "digest")
"""What a report says of the rows alone."""
_ROWS = 500
"""Rows copied at a time."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a backup in numbers. Backups with equal reports have the same events and tournaments."""

    games: int
    events: int
    moves: int
    accounts: int
    digest: str
    """Of the last hash of every game and tournament, and so of every event."""
    halls: int = 0
    """Tournaments of people."""
    tournaments: int = 0
    """Of programs, in the arena."""
    arena: str = ""
    """The digest of its files; nothing where there are none."""
    sealed: bool = True
    """Whether any changed byte would have been noticed; not so in a backup of an earlier damas."""
    broken_seal: bool = False
    """Whether some byte has changed since it was sealed; only `salvage` reads such a backup."""
    set_aside: tuple[Damage, ...] = ()
    """Games and rows that were damaged when the backup was made, and are not in it."""


async def backup(
    settings: Settings, target: Path, files: Iterable[AttachedFile] = (), *, salvage: bool = False
) -> Report:
    """A backup of the database of `settings`, whether or not a server runs on it, and of these files.

    The files are copied first, so that everybody whom they name is in the database.
    """
    path = settings.sqlite_path
    if path is not None and not path.is_file():
        raise CannotOpen("store.no_database", path=path)
    if path is not None:
        check_one_name(path)
    if target.exists():
        raise CannotOpen("store.exists", path=target)
    try:
        with written_whole(target) as new:
            with _copying("store.cannot_copy_arena", target):
                attach(new, files)
            with _copying("store.cannot_copy", target):
                await _copy(settings, new, salvage=salvage)
                seal(new)
            return verify(new)
    except OSError as error:
        raise CannotOpen("store.cannot_write", folder=target.parent, why=file_trouble(error)) from error


async def restore(source: Path, settings: Settings, *, salvage: bool = False) -> Report:
    """Restores a backup to where there is nothing yet; a backup of an earlier damas is upgraded."""
    if not source.is_file():
        raise BadBackup("store.no_backup", path=source)
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary = tempfile.TemporaryDirectory(prefix=".restore-", dir=settings.data)
    except OSError as error:
        raise CannotOpen("store.data_folder", folder=settings.data, why=file_trouble(error)) from error
    with temporary as folder:
        copy = Path(folder) / "backup.sqlite3"
        report = _bring_up_to_date(source, copy, settings.data, salvage=salvage)
        with put_back(copy, settings.arena_folder):
            await _load(copy, report, settings)
    return report


def verify(path: Path) -> Report:
    """Verifies a whole backup. Raises `BadBackup` at the first error."""
    if not path.is_file():
        raise BadBackup("store.no_backup", path=path)
    seal_bytes = check_seal(path)
    try:
        with _opened(path, "ro") as connection:
            _check_pages(connection, path)
            _check_length(connection, path, seal_bytes)
            revision = migrations.revision(connection)
            if revision == migrations.HEAD:
                return _with_files(_read_all(connection), path, sealed=bool(seal_bytes))
            if revision is None:
                raise BadBackup("store.not_a_database", name=path)
        with tempfile.TemporaryDirectory(prefix="damas-verify-") as folder:
            return _bring_up_to_date(path, Path(folder) / "backup.sqlite3", Path(folder))
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise BadBackup("store.unreadable_backup", path=path, why=trouble(error)) from error


# Making copies


@contextmanager
def _copying(key: str, target: Path) -> Iterator[None]:
    """Raises `CannotOpen` where the copy cannot be written, and `StoreFailed` of this key where it cannot be read."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        if cannot_write(error):
            raise CannotOpen("store.cannot_write", folder=target.parent, why=trouble(error)) from error
        raise StoreFailed(Saying(key, {"why": trouble(error)}), unknown=False) from error


async def _copy(settings: Settings, new: Path, *, salvage: bool) -> None:
    """Copies all rows of a database at one moment, while a server may use it."""
    with _opened(new, "rwc") as copy:
        migrations.upgrade(copy)
        copy.begin()
        if settings.sqlite_path is None:
            await _copy_postgresql(settings, copy)
        elif not salvage:
            await asyncio.to_thread(_copy_sqlite, settings.sqlite_path, copy)
        copy.commit()
    if salvage:
        if settings.sqlite_path is not None:
            await asyncio.to_thread(copy_sound, settings.sqlite_path, new)
        weed(new)
    if (secret := earlier_secret(settings)) is not None:
        with _opened(new, "rwc") as copy:
            put_if_absent(copy, schema.secret, {"name": VISITORS, "value": secret.hex()})
            copy.commit()


def _copy_sqlite(path: Path, copy: Connection) -> None:
    with _opened(path, "ro") as connection:
        _check_revision(migrations.revision(connection), str(path))
        _check_pages(connection, path)
        try:
            for table, rows in _rows(connection):
                copy.execute(insert(table), rows)
        except OperationalError as error:
            if "decode" not in str(error.orig):
                raise
            raise BadBackup("store.undecodable", name=path) from error


async def _copy_postgresql(settings: Settings, copy: Connection) -> None:
    from damas.server.store.postgresql import PostgresqlDatabase

    # Not by `open_database`, which would upgrade it under a server that runs.
    database = PostgresqlDatabase(settings)
    try:
        _check_revision(await database.read(migrations.revision), database.name)
        async for table, rows in database.snapshot(_tables(), _ROWS):
            copy.execute(insert(table), rows)
    finally:
        await database.close()


# Putting them back


async def _load(copy: Path, report: Report, settings: Settings) -> None:
    """Fills an empty database in one transaction."""
    database = await open_database(settings)
    try:
        line = await database.writer()
        try:
            await line.run(_begin_empty)
            with _opened(copy, "ro") as connection:
                for table, rows in _rows(connection):
                    await line.run(partial(_insert, table=table, rows=rows))
            result = await line.run(_read_all)
            if any(getattr(result, name) != getattr(report, name) for name in _OF_ROWS):
                raise BadBackup("store.incomplete", name=database.name, got=result, expected=report)
            await line.run(lambda other: other.commit())
        except SQLAlchemyError as error:
            reason = Saying("store.cannot_restore", {"name": database.name, "why": trouble(error)})
            raise StoreFailed(reason, unknown=False) from error
        finally:
            await line.drop()
    finally:
        await database.close()


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> None:
    connection.execute(insert(table), rows)


def _begin_empty(connection: Connection) -> None:
    connection.begin()
    for table in _tables():
        if connection.execute(select(table).limit(1)).first() is not None:
            raise CannotOpen("store.table_not_empty", table=table.name)


def _copy_pages(source: Path, copy: Path) -> None:
    """Copies a database file, with what its write-ahead log may still hold."""
    with closing(open_read_only(source)) as original, closing(sqlite3.connect(copy)) as written:
        original.backup(written)


def _bring_up_to_date(source: Path, copy: Path, folder: Path, *, salvage: bool = False) -> Report:
    """A verified copy, in a folder, at this program's revision. Raises `CannotOpen`, `BadBackup`."""
    sealed = broken_seal = False
    try:
        sealed = bool(check_seal(source))
    except BadBackup:
        if not salvage:
            raise
        broken_seal = True
    try:
        if salvage:
            with _opened(copy, "rwc") as connection:
                migrations.upgrade(connection)
            copy_sound(source, copy)
            weed(copy)
        else:
            _copy_pages(source, copy)
            unseal(copy)
            with _opened(copy, "rwc") as connection:
                if migrations.revision(connection) is None:
                    raise BadBackup("store.not_a_backup", path=source)
                connection.rollback()
                migrations.upgrade(connection)
    except (SQLAlchemyError, sqlite3.Error) as error:
        if cannot_write(error):
            raise CannotOpen("store.data_folder", folder=folder, why=trouble(error)) from error
        raise BadBackup("store.unreadable_backup", path=source, why=trouble(error)) from error
    return msgspec.structs.replace(verify(copy), sealed=sealed, broken_seal=broken_seal)


# Reading all of it


def _check_pages(connection: Connection, path: Path) -> None:
    for command in ("integrity_check", "foreign_key_check"):
        result = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA {command}")]
        if result not in (["ok"], []):
            raise BadBackup("store.damaged_pages", path=path, command=command, text="; ".join(result[:3]))


def _check_length(connection: Connection, path: Path, seal_bytes: int) -> None:
    # SQLite reads what was cut off as zeros, which may pass for free space.
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    got, expected = path.stat().st_size, pages * size + seal_bytes
    if got != expected:
        raise BadBackup("store.damaged_length", path=path, got=got, expected=expected)


def _check_revision(result: str | None, name: str) -> None:
    if result is None:
        raise BadBackup("store.not_a_database", name=name)
    if result != migrations.HEAD:
        raise BadBackup("store.other_revision", name=name, revision=result, known=migrations.HEAD)


def _read_all(connection: Connection) -> Report:
    """Verifies the chain of every game and tournament from its first event to the one in its summary. Raises `BadBackup`."""
    game = schema.game.c
    heads = {
        row.id: (row.seq, row.chain) for row in connection.execute(select(game.id, game.seq, game.chain))
    }
    digest, count = hashlib.sha256(), Counter[str]()
    reached = dict.fromkeys(heads, (0, NO_CHAIN))
    query = select(schema.event.c.game, *event_columns).order_by(schema.event.c.game, schema.event.c.seq)
    rows = connection.execute(query.execution_options(yield_per=_ROWS))
    for name, of_game in groupby(rows, key=lambda row: row[0]):
        events = [event_row(row[1:]) for row in of_game]
        if (seq := broken_link(events)) is not None:
            raise BadBackup("store.missing_event", game=name, event=seq, last=seq - 1)
        reached[name] = (events[-1].seq, events[-1].chain)
        count["events"] += len(events)
        count["moves"] += sum(row.kind == "moved" for row in events)
    for name in sorted(heads):
        if reached[name] != heads[name]:
            raise BadBackup("store.wrong_end", game=name, got=reached[name][0], expected=heads[name][0])
        digest.update(f"{name} {reached[name]}\n".encode())
    halls = 0
    for head in connection.execute(select(schema.tournament).order_by(schema.tournament.c.id)):
        row = TournamentRow(**head._mapping)
        if (line := broken_line(tournament_lines(connection, row.id), row)) is not None:
            raise BadBackup("store.broken_tournament", tournament=row.id, line=line)
        digest.update(f"{row.id} {row.seq} {row.chain}\n".encode())
        halls += 1
    accounts = connection.scalar(select(func.count()).select_from(schema.account))
    return Report(
        games=len(heads),
        events=count["events"],
        moves=count["moves"],
        accounts=accounts or 0,
        halls=halls,
        digest=digest.hexdigest(),
    )


def _with_files(report: Report, path: Path, *, sealed: bool) -> Report:
    digest, tournaments, count = hashlib.sha256(), set[str](), 0
    for file in attached(path):
        digest.update(f"{file.name} {file.mode} {hashlib.sha256(file.content).hexdigest()}\n".encode())
        folder, _, rest = file.name.partition("/")
        if folder == "tournaments":
            tournaments.add(rest.partition("/")[0])
        count += 1
    return msgspec.structs.replace(
        report,
        tournaments=len(tournaments),
        arena=digest.hexdigest() if count else "",
        sealed=sealed,
        set_aside=set_aside(path),
    )


def _rows(connection: Connection) -> Iterator[tuple[Table, list[dict[str, Any]]]]:
    for table in _tables():
        order = [table.c.created_ms] if table is schema.game else []  # a rematch after the game it repeats
        query = select(table).order_by(*order, *table.primary_key)
        result = connection.execute(query.execution_options(yield_per=_ROWS)).mappings()
        for some in result.partitions(_ROWS):
            yield table, [dict(row) for row in some]


def _tables() -> list[Table]:
    """Tables in an order that satisfies foreign keys."""
    return list(schema.metadata.sorted_tables)


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[Connection]:
    arguments = {"isolation_level": None, "check_same_thread": False}
    engine = create_engine(sqlite_url(path, mode), connect_args=arguments, poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()
