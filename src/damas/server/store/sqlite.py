"""SQLite: one writer connection in one process, which alone checkpoints; all others open read-only.

That rule, and the lock that keeps a second server out, also keep away the WAL-reset bug of SQLite before 3.51.3: it
needs two connections that write or checkpoint. FULL means that a commit has been flushed; it is as honest as the disk.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from damas.errors import file_trouble
from damas.server.settings import Limits, Settings
from damas.server.store.database import Database, message_of, verify_settings
from damas.server.store.dialects import run
from damas.server.store.errors import CannotOpen
from damas.server.store.files import create_private, fsync_folder, make_private
from damas.server.store.lock import FileLock

log = logging.getLogger("damas.store")

T = TypeVar("T")

_DURABLE: dict[str, object] = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "afs", "ceph", "glusterfs")
_READERS = 4
CLOSE_TIMEOUT_S = 2.0
"""How long closing may wait for the last write; a machine that is only busy needs a part of it."""


class SqliteDatabase(Database):
    """A database file with one thread that writes and a few that read."""

    def __init__(self, settings: Settings, path: Path) -> None:
        super().__init__(settings)
        prepare_folder(path.parent)
        self.path = path
        self._lock = FileLock.take(path)
        self._close_to_others()
        self._write_engine = writing_engine(path, settings.limits)
        self._read_engine = reading_engine(path, settings.limits)
        self._write_thread = ThreadPoolExecutor(1, "damas-writer")
        self._read_threads = ThreadPoolExecutor(_READERS, "damas-reader")

    def _close_to_others(self) -> None:
        """Makes the files of the database readable for their owner alone; SQLite gives a new log the mode of the database."""
        try:
            create_private(self.path)
        except OSError as error:
            self._lock.release()
            raise CannotOpen("store.cannot_open", name=self.name, why=file_trouble(error)) from error
        for ending in ("-wal", "-shm", ".lock"):
            make_private(Path(f"{self.path}{ending}"))

    async def upgrade(self) -> tuple[str | None, str]:
        revisions = await super().upgrade()
        fsync_folder(self.path.parent)
        return revisions

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def patience(self) -> None:
        """None: a thread that waits for the disk cannot be interrupted."""
        return None

    async def writer(self, *, patient: bool = False) -> "_ThreadConnection":  # noqa: ARG002 (a file needs no patience)
        return _ThreadConnection(await self._on_write_thread(self._connect), self._on_write_thread)

    def _connect(self) -> Connection:
        connection = self._write_engine.connect()
        try:
            verify_settings(connection, "PRAGMA", _DURABLE)
            connection.rollback()
        except BaseException:
            connection.close()
            raise
        return connection

    async def read(self, work: Callable[[Connection], T]) -> T:
        def reading() -> T:
            with self._read_engine.connect() as connection:
                return work(connection)

        try:
            return await asyncio.get_running_loop().run_in_executor(self._read_threads, reading)
        except (SQLAlchemyError, OSError, UnicodeError, OverflowError) as error:
            raise self.cannot_read(error) from error

    def purge(self, connection: Connection) -> bool:
        """Empties the write-ahead log, where deleted rows still stand; False while somebody reads, for it waits for nobody."""
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA busy_timeout = 0")
        try:
            busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            log.warning("the write-ahead log could not be emptied: %s", error)
            return False
        finally:
            driver.execute(f"PRAGMA busy_timeout = {round(self.settings.limits.locked_s * 1000)}")
        return not busy

    def wal_bytes(self) -> int:
        try:
            return Path(f"{self.path}-wal").stat().st_size
        except FileNotFoundError:
            return 0

    async def stop_reading(self) -> None:
        await asyncio.to_thread(self._read_threads.shutdown)
        self._read_engine.dispose()

    async def close(self) -> None:
        await self.stop_reading()
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._on_write_thread(self._write_engine.dispose)
        except TimeoutError:
            # It may still commit, so nobody else may write: the lock goes when the process does.
            log.error("the disk does not answer: %s stays locked until this process ends", self.path)
        else:
            self._lock.release()
        self._write_thread.shutdown(wait=False)

    async def _on_write_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._write_thread, work)


class _ThreadConnection:
    """The writer's connection, used on its thread only."""

    def __init__(self, connection: Connection, on_thread: Callable[..., Any]) -> None:
        self._connection = connection
        self._on_thread = on_thread

    async def run(self, work: Callable[[Connection], T]) -> T:
        result: T = await self._on_thread(lambda: work(self._connection))
        return result

    async def drop(self) -> None:
        await self._on_thread(self._drop)

    def _drop(self) -> None:
        try:
            self._connection.invalidate()
            self._connection.close()
        except Exception as error:  # noqa: BLE001 it is broken already, and only has to be gone
            log.info("dropping a broken connection: %s", message_of(error))


