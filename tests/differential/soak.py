"""A long comparison of core and oracle. Run it after any change of the generator or the laws, and before a release.

    python tests/differential/soak.py --count 100000 [--games 400] [-r ID ...] [--jobs 2] [--seed 1]

Compares the legal moves of so many positions and the results of so many games for each rulebook. Prints how far it
is and when it will be done, a line for each rulebook, and one in all. Exits 1 on any difference.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas.rules import rulebook, rulebook_ids
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
    played = games.lines.__wrapped__(
        book_id, seed, count
    )  # nobody asks for these again: no need to keep them
    differences = [text for line in played if (text := games.difference(line, rulebook(book_id)))]
    return len(played), differences[:MAX_SHOWN]


def compare(
    what: str, chunk: Chunk, size: int, options: argparse.Namespace, count: int, books: Sequence[str]
) -> int:
    """Compares `count` of them for each rulebook, `size` at a time; how many rulebooks differ."""
    done: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    began = time.perf_counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        tasks = {
            pool.submit(
                chunk, book_id, options.seed * 1_000_000 + first // size, min(size, count - first)
            ): book_id
            for book_id in books
            for first in range(0, count, size)
        }
        waiting = Counter(tasks.values())
        for task in as_completed(tasks):
            book_id = tasks[task]
            number, differences = task.result()
            done[book_id] += number
            failures[book_id] += len(differences)
            for text in differences:
                print(f"\n{book_id}: {text}", flush=True)
            waiting[book_id] -= 1
            # By chunks: one of games may hold more than it was options for.
            spent, ahead = time.perf_counter() - began, waiting.total()
            left = spent / (len(tasks) - ahead) * ahead
            if not waiting[book_id]:
                verdict = f"{failures[book_id]} DIFFERENCES OR MORE" if failures[book_id] else "agrees"
                print(f"\r{book_id:16}{done[book_id]:>10} {what}  {verdict:40}")
            print(
                f"\r{done.total():>10} {what}, {spent:.0f} s, {left:.0f} s to go  ",
                end="",
                flush=True,
            )
    wrong = sum(map(bool, failures.values()))
    print(
        f"\nsoak: {done.total()} {what}, {len(books)} rulebooks, {wrong} with differences, "
        f"seed {options.seed}, {time.perf_counter() - began:.0f} s"
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="positions for each rulebook")
    parser.add_argument("--games", type=int, default=400, help="games for each rulebook")
    parser.add_argument(
        "-r", "--rulebook", action="append", choices=rulebook_ids(), help="only this one (may be repeated)"
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="another seed compares others")
    options = parser.parse_args()
    books = options.rulebook or list(rulebook_ids())
    wrong = (
        compare("positions", compare_positions, 2000, options, options.count, books) if options.count else 0
    )
    wrong += compare("games", compare_games, 40, options, options.games, books) if options.games else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
