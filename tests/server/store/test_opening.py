"""Opening a database: its settings, its revision, and that nobody else has it open."""

import hashlib
import logging
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.dialects import postgresql as postgresql_dialect
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from damas.server.settings import Limits, Settings
from damas.server.store import Store, migrations, sqlite
from damas.server.store.backup import backup
from damas.server.store.database import open_database
from damas.server.store.errors import CannotOpen, InUse, NameAlike, TooNew
from damas.server.store.rows import FIRST_EPOCH
from damas.server.store.schema import metadata
from server.conftest import PATIENT, Cluster
from server.rooms.clients import serving
from server.store.sample_rows import WITHOUT_LATER_TABLES, event, game


def test_the_head_is_the_last_revision() -> None:
    assert migrations.__file__ is not None
    script = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert script.get_heads() == [migrations.HEAD]


def test_other_tables_need_another_revision() -> None:
    """Whoever changes a table or an index adds a revision, or databases that are there do not follow."""
    statements: list[CreateTable | CreateIndex] = []
    for table in metadata.sorted_tables:
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        statements += [CreateTable(table), *map(CreateIndex, indexes)]
    dialects = (sqlite_dialect.dialect(), postgresql_dialect.dialect())
    schema = [str(statement.compile(dialect=dialect)) for dialect in dialects for statement in statements]
    digest = hashlib.sha256("".join(schema).encode()).hexdigest()[:16]
    assert (migrations.HEAD, digest) == ("0013", "ceaa525593876d49")


async def test_a_database_is_opened_again_as_it_was(settings: Settings) -> None:
    store = await Store.open(settings)
    await store.games.create(game("g"), [event(1)])
    await store.close()
    again = await Store.open(settings)
    assert len(await again.games.events("g")) == 1
    await again.games.append("g", FIRST_EPOCH, [event(2)])
    await again.close()


async def test_a_later_database_is_refused_and_left_alone(settings: Settings) -> None:
    store = await Store.open(settings)
    await store.writer.do(
        lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    )
    await store.close()
    with pytest.raises(TooNew, match="9999"):
        await Store.open(settings)
    with pytest.raises(TooNew):  # and it stays so
        await Store.open(settings)


