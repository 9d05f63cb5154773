"""Games of the engine against itself: `python -m training.generate -r brasileira --positions 5000000 --out DIR`.

Shards that are already there are kept: the same words again go on where they stopped. A shard depends on the seed
and its number alone, not on the number of threads.
"""

import argparse
import math
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, replace
from pathlib import Path

from damas import _core
from damas.engine import core_laws, network_for
from damas.engine.endings import join
from damas.errors import DamasError
from damas.game import Customs
from damas.game.core import rules_of
from damas.tablebase import build, store_of
from training import shards
from training.progress import Bar
from training.refusing import (
    MOST_GAMES,
    MOST_NODES,
    MOST_POSITIONS,
    MOST_SEED,
    MOST_THREADS,
    Words,
    a_stage,
    known_book,
    known_network,
    need_board,
    refuse,
    whole,
)
from training.writing import made_folder

GAMES_A_SHARD = 8192
MOST_RANDOM = 300
"""Longer games are drawn."""
MOST_FAIR = 30_000
MOST_TABLES = 7
FRUITLESS = 1000
"""Games without a position to learn from, after which nobody waits for the next."""


A_GAME = 50
"""Positions of a game, as long as none was played."""


@a_stage("generate", __doc__)
def main(parser: Words) -> int:
    try:
        return _generate(parser)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the bar stands on this line
        print(f"{parser.prog}: stopped; whole shards stay, and the same words again go on", file=sys.stderr)
        return 130


def _need_own(parser: argparse.ArgumentParser, folder: Path, origin: shards.Origin) -> None:
    """Shards that are there were played with the same words."""
    wanted = {name: value for name, value in asdict(origin).items() if name != "first_game"}
    wanted["random"] = list(origin.random)  # as JSON has it
    for path in shards.shards(folder):
        try:
            other = shards.difference(shards.header(path), wanted)
        except ValueError as why:
            refuse(parser, why)
        if other:
            refuse(parser, f"{path} was played with other words ({other}): give another --out")


def expected_end(have: int, wanted: int, a_shard: float) -> float:
    """How many positions there will be in the end: a shard that has begun is played to its end."""
    return have + max(0, math.ceil((wanted - have) / a_shard)) * a_shard


def _generate(parser: argparse.ArgumentParser) -> int:
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument(
        "--positions",
        type=whole(1, MOST_POSITIONS),
        default=5_000_000,
        help="begin no shard once there are so many (otherwise 5000000); whole shards are played, so there may be more",
    )
    parser.add_argument(
        "--nodes", type=whole(1, MOST_NODES), default=1000, help="nodes a move (otherwise 1000)"
    )
    parser.add_argument(
        "--network",
        default="material",
        help="a file, `shipped` for the rulebook's own, or `material` (otherwise): who plays",
    )
    parser.add_argument(
        "--seconds", type=float, help="begin no shard after so long, however few positions there are"
    )
    parser.add_argument("--threads", type=whole(1, MOST_THREADS), default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=whole(0, MOST_SEED), default=1)
    parser.add_argument(
        "--random", type=whole(0, MOST_RANDOM), nargs=2, default=(6, 12), metavar=("LEAST", "MOST")
    )
    parser.add_argument(
        "--fair", type=whole(0, MOST_FAIR), default=200, help="openings that one side likes more are dropped"
    )
    parser.add_argument(
        "--threatened",
        action="store_true",
        help="keep positions in which the side to move is threatened, too",
    )
    parser.add_argument(
        "--tables",
        type=whole(0, MOST_TABLES),
        default=0,
        help="end three games in four by endgame tables of so many pieces, which are built if need be",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--games-a-shard",
        type=whole(1, MOST_GAMES),
        default=GAMES_A_SHARD,
        help=f"games of a shard (otherwise {GAMES_A_SHARD})",
    )
    options = parser.parse_args()
    least, most = options.random
    if most < least:
        refuse(parser, f"--random {least} {most}: the least comes first")

    book = known_book(parser, options.rulebook)
    rules, laws = rules_of(book), core_laws(book)
    network = None
    if options.network == "shipped":
        network = network_for(book)
        if network is None:
            refuse(parser, f"no network ships for {book.id}")
    elif options.network != "material":
        network = known_network(parser, options.network)
        need_board(parser, network, options.network, book)
    player = f"{network.checksum:016x}" if network else "material"
    words = shards.Origin(
        rulebook=book.id,
        rules=_core.rules_fingerprint(rules),
        network=player,
        nodes=options.nodes,
        seed=options.seed,
        first_game=0,
        games=options.games_a_shard,
        record_bytes=_core.record_bytes(rules),
        random=tuple(options.random),
        fair=options.fair,
        threatened=options.threatened,
        tables=options.tables,
    )
    _need_own(parser, options.out, words)
    made_folder(options.out)
    knowing = None
    if options.tables:
        try:
            store = store_of(book)
            build(store, options.tables)
        except DamasError as why:
            refuse(parser, why)
        knowing = _core.Engine(rules, laws, 1 << 20, 1)
        join(knowing, store, options.tables, Customs())

    bar = Bar(f"{book.id}: games", options.positions)
    have, number = 0, 0
    watch = _core.Watch()
    started = time.monotonic()
    while have < options.positions:
        path = options.out / f"{number:05}.pos"
        if path.exists():
            counts = shards.header(path)["counts"]
            have += int(counts["positions"])  # type: ignore[index]
            number += 1
            continue
        if not have and number * options.games_a_shard >= FRUITLESS:
            refuse(
                parser, f"{number * options.games_a_shard} games and not one position: see --random, --fair"
            )
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        origin = replace(words, first_game=number * options.games_a_shard)
        guess = have / number if have else options.games_a_shard * A_GAME
        bar.total = expected_end(have, options.positions, guess)
        begun = watch.done
        # The games have a thread of their own: a signal reaches only this one, and only while it runs Python.
        with ThreadPoolExecutor(1) as pool:
            try:
                played = pool.submit(
                    _core.harvest,
                    rules,
                    laws,
                    network,
                    nodes=options.nodes,
                    seed=options.seed,
                    first=origin.first_game,
                    games=options.games_a_shard,
                    threads=options.threads,
                    random=origin.random,
                    fair=options.fair,
                    threatened=options.threatened,
                    knowing=knowing,
                    watch=watch,
                )
                while not wait([played], timeout=0.5).done:
                    share = (watch.done - begun) / options.games_a_shard
                    bar.show(have + share * guess, f"about {have + int(share * guess):,} positions")
            except KeyboardInterrupt:
                watch.stop()  # games that have begun are played out, no other begins
                raise
        records, counts = played.result()
        shards.write(path, origin, records, counts)
        have += int(counts["positions"])
        number += 1
        bar.total = expected_end(have, options.positions, max(have / number, 1))
        bar.show(have, f"{have:,} positions", last=have >= options.positions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
