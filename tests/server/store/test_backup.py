"""Backups: made while games are written, checked whole, put back into an empty place of either kind."""

import asyncio
import re
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from errno import EACCES
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import text

from damas.server.settings import Settings
from damas.server.store import Store, migrations
from damas.server.store.backup import Report, backup, restore, verify
from damas.server.store.errors import BadBackup, CannotOpen, InUse, NameAlike, StoreError, TooNew
from damas.server.store.rows import FIRST_EPOCH
from damas.server.store.seal import check_seal, seal, unseal
from server.conftest import PATIENT, Cluster
from server.store.sample_rows import WITHOUT_LATER_TABLES, event, events, game


async def filled(settings: Settings) -> Store:
    store = await Store.open(settings)
    for number in range(6):
        previous = f"g{number - 1}" if number % 2 else None
        first = event(1, kind="started")
        await store.games.create(game(f"g{number}", previous=previous, created_ms=number), [first])
        await store.games.append(f"g{number}", FIRST_EPOCH, events(2, 2 + number))
    await store.people.create_account("ana", "a password")
    await store.people.add_progress("v", {"k": '"ç🙂"'})
    await store.secret("cookie")
    return store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A backup, to be spoilt."""
    folder = tmp_path_factory.mktemp("whole")

    async def make() -> bytes:
        settings = Settings(data=folder / "data")
        await (await filled(settings)).close()
        await backup(settings, folder / "copy")
        return (folder / "copy").read_bytes()

    return asyncio.run(make())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "backup.sqlite3"


async def test_there_and_back(settings: Settings, copy: Path, tmp_path: Path) -> None:
    """From either database into SQLite; what is there then is what was there."""
    store = await filled(settings)
    report = await backup(settings, copy)
    assert (report.games, report.events, report.moves, report.accounts) == (6, 27, 21, 1)
    assert verify(copy) == report
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []

    elsewhere = Settings(data=tmp_path / "elsewhere")
    assert await restore(copy, elsewhere) == report
    other = await Store.open(elsewhere)
    for number in range(6):
        name = f"g{number}"
        assert await other.games.events(name) == await store.games.events(name)
        assert await other.games.head(name) == await store.games.head(name)
    assert await other.people.check_password("ana", "a password")
    assert await other.people.progress("v") == {"k": '"ç🙂"'}
    assert await other.secret("cookie") == await store.secret("cookie")
    await other.games.append("g0", FIRST_EPOCH, [event(3)])  # and it goes on
    await store.close()
    await other.close()


async def test_a_backup_moves_from_sqlite_to_postgresql(
    postgresql: Cluster, copy: Path, tmp_path: Path
) -> None:
    here = Settings(data=tmp_path / "data")
    await (await filled(here)).close()
    report = await backup(here, copy)
    there = Settings(data=tmp_path / "there", database_url=postgresql.create(), limits=PATIENT)
    assert await restore(copy, there) == report
    other = await Store.open(there)
    assert await backup(there, tmp_path / "again") == report
    assert await other.people.check_password("ana", "a password")
    await other.close()
    with pytest.raises(CannotOpen, match="empty place"):
        await restore(copy, there)


@pytest.mark.parametrize("salvage", [False, True])
async def test_a_backup_made_while_games_are_written_holds(
    settings: Settings, copy: Path, *, salvage: bool
) -> None:
    """Beside a running server: what was acknowledged before it began is in it, and it is a moment of the server's log."""
    store = await filled(settings)
    over = False
    counts = dict.fromkeys([f"g{number}" for number in range(6)], 0)

    async def play(name: str) -> None:
        seq = len(await store.games.events(name))
        while not over:
            seq += 1
            await store.games.append(name, FIRST_EPOCH, [event(seq)])
            counts[name] = seq

    players = [asyncio.create_task(play(name)) for name in counts]
    while min(counts.values()) == 0:
        await asyncio.sleep(0.01)
    acked = dict(counts)
    report = await backup(settings, copy, salvage=salvage)
    assert report.set_aside == ()
    over = True
    await asyncio.gather(*players)
    with closing(sqlite3.connect(copy)) as connection:
        for name, least in acked.items():
            rows = connection.execute(
                "SELECT seq, chain FROM event WHERE game = ? ORDER BY seq", (name,)
            ).fetchall()
            log = [(row.seq, row.chain) for row in await store.games.events(name)]
            assert len(rows) >= least
            assert rows == log[: len(rows)]
    assert verify(copy) == report
    await store.close()