async def test_a_failed_upgrade_leaves_nothing_behind(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = migrations._run

    def half(connection: Connection, before: str | None) -> None:
        run(connection, before)
        connection.execute(text("SELECT * FROM no_such_table"))

    monkeypatch.setattr(migrations, "_run", half)
    with pytest.raises(CannotOpen, match="no_such_table"):
        await Store.open(settings)
    revisions: list[str | None] = []

    def watch(connection: Connection, before: str | None) -> None:
        revisions.append(before)
        run(connection, before)

    monkeypatch.setattr(migrations, "_run", watch)
    await (await Store.open(settings)).close()
    assert revisions == [None]


async def test_a_damaged_name_does_not_stop_an_upgrade(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    store = await Store.open(settings)
    for name in ("Ana", "Rui"):
        await store.people.create_account(name, "a password")
    earlier = (
        *(f"DROP INDEX ix_account_{name}" for name in ("look", "look_upper")),
        *(f"ALTER TABLE account DROP COLUMN {name}" for name in ("look", "look_upper")),
        "ALTER TABLE game DROP COLUMN arbiter_link",
        *WITHOUT_LATER_TABLES,
        "UPDATE alembic_version SET version_num = '0001'",
        "UPDATE account SET name = CAST(x'ff41' AS TEXT) WHERE name = 'Rui'",
    )
    await store.writer.do(lambda connection: [connection.execute(text(each)) for each in earlier])
    await store.close()
    again = await Store.open(settings)
    with pytest.raises(NameAlike):
        await again.people.create_account("Anа", "a password")
    await again.people.create_account("Bia", "a password")
    await again.close()


@pytest.mark.parametrize("damaged", ["'zz' || value", "CAST(value AS BLOB)"])
async def test_a_damaged_secret_is_said_so(tmp_path: Path, damaged: str) -> None:
    store = await Store.open(Settings(data=tmp_path))
    await store.secret("visitors")
    await store.writer.do(lambda connection: connection.execute(text(f"UPDATE secret SET value = {damaged}")))
    with pytest.raises(CannotOpen, match="the secret visitors in the database is damaged"):
        await store.secret("visitors")
    await store.close()


async def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    store = await Store.open(settings)
    with pytest.raises(InUse, match="is already using"):
        await Store.open(settings)
    program = f"""
import asyncio, pathlib
from damas.server.settings import Settings
from damas.server.store import Store
asyncio.run(Store.open(Settings(data=pathlib.Path({str(tmp_path)!r}))))
"""
    other = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert other.returncode != 0
    assert "is already using" in other.stderr
    assert "(process " in other.stderr
    await store.games.create(game("g"))  # the first is not disturbed
    await store.close()
    await (await Store.open(settings)).close()


async def test_a_file_with_two_names_has_no_two_locks(tmp_path: Path) -> None:
    """By a hard link a second server would have a lock of its own, and a write-ahead log of its own."""
    store = await Store.open(Settings(data=tmp_path / "one"))
    await store.games.create(game("g"))
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "damas.sqlite3").hardlink_to(tmp_path / "one" / "damas.sqlite3")
    serve = [sys.executable, "-m", "damas", "--lang", "pt-BR", "serve", "--port", "0", "--open", "false"]
    other = subprocess.run(
        [*serve, "--data", str(tmp_path / "two")], capture_output=True, text=True, check=False
    )
    assert (other.returncode, other.stdout) == (2, "")
    assert "tem 2 nomes (links físicos)" in other.stderr and "Traceback" not in other.stderr
    with pytest.raises(CannotOpen, match="has 2 names"):  # the game is in the other name's log
        await backup(Settings(data=tmp_path / "two"), tmp_path / "copy")
    assert not list((tmp_path / "two").glob("*-wal"))
    await store.games.append("g", FIRST_EPOCH, [event(1)])  # the first is not disturbed
    await store.close()
    with pytest.raises(CannotOpen, match="has 2 names"):
        await Store.open(Settings(data=tmp_path / "one"))
    (tmp_path / "two" / "damas.sqlite3").unlink()
    again = await Store.open(Settings(data=tmp_path / "one"))
    assert len(await again.games.events("g")) == 1
    await again.close()


NODE = """
import asyncio, pathlib, sys
from damas.server.settings import Settings
from damas.server.store import Store
async def main():
    await Store.open(Settings(data=pathlib.Path(sys.argv[1]), database_url=sys.argv[2], node=sys.argv[3]))
    print("open", flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


async def test_two_servers_of_one_name_cannot_share_a_database(postgresql: Cluster, tmp_path: Path) -> None:
    """The second is refused in one sentence, and is let in as soon as the first is killed; other names never wait."""
    url = postgresql.create()
    program = [sys.executable, "-c", NODE, str(tmp_path / "first"), url, "main"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None and first.stdout.readline() == "open\n"
        serve = [sys.executable, "-m", "damas", "--lang", "es", "serve", "--port", "0", "--open", "false"]
        environment = {**os.environ, "DATABASE_URL": url, "DAMAS_NODE": "main"}
        second = subprocess.run(
            [*serve, "--data", str(tmp_path / "second")],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (second.returncode, second.stdout) == (2, "")
        assert "otro servidor con el nombre «main» ya usa postgresql://" in second.stderr
        assert "Traceback" not in second.stderr
        other = await Store.open(Settings(data=tmp_path / "other", database_url=url, node="other"))
        await other.games.create(game("g"))
        await other.close()
        first.kill()
    again = await Store.open(Settings(data=tmp_path / "first", database_url=url, node="main"))
    assert len(await again.games.unfinished("")) == 1
    await again.close()


async def test_a_server_whose_connection_is_lost_keeps_its_name(postgresql: Cluster, tmp_path: Path) -> None:
    """The database may not have noticed yet that the connection is gone."""
    store = await Store.open(Settings(data=tmp_path, database_url=postgresql.create(), limits=PATIENT))
    left_behind, store.writer._line = store.writer._line, None
    assert left_behind is not None
    await store.games.create(game("g"))
    assert store.writer.counts["reconnects"] == 1
    await left_behind.drop()
    await store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="files have no modes there")
async def test_data_are_for_their_owner_alone(tmp_path: Path) -> None:
    """A new folder, and one of an earlier damas that everybody could read."""
    data = tmp_path / "data"
    umask = os.umask(0)
    try:
        for _ in range(2):
            async with serving(Settings(data=data, port=0)) as server:
                await (await server.person()).create(kind="device")
                modes = {path.name: path.stat().st_mode & 0o777 for path in data.iterdir() if path.is_file()}
                assert data.stat().st_mode & 0o777 == 0o700
                assert set(modes) >= {"damas.sqlite3", "damas.sqlite3-wal", "damas.sqlite3-shm", "operator"}
                assert set(modes.values()) == {0o600}, modes
            for path in (data, *(path for path in data.iterdir() if path.is_file())):
                path.chmod(0o777 if path.is_dir() else 0o666)
    finally:
        os.umask(umask)


async def test_a_lock_is_not_inherited_by_a_forked_process(tmp_path: Path) -> None:
    """An engine process that outlives a killed server must not keep the next one out."""
    program = f"""
import asyncio, os, pathlib, signal, subprocess, time
from damas.server.settings import Settings
from damas.server.store import Store
async def main():
    await Store.open(Settings(data=pathlib.Path({str(tmp_path)!r})))
    if os.fork() == 0:
        os.closerange(0, 3)
        time.sleep(3)
    print("open", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    died = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert died.stdout == "open\n"
    await (await Store.open(Settings(data=tmp_path))).close()


async def test_sqlite_is_set_as_it_must_be(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "damas.store"):
        store = await Store.open(Settings(data=tmp_path))

    def settings(connection: Connection) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names}

    result = await store.writer.do(settings)
    assert result == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 800}
    assert f"SQLite library {sqlite3.sqlite_version}" in caplog.messages
    warned = any("WAL-reset bug" in message for message in caplog.messages)
    assert warned == sqlite.has_wal_reset_bug(sqlite3.sqlite_version_info)
    await store.games.create(game("g"))
    assert [head.id for head in await store.games.unfinished("")] == ["g"]
    await store.close()
    # The last connection to close was the writer's: one file is left, and the lock.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["damas.sqlite3", "damas.sqlite3.lock"]


