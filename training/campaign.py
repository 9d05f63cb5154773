"""All stages, generation after generation: `python -m training.campaign -r brasileira --generations 2 --out DIR`.

The first generation is played by counting pieces, or by the network given with --player; each further one by the
network before it, and learns from its own games and a quarter of those before. Whatever is already there is kept, so
that the same words again go on where they stopped. The last network and its card are copied to --deliver.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from damas.engine import read_network
from training.refusing import (
    MOST_GAMES,
    MOST_NODES,
    MOST_PAIRS,
    MOST_POSITIONS,
    MOST_SEED,
    MOST_THREADS,
    Words,
    a_stage,
    known_book,
    known_network,
    need_board,
    need_file,
    need_torch,
    whole,
)
from training.train import MOST_BATCH, MOST_EPOCHS
from training.writing import made_folder, whole_file

MOST_GENERATIONS = 1000


def stage(name: str, *words: object, fine: tuple[int, ...] = (0,)) -> None:
    """One stage; an exit code that is not `fine` ends the campaign with it."""
    command = [sys.executable, "-m", f"training.{name}", *map(str, words)]
    print("$", " ".join(command[1:]), file=sys.stderr, flush=True)
    try:
        code = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        sys.exit(130)
    if code not in fine:
        sys.exit(code)


def _card(network: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(network.with_suffix(".json").read_text(encoding="utf-8"))
    return card


def _made(network: Path) -> bool:
    """Whether a network is there, and the card beside it is its own."""
    return (
        network.exists()
        and network.with_suffix(".json").exists()
        and _card(network).get("checksum") == f"{read_network(network).checksum:016x}"
    )


def _proved(network: Path, against: str, book: str, nodes: int) -> bool:
    """Whether the card has the proof already."""
    wanted = {"against": against, "rulebook": book, "nodes": nodes}
    return any(wanted.items() <= proof.items() for proof in _card(network).get("sprt", []))


@a_stage("campaign", __doc__)
def main(parser: Words) -> int:
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument("--generations", type=whole(1, MOST_GENERATIONS), default=1)
    parser.add_argument(
        "--positions",
        type=whole(1, MOST_POSITIONS),
        nargs="+",
        default=[5_000_000],
        help="for each generation; whole shards are played, so there may be more",
    )
    parser.add_argument(
        "--nodes", type=whole(1, MOST_NODES), nargs="+", default=[800], help="a move, for each generation"
    )
    parser.add_argument(
        "--seconds", type=float, nargs="+", default=[0], help="the most for the games of each generation"
    )
    parser.add_argument("--blend", type=float, nargs="+", default=[0.7, 0.5])
    parser.add_argument("--epochs", type=whole(1, MOST_EPOCHS), default=30)
    parser.add_argument("--batch", type=whole(1, MOST_BATCH), default=16384)
    parser.add_argument("--player", type=Path, help="network that plays the first generation")
    parser.add_argument("--from", dest="start", type=Path, help="weights.pt the first generation begins with")
    parser.add_argument(
        "--pairs",
        type=whole(0, MOST_PAIRS),
        default=400,
        help="the most pairs of games for each proof; 0 for none",
    )
    parser.add_argument("--gate-nodes", type=whole(1, MOST_NODES), default=5000)
    # Each generation has a seed of its own, counted on from this one.
    parser.add_argument("--seed", type=whole(0, MOST_SEED - MOST_GENERATIONS), default=1)
    parser.add_argument("--threads", type=whole(1, MOST_THREADS), default=os.cpu_count() or 1)
    parser.add_argument("--games-a-shard", type=whole(1, MOST_GAMES), default=8192)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--deliver", type=Path, help="where the last network and its card are copied")
    options = parser.parse_args()
    book = known_book(parser, options.rulebook)
    # All that a later stage would refuse is told before the games.
    for given in (options.player, options.start):
        if given:
            need_file(parser, given)
        if given and (given == options.player or given.suffix == ".net"):
            need_board(parser, known_network(parser, given), given, book)
    networks = [options.out / f"learned{n}" / f"{options.rulebook}.net" for n in range(options.generations)]
    if not all(map(_made, networks)):
        need_torch(parser)
    for folder in (options.out, options.deliver):
        if folder:
            made_folder(folder)

    def nth(values: list, n: int) -> object:
        return values[min(n, len(values) - 1)]

    player, before = options.player, None
    for n, network in enumerate(networks):
        games, learned = options.out / f"games{n}", options.out / f"learned{n}"
        if not _made(network):
            seconds = nth(options.seconds, n)
            stage(
                "generate",
                *(
                    "-r",
                    options.rulebook,
                    "--positions",
                    nth(options.positions, n),
                    "--nodes",
                    nth(options.nodes, n),
                ),
                *(
                    "--network",
                    player or "material",
                    "--threads",
                    options.threads,
                    "--seed",
                    options.seed + n,
                ),
                *("--games-a-shard", options.games_a_shard, "--threatened", "--out", games),
                *(("--seconds", seconds) if seconds else ()),
            )
            stage(
                "train",
                *(games, *([f"{before}:0.25"] if before else [])),
                *("--out", learned, "--epochs", options.epochs, "--batch", options.batch),
                *("--blend", nth(options.blend, n), "--seed", options.seed + n),
                *(("--from", options.start) if options.start and n == 0 else ()),
            )
            stage("quantise", learned, "--out", network, "--generation", n, "--data", games)
        for rival in dict.fromkeys((player or "material", "material")) if options.pairs else ():
            against = rival if rival == "material" else f"{known_network(parser, rival).checksum:016x}"
            if not _proved(network, against, options.rulebook, options.gate_nodes):
                stage(
                    "gate",
                    *(network, "--against", rival, "-r", options.rulebook, "--nodes", options.gate_nodes),
                    *("--pairs", options.pairs, "--threads", options.threads, "--card"),
                    fine=(0, 1),  # one that is no better is on record, and the campaign goes on
                )
        player, before = network, games
    if options.deliver:
        for path in (networks[-1], networks[-1].with_suffix(".json")):
            with whole_file(options.deliver / path.name) as unfinished:
                shutil.copy(path, unfinished)
    return 0


if __name__ == "__main__":
    sys.exit(main())
