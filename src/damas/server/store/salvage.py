"""What can be saved of a damaged database: every sound row is copied, and what is damaged is named and set aside.

    copy_sound(source, copy)      # row by row, around pages that cannot be read
    weed(copy)                    # without games whose chain is broken and rows that lost what they belong to
    set_aside(copy)               # what was damaged

What is set aside stays in the copy as far as it can be read, as JSON in a table of its own that a server never reads.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Boolean, Table, Text

from damas.language import sentence
from damas.server.store import migrations, schema
from damas.server.store.attached import AttachedFile, attach, attached_names, read_attached
from damas.server.store.errors import BadBackup, TooNew
from damas.server.store.lookalikes import looks
from damas.server.store.rows import (
    FIRST_EPOCH,
    NO_CHAIN,
    EventRow,
    TournamentLine,
    TournamentRow,
    broken_line,
    broken_link,
    is_text,
)
from damas.server.store.sqlite import any_text, open_read_only

_TABLE = "set_aside"
_CREATE = (
    f"CREATE TABLE IF NOT EXISTS {_TABLE} (name TEXT NOT NULL, why TEXT NOT NULL, content TEXT NOT NULL)"
)
_OF_GAME = {"game": "id", "event": "game", "game_owner": "game", "chat": "game"}
"""The tables in which a game is stored, and the column with its id."""
_FIRST = ("game", "event", "account", "login", "secret")
"""Tables that every database has; others came later."""
_NEEDED = ("game", "event")
"""Those without which a game is not sound: a line of chat may be lost, an owner's row is made anew."""


class Damage(msgspec.Struct, frozen=True):
    """Something that was not saved, and why: a key of the catalogue with its facts."""

    name: str
    """The id of a game; else the table and what identifies the row."""
    key: str
    facts: dict[str, str | int]

    def sentence(self, language: str) -> str:
        """What it is, and why, in a language."""
        return sentence(self.key, language, **self.facts)


def set_aside(path: Path) -> tuple[Damage, ...]:
    """What was set aside when a backup was made; of several rows of a game only the first."""
    with closing(_open(path)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_TABLE,)).fetchone():
            return ()
        rows = connection.execute(f"SELECT name, why FROM {_TABLE} ORDER BY rowid DESC").fetchall()
    return tuple(msgspec.json.decode(why, type=Damage) for _, why in sorted(dict(rows).items()))


def copy_sound(source: Path, copy: Path) -> None:
    """Copies every sound row of a damaged database file into a new copy, and every sound file of the arena."""
    with closing(_open(source)) as old, closing(sqlite3.connect(copy)) as new, new:
        new.execute(_CREATE)
        old.execute("BEGIN")  # one moment for all tables: a server may be writing
        _check_age(old)
        for table in schema.metadata.sorted_tables:
            try:
                names = {row[1] for row in old.execute(f"PRAGMA table_info({table.name})")}
            except sqlite3.DatabaseError as error:
                raise BadBackup("store.unreadable_backup", path=source, why=error) from error
            # A row of an earlier damas may have fewer columns.
            columns = [column.name for column in table.columns if column.name in names]
            if not columns and table.name not in _FIRST:
                continue  # a table that an earlier damas did not have
            if not columns:
                raise BadBackup("store.not_a_backup", path=source)
            _copy_table(old, new, table, columns)
        files = list(_sound_files(source, new))
    if files:
        attach(copy, files)


def _check_age(old: sqlite3.Connection) -> None:
    """Raises `TooNew` for what a later damas has written, as far as that can be read."""
    try:
        row = old.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.DatabaseError:
        return
    if row and str(row[0]) > migrations.HEAD:
        raise TooNew("store.too_new", revision=row[0], known=migrations.HEAD)


def _sound_files(source: Path, new: sqlite3.Connection) -> Iterator[AttachedFile]:
    try:
        names = attached_names(source)
    except sqlite3.DatabaseError as error:
        _keep(new, Damage("arena", "store.cannot_copy_arena", {"why": str(error)}), {})
        return
    for name in names:
        try:
            yield read_attached(source, name)
        except (BadBackup, sqlite3.DatabaseError):
            _keep(new, Damage(name, "store.damaged_file", {"path": str(source), "name": name}), {})


def _open(source: Path) -> sqlite3.Connection:
    connection = open_read_only(source)
    connection.text_factory = any_text
    return connection


