"""Run all stages for several generations: `python -m training.campaign -r brasileira --generations 2 --out DIR`.

The first generation plays with the material evaluation, or with the network given by --player; each later one plays
with the network before it and learns from its own games and a quarter of the games before. Existing files are kept, so
the same options continue an interrupted campaign. The last network and its card are copied to --deliver.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from damas.rules import rulebook
from training.atomic_files import ensure_writable_folder, write_bytes
from training.command_line import (
    COUNT,
    StageParser,
    integer_between,
    load_network,
    require_torch,
    stage_main,
)
from training.gate import read_card


def stage(name: str, *arguments: object, allowed_codes: tuple[int, ...] = (0,), **options: object) -> None:
    """Run one stage in a subprocess; any exit code not in `allowed_codes` ends the campaign with that code.

    Options that are None are left out, and those that are True are given without a value.
    """
    command = [sys.executable, "-m", f"training.{name}", *map(str, arguments)]
    for option, value in options.items():
        if value is not None:
            command += [f"--{option.replace('_', '-')}", *([] if value is True else [str(value)])]
    print("$", " ".join(command[1:]), file=sys.stderr, flush=True)
    try:
        code = subprocess.run(command, check=False).returncode
    except KeyboardInterrupt:
        sys.exit(130)
    if code not in allowed_codes:
        sys.exit(code)


def _is_complete(network: Path) -> bool:
    """Whether the network exists and the card beside it has its checksum."""
    card = network.with_suffix(".json")
    if not network.exists() or not card.exists():
        return False
    return read_card(card).get("checksum") == f"{load_network(network).checksum:016x}"


def _has_proof(network: Path, **match: object) -> bool:
    """Whether the card already records this match."""
    proofs = read_card(network.with_suffix(".json")).get("sprt", [])
    return any(match.items() <= proof.items() for proof in proofs)


@stage_main("campaign", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument("-r", "--rulebook", required=True)
    parser.add_argument("--generations", type=integer_between(1, 1000), default=1)
    parser.add_argument(
        "--positions",
        type=COUNT,
        nargs="+",
        default=[5_000_000],
        help="for each generation; whole shards are played, so there may be more",
    )
    parser.add_argument("--nodes", type=COUNT, nargs="+", default=[800], help="a move, for each generation")
    parser.add_argument(
        "--seconds", type=float, nargs="+", default=[0], help="time limit for the games of each generation"
    )
    parser.add_argument("--blend", type=float, nargs="+", default=[0.7, 0.5])
    parser.add_argument("--epochs", type=COUNT, default=30)
    parser.add_argument("--batch", type=COUNT, default=16384)
    parser.add_argument("--player", type=Path, help="network that plays the games of the first generation")
    parser.add_argument(
        "--from", dest="start", type=Path, help="weights.pt to start the first generation from"
    )
    parser.add_argument(
        "--pairs",
        type=integer_between(0, 10**6),
        default=400,
        help="maximum pairs of games for each proof; 0 for none",
    )
    parser.add_argument("--gate-nodes", type=COUNT, default=5000)
    # Generation n uses the seed plus n.
    parser.add_argument("--seed", type=integer_between(0, 10**17), default=1)
    parser.add_threads()
    parser.add_argument("--games-a-shard", type=integer_between(1, 10**6), default=8192)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--deliver", type=Path, help="where the last network and its card are copied")
    options = parser.parse_args()
    book = rulebook(options.rulebook)
    # Whatever a later stage would reject is reported before the games.
    for path in filter(None, (options.player, options.start)):
        path.stat()
        if path == options.player or path.suffix == ".net":
            load_network(path, book)
    networks = [options.out / f"learned{n}" / f"{options.rulebook}.net" for n in range(options.generations)]
    if not all(map(_is_complete, networks)):
        require_torch()
    for folder in filter(None, (options.out, options.deliver)):
        ensure_writable_folder(folder)

    def nth(values: list[Any], n: int) -> Any:
        return values[min(n, len(values) - 1)]

    player, before = options.player, None
    for n, network in enumerate(networks):
        games, learned = options.out / f"games{n}", options.out / f"learned{n}"
        if not _is_complete(network):
            stage(
                "generate",
                rulebook=options.rulebook,
                positions=nth(options.positions, n),
                nodes=nth(options.nodes, n),
                network=player or "material",
                threads=options.threads,
                seed=options.seed + n,
                games_a_shard=options.games_a_shard,
                threatened=True,
                out=games,
                seconds=nth(options.seconds, n) or None,
            )
            stage(
                "train",
                *(games, *([f"{before}:0.25"] if before else [])),
                out=learned,
                epochs=options.epochs,
                batch=options.batch,
                blend=nth(options.blend, n),
                seed=options.seed + n,
                **{"from": options.start if n == 0 else None},
            )
            stage("quantise", learned, out=network, generation=n, data=games)
        for rival in dict.fromkeys((player or "material", "material")) if options.pairs else ():
            against = rival if rival == "material" else f"{load_network(rival).checksum:016x}"
            nodes = options.gate_nodes
            if not _has_proof(network, against=against, rulebook=options.rulebook, nodes=nodes):
                stage(
                    "gate",
                    network,
                    allowed_codes=(
                        0,
                        1,
                    ),  # a network that is no better is recorded, and the campaign continues
                    against=rival,
                    rulebook=options.rulebook,
                    nodes=nodes,
                    pairs=options.pairs,
                    threads=options.threads,
                    card=True,
                )
        player, before = network, games
    if options.deliver:
        for path in (networks[-1], networks[-1].with_suffix(".json")):
            write_bytes(options.deliver / path.name, path.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