async def test_nothing_is_written_over(settings: Settings, copy: Path, tmp_path: Path) -> None:
    store = await filled(settings)
    await backup(settings, copy)
    before = copy.read_bytes()
    with pytest.raises(CannotOpen, match="there already"):
        await backup(settings, copy)
    assert copy.read_bytes() == before
    await store.close()
    with pytest.raises(CannotOpen):
        await restore(copy, settings)
    again = await Store.open(settings)
    assert len(await again.games.unfinished("")) == 6
    await again.close()


async def test_a_running_server_is_not_restored_into(copy: Path, tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    store = await filled(settings)
    await backup(settings, copy)
    with pytest.raises(InUse):
        await restore(copy, settings)
    await store.close()


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            "UPDATE event SET data = 'other' WHERE game = 'g3' AND seq = 2",
            "g3: event 2 does not follow event 1",
        ),
        ("DELETE FROM event WHERE game = 'g4' AND seq = 3", "g4: event 3 does not follow event 2"),
        ("DELETE FROM event WHERE game = 'g5' AND seq = 7", "g5 ends at event 6 and should end at 7"),
        ("UPDATE event SET chain = 'x' WHERE game = 'g0' AND seq = 1", "g0: event 1"),
        ("DROP TABLE event", "not a backup of damas"),
        ("DELETE FROM game WHERE id = 'g2'", "foreign_key_check"),
    ],
)
async def test_a_damaged_copy_is_noticed_and_not_put_back(
    whole: bytes, tmp_path: Path, copy: Path, damage: str, words: str
) -> None:
    """By its seal, and without one by the chains of the games."""
    copy.write_bytes(whole)
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute(damage)
    with pytest.raises(BadBackup, match="seal"):
        verify(copy)
    copy.write_bytes(whole)
    with closing(sqlite3.connect(unsealed(copy))) as connection, connection:
        connection.execute(damage)
    with pytest.raises(BadBackup, match=words):
        verify(copy)
    elsewhere = Settings(data=tmp_path / "elsewhere")
    with pytest.raises(BadBackup, match=words):
        await restore(copy, elsewhere)
    assert not (elsewhere.data / "damas.sqlite3").exists()