def _copy_table(
    old: sqlite3.Connection, new: sqlite3.Connection, table: Table, columns: Sequence[str]
) -> None:
    try:
        last = old.execute(f"SELECT max(rowid) FROM {table.name} NOT INDEXED").fetchone()[0] or 0
    except sqlite3.DatabaseError:
        last = _last_readable(old, table.name)
        name, first = f"{table.name} {last + 1}", last + 1
        facts: dict[str, str | int] = {"table": str(table.name), "first": first}
        _keep(new, Damage(name, "store.unreadable_end", facts), {})
    listed = ", ".join(columns)
    put = f"INSERT INTO {table.name} ({listed}) VALUES ({', '.join('?' * len(columns))})"
    for number, values in _rows(old, table.name, listed, last):
        row = dict(zip(columns, values or (), strict=False))
        if values is not None and all(_is_sound(table, name, value) for name, value in row.items()):
            try:
                new.execute(put, values)
                continue
            except (sqlite3.IntegrityError, UnicodeEncodeError):
                pass  # a second row of the same key
        game = row.get(_OF_GAME[table.name]) if table.name in _NEEDED else None
        if isinstance(game, str) and is_text(game):
            name = game
        else:
            identity = [str(row[column.name]) for column in table.primary_key if column.name in row]
            name = f"{table.name} {' '.join(identity) or number}".encode("utf-8", "replace").decode()
        _keep(
            new,
            Damage(name, "store.damaged_row", {"table": str(table.name), "name": name}),
            {table.name: row},
        )


def _last_readable(old: sqlite3.Connection, table: str) -> int:
    """The greatest number of a row that can be read, in a table whose end cannot: found by leaps, each as far as rows are."""
    query = f"SELECT rowid FROM {table} NOT INDEXED WHERE rowid >= ? ORDER BY rowid LIMIT 1"

    def at_or_after(number: int) -> int:
        try:
            row = old.execute(query, (number,)).fetchone()
        except sqlite3.DatabaseError:
            return 0
        return int(row[0]) if row else 0

    last = 0
    while reached := max(at_or_after(last + 2**leap) for leap in range(62)):
        last = reached
    return last


def _rows(
    old: sqlite3.Connection, table: str, columns: str, last: int
) -> Iterator[tuple[int, tuple[Any, ...] | None]]:
    """The rows with their numbers; None once for each run of rows that cannot be read, which is narrowed down by halves."""
    query = f"SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
    waiting, unreadable = [(1, last)] if last else [], 0
    while waiting:
        first, last = waiting.pop()
        try:
            rows = old.execute(query, (first, last)).fetchall() if last - first < 10_000 else None
        except sqlite3.DatabaseError:
            if first == last:
                if unreadable != first - 1:
                    yield first, None
                unreadable = first
                continue
            rows = None
        if rows is None:
            middle = (first + last) // 2
            waiting += [(middle + 1, last), (first, middle)]
            continue
        for number, *values in rows:
            yield number, tuple(values)


def _is_sound(table: Table, name: str, value: object) -> bool:
    column = table.c[name]
    if value is None:
        return bool(column.nullable)
    if isinstance(column.type, Text):
        return is_text(value)
    if isinstance(column.type, Boolean):
        return value in (0, 1)
    return isinstance(value, int)


def weed(copy: Path) -> None:
    """Takes out of a copy the games and tournaments whose chain is broken, and the rows that have lost what they belong to."""
    with closing(sqlite3.connect(copy)) as new, new:
        new.execute(_CREATE)
        damaged = {damage.name: damage for damage in _broken_games(new)}
        for (name,) in new.execute(f"SELECT name FROM {_TABLE}").fetchall():
            damaged.setdefault(name, Damage(name, "store.damaged_row", {"table": "game", "name": name}))
        for damage in damaged.values():
            _take_out_game(new, damage)
        _take_out_tournaments(new)
        _take_out_orphans(new)
        _make_owners(new)
        for account, name in new.execute("SELECT id, name FROM account WHERE look IS NULL").fetchall():
            new.execute("UPDATE account SET look = ?, look_upper = ? WHERE id = ?", (*looks(name), account))


