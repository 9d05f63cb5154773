"""A long comparison of core and oracle. Run it after any change of the generator or the laws, and before a release.

    python tests/differential/soak.py --count 100000 [--games 400] [-r ID ...] [--jobs 2] [--seed 1]

Compares the legal moves of so many positions and the results of so many games for each rulebook. Prints its progress, a
line for each rulebook, and one in all. Exits 1 on any difference.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas.cli.progress import ProgressBar
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
    with ProcessPoolExecutor(options.jobs) as pool:
        tasks = {}
        for book_id in books:
            for first in range(0, count, size):
                seed = options.seed * 1_000_000 + first // size
                tasks[pool.submit(chunk, book_id, seed, min(size, count - first))] = book_id
        bar = ProgressBar(what, len(tasks), log_every_s=60)
        for finished, task in enumerate(as_completed(tasks), start=1):
            number, differences = task.result()
            done[tasks[task]] += number
            failures[tasks[task]] += len(differences)
            for text in differences:
                print(f"\n{tasks[task]}: {text}", flush=True)
            bar.show(finished, last=finished == len(tasks))
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
    parser.add_argument("--jobs", type=int, default=1)
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
