"""Play games of the engine against itself: `python -m training.generate -r brasileira --positions 5000000 --out DIR`.

Existing shards are kept, so the same options continue an interrupted run. A shard depends only on the seed and its
number, not on the number of threads.
"""

import argparse
import math
import sys
import time
from dataclasses import asdict
from functools import partial
from itertools import count, takewhile
from pathlib import Path

from damas import _core
from damas.cli.progress import ProgressBar
from damas.game.core import rules_of
from damas.jobs import run_pieces
from damas.rules import rulebook
from damas.tablebase.background import watched
from training import shards
from training.atomic_files import ensure_writable_folder
from training.command_line import (
    COUNT,
    SEED,
    StageError,
    StageParser,
    integer_between,
    stage_main,
)
from training.harvest import Folder, Harvest, Players, network_of

GAMES_PER_SHARD = 8192
MAX_RANDOM_PLIES = 300
"""The core declares longer games drawn."""
MAX_GAMES_WITHOUT_POSITION = 1000
"""Give up after this many games that yielded no position."""
POSITIONS_PER_GAME_GUESS = 50
"""Estimate used until the first shard has been played."""


@stage_main("generate", __doc__)
def main(parser: StageParser) -> int:
    try:
        return _generate(parser)
    except KeyboardInterrupt:
        if sys.stderr.isatty():
            print(file=sys.stderr)  # end the line of the progress bar
        print(f"{parser.prog}: stopped; complete shards are kept, the same options continue", file=sys.stderr)
        return 130


def _require_same_settings(folder: Path, origin: shards.Origin) -> None:
    """Fail if existing shards were played with other options."""
    expected = {name: value for name, value in asdict(origin).items() if name != "first_game"}
    expected["random"] = list(origin.random)  # JSON has no tuples
    for path in sorted([*shards.shards(folder), *folder.glob("*.ahead")]):
        if other := shards.difference(shards.header(path), expected):
            raise StageError(f"{path} was played with other options ({other}): choose another --out")


def expected_end(have: int, target: int, shard_size: float) -> float:
    """Estimate the final number of positions: a started shard is always completed."""
    return have + max(0, math.ceil((target - have) / shard_size)) * shard_size


def _generate(parser: StageParser) -> int:
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument(
        "--positions",
        type=COUNT,
        default=5_000_000,
        help="start no further shard after this many positions (default 5000000); whole shards are played, so there may be more",
    )
    parser.add_argument("--nodes", type=COUNT, default=1000, help="nodes per move (default 1000)")
    parser.add_argument(
        "--network",
        default="material",
        help="a file, `shipped` for the rulebook's own, or `material` (default): the evaluation that plays",
    )
    parser.add_argument("--seconds", type=float, help="start no further shard after this time")
    parser.add_threads()
    parser.add_cluster()
    parser.add_argument("--seed", type=SEED, default=1)
    parser.add_argument(
        "--random",
        type=integer_between(0, MAX_RANDOM_PLIES),
        nargs=2,
        default=(6, 12),
        metavar=("MIN", "MAX"),
        help="random plies at the start",
    )
    parser.add_argument(
        "--fair", type=integer_between(0, 30_000), default=200, help="drop openings whose score exceeds this"
    )
    parser.add_argument(
        "--threatened",
        action="store_true",
        help="also keep positions in which the side to move is threatened",
    )
    parser.add_argument(
        "--tables",
        type=integer_between(0, 7),
        default=0,
        help="adjudicate three games in four by endgame tables of this many pieces, built if needed",
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--games-a-shard",
        type=integer_between(1, 10**6),
        default=GAMES_PER_SHARD,
        help=f"games per shard (default {GAMES_PER_SHARD})",
    )
    options = parser.parse_args()
    least, most = options.random
    if most < least:
        raise StageError(f"--random {least} {most}: the smaller number comes first")

    book = rulebook(options.rulebook)
    rules, network = rules_of(book), network_of(options.network, book)
    settings = shards.Origin(
        rulebook=book.id,
        rules=_core.rules_fingerprint(rules),
        network=f"{network.read().checksum:016x}" if network else "material",
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
    _require_same_settings(options.out, settings)
    ensure_writable_folder(options.out)
    folder = Folder(options.out, settings)
    bar = ProgressBar(f"{book.id}: games", options.positions, log_every_s=10)
    if options.cluster:
        _play_on_cluster(Harvest(settings, network), folder, bar, options)
    else:
        _play_here(Players(settings, network), folder, bar, options)
    return 0


def _play_here(players: Players, folder: Folder, bar: ProgressBar, options: argparse.Namespace) -> None:
    """Play one shard after the other, each on all processors."""
    positions, number = 0, 0
    started = time.monotonic()
    while positions < options.positions:
        if earlier := folder.get(number):
            folder.use(number)
            positions += earlier[1]["positions"]
            number += 1
            continue
        _require_positions(positions, number, options)
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        guess = positions / number if positions else options.games_a_shard * POSITIONS_PER_GAME_GUESS
        bar.total = expected_end(positions, options.positions, guess)
        progress = _core.Progress()

        def show(games: int, positions: int = positions, guess: float = guess) -> None:
            expected = positions + games / options.games_a_shard * guess
            bar.show(expected, f"about {int(expected):,} positions")

        # After Ctrl-C started games finish, and no new game starts.
        play = partial(players.play, number, threads=options.threads, progress=progress)
        shard = watched(play, progress, show)
        folder.add(number, shard, ahead=False)
        positions += int(shard[1]["positions"])
        number += 1
        bar.total = expected_end(positions, options.positions, max(positions / number, 1))
        bar.show(positions, f"{positions:,} positions", last=positions >= options.positions)


def _play_on_cluster(work: Harvest, folder: Folder, bar: ProgressBar, options: argparse.Namespace) -> None:
    """Play many shards at a time, each on one processor, and keep those that one machine would have played."""
    positions = 0
    started = time.monotonic()
    numbers = takewhile(
        lambda _: not options.seconds or time.monotonic() - started <= options.seconds, count()
    )
    results = run_pieces(work, numbers, keeper=folder, cluster=options.cluster)
    for number, (_, counts) in results:
        folder.use(number)
        positions += int(counts["positions"])
        _require_positions(positions, number + 1, options)
        bar.total = expected_end(positions, options.positions, max(positions / (number + 1), 1))
        bar.show(positions, f"{positions:,} positions", last=positions >= options.positions)
        if positions >= options.positions:
            results.close()


def _require_positions(positions: int, shards_played: int, options: argparse.Namespace) -> None:
    """Fail where many games have given no position at all."""
    games = shards_played * options.games_a_shard
    if not positions and games >= MAX_GAMES_WITHOUT_POSITION:
        raise StageError(f"{games} games without a single position: check --random and --fair")


if __name__ == "__main__":
    sys.exit(main())
