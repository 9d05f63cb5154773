"""The deep ends of the perft tables, for `make bench`: minutes, not seconds.

    python tests/perft/deep.py [--leaves 3000000000] [-r ID ...]

Prints every count beside the stated one with its speed; exits 1 if one differs.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from perft.tables import DEEP


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leaves", type=int, default=3_000_000_000, help="no more leaves than this")
    parser.add_argument("-r", "--rulebook", action="append", help="only this one (may be repeated)")
    options = parser.parse_args()
    wrong = 0
    for row in DEEP:
        if options.rulebook and row.rulebook not in options.rulebook:
            continue
        depth = row.depth_within(options.leaves)
        began = time.perf_counter()
        counted = row.opened().perft(depth, routes=row.routes)
        took = time.perf_counter() - began
        agrees = counted == row.counts[depth - 1]
        wrong += not agrees
        verdict = "" if agrees else f"  WRONG: stated {row.counts[depth - 1]}"
        convention = "kept" if row.routes else "merged"
        print(
            f"{row.rulebook:16}{convention:8}{row.position[:24]:26}depth {depth:>2}{counted:>14}"
            f"{took:>8.1f} s{counted / took / 1e6:>8.0f} M/s{verdict}",
            flush=True,
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
