"""Measure what several nodes of one PostgreSQL hold, and what passing through a node costs: an idle machine is needed.

    python tools/load_nodes.py --database postgresql://postgres@/empty?host=/run/postgresql --games 600 --think 0.5

Plays the same games on one, two and three nodes, each game at the node where it was made, and once more on two nodes with every
socket at the node that does not own the game. Prints moves a second and how long an acknowledged move took. Each row is a table
entry for p99 <= 50 ms if its p99 is; ask for more games until it is not.
"""

import argparse
import asyncio
import gc
import secrets
import sys
import tempfile
import time
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import httpx
import uvloop
from load import Game, Process, in_batches, new_visitor, quantiles, row, serve

MET_EVERY_S = 3.0
"""Nodes know each other after their next renewal."""


async def play(
    nodes: list[Process], games: int, think_s: float, seconds: float, *, elsewhere: bool
) -> dict[str, float]:
    """Play games for some seconds, and return the figures of their moves; `elsewhere`: through the next node."""
    playing: list[Game] = []
    for number, node in enumerate(nodes):
        through = nodes[(number + 1) % len(nodes)] if elsewhere else node
        own = [Game(through.port, think_s, seed) for seed in range(games // len(nodes))]
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        base = f"http://127.0.0.1:{node.port}"
        async with httpx.AsyncClient(base_url=base, timeout=60, cookies=no_cookies) as http:
            white, black = await new_visitor(http), await new_visitor(http)
            await in_batches([partial(game.open, http, white, black) for game in own])
        playing += own
    tasks = [asyncio.create_task(game.play()) for game in playing]
    await asyncio.sleep(4 * think_s)
    gc.disable()
    start, computed = time.perf_counter(), [node.cpu_s() for node in nodes]
    await asyncio.sleep(seconds)
    end = time.perf_counter()
    spent = sum(node.cpu_s() for node in nodes) - sum(computed)
    gc.enable()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await in_batches([game.close for game in playing], 100)
    times = [ms for game in playing for sent, ms in game.times if start <= sent < end]
    return {
        "cpu_ms": 1000 * spent / max(1, len(times)),
        **quantiles(times),
        "rate": len(times) / (end - start),
        "memory": max(node.memory_mb() for node in nodes),
    }


async def measure(options: argparse.Namespace) -> int:
    """Measure, and print a row for each number of nodes."""
    with tempfile.TemporaryDirectory(prefix="damas-load-") as folder:
        for count, elsewhere in ((1, False), (2, False), (3, False), (2, True)):
            run = secrets.token_hex(3)
            nodes = []
            for number in range(count):
                name = f"{run}-{number}"
                data = str(Path(folder) / name)
                command = ("--serve", data, "--node", name, "--database", options.database)
                nodes.append(Process(sys.executable, __file__, *command))
            await asyncio.sleep(MET_EVERY_S)
            try:
                figures = await play(
                    nodes, options.games, options.think, options.seconds, elsewhere=elsewhere
                )
            finally:
                for node in nodes:
                    node.stop()
            print(row(f"nodes: {count}" + (", through the other" if elsewhere else ""), figures), flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", required=True, help="the address of an empty database of PostgreSQL")
    parser.add_argument("--games", type=int, default=600, help="of all nodes together")
    parser.add_argument("--think", type=float, default=0.5, help="seconds a player thinks, on average")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long to measure")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--node", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, 0, database_url=options.database, node=options.node)
        return 0
    return uvloop.run(measure(options))


if __name__ == "__main__":
    sys.exit(main())