async def test_sqlite_that_would_forget_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_DURABLE", {**sqlite._DURABLE, "synchronous": 3})
    with pytest.raises(CannotOpen, match=r"synchronous=2 .≠ 3"):
        await Store.open(Settings(data=tmp_path))


async def test_postgresql_may_take_its_time_while_the_server_starts(
    postgresql: Cluster, tmp_path: Path
) -> None:
    settings = Settings(data=tmp_path, database_url=postgresql.create(), limits=Limits(connect_s=0))
    database = await open_database(settings)
    with pytest.raises(TimeoutError):
        await database.writer()
    await database.close()


async def test_postgresql_that_would_forget_is_not_used(postgresql: Cluster, tmp_path: Path) -> None:
    url = postgresql.create()
    name = url.partition("@/")[2].partition("?")[0]
    postgresql.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    store = await Store.open(Settings(data=tmp_path, database_url=url))
    query = text("SHOW synchronous_commit")
    assert await store.writer.do(lambda connection: connection.execute(query).scalar()) == "on"
    await store.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://somewhere/x", "damas knows postgresql"),
        ("postgresql://nobody@127.0.0.1:1/x", "cannot open postgresql://nobody@127.0.0.1:1/x"),
        ("postgresql://u:secret@127.0.0.1:1/x", r"u:\*\*\*@"),
        ("::::", "cannot be read"),
    ],
)
async def test_a_database_that_cannot_be_had_is_said_so(tmp_path: Path, url: str, words: str) -> None:
    with pytest.raises(CannotOpen, match=words) as refused:
        await Store.open(Settings(data=tmp_path, database_url=url))
    assert "secret" not in str(refused.value)


async def test_a_file_that_is_no_database_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "damas.sqlite3").write_bytes(b"not a database, and long enough to be looked at" * 50)
    with pytest.raises(CannotOpen, match="not a database"):
        await Store.open(Settings(data=tmp_path))
    (tmp_path / "damas.sqlite3").unlink()
    await (await Store.open(Settings(data=tmp_path))).close()  # the lock was given back


async def test_a_data_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotOpen, match="cannot make the data folder"):
        await Store.open(Settings(data=tmp_path / "file" / "data"))


@pytest.mark.parametrize("name", ["ação # 100%", "a b?mode=memory", "ç"])
async def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    store = await Store.open(Settings(data=tmp_path / name))
    await store.games.create(game("g"))
    assert [head.id for head in await store.games.unfinished("")] == ["g"]
    await store.close()
    assert (tmp_path / name / "damas.sqlite3").stat().st_size > 0
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o700


def test_network_folders_are_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n"
    read_text = Path.read_text
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda self, **how: mounts if str(self) == "/proc/self/mounts" else read_text(self, **how),
    )
    with pytest.raises(CannotOpen, match="network file system"):
        sqlite.prepare_folder(tmp_path / "data")
