"""Tournaments of people in the store: chained, fenced by the chain, in backups, and nothing acknowledged is lost."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from damas.arbiter.ledger import FIRST_CHAIN
from damas.server.club.tournament import rows_of
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.backup import backup, restore, verify
from damas.server.store.errors import BadBackup, DuplicateRequest, Overtaken
from damas.server.store.rows import TournamentKey, TournamentLine, TournamentRow
from damas.tournaments.hall import Conditions, Created, Entered, Person, State
from damas.tournaments.hall.events import Entry
from damas.tournaments.hall.log import link

ENTRIES = [
    Entry(Created(Conditions("Open de São João", "faraes")), "Zé", "2026-11-18T16:00:00Z"),
    Entry(Entered((Person("Ana"), Person("Rui"))), "Zé", "2026-11-18T16:01:00Z", "they came"),
]
STATE, LINES = link(State(), FIRST_CHAIN, ENTRIES)
KEY = TournamentKey(id="k1", role="chief", name="", created_ms=1)


def head(lines: list[TournamentLine]) -> TournamentRow:
    last = lines[-1]
    facts = {"title": "Open", "rulebook": "faraes", "owner": "v", "created_ms": 1, "updated_ms": 1}
    return TournamentRow(id="abcdefgh", seq=last.seq, chain=last.chain, **facts)


async def made(settings: Settings) -> Store:
    store = await Store.open(settings)
    first = rows_of(LINES[:1])
    await store.tournaments.create(head(first), first, [KEY])
    return store


def later(*, client_id: str | None = None) -> list[TournamentLine]:
    return rows_of(LINES[1:], client_id)


async def test_lines_are_read_as_they_were_written(settings: Settings) -> None:
    store = await made(settings)
    await store.tournaments.append("abcdefgh", LINES[0]["chain"], later(), [], 7)
    await store.tournaments.revoke_key("abcdefgh", "k1", 9)
    await store.close()
    again = await Store.open(settings)
    assert await again.tournaments.lines("abcdefgh") == rows_of(LINES)
    assert await again.tournaments.lines("abcdefgh", 1) == later()
    assert await again.tournaments.keys("abcdefgh") == [msgspec.structs.replace(KEY, revoked_ms=9)]
    [row] = await again.tournaments.latest(5)
    assert (row.seq, row.chain, row.updated_ms) == (2, LINES[1]["chain"], 9)
    assert await again.tournaments.head("zzzzzzzz") is None
    await again.close()


async def test_whoever_does_not_know_the_last_line_writes_nothing(settings: Settings) -> None:
    store = await made(settings)
    await store.tournaments.append("abcdefgh", LINES[0]["chain"], later(client_id="q"), [], 7)
    with pytest.raises(Overtaken):
        await store.tournaments.append("abcdefgh", LINES[0]["chain"], later(), [], 8)
    with pytest.raises(DuplicateRequest):
        await store.tournaments.append("abcdefgh", LINES[1]["chain"], later(client_id="q"), [], 8)
    assert len(await store.tournaments.lines("abcdefgh")) == 2
    await store.close()


async def test_a_backup_has_the_tournaments_and_checks_them(settings: Settings, tmp_path: Path) -> None:
    store = await made(settings)
    await store.tournaments.append("abcdefgh", LINES[0]["chain"], later(), [], 7)
    copy = tmp_path / "copy.sqlite3"
    assert (await backup(settings, copy)).halls == 1
    await store.close()
    there = Settings(data=tmp_path / "there")
    assert (await restore(copy, there)).halls == 1
    again = await Store.open(there)
    assert await again.tournaments.lines("abcdefgh") == rows_of(LINES)
    assert await again.tournaments.keys("abcdefgh") == [KEY]
    await again.close()


async def test_a_damaged_tournament_is_named_and_set_aside(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data")
    store = await made(settings)
    await store.close()
    with closing(sqlite3.connect(tmp_path / "data/damas.sqlite3")) as connection, connection:
        connection.execute("UPDATE tournament_line SET data = replace(data, 'Open', 'Opem')")
    with pytest.raises(BadBackup, match="abcdefgh: line 1"):
        await backup(settings, tmp_path / "refused.sqlite3")
    copy = tmp_path / "copy.sqlite3"
    report = await backup(settings, copy, salvage=True)
    assert report.halls == 0
    assert [damage.name for damage in report.set_aside] == ["abcdefgh"]
    assert verify(copy).halls == 0
