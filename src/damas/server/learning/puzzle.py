"""Puzzles: positions in which one line wins, or saves the draw, and no other move does.

They lie beside this file, a sheet for each rulebook, one puzzle a line: id, rating, motifs, FEN, moves and other last
moves, with a tab between the fields and a semicolon within one. `tools/choose_puzzles.py` writes them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "puzzles"
"""Folder of the puzzles."""
GRADES = (0, 900, 1100, 1300, 1550)
"""The lowest rating of each grade, from 1, the easiest, to 5."""
MAX_RATING = 2600
"""No puzzle starts with more."""
SAMPLE_SIZE = 100
"""Puzzles of a rulebook that a device keeps for when there is no network."""


def grade_of(rating: int) -> int:
    """1, the easiest, to 5.

    >>> grade_of(850), grade_of(900), grade_of(2000)
    (1, 2, 5)
    """
    return bisect_right(GRADES, rating)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and the one line that wins or saves. Moves are texts of the rulebook; the solver makes every second one.

    The replies are the best defence. The line may end with a reply that is the only legal move.
    """

    rating: int
    """What it starts with, by the length of its line and the choices on the way."""
    motifs: tuple[str, ...]
    """The first says what is given and taken, or that it is an ending."""
    fen: str
    line: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Other last moves of the solver that win as much: a king may land on several squares."""

    @property
    def id(self) -> str:
        """Short, and the same as long as the position is."""
        return sha256(self.fen.encode()).hexdigest()[:8]

    @property
    def grade(self) -> int:
        """1, the easiest, to 5."""
        return grade_of(self.rating)

    @property
    def goal(self) -> str:
        """What the solver reaches: `gain` of pieces or a king, and by the tables a `win` or a `draw`."""
        return "draw" if "saved" in self.motifs else "win" if "ending" in self.motifs else "gain"

    @property
    def own_moves(self) -> int:
        """How many moves the solver makes."""
        return (len(self.line) + 1) // 2


class Entry(NamedTuple):
    """What a puzzle is chosen by, and the rest of its line in the sheet."""

    id: str
    rating: int
    motifs: str
    rest: str

    @property
    def puzzle(self) -> Puzzle:
        fen, line, *also = self.rest.split("\t")
        return Puzzle(
            self.rating,
            tuple(self.motifs.split(";")),
            fen,
            tuple(line.split(";")),
            tuple(also[0].split(";")) if also else (),
        )


class Sheet:
    """The puzzles of one rulebook; each is read when it is asked for."""

    def __init__(self, rulebook_id: str, text: str) -> None:
        self.rulebook = rulebook_id
        self.entries: dict[str, Entry] = {}
        shared: dict[str, str] = {}  # few motifs, many puzzles
        for row in text.splitlines():
            name, rating, motifs, rest = row.split("\t", 3)
            self.entries[name] = Entry(name, int(rating), shared.setdefault(motifs, motifs), rest)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Puzzle]:
        return (entry.puzzle for entry in self.entries.values())

    def __getitem__(self, puzzle_id: str) -> Puzzle:
        return self.entries[puzzle_id].puzzle

    @cached_property
    def motifs(self) -> dict[str, int]:
        """How many puzzles each motif has."""
        return Counter(motif for entry in self.entries.values() for motif in entry.motifs.split(";"))

    def matching(self, motif: str = "", low: int = 0, high: int = MAX_RATING, near: int = 0) -> list[Entry]:
        """Those of a motif between two ratings, both included; nearest to a rating first."""
        entries = [
            entry
            for entry in self.entries.values()
            if low <= entry.rating <= high and (not motif or motif in entry.motifs.split(";"))
        ]
        return sorted(entries, key=lambda entry: abs(entry.rating - near))

    def sample(self) -> list[Puzzle]:
        """A few of every motif and grade, always the same ones."""
        by_kind = sorted(self.entries.values(), key=lambda entry: (entry.motifs.split(";")[0], entry.rating))
        count = min(SAMPLE_SIZE, len(by_kind))
        return [by_kind[number * len(by_kind) // count].puzzle for number in range(count)]


def load(rulebook_id: str) -> Sheet:
    """The sheet of a rulebook; an empty one where there is none."""
    path = FOLDER / f"{rulebook_id}.txt"
    return Sheet(rulebook_id, path.read_text(encoding="utf-8") if path.exists() else "")


@cache
def sheet_of(rulebook_id: str) -> Sheet:
    """As `load`, read once."""
    return load(rulebook_id)


@cache
def rulebooks_with_puzzles() -> list[str]:
    """Ids of the rulebooks that have a sheet."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))
