"""Run all stages for several generations: `python -m training.campaign -r brasileira --generations 2 --out DIR`.

The first generation plays with the material evaluation, or with the network given by --player; each later one plays
with the network before it and learns from its own games and a quarter of the games before. Existing files are kept, so
the same options continue an interrupted campaign. The last network and its card are copied to --deliver.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from damas.engine import read_network
from training.atomic_files import atomic_write, ensure_writable_folder
from training.command_line import (
    MAX_GAMES,
    MAX_NODES,
    MAX_PAIRS,
    MAX_POSITIONS,
    MAX_SEED,
    MAX_THREADS,
    StageParser,
    integer_between,
    load_network,
    load_rulebook,
    require_file,
    require_same_board,
    require_torch,
    stage_main,
)
from training.train import MAX_BATCH, MAX_EPOCHS

MAX_GENERATIONS = 1000


def stage(name: str, *arguments: object, allowed_codes: tuple[int, ...] = (0,)) -> None:
    """Run one stage in a subprocess; any exit code not in `allowed_codes` ends the campaign with that code."""
    command = [sys.executable, "-m", f"training.{name}", *map(str, arguments)]
    print("$", " ".join(command[1:]), file=sys.stderr, flush=True)
    try:
        code = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        sys.exit(130)
    if code not in allowed_codes:
        sys.exit(code)


def _card(network: Path) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(network.with_suffix(".json").read_text(encoding="utf-8"))
    return card


def _is_complete(network: Path) -> bool:
    """Whether the network exists and the card beside it has its checksum."""
    return (
        network.exists()
        and network.with_suffix(".json").exists()
        and _card(network).get("checksum") == f"{read_network(network).checksum:016x}"
    )


def _has_proof(network: Path, against: str, book: str, nodes: int) -> bool:
    """Whether the card already records this match."""
    match = {"against": against, "rulebook": book, "nodes": nodes}
    return any(match.items() <= proof.items() for proof in _card(network).get("sprt", []))


@stage_main("campaign", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument("--generations", type=integer_between(1, MAX_GENERATIONS), default=1)
    parser.add_argument(
        "--positions",
        type=integer_between(1, MAX_POSITIONS),
        nargs="+",
        default=[5_000_000],
        help="for each generation; whole shards are played, so there may be more",
    )
    parser.add_argument(
        "--nodes",
        type=integer_between(1, MAX_NODES),
        nargs="+",
        default=[800],
        help="a move, for each generation",
    )
    parser.add_argument(
        "--seconds", type=float, nargs="+", default=[0], help="time limit for the games of each generation"
    )
    parser.add_argument("--blend", type=float, nargs="+", default=[0.7, 0.5])
    parser.add_argument("--epochs", type=integer_between(1, MAX_EPOCHS), default=30)
    parser.add_argument("--batch", type=integer_between(1, MAX_BATCH), default=16384)
    parser.add_argument("--player", type=Path, help="network that plays the games of the first generation")
    parser.add_argument(
        "--from", dest="start", type=Path, help="weights.pt to start the first generation from"
    )
    parser.add_argument(
        "--pairs",
        type=integer_between(0, MAX_PAIRS),
        default=400,
        help="maximum pairs of games for each proof; 0 for none",
    )
    parser.add_argument("--gate-nodes", type=integer_between(1, MAX_NODES), default=5000)
    # Generation n uses the seed plus n.
    parser.add_argument("--seed", type=integer_between(0, MAX_SEED - MAX_GENERATIONS), default=1)
    parser.add_argument("--threads", type=integer_between(1, MAX_THREADS), default=os.cpu_count() or 1)
    parser.add_argument("--games-a-shard", type=integer_between(1, MAX_GAMES), default=8192)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--deliver", type=Path, help="where the last network and its card are copied")
    options = parser.parse_args()
    book = load_rulebook(parser, options.rulebook)
    # Whatever a later stage would reject is reported before the games.
    for path in (options.player, options.start):
        if path:
            require_file(parser, path)
        if path and (path == options.player or path.suffix == ".net"):
            require_same_board(parser, load_network(parser, path), path, book)
    networks = [options.out / f"learned{n}" / f"{options.rulebook}.net" for n in range(options.generations)]
    if not all(map(_is_complete, networks)):
        require_torch(parser)
    for folder in (options.out, options.deliver):
        if folder:
            ensure_writable_folder(folder)

    def nth(values: list, n: int) -> object:
        return values[min(n, len(values) - 1)]

    player, before = options.player, None
    for n, network in enumerate(networks):
        games, learned = options.out / f"games{n}", options.out / f"learned{n}"
        if not _is_complete(network):
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
            against = rival if rival == "material" else f"{load_network(parser, rival).checksum:016x}"
            if not _has_proof(network, against, options.rulebook, options.gate_nodes):
                stage(
                    "gate",
                    *(network, "--against", rival, "-r", options.rulebook, "--nodes", options.gate_nodes),
                    *("--pairs", options.pairs, "--threads", options.threads, "--card"),
                    allowed_codes=(
                        0,
                        1,
                    ),  # a network that is no better is recorded, and the campaign continues
                )
        player, before = network, games
    if options.deliver:
        for path in (networks[-1], networks[-1].with_suffix(".json")):
            with atomic_write(options.deliver / path.name) as temporary:
                shutil.copy(path, temporary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