def test_a_copy_cut_short_is_noticed(whole: bytes, copy: Path) -> None:
    copy.write_bytes(whole)
    report = verify(copy)
    for length in range(0, len(whole), len(whole) // 20):
        copy.write_bytes(whole[:length])
        assert not _unharmed(copy, report)


def test_every_changed_byte_is_noticed(whole: bytes, copy: Path) -> None:
    """Of a backup with small pages, so that there are fewer: every byte, the seal's too."""
    copy.write_bytes(whole)
    report = verify(copy)
    unsealed(copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")
    seal(copy)
    assert verify(copy) == report
    content = copy.read_bytes()
    with copy.open("r+b", buffering=0) as file:
        for place, byte in enumerate(content):
            file.seek(place)
            file.write(bytes([byte ^ (1 << place % 8)]))
            with pytest.raises(BadBackup):
                verify(copy)
            file.seek(place)
            file.write(bytes([byte]))
    assert verify(copy) == report


def test_a_seal_that_is_cut_off_or_doubled_is_noticed(whole: bytes, copy: Path) -> None:
    for content in (whole[:-118], whole + b"x", whole + whole[-118:], whole[:-1]):
        copy.write_bytes(content)
        with pytest.raises(BadBackup, match="seal"):
            verify(copy)


async def test_a_backup_of_an_earlier_damas_is_read(whole: bytes, copy: Path, tmp_path: Path) -> None:
    """It had no seal, accounts without their looks, and forgot who took the arbiter's link."""
    copy.write_bytes(whole)
    report = verify(copy)
    unsealed(copy)
    with closing(sqlite3.connect(copy)) as connection, connection:
        for index in ("ix_account_look", "ix_account_look_upper"):
            connection.execute(f"DROP INDEX {index}")
        for column in ("look", "look_upper"):
            connection.execute(f"ALTER TABLE account DROP COLUMN {column}")
        for statement in ("ALTER TABLE game DROP COLUMN arbiter_link", *WITHOUT_LATER_TABLES):
            connection.execute(statement)
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    earlier = msgspec.structs.replace(report, sealed=False)
    assert verify(copy) == earlier
    for name, salvage in (("there", False), ("salvaged", True)):
        there = Settings(data=tmp_path / name)
        result = await restore(copy, there, salvage=salvage)
        assert result == earlier
        store = await Store.open(there)
        with pytest.raises(NameAlike):
            await store.people.check_name("Аnа")
        await store.close()


def unsealed(copy: Path) -> Path:
    """A copy without its seal, as an earlier damas made it."""
    copy.write_bytes(copy.read_bytes()[: -check_seal(copy)])
    unseal(copy)
    return copy


def _unharmed(copy: Path, report: Report) -> bool:
    try:
        return verify(copy) == report
    except BadBackup:
        return False


async def test_what_is_no_backup_is_said_so(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database" * 100)
    sqlite3.connect(tmp_path / "empty.sqlite3").close()
    with closing(sqlite3.connect(tmp_path / "other.sqlite3")) as other:
        other.execute("CREATE TABLE t (x)")
    for name in ("text", "empty.sqlite3", "other.sqlite3", "nothing"):
        with pytest.raises(BadBackup):
            verify(tmp_path / name)
        with pytest.raises(BadBackup):
            await restore(tmp_path / name, settings)
    await (await Store.open(settings)).close()


async def test_a_database_of_another_revision_is_not_copied_and_not_touched(
    settings: Settings, copy: Path
) -> None:
    store = await filled(settings)
    other = text("UPDATE alembic_version SET version_num = '0000'")
    await store.writer.do(lambda connection: connection.execute(other))
    with pytest.raises(BadBackup, match="0000"):
        await backup(settings, copy)
    assert not copy.exists()
    assert await store.database.read(migrations.revision) == "0000"
    await store.close()


async def test_a_backup_of_a_later_damas_is_refused(settings: Settings, copy: Path, tmp_path: Path) -> None:
    store = await filled(settings)
    await backup(settings, copy)
    await store.close()
    with closing(sqlite3.connect(unsealed(copy))) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for salvage in (False, True):
        with pytest.raises(TooNew):
            await restore(copy, Settings(data=tmp_path / "elsewhere"), salvage=salvage)


def full_disk() -> sqlite3.Error:
    """SQLite's own error where there is no more space."""
    with closing(sqlite3.connect(":memory:")) as small:
        small.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.OperationalError) as full:
            small.execute("CREATE TABLE t (n INTEGER)")
    return full.value


async def test_a_full_disk_is_no_fault_of_the_backup(
    settings: Settings, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = full_disk()

    def fail(*_: object) -> None:
        raise error

    await (await filled(settings)).close()
    await backup(settings, copy)
    with monkeypatch.context() as patched:
        patched.setattr("damas.server.store.migrations.upgrade", fail)
        with pytest.raises(
            CannotOpen, match=rf"cannot write to {re.escape(str(tmp_path))}: there is no space"
        ):
            await backup(settings, tmp_path / "second")
    elsewhere = Settings(data=tmp_path / "elsewhere")
    monkeypatch.setattr("damas.server.store.backup._copy_pages", fail)
    with pytest.raises(CannotOpen, match=r"cannot write to the data folder .*: there is no space left"):
        await restore(copy, elsewhere)
    assert {path.name for path in tmp_path.iterdir()} - {"data"} == {"elsewhere", copy.name}
    assert not list(elsewhere.data.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="files are not limited there")
async def test_a_copy_that_does_not_fit_is_refused_in_one_sentence(
    whole: bytes, copy: Path, tmp_path: Path
) -> None:
    """The command answers in one language, and nothing of the copy stays."""
    copy.write_bytes(whole)
    data, new = tmp_path / "data", tmp_path / "new"
    await restore(copy, Settings(data=data))
    limited = ["bash", "-c", 'ulimit -f 64; exec "$@"', "-", sys.executable, "-m", "damas", "backup"]
    for words, place in (
        ([str(tmp_path / "second"), "--data", str(data)], f"em {tmp_path}"),
        (["--restore", str(copy), "--data", str(new)], f"na pasta de dados {new}"),
    ):
        answer = subprocess.run(
            [*limited, "--lang", "pt-BR", *words], check=False, capture_output=True, text=True
        )
        sentence = (
            f"damas: Nada foi copiado: não é possível gravar {place}: disk I/O error\n"  # SQLite's words
        )
        assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", sentence)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "new", copy.name}
    assert not list(new.iterdir())


async def test_a_folder_that_cannot_be_written_is_not_restored_into(
    settings: Settings, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await filled(settings)
    await backup(settings, copy)
    await store.close()

    def refuse(*_: object) -> None:
        raise PermissionError(EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    with pytest.raises(CannotOpen, match=r"cannot write to the data folder .*: permission denied"):
        await restore(copy, Settings(data=tmp_path / "elsewhere"))


async def test_a_place_that_cannot_be_written_is_said_so(settings: Settings, tmp_path: Path) -> None:
    store = await filled(settings)
    with pytest.raises(StoreError, match="cannot write to"):
        await backup(settings, tmp_path / "no such folder" / "copy")
    await store.close()


async def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="there is no database"):
        await backup(Settings(data=tmp_path / "nothing"), tmp_path / "copy")
    assert not (tmp_path / "nothing").exists()
