"""A long comparison of core and oracle. Run it after any change of the generator, and before a release.

    python tests/differential/soak.py --count 100000 [-r ID ...] [--jobs 2] [--seed 1]

Prints how far it is and when it will be done, then one line a rulebook and one in all. Exits 1 on any difference.
"""

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas.rules import IDS, rulebook
from differential.compare import Boards, difference
from oracle.books import BOOKS
from oracle.hostile import positions

CHUNK = 2000
SHOWN = 5


def chunk(book_id: str, seed: int, count: int) -> tuple[int, float, list[str]]:
    """Compares `count` positions of one seed: how many, how long it took, what differs."""
    began = time.perf_counter()
    boards = Boards(rulebook(book_id), BOOKS[book_id])
    found = [boards.difference()] if boards.difference() else []
    done = 0
    for fen in positions(book_id, seed, count):
        done += 1
        if text := difference(boards, fen):
            found.append(text)
            if len(found) >= SHOWN:
                break
    return done, time.perf_counter() - began, [text for text in found if text]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="positions for each rulebook")
    parser.add_argument(
        "-r", "--rulebook", action="append", choices=IDS, help="only this one (may be repeated)"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="another seed compares other positions")
    asked = parser.parse_args()
    books = asked.rulebook or list(IDS)

    done = dict.fromkeys(books, 0)
    seconds = dict.fromkeys(books, 0.0)
    failures: dict[str, list[str]] = {book_id: [] for book_id in books}
    total, began = asked.count * len(books), time.perf_counter()
    with ProcessPoolExecutor(asked.jobs) as pool:
        tasks = {
            pool.submit(
                chunk, book_id, asked.seed * 1_000_000 + first // CHUNK, min(CHUNK, asked.count - first)
            ): book_id
            for book_id in books
            for first in range(0, asked.count, CHUNK)
        }
        waiting = Counter(tasks.values())
        for task in as_completed(tasks):
            book_id = tasks[task]
            number, took, found = task.result()
            done[book_id] += number
            seconds[book_id] += took
            failures[book_id] += found
            for text in found:
                print(f"\n{book_id}: {text}", flush=True)
            have, spent = sum(done.values()), time.perf_counter() - began
            left = spent / have * (total - have)
            waiting[book_id] -= 1
            if not waiting[book_id]:
                verdict = (
                    "agrees" if not failures[book_id] else f"{len(failures[book_id])} DIFFERENCES OR MORE"
                )
                print(f"\r{book_id:16}{done[book_id]:>10} positions {seconds[book_id]:>8.1f} s  {verdict:24}")
            print(f"\r{have:>10} of {total}, {spent:.0f} s, {left:.0f} s to go  ", end="", flush=True)
    print()
    wrong = sum(map(bool, failures.values()))
    print(
        f"soak: {sum(done.values())} positions, {len(books)} rulebooks, {wrong} with differences, "
        f"seed {asked.seed}, {time.perf_counter() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