def writing_engine(path: Path, limits: Limits) -> Engine:
    """An engine in WAL mode with FULL sync; transactions are IMMEDIATE, so that a lock is met before any work. What is
    deleted is overwritten: it may be the name of a child.
    """
    engine = create_engine(
        sqlite_url(path, "rwc"), connect_args=_arguments(limits.locked_s), poolclass=NullPool
    )
    _run_on_connect(
        engine,
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON",
    )
    event.listen(engine, "begin", lambda connection: run(connection, "BEGIN IMMEDIATE"))
    return engine


def reading_engine(path: Path, limits: Limits) -> Engine:
    """A read-only engine whose queries are interrupted after `Limits.read_s`, so that the write-ahead log can shrink."""
    engine = create_engine(
        sqlite_url(path, "ro"),
        connect_args=_arguments(limits.read_s),
        pool_size=_READERS,
        pool_timeout=limits.read_s,
    )
    _run_on_connect(engine, "PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        deadline = time.monotonic() + limits.read_s
        driver: Any = connection.connection.driver_connection
        driver.set_progress_handler(lambda: time.monotonic() > deadline, 20_000)
        connection.exec_driver_sql("BEGIN")

    return engine


def sqlite_url(path: Path, mode: str) -> URL:
    """The URL of a file, opened with mode `ro` or `rwc`."""
    # As a URI, since only there can a file be opened read-only; so its own signs must be escaped.
    quoted = path.resolve().as_posix().replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return URL.create("sqlite+pysqlite", database=f"file:{quoted}", query={"mode": mode, "uri": "true"})


def open_read_only(path: Path) -> sqlite3.Connection:
    """A connection of the driver alone, for files that may be no database of ours or damaged."""
    return sqlite3.connect(f"{sqlite_url(path, 'ro').database}?mode=ro", uri=True, isolation_level=None)


any_text = partial(str, encoding="utf-8", errors="surrogateescape")
"""Reads what is not UTF-8 too, so that a damaged row does not hide the sound ones beside it (`rows.is_text`)."""


def _arguments(wait: float) -> dict[str, Any]:
    # The driver must not begin transactions by itself: they would be deferred.
    return {"timeout": wait, "isolation_level": None}


def _run_on_connect(engine: Engine, *statements: str) -> None:
    """Runs the statements on every new connection of the engine."""

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.text_factory = any_text
        for statement in statements:
            connection.execute(statement)


def has_wal_reset_bug(version: tuple[int, ...]) -> bool:
    """Whether this SQLite library can damage a file that two connections write.

    >>> [has_wal_reset_bug(v) for v in ((3, 40, 1), (3, 44, 6), (3, 50, 7), (3, 51, 2), (3, 51, 3), (3, 53, 0))]
    [True, False, False, True, False, False]
    """
    mended = (3, 44, 6) <= version < (3, 45, 0) or (3, 50, 7) <= version < (3, 51, 0)
    return (3, 7, 0) <= version < (3, 51, 3) and not mended


def log_library() -> None:
    """Logs the version of the linked library, and warns of its WAL-reset bug."""
    version = sqlite3.sqlite_version
    log.info("SQLite library %s", version)
    if has_wal_reset_bug(sqlite3.sqlite_version_info):
        log.warning(
            "SQLite %s has the WAL-reset bug (mended in 3.51.3). damas writes through one connection, which keeps it "
            "away; let no other program write to the database or checkpoint it while the server runs.",
            version,
        )


def prepare_folder(folder: Path) -> None:
    """Creates the data folder, and refuses one on a network file system."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CannotOpen("store.no_data_folder", folder=folder, why=file_trouble(error)) from error
    kind = _filesystem(folder)
    if kind in _NETWORK:
        raise CannotOpen("store.network", folder=folder, kind=kind)


def _filesystem(folder: Path) -> str:
    """The type of the file system of a folder; empty if it is unknown."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    resolved = folder.resolve()
    longest, kind = Path("/"), ""
    for line in mounts:
        _device, where, what, *_rest = line.split(" ")
        mount = Path(where.replace("\\040", " "))
        if resolved.is_relative_to(mount) and len(mount.parts) >= len(longest.parts):
            longest, kind = mount, what
    return kind
