"""Opening statistics: how often each move was played in a position, and how those games ended.

    with Explorer(path) as explorer:
        explorer.moves(Position.start("brasileira"))

A file is one SQLite database that is only read here; `damas.openings.gathering` writes it. A row is a move: the keys of the
positions before and after it. A move is shown only where both keys fit a legal move, so two positions would have to
share 64 bits twice to be taken for each other. However a game came to a position, it counts there.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import quote

from damas.board import Color
from damas.errors import BadBook
from damas.game import Move, Position
from damas.language import Saying
from damas.openings.lines import position_key

FORMAT = "damas explorer 1"
"""The version of the file, as its table `meta` has it."""
MAX_NAMES = 3
"""Names that are given for one position at most, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Results:
    """How many games White won, were drawn, and Black won."""

    white: int = 0
    draws: int = 0
    black: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.white + self.draws + self.black

    def __add__(self, other: "Results") -> "Results":
        return Results(self.white + other.white, self.draws + other.draws, self.black + other.black)

    @classmethod
    def of(cls, winner: Color | None) -> "Results":
        """One game.

        >>> Results.of(None)
        Results(white=0, draws=1, black=0)
        """
        return cls(int(winner is Color.WHITE), int(winner is None), int(winner is Color.BLACK))


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds."""

    games: int
    positions: int
    moves: int
    rulebooks: dict[str, int]
    """Games of each rulebook."""
    skipped: dict[str, int]
    """Games that could not be counted, by reason."""


def following_keys(position: Position) -> dict[int, Move]:
    """Each legal move by the key of the position after it."""
    return {position_key(position.play(move)): move for move in position.legal_moves}


class Explorer:
    """Reads a file of opening statistics. Raises `BadBook` for a file that is none."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise FileNotFoundError(2, "No such file", str(path))
        address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            found = self._connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        except sqlite3.DatabaseError:
            found = None
        if found != (FORMAT,):
            self._connection.close()
            raise BadBook(path.name, Saying("book.no_explorer"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def moves(self, position: Position) -> dict[Move, Results]:
        """The legal moves that were played in a position, the most frequent first."""
        following = following_keys(position)
        found = {
            following[after]: Results(*results)
            for after, *results in self._rows(position_key(position))
            if after in following
        }
        return dict(sorted(found.items(), key=lambda item: -item[1].games))

    def _rows(self, key: int) -> Iterable[tuple[int, int, int, int]]:
        query = "SELECT after, white, draws, black FROM move WHERE position = ?"
        return self._connection.execute(query, (key,)).fetchall()

    def names(self, position: Position) -> list[str]:
        """What games that came to a position call their opening, the most frequent first."""
        query = "SELECT name FROM name WHERE position = ? ORDER BY games DESC, name LIMIT ?"
        return [name for (name,) in self._connection.execute(query, (position_key(position), MAX_NAMES))]

    def contents(self) -> Contents:
        """How much the file holds; it is counted anew."""
        with closing(self._connection.cursor()) as cursor:
            moves, positions = cursor.execute(
                "SELECT count(*), count(DISTINCT position) FROM move"
            ).fetchone()
            rulebooks = dict(cursor.execute("SELECT rulebook, games FROM rulebook ORDER BY games DESC"))
            skipped = dict(cursor.execute("SELECT reason, games FROM skipped ORDER BY games DESC"))
        return Contents(sum(rulebooks.values()), positions, moves, rulebooks, skipped)
