"""A backup holds the arena: contests as they belong together, while they are played and changed, and they go on from it."""

import asyncio
import io
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from damas.matches.box import tiers
from damas.matches.pool import run
from damas.server.arena import copies
from damas.server.arena.contest import read
from damas.server.settings import Settings
from damas.server.store import attached
from damas.server.store.backup import backup, restore, verify
from damas.server.store.errors import BadBackup, CannotOpen
from damas.tournaments import journal
from damas.tournaments.tournament import Tournament, read_standings
from matches.playing import __file__ as playing
from matches.playing import fake_play
from server.arena.people import HONEST, Member
from server.conftest import PATIENT, Cluster
from server.rooms.clients import serving
from server.store.test_backup import unsealed
from tournaments.results import settings as chosen_for


def laid_out(copied: list[copies.AttachedFile], place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    for file in copied:
        (place / file.name).parent.mkdir(parents=True, exist_ok=True)
        (place / file.name).write_bytes(file.content)
    return place


def everything(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mode, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def occupied(tmp_path: Path) -> tuple[Settings, Path]:
    """Settings of a place that has a contest already, and its file."""
    there = Settings(data=tmp_path / "there")
    kept = there.arena_folder / "tournaments" / "kept" / "contest.json"
    kept.parent.mkdir(parents=True)
    kept.write_text("{}")
    return there, kept


async def test_there_and_back(ana: Member, settings: Settings, tmp_path: Path) -> None:
    """A tournament that is over, and one that a program has entered and nobody has begun: both as they were."""
    over = await ana.contest(games=2, time_ms=100)
    waiting = await ana.contest(title="Por vir")
    for contest in (over, waiting):
        for name, kind in (("Azar", "random"), ("Gula", "greedy")):
            assert (await ana.enter(contest, name, kind)).status_code == 201
    if not all(tiers.tiers().values()):
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("main.py", HONEST)
            archive.writestr("book/a.txt", "book")
        await ana.upload(waiting, "Honesto", data.getvalue(), "bot.zip")
    assert (await ana.do(over, "start")).status_code == 200
    before = await ana.until(over, "finished")
    async with asyncio.timeout(60):  # it is told a moment before it is written
        while read(settings.arena_folder / "tournaments" / over).finished_ms is None:
            await asyncio.sleep(0.05)
    report = await backup(settings, tmp_path / "copy", copies.files(settings.arena_folder))
    assert report.tournaments == 2 and report.arena and verify(tmp_path / "copy") == report

    there = Settings(data=tmp_path / "there", port=0)
    assert await restore(tmp_path / "copy", there) == report
    assert everything(there.arena_folder) == everything(settings.arena_folder)
    with closing(sqlite3.connect(there.sqlite_path or "")) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert "game" in names and "arena_file" not in names
    async with serving(there) as server:
        other = Member(server.port)
        reply = await other.look(over)
        assert (reply["status"], reply["table"]) == ("finished", before["table"])
        assert len((await other.look(waiting))["entries"]) >= 2
        await other.http.aclose()
    with pytest.raises(CannotOpen, match="empty place"):
        await restore(tmp_path / "copy", there)


async def test_a_place_with_an_arena_is_not_written_over(
    ana: Member, settings: Settings, tmp_path: Path
) -> None:
    await ana.contest()
    await backup(settings, tmp_path / "copy", copies.files(settings.arena_folder))
    there, kept = occupied(tmp_path)
    with pytest.raises(CannotOpen, match="empty place"):
        await restore(tmp_path / "copy", there)
    assert [
        path.name for path in there.data.iterdir() if "sqlite" in path.name and "lock" not in path.name
    ] == []
    assert kept.exists()


async def test_a_copy_without_an_arena_leaves_the_one_that_is_there(
    ana: Member, settings: Settings, tmp_path: Path
) -> None:
    report = await backup(settings, tmp_path / "copy")
    there, kept = occupied(tmp_path)
    assert await restore(tmp_path / "copy", there) == report
    assert there.sqlite_path and there.sqlite_path.exists() and kept.read_text() == "{}"


async def test_empty_folders_are_no_arena(ana: Member, settings: Settings, tmp_path: Path) -> None:
    """As the last tournament leaves them when it is called off."""
    await ana.contest()
    report = await backup(settings, tmp_path / "copy", copies.files(settings.arena_folder))
    there = Settings(data=tmp_path / "there")
    (there.arena_folder / "tournaments" / "gone").mkdir(parents=True)
    assert await restore(tmp_path / "copy", there) == report
    assert everything(there.arena_folder) == everything(settings.arena_folder)
    assert not (there.arena_folder / "tournaments" / "gone").exists()


async def test_from_sqlite_to_postgresql(
    ana: Member, settings: Settings, postgresql: Cluster, tmp_path: Path
) -> None:
    await ana.contest()
    report = await backup(settings, tmp_path / "copy", copies.files(settings.arena_folder))
    there = Settings(data=tmp_path / "there", database_url=postgresql.create(), limits=PATIENT)
    assert await restore(tmp_path / "copy", there) == report
    assert everything(there.arena_folder) == everything(settings.arena_folder)
    again = await backup(there, tmp_path / "again", copies.files(there.arena_folder))
    assert again == report


async def test_a_changed_file_is_noticed(ana: Member, settings: Settings, tmp_path: Path) -> None:
    contest = await ana.contest()
    copy = tmp_path / "copy"
    await backup(settings, copy, copies.files(settings.arena_folder))
    with closing(sqlite3.connect(unsealed(copy))) as database, database:
        database.execute("UPDATE arena_file SET content = ? WHERE name LIKE '%contest.json'", (b"{}",))
    name = f"tournaments/{contest}/contest.json"
    with pytest.raises(BadBackup, match=name):
        verify(copy)
    with pytest.raises(BadBackup):
        await restore(copy, Settings(data=tmp_path / "there"))
    assert not (tmp_path / "there" / "arena").exists()
    report = await restore(copy, Settings(data=tmp_path / "there"), salvage=True)
    assert [each.name for each in report.set_aside] == [name]


@pytest.fixture
def playing_on(tmp_path: Path) -> Iterator[Path]:
    """A real tournament of 2400 games that another process is playing: it is not over before the test is."""
    folder = tmp_path / "arena" / "tournaments" / "going"
    environment = os.environ | {"PYTHONPATH": str(Path(playing).parents[1])}
    process = subprocess.Popen([sys.executable, playing, str(folder), "400"], env=environment)
    while not (folder / journal.JOURNAL).exists() or not (folder / journal.JOURNAL).stat().st_size:
        assert process.poll() is None
        time.sleep(0.02)
    (folder / "contest.json").write_text("{}")
    yield tmp_path / "arena"
    process.kill()
    process.wait()


def test_a_tournament_that_is_going_on_is_copied_as_it_stands(playing_on: Path, tmp_path: Path) -> None:
    counts: list[int] = []
    while len(counts) < 6 or counts[0] == counts[-1]:  # until a game has ended between two copies
        place = laid_out(list(copies.files(playing_on)), tmp_path / f"copy{len(counts)}")
        _, table = read_standings(place / "tournaments" / "going")
        counts.append(len(table.games))
        for game in table.games:
            assert journal.pdn_of(place / "tournaments" / "going", game), "what the journal names is there"
    assert counts[0] > 0 and counts == sorted(counts)
    with Tournament.open(place / "tournaments" / "going") as tournament:  # and may be played on
        assert tournament.next_game()


def test_a_game_that_ends_meanwhile_is_there_with_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However late it comes before the journal is read."""
    folder = tmp_path / "tournaments" / "one"
    (folder / journal.GAMES).mkdir(parents=True)
    (folder / "contest.json").write_text("begun")
    (folder / journal.JOURNAL).write_text("")
    whole = copies._file

    def late(place: Path, path: Path) -> copies.AttachedFile:
        if path.name == journal.JOURNAL:
            (folder / journal.GAMES / "1.pdn").write_text("moves")
            path.write_text("game 1")
        return whole(place, path)

    monkeypatch.setattr(copies, "_file", late)
    copied = {file.name.rpartition("/")[2]: file.content for file in copies.files(tmp_path)}
    assert copied == {"contest.json": b"begun", journal.JOURNAL: b"game 1", "1.pdn": b"moves"}


def test_a_tournament_without_a_receipt_goes_on_from_its_copy(tmp_path: Path) -> None:
    """Folders with nothing in them do not travel."""
    folder = tmp_path / "arena" / "tournaments" / "one"
    chosen = chosen_for(2, games=2)
    Tournament.create(folder, chosen).journal.close()
    (folder / "contest.json").write_text("{}")
    place = laid_out(list(copies.files(tmp_path / "arena")), tmp_path / "copy")
    with Tournament.open(place / "tournaments" / "one") as tournament:
        run(tournament, play=fake_play)
        assert tournament.over and len(tournament.played) == 2
        for name in (journal.GAMES, journal.RECEIPTS):
            assert (tournament.folder / name).is_dir(), "where the next game and the next receipt go"


def test_an_arena_by_a_link_is_put_where_it_leads(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    attached.attach(copy, [attached.AttachedFile("tournaments/one/x", 0o600, b"x")])
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "arena").symlink_to("elsewhere")
    with attached.put_back(copy, tmp_path / "arena"):
        pass
    assert (tmp_path / "arena").is_symlink()
    assert (tmp_path / "elsewhere/tournaments/one/x").read_bytes() == b"x"


@pytest.mark.parametrize("name", ["../x", "/x", "tournaments/../../x", ""])
def test_no_file_leaves_its_folder(tmp_path: Path, name: str) -> None:
    copy = tmp_path / "copy"
    attached.attach(copy, [attached.AttachedFile(name, 0o600, b"x")])
    with pytest.raises(BadBackup), attached.put_back(copy, tmp_path / "there" / "arena"):
        pass
    assert not list((tmp_path / "there").glob("*")) and not (tmp_path / "x").exists()


@pytest.fixture
def contest(tmp_path: Path) -> Path:
    """The folder of one that is still open."""
    folder = tmp_path / "tournaments" / "one"
    folder.mkdir(parents=True)
    (folder / "contest.json").write_text("open")
    return folder


def test_a_contest_that_changes_meanwhile_is_read_again(
    tmp_path: Path, contest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing says that it is open while its journal has games."""
    whole = copies._file

    def late(place: Path, path: Path) -> copies.AttachedFile:
        found = whole(place, path)
        if path.name == "contest.json" and found.content == b"open":
            (contest / journal.JOURNAL).write_text("a game")
            (contest / "contest.json").write_text("begun")
        return found

    monkeypatch.setattr(copies, "_file", late)
    copied = {file.name.rpartition("/")[2]: file.content for file in copies.files(tmp_path)}
    assert copied == {"contest.json": b"begun", journal.JOURNAL: b"a game"}


@pytest.mark.usefixtures("contest")
def test_a_contest_that_is_called_off_meanwhile_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "_all", lambda folder: shutil.rmtree(folder) or [])
    assert list(copies.files(tmp_path)) == []
