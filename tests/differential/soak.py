"""A long comparison of core and oracle. Run it after any change of the generator or the laws, and before a release.

    python tests/differential/soak.py --count 100000 [--games 400] [-r ID ...] [--jobs 2 | --cluster auto] [--seed 1]

Compares the legal moves of so many positions and the results of so many games for each rulebook. Prints its progress, a
line for each rulebook, and one in all. Exits 1 on any difference.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas.cli.arguments import add_cluster
from damas.cli.progress import ProgressBar
from damas.jobs import call, run_pieces
from damas.rules import rulebook
from differential import games
from differential.compare import Boards, difference
from oracle.books import BOOKS
from oracle.hostile import positions

MAX_SHOWN = 5
"""Differences after which the rest of a chunk is skipped."""

Chunk = Callable[[str, int, int], tuple[int, list[str]]]


def compare_positions(book_id: str, seed: int, count: int) -> tuple[int, list[str]]:
    """How many positions of one seed were compared, and what differs."""
    boards = Boards(rulebook(book_id), BOOKS[book_id])
    differences = [text for text in (boards.difference(),) if text]
    done = 0
    for fen in positions(book_id, seed, count):
        done += 1
        if text := difference(boards, fen):
            differences.append(text)
            if len(differences) >= MAX_SHOWN:
                break
    return done, differences


def compare_games(book_id: str, seed: int, count: int) -> tuple[int, list[str]]:
    """How many games of one seed were compared, and what differs."""
    played = games.lines.__wrapped__(book_id, seed, count)  # not cached: each seed is used once
    differences = [text for line in played if (text := games.difference(line, rulebook(book_id)))]
    return len(played), differences[:MAX_SHOWN]


def compare(
    what: str, chunk: Chunk, size: int, options: argparse.Namespace, count: int, books: Sequence[str]
) -> int:
    """Compare `count` of them for each rulebook, `size` at a time, and return how many rulebooks differ."""
    done: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    books_of = {
        partial(chunk, book_id, options.seed * 1_000_000 + first // size, min(size, count - first)): book_id
        for book_id in books
        for first in range(0, count, size)
    }
    bar = ProgressBar(what, len(books_of), log_every_s=60)
    results = run_pieces(
        call,
        books_of,
        jobs=options.jobs,
        cluster=options.cluster,
        report=lambda finished: bar.show(finished, last=finished == len(books_of)),
    )
    for piece, (number, differences) in results:
        done[books_of[piece]] += number
        failures[books_of[piece]] += len(differences)
        for text in differences:
            print(f"\n{books_of[piece]}: {text}", flush=True)
    for book_id in books:
        verdict = f"{failures[book_id]} DIFFERENCES OR MORE" if failures[book_id] else "agrees"
        print(f"{book_id:16}{done[book_id]:>10} {what}  {verdict}")
    wrong = sum(map(bool, failures.values()))
    print(
        f"soak: {done.total()} {what}, {len(books)} rulebooks, {wrong} with differences, seed {options.seed}"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="positions for each rulebook")
    parser.add_argument("--games", type=int, default=400, help="games for each rulebook")
    parser.add_argument(
        "-r", "--rulebook", action="append", choices=BOOKS, help="only this one (may be repeated)"
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--jobs", type=int, default=1)
    add_cluster(place)
    parser.add_argument("--seed", type=int, default=1, help="another seed compares others")
    options = parser.parse_args()
    books = options.rulebook or list(BOOKS)
    wrong = (
        compare("positions", compare_positions, 2000, options, options.count, books) if options.count else 0
    )
    wrong += compare("games", compare_games, 40, options, options.games, books) if options.games else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
