"""Salvaging: one damaged game is named and set aside, everything else is saved; and commands that are killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.backup import Report, backup, restore, verify
from damas.server.store.errors import BadBackup, CannotOpen, StoreError
from damas.server.store.rows import FIRST_EPOCH
from server.store.test_backup import filled

GAMES = [f"g{number}" for number in range(6)]
BROKEN = "UPDATE event SET data = 'other' WHERE game = 'g3' AND seq = 2"
NO_TEXT = "UPDATE event SET data = CAST(x'ff' AS TEXT) WHERE game = 'g4' AND seq = 3"
NO_TEXT_HEAD = "UPDATE game SET fen = CAST(x'ff' AS TEXT) WHERE id = 'g1'"
NO_TEXT_ACCOUNT = "UPDATE account SET name = CAST(x'ff' AS TEXT)"


async def contents(settings: Settings) -> dict[str, tuple[object, object]]:
    """Every game that is there and sound: its events and its chain."""
    store = await Store.open(settings)
    heads = await store.games.heads(GAMES)
    games: dict[str, tuple[object, object]] = {
        name: (await store.games.events(name), head.chain) for name, head in heads.items()
    }
    await store.close()
    return games


async def spoil(settings: Settings, *statements: str) -> None:
    store = await Store.open(settings)
    await store.writer.do(lambda connection: [connection.execute(text(each)) for each in statements])
    await store.close()


def names(report: Report) -> set[str]:
    return {each.name for each in report.set_aside}


async def test_one_damaged_game_is_set_aside_and_the_rest_is_saved(
    settings: Settings, tmp_path: Path
) -> None:
    await (await filled(settings)).close()
    before = await contents(settings)
    await spoil(settings, BROKEN)
    with pytest.raises(BadBackup, match="g3: event 2 does not follow event 1"):
        await backup(settings, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    report = await backup(settings, tmp_path / "copy", salvage=True)
    assert (report.games, report.accounts, names(report)) == (5, 1, {"g3"})
    assert verify(tmp_path / "copy") == report
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        [kept] = copy.execute("SELECT content FROM set_aside WHERE name = 'g3'").fetchall()
    assert '"other"' in kept[0]  # as far as it can be read
    there = Settings(data=tmp_path / "there")
    assert await restore(tmp_path / "copy", there) == report
    assert await contents(there) == {name: game for name, game in before.items() if name != "g3"}


async def test_rows_that_are_no_text_are_set_aside(tmp_path: Path) -> None:
    """Of a game, of its summary, and of an account, whose login goes with it; by the command, in one's language."""
    settings = Settings(data=tmp_path / "data")
    store = await filled(settings)
    [ana] = [await store.people.account_named("ana")]
    assert ana is not None
    await store.people.open_login(ana.id)
    await store.close()
    before = await contents(settings)
    with closing(sqlite3.connect(settings.data / "damas.sqlite3")) as connection, connection:
        for statement in (BROKEN, NO_TEXT, NO_TEXT_HEAD, NO_TEXT_ACCOUNT):
            connection.execute(statement)
    command = [sys.executable, "-m", "damas", "backup", "--lang", "pt-PT", "--data", str(settings.data)]
    plain = subprocess.run([*command, str(tmp_path / "copy")], capture_output=True, text=True, check=False)
    assert (plain.returncode, plain.stdout) == (2, "") and "Com --salvage o damas diz" in plain.stderr
    done = subprocess.run(
        [*command, "--salvage", str(tmp_path / "copy")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and f"{tmp_path / 'copy'}: 3 partidas" in done.stdout
    lines = done.stderr.splitlines()
    assert all(line.startswith("Posto de lado: ") for line in lines)
    for name in ("g1", "g3", "g4", ana.id):
        assert any(name in line for line in lines), name
    there = Settings(data=tmp_path / "there")
    await restore(tmp_path / "copy", there)
    assert await contents(there) == {name: before[name] for name in ("g0", "g2", "g5")}


async def test_a_damaged_line_of_chat_or_owner_costs_no_game(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    store = await filled(settings)
    for number in range(2):
        await store.games.say("g1", "ana", "Ana", f"line {number}", 0)
    await store.close()
    before = await contents(settings)
    with closing(sqlite3.connect(tmp_path / "data/damas.sqlite3")) as connection, connection:
        connection.execute("UPDATE chat SET text = CAST(x'ff41' AS TEXT) WHERE number = 1")
        connection.execute("UPDATE game_owner SET epoch = 'x' WHERE game = 'g2'")
    report = await backup(settings, tmp_path / "copy", salvage=True)
    assert (report.games, names(report)) == (6, {"chat g1 1", "game_owner g2"})
    there = Settings(data=tmp_path / "there")
    await restore(tmp_path / "copy", there)
    assert await contents(there) == before
    store = await Store.open(there)
    assert [line.text for line in await store.games.chat("g1")] == ["line 1"]
    assert await store.games.take(["g2"], "main") == {"g2": FIRST_EPOCH + 1}
    await store.close()


async def test_a_backup_names_the_game_of_an_event_that_is_no_text(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    await (await filled(settings)).close()
    with closing(sqlite3.connect(tmp_path / "data/damas.sqlite3")) as connection, connection:
        connection.execute("UPDATE event SET data = CAST(data AS BLOB) WHERE game = 'g3' AND seq = 2")
    words = ["backup", "--lang", "en", "--data", str(settings.data), str(tmp_path / "copy")]
    done = subprocess.run(
        [sys.executable, "-m", "damas", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode and "g3: event 2 does not follow event 1" in done.stderr
    assert "--salvage" in done.stderr


async def test_a_broken_seal_is_reported_even_where_nothing_is_set_aside(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    await (await filled(settings)).close()
    copy = tmp_path / "copy"
    await backup(settings, copy)
    whole = copy.read_bytes()
    copy.write_bytes(whole[:-2] + bytes([whole[-2] ^ 1]) + whole[-1:])  # the last digit of the seal itself
    words = ["--restore", "--salvage", "--lang", "en", "--data", str(tmp_path / "there"), str(copy)]
    done = subprocess.run(
        [sys.executable, "-m", "damas", "backup", *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.startswith(f"The seal of {copy} does not match")
    assert len(await contents(Settings(data=tmp_path / "there"))) == 6


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.soak)])
async def test_whatever_page_of_a_backup_is_lost_the_rest_is_saved(tmp_path: Path, step: int) -> None:
    """Page after page is overwritten. Every game comes back as it was or is named; nothing comes back changed.

    Only the three pages on which SQLite keeps the names of the tables, cannot be done without.
    """
    settings = Settings(data=tmp_path / "data")
    await (await filled(settings)).close()
    before = await contents(settings)
    await backup(settings, tmp_path / "copy")
    whole, size = (tmp_path / "copy").read_bytes(), 4096
    saved = hopeless = 0
    pages = range(0, len(whole) // size, step)
    for page in pages:
        spoilt, there = tmp_path / "spoilt", Settings(data=tmp_path / f"there{page}")
        spoilt.write_bytes(whole[: page * size] + b"\xff" * size + whole[(page + 1) * size :])
        with pytest.raises(BadBackup):
            await restore(spoilt, there)
        try:
            report = await restore(spoilt, there, salvage=True)
        except BadBackup:
            hopeless += 1
            continue
        assert report.broken_seal and not report.sealed, page
        result = await contents(there)
        assert all(before[name] == game for name, game in result.items()), page
        lost = set(before) - set(result)
        assert lost <= names(report), page
        saved += not lost
    assert hopeless <= 3 and saved >= len(pages) - 6, (hopeless, saved)


@pytest.mark.parametrize("first", [1, 5_000_000])
async def test_a_table_whose_end_is_lost_is_saved_up_to_there(tmp_path: Path, first: int) -> None:
    """Wherever its row numbers begin: those of a busy server pass a million."""
    settings = Settings(data=tmp_path / "data")
    await (await filled(settings)).close()
    file, size = tmp_path / "data/damas.sqlite3", 4096
    with closing(sqlite3.connect(file)) as connection, connection:
        rows = [(first + at, f"attempt {at:04}", "p" * 100) for at in range(2000)]
        columns = "rowid, id, person, rulebook, puzzle, solved, hints, spent_ms, wall_ms"
        put = f"INSERT INTO puzzle_attempt ({columns}) VALUES (?, ?, ?, '', '', 1, 0, 0, 0)"
        connection.executemany(put, rows)
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(file.read_bytes())
    leaves = [at for at in range(0, len(data), size) if data[at] == 13]
    for page in leaves:
        if b"attempt 1999" in data[page : page + size] or b"attempt 1000" in data[page : page + size]:
            data[page] = 255
    file.write_bytes(data)
    report = await backup(settings, tmp_path / "copy", salvage=True)
    with closing(sqlite3.connect(tmp_path / "copy")) as copy:
        [(saved, greatest)] = copy.execute("SELECT count(*), max(id) FROM puzzle_attempt").fetchall()
    assert 1900 < saved < 2000 and greatest > "attempt 1950"
    lost = f"puzzle_attempt {first + int(greatest[-4:]) + 1}"
    assert lost in names(report) and report.games == 6


def until(process: "subprocess.Popen[str]", folder: Path, pattern: str) -> None:
    """Waits for a file to appear, or for the end of the process."""
    while process.poll() is None and not any(folder.glob(pattern)):
        time.sleep(0.001)


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed in another way there")
async def test_a_killed_command_leaves_nothing_half_done(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    await (await filled(settings)).close()
    before = await contents(settings)
    command = [sys.executable, "-m", "damas", "backup", "--data"]
    with subprocess.Popen([*command, str(settings.data), str(tmp_path / "copy")], text=True) as process:
        until(process, tmp_path, ".copy.*.part")
        os.kill(process.pid, signal.SIGKILL)
    assert not (tmp_path / "copy").exists() or verify(tmp_path / "copy").games == 6
    (tmp_path / "copy").unlink(missing_ok=True)
    report = await backup(settings, tmp_path / "copy")
    for number, pattern in enumerate((".restore-*", "damas.sqlite3", "damas.sqlite3-wal")):
        there = Settings(data=tmp_path / f"there{number}")
        words = [*command, str(there.data), "--restore", str(tmp_path / "copy")]
        with subprocess.Popen(words, text=True, stdout=subprocess.DEVNULL) as process:
            until(process, there.data, pattern)
            os.kill(process.pid, signal.SIGKILL)
        with suppress(CannotOpen):  # where it was done before it was killed
            assert await restore(tmp_path / "copy", there) == report
        assert await contents(there) == before


async def test_what_is_no_database_cannot_be_salvaged(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("not a database" * 100)
    sqlite3.connect(tmp_path / "empty").close()
    for name in ("text", "empty", "nothing"):
        with pytest.raises(StoreError):
            await restore(tmp_path / name, settings, salvage=True)
    await (await Store.open(settings)).close()
