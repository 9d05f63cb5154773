"""The whole of the killing: `python tests/server/protocol/soak.py --kills 200 --games 100`. `make soak` runs it.

Prints its seed and what it found; ends with 1 if a single acknowledged move was lost, came twice or moved.
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.protocol.killing import kill_again_and_again


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="damas-soak-") as folder:
        result = asyncio.run(
            kill_again_and_again(
                Path(folder), kills=options.kills, games=options.games, seed=options.seed, pause_s=1.0
            )
        )
    print(result)
    for wrong in result.wrong[:50]:
        print(wrong)
    return 1 if result.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
