"""Choose mined puzzles for the sheets: `choose_puzzles.py mined.jsonl verified.jsonl [--most 2500]`.

Endings that the tables prove come from any file, puzzles proved by search only from files that `mine_puzzles.py --verify`
wrote: their name begins with `verified`. Those that the sheets have stay, first and with their ids. Of positions that
differ in few pieces, and of lines that are alike, few are taken; then the rarest motifs and lengths first.
"""

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzle_likeness import Placement

from damas import Position
from damas.server.learning.motif import MOTIFS
from damas.server.learning.puzzle import FOLDER, GRADES, Puzzle, load
from damas.server.learning.puzzle_motifs import motifs_of
from damas.server.learning.puzzle_proof import first_rating

MAX_LINE_REPEATS = 3
"""Puzzles whose moves are the same, square by square."""


@dataclass
class Candidate:
    """A puzzle that could be taken, and by what it is compared with others."""

    puzzle: Puzzle
    placement: Placement
    route: tuple[tuple[int, ...], ...]
    """The moves, seen from the side that is to move first."""


def candidate(book: str, puzzle: Puzzle) -> Candidate:
    """A puzzle with what it is compared by."""
    start = position = Position.from_fen(puzzle.fen, book)
    last = len(position.diagram) - 1
    route = []
    for text in puzzle.line:
        move = position.parse(text)
        route.append(tuple(last - square for square in move.route) if start.black_to_move else move.route)
        position = position.play(move)
    return Candidate(puzzle, Placement.of(start), tuple(route))


def puzzle_of(row: dict[str, Any]) -> Puzzle:
    """A mined puzzle with its rating and motifs."""
    position = Position.from_fen(row["fen"], row["rulebook"])
    proof = "search" if row["source"] == "search" else row["goal"]
    motifs = motifs_of(position, row["line"], proof)
    is_ending = row["source"] == "tables"
    rating = first_rating(position, row["line"], row["choices"], row["effort"], by_tables=is_ending)
    return Puzzle(rating, tuple(motifs), position.fen, tuple(row["line"]), tuple(row["also"]))


def mined(paths: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """The rows that may be taken, by rulebook."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["source"] == "tables" or path.name.startswith("verified"):
                rows[row["rulebook"]].append(row)
    return rows


def choose(
    first: list[Candidate], others: list[Candidate], most: int
) -> tuple[list[Candidate], Counter[str]]:
    """All of `first` and as many others as fit into `most`; and how many were left out, by reason."""
    chosen, left = list(first), Counter[str]()
    lines = Counter(each.route for each in first)
    motifs = Counter(motif for each in others for motif in each.puzzle.motifs)
    buckets: dict[tuple[str, int], list[Candidate]] = defaultdict(list)
    for each in others:  # each rarest motif of each length gets the same share
        rarest = min(each.puzzle.motifs, key=lambda motif: motifs[motif])
        buckets[rarest, each.puzzle.own_moves].append(each)
    while len(chosen) < most and any(buckets.values()):
        for bucket in sorted(buckets, key=lambda key: len(buckets[key])):
            while buckets[bucket] and len(chosen) < most:
                each = buckets[bucket].pop(0)
                if any(each.placement.is_like(other.placement) for other in chosen):
                    left["nearly the same"] += 1
                elif lines[each.route] >= MAX_LINE_REPEATS:
                    left["same moves"] += 1
                else:
                    lines[each.route] += 1
                    chosen.append(each)
                    break
    left["enough of the kind"] = sum(map(len, buckets.values()))
    return chosen, left


def write_sheet(path: Path, puzzles: list[Puzzle]) -> None:
    """Writes the sheet of a rulebook; `damas.server.learning.puzzle` describes and reads it."""
    rows = []
    for puzzle in puzzles:
        fields = [puzzle.id, str(puzzle.rating), ";".join(puzzle.motifs), puzzle.fen, ";".join(puzzle.line)]
        rows.append("\t".join([*fields, ";".join(puzzle.also)] if puzzle.also else fields))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=2500, help="puzzles of a rulebook")
    options = parser.parse_args()
    for book, rows in sorted(mined(options.files).items()):
        sheet = load(book)
        first = [candidate(book, puzzle) for puzzle in sheet]
        new_puzzles = {puzzle.id: puzzle for puzzle in map(puzzle_of, rows) if puzzle.id not in sheet.entries}
        others = [candidate(book, new_puzzles[name]) for name in sorted(new_puzzles)]
        chosen, left = choose(first, others, options.most)
        new = sorted(chosen[len(first) :], key=lambda each: (each.puzzle.rating, each.puzzle.id))
        puzzles = [each.puzzle for each in (*first, *new)]
        path = FOLDER / f"{book}.txt"
        write_sheet(path, puzzles)
        motifs = Counter(motif for puzzle in puzzles for motif in puzzle.motifs)
        grades = Counter(puzzle.grade for puzzle in puzzles)
        print(f"{book}: {len(puzzles)}, {len(first)} of them kept; left out: {dict(left)}")
        print("  motifs:", {motif: motifs[motif] for motif in MOTIFS if motifs[motif]})
        print("  grades:", {grade: grades[grade] for grade in range(1, len(GRADES) + 1)})
        print(f"  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
