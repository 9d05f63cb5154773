"""Puzzles: positions where giving pieces away wins more back, every reply being forced.

They lie beside this file, a sheet for each rulebook, one puzzle a line. `tools/mine_puzzles.py` finds them.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from damas.game import Position

FOLDER = Path(__file__).parent / "puzzles"
"""Folder of the puzzles."""
MOTIFS = ("block", "clear", "king", "crown", "sweep", "deep", "trade")
"""What a puzzle is about, the rarest first."""
SWEEP, DEEP = 3, 4
"""Pieces taken in the last move, and own moves, that make a puzzle one of that kind."""


class Puzzle(msgspec.Struct, frozen=True, array_like=True):
    """A position and the one line that wins. Moves are texts of the rulebook; the solver makes every second one."""

    fen: str
    line: list[str]
    also: list[str]
    """Other last moves that win as much: a king may land on several squares."""
    given: int
    taken: int
    grade: int
    """1, the easiest, to 5."""
    level: int
    """The lowest level of the computer that finds the first move."""
    motif: str

    @property
    def id(self) -> str:
        """Short, and the same as long as the position is."""
        return sha256(self.fen.encode()).hexdigest()[:8]


class Sheet(msgspec.Struct, frozen=True):
    """The puzzles of one rulebook, and from how many games of self-play they come."""

    rulebook: str
    seed: int = 0
    games: int = 0
    puzzles: list[Puzzle] = []


def load(rulebook_id: str) -> Sheet:
    """The sheet of a rulebook; an empty one where there is none."""
    path = FOLDER / f"{rulebook_id}.json"
    if not path.exists():
        return Sheet(rulebook_id)
    return msgspec.json.decode(path.read_bytes(), type=Sheet)


def save(sheet: Sheet) -> None:
    """Writes a sheet in place of the one before."""
    FOLDER.mkdir(exist_ok=True)
    rows = ",\n".join(msgspec.json.encode(puzzle).decode() for puzzle in sheet.puzzles)
    head = json.dumps({"rulebook": sheet.rulebook, "seed": sheet.seed, "games": sheet.games})
    text = f'{head[:-1]}, "puzzles": [\n{rows}\n]}}\n'
    new = FOLDER / f"{sheet.rulebook}.json.new"
    new.write_text(text, encoding="utf-8")
    new.replace(FOLDER / f"{sheet.rulebook}.json")


@cache
def sheet_of(rulebook_id: str) -> Sheet:
    """As `load`, read once."""
    return load(rulebook_id)


def rulebooks_with_puzzles() -> list[str]:
    """Ids of the rulebooks that have a sheet."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def motif_of(position: Position, line: list[str]) -> str:
    """What a solution is about: the first of `MOTIFS` that fits.

    >>> motif_of(Position.from_fen("W:Wc3:Bd4,f6", "brasileira"), ["c3xe5xg7"])
    'clear'
    """
    crowns = takes_king = False
    taken = 0
    for number, text in enumerate(line):
        move = position.parse(text)
        if number % 2 == 0:
            crowns |= move.promotes
            takes_king |= any(position.diagram[square].isupper() for square in move.captured)
            taken = len(move.captured)
        position = position.play(move)
    theirs = position.counts[2:] if position.black_to_move else position.counts[:2]
    fits = {
        "block": not position.count_moves() and sum(theirs) > 0,
        "clear": not sum(theirs),
        "king": takes_king,
        "crown": crowns,
        "sweep": taken >= SWEEP,
        "deep": len(line) >= 2 * DEEP - 1,
        "trade": True,
    }
    return next(motif for motif in MOTIFS if fits[motif])