def _broken_games(new: sqlite3.Connection) -> Iterator[Damage]:
    """The games whose events do not lead from the first to the one in the summary, or that have no summary."""
    fields = EventRow.__struct_fields__
    columns = ", ".join(EventRow.__struct_encode_fields__)
    heads = {name: (seq, chain) for name, seq, chain in new.execute("SELECT id, seq, chain FROM game")}
    events = new.execute(f"SELECT game, {columns} FROM event ORDER BY game, seq")
    for game, rows in groupby(events, key=lambda row: row[0]):
        history = [EventRow(**dict(zip(fields, row[1:], strict=True))) for row in rows]
        head = heads.pop(game, None)
        if head is None:
            yield Damage(game, "store.bad_summary", {"game": game})
        elif (seq := broken_link(history)) is not None:
            yield Damage(game, "store.missing_event", {"game": game, "event": seq, "last": seq - 1})
        elif (history[-1].seq, history[-1].chain) != head:
            facts = {"game": game, "got": history[-1].seq, "expected": head[0]}
            yield Damage(game, "store.wrong_end", facts)
    for game, head in heads.items():  # those without any event
        if head != (0, NO_CHAIN):
            yield Damage(game, "store.wrong_end", {"game": game, "got": 0, "expected": head[0]})


def _take_out_game(new: sqlite3.Connection, damage: Damage) -> None:
    rows: dict[str, list[dict[str, Any]]] = {}
    for table, column in _OF_GAME.items():
        of_game = new.execute(f"SELECT * FROM {table} WHERE {column} = ?", (damage.name,))
        names = [description[0] for description in of_game.description]
        rows[table] = [dict(zip(names, row, strict=True)) for row in of_game.fetchall()]
        new.execute(f"DELETE FROM {table} WHERE {column} = ?", (damage.name,))
    if any(rows.values()):
        _keep(new, damage, rows)


def _take_out_tournaments(new: sqlite3.Connection) -> None:
    """Takes out the tournaments of people whose log does not lead to their summary."""
    heads = new.execute(f"SELECT {', '.join(TournamentRow.__struct_fields__)} FROM tournament").fetchall()
    names = TournamentLine.__struct_fields__
    for head in heads:
        row = TournamentRow(**dict(zip(TournamentRow.__struct_fields__, head, strict=True)))
        lines = new.execute(
            f"SELECT {', '.join(names)} FROM tournament_line WHERE tournament = ? ORDER BY seq", (row.id,)
        ).fetchall()
        broken = broken_line([TournamentLine(**dict(zip(names, line, strict=True))) for line in lines], row)
        if broken is None:
            continue
        for table, column in (
            ("tournament_line", "tournament"),
            ("tournament_key", "tournament"),
            ("tournament", "id"),
        ):
            new.execute(f"DELETE FROM {table} WHERE {column} = ?", (row.id,))
        damage = Damage(row.id, "store.broken_tournament", {"tournament": row.id, "line": broken})
        _keep(new, damage, {"tournament": msgspec.structs.asdict(row), "lines": lines})


def _make_owners(new: sqlite3.Connection) -> None:
    """Gives a new owner's row to each unfinished game that has lost it: whoever opens the game first may take it."""
    new.execute(
        "INSERT INTO game_owner (game, node, epoch, lease_until_ms) "
        "SELECT id, '', COALESCE((SELECT max(epoch) FROM event WHERE event.game = id), ?), 0 FROM game "
        "WHERE status IN ('waiting', 'playing') AND id NOT IN (SELECT game FROM game_owner)",
        (FIRST_EPOCH,),
    )


def _take_out_orphans(new: sqlite3.Connection) -> None:
    """Takes out rows whose game or account is gone; a rematch only forgets the game it repeats."""
    new.execute(
        "UPDATE game SET previous = NULL WHERE previous IS NOT NULL AND previous NOT IN (SELECT id FROM game)"
    )
    for table, number, parent, _ in new.execute("PRAGMA foreign_key_check").fetchall():
        orphan = new.execute(f"SELECT * FROM {table} WHERE rowid = ?", (number,))
        row = dict(zip([each[0] for each in orphan.description], orphan.fetchone(), strict=True))
        of = _OF_GAME.get(table)
        name = str(row[of]) if of else f"{table} {row.get('account', number)}"
        new.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))
        facts: dict[str, str | int] = {"table": table, "name": name, "parent": parent}
        _keep(new, Damage(name, "store.orphan", facts), {table: row})


def _keep(new: sqlite3.Connection, damage: Damage, rows: dict[str, Any]) -> None:
    """Keeps rows as JSON, with what is no text in them escaped."""
    why, content = msgspec.json.encode(damage).decode(), json.dumps(rows, ensure_ascii=True, default=repr)
    new.execute(f"INSERT INTO {_TABLE} VALUES (?, ?, ?)", (damage.name, why, content))
