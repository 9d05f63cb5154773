"""Builds a file of opening statistics, in batches: what was interrupted goes on where it stopped.

Nothing is counted twice: a batch and how far its source was read are written in one transaction. The file gets its name when
all sources have been read; until then it has `.building` at its end.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from shutil import copyfile
from time import monotonic

from damas.board import Color
from damas.errors import BadBook
from damas.language import Saying
from damas.notation import BadGame, visit_games
from damas.openings.explorer import FORMAT, Explorer
from damas.openings.lines import MAX_PLIES, LineReader, PlayedLine, SkippedGame
from damas.rules import Rulebook

MAX_BATCH, MAX_BATCH_S = 5_000, 5.0
"""Games of one transaction at most, and for how long they are collected."""
NAMED_PLIES = 12
"""Positions after so many plies are given the name of a game's opening."""
CACHE_KIB = 64_000
"""Memory of SQLite's cache while a file is built."""
_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE move (position INTEGER NOT NULL, after INTEGER NOT NULL, white INTEGER NOT NULL, draws INTEGER NOT NULL,
    black INTEGER NOT NULL, PRIMARY KEY (position, after)) WITHOUT ROWID;
CREATE TABLE name (position INTEGER NOT NULL, name TEXT NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (position, name)) WITHOUT ROWID;
CREATE TABLE rulebook (rulebook TEXT PRIMARY KEY, games INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE skipped (reason TEXT PRIMARY KEY, games INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE source (name TEXT PRIMARY KEY, read INTEGER NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID;
"""
_ADD_MOVE = """
INSERT INTO move VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    white = white + excluded.white, draws = draws + excluded.draws, black = black + excluded.black
"""
_COLUMN = {Color.WHITE: 0, None: 1, Color.BLACK: 2}


@dataclass(frozen=True)
class Games:
    """A source of games; `read` gives them in the same order each time, from one of them on."""

    name: str
    """Identifies the source and its content: the same name is not read twice."""
    read: Callable[[int], Iterator[PlayedLine | SkippedGame]]
    total: int = 0
    """About how many games there are; 0 if nobody knows."""
    grows: bool = False
    """Whether it may have more games another time: those after the ones that were read."""


def pdn_games(path: Path, plies: int = MAX_PLIES, rulebook: Rulebook | None = None) -> Games:
    """The games of a PDN file; those that name no rulebook are of `rulebook`."""

    def read(first: int) -> Iterator[PlayedLine | SkippedGame]:
        games = visit_games(path, LineReader(plies), rulebook)
        for game in islice(games, first, None):
            yield SkippedGame(game.error.code) if isinstance(game, BadGame) else game

    with path.open("rb") as file:
        digest = sha256(file.read(1 << 20)).hexdigest()[:16]
        file.seek(0)
        total = sum(line.startswith(b"[Result ") for line in file)
    return Games(f"{path.name}/{path.stat().st_size}/{digest}", read, total)


class Gathering:
    """A file of opening statistics that is being built. `add=True` goes on with a finished file."""

    def __init__(self, path: Path, *, plies: int = MAX_PLIES, add: bool = False) -> None:
        self.path = path
        self._building = path.with_name(path.name + ".building")
        if add and path.exists() and not self._building.exists():
            Explorer(path).close()
            copyfile(path, self._building)
        fresh = not self._building.exists()
        self._connection = sqlite3.connect(self._building, isolation_level=None)
        # A crash of the machine may cost the building file, and never the finished one.
        self._connection.executescript(f"PRAGMA synchronous = OFF; PRAGMA cache_size = -{CACHE_KIB};")
        try:
            self._prepare(fresh, str(plies))
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, fresh: bool, plies: str) -> None:
        if fresh:
            self._connection.executescript(f"BEGIN; {_TABLES}")
            self._connection.executemany(
                "INSERT INTO meta VALUES (?, ?)", [("format", FORMAT), ("plies", plies)]
            )
            self._connection.execute("COMMIT")
        try:
            meta = dict(self._connection.execute("SELECT name, value FROM meta"))
        except sqlite3.DatabaseError:
            meta = {}
        if meta.get("format") != FORMAT:
            raise BadBook(self._building.name, Saying("book.no_explorer"))
        if meta["plies"] != plies:
            raise BadBook(self._building.name, Saying("book.other_plies", {"plies": meta["plies"]}))

    def gather(self, games: Games, report: Callable[[int], None] = lambda _: None) -> int:
        """Counts the games of a source that were not counted before, and says how many it read; `report` gets that too."""
        row = self._connection.execute(
            "SELECT read, done FROM source WHERE name = ?", (games.name,)
        ).fetchone()
        first, done = row or (0, 0)
        if done and not games.grows:
            return 0
        read = first
        source = games.read(first)
        while batch := _batch(source):
            read += len(batch)
            self._write(batch, games.name, read)
            report(read)
        self._connection.execute("INSERT OR REPLACE INTO source VALUES (?, ?, 1)", (games.name, read))
        return read - first

    def _write(self, batch: list[PlayedLine | SkippedGame], source: str, read: int) -> None:
        moves: dict[tuple[int, int], list[int]] = {}
        names: Counter[tuple[int, str]] = Counter()
        rulebooks: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        for game in batch:
            if isinstance(game, SkippedGame):
                skipped[game.reason] += 1
                continue
            rulebooks[game.rulebook] += 1
            column = _COLUMN[game.winner]
            # A position that a game repeats counts once in it.
            for edge in dict.fromkeys(zip(game.keys, game.keys[1:], strict=False)):
                moves.setdefault(edge, [0, 0, 0])[column] += 1
            if game.name:
                names.update({(key, game.name) for key in game.keys[1 : NAMED_PLIES + 1]})
        execute, many = self._connection.execute, self._connection.executemany
        execute("BEGIN")
        try:
            # In the order of the table, which is written much faster.
            many(_ADD_MOVE, ((*edge, *counts) for edge, counts in sorted(moves.items())))
            add = "ON CONFLICT DO UPDATE SET games = games + excluded.games"
            many(f"INSERT INTO name VALUES (?, ?, ?) {add}", ((*key, n) for key, n in sorted(names.items())))
            many(f"INSERT INTO rulebook VALUES (?, ?) {add}", rulebooks.items())
            many(f"INSERT INTO skipped VALUES (?, ?) {add}", skipped.items())
            execute("INSERT OR REPLACE INTO source VALUES (?, ?, 0)", (source, read))
            execute("COMMIT")
        except BaseException:
            execute("ROLLBACK")
            raise

    def finish(self) -> None:
        """Gives the file its name; nothing more can be gathered."""
        self._connection.execute("PRAGMA optimize")
        self._connection.close()
        self._building.replace(self.path)

    def close(self) -> None:
        """Leaves the building file as it is; a later `Gathering` goes on with it."""
        self._connection.close()


def _batch(source: Iterator[PlayedLine | SkippedGame]) -> list[PlayedLine | SkippedGame]:
    began, batch = monotonic(), []
    for game in islice(source, MAX_BATCH):
        batch.append(game)
        if monotonic() - began > MAX_BATCH_S:
            break
    return batch
