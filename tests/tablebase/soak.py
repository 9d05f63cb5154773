"""The long checks of the tables, run by `make soak`: `soak.py [ID ...] [--pieces 5] [--games 1000] [--no-slow]`.

For each rulebook of the 8x8 board: every position up to five pieces (samples of six) derived anew from its moves;
all endings of three pieces against the slow solver, every count a state of its own, and three kings against one where
only the stronger side's moves are counted; half-spent games played out.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from damas import rulebook
from damas.tablebase import Store, build
from damas.tablebase.verify import verify
from tablebase.compare import SMALL, STRONG, THREE, compare, compare_three_kings
from tablebase.playing import KINGS, half_spent, played_out, winner_by_tables


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("books", nargs="*", default=SMALL)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--games", type=int, default=1000, help="half-spent games in all")
    parser.add_argument("--no-slow", action="store_true", help="without the slow solver")
    options = parser.parse_args()
    threads = os.cpu_count() or 1
    wrong = 0
    for book_id in options.books:
        store = Store(rulebook(book_id))
        started = time.monotonic()
        build(store, options.pieces, threads=threads)
        built = time.monotonic()
        verification = verify(store, options.pieces, threads=threads)
        wrong += len(verification.faults)
        report = [
            f"{book_id}: built in {built - started:.1f} s",
            f"{verification.looked:,} positions derived anew, {len(verification.faults)} differ",
        ]
        if not options.no_slow:
            looked = compare(store, THREE) + (compare_three_kings(store) if book_id in STRONG else 0)
            report.append(f"{looked:,} positions as the slow solver has them")
        games, amiss = half_spent_games(store, -(-options.games // len(options.books)))
        wrong += amiss
        report.append(f"{games} half-spent games, {amiss} ended otherwise than probed")
        print("; ".join(report), f"({time.monotonic() - started:.0f} s)", flush=True)
    return 1 if wrong else 0


def half_spent_games(store: Store, count: int) -> tuple[int, int]:
    rng = Random(store.book.id)
    games = half_spent(rng, store, KINGS)
    amiss = 0
    for _ in range(count):
        game = next(games)
        expected = winner_by_tables(game, store)
        end = played_out(game, store).outcome
        amiss += (end.winner if end else None) is not expected
    return count, amiss


if __name__ == "__main__":
    sys.exit(main())
