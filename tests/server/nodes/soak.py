"""The whole storm: `python tests/server/nodes/soak.py --kills 200 --games 300`. `make soak-nodes` runs it.

Prints its seed, how long takeovers took and what was found; ends with 1 if a single acknowledged move was lost, came twice or
moved, or a game did not go on.
"""

import argparse
import asyncio
import random
import secrets
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[3] / "tools")]

import test_services  # noqa: E402 (its folder is named above)

from server.conftest import NO_SERVER, Cluster  # noqa: E402
from server.nodes.storm import Storm, What  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--database", type=int, default=5, help="restarts of PostgreSQL")
    parser.add_argument("--rolling", type=int, default=10, help="restarts of all nodes, one after the other")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    options = parser.parse_args()
    programs = test_services.postgresql_programs()
    if programs is None:
        print(NO_SERVER)
        return 1
    print(f"seed {options.seed}", flush=True)
    counts: dict[What, int] = {
        "kill": options.kills,
        "stop": options.stops,
        "database": options.database,
        "rolling": options.rolling,
    }
    happenings = [what for what, count in counts.items() for _ in range(count)]
    random.Random(options.seed).shuffle(happenings)
    cluster = Cluster(programs)
    try:
        with tempfile.TemporaryDirectory(prefix="damas-nodes-") as folder:
            storm = Storm(Path(folder), cluster, nodes=options.nodes, games=options.games, seed=options.seed)
            report = asyncio.run(storm.run(happenings))
    finally:
        cluster.remove()
    print(report)
    for wrong in report.wrong[:50]:
        print(wrong)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
