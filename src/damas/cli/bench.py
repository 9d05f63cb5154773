"""`damas bench`: how fast move generation and search are on this machine, and the engine's signature.

What a developer compares before and after a change is `make bench`.
"""

import argparse
import time
from typing import Any

from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import whole
from damas.cli.perft import MAX_DEPTH, count
from damas.game import Position
from damas.game.core import core_rules
from damas.language import sentence

RULEBOOKS = ("brasileira", "oficial", "portuguesa", "concurso", "russa", "inglesa", "internacional", "frisia")
MIN_SECONDS = 0.2
"""A count is repeated until its rounds have taken this long together; the fastest round is reported."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--depth",
        type=whole("--depth", 1, MAX_DEPTH),
        default=9,
        metavar="N",
        help="moves ahead for perft (otherwise 9)",
    )
    parser.add_argument(
        "--nodes", action="store_true", help="only the engine's signature: the same number on every machine"
    )


def run(options: argparse.Namespace) -> int:
    answer: dict[str, object] = {} if options.nodes else {"perft": _perfts(options.depth)}
    answer["search"] = _search()
    if options.json:
        print_json(answer)
    else:
        print(_text(answer, options.language))
    return 0


def _perfts(depth: int) -> list[dict[str, object]]:
    """Each rulebook with its compiled rules, and brasileira with rules that are read at run time, as house rules are."""
    start = Position.start("brasileira")
    lines = [_perft(Position.start(name), depth) for name in RULEBOOKS]
    return [*lines, _perft(start.under(core_rules(start.rulebook, interpreted=True)), depth)]


def _perft(position: Position, depth: int) -> dict[str, object]:
    times: list[float] = []
    while sum(times) < MIN_SECONDS:
        started = time.perf_counter()
        nodes = count(position, depth, routes=False)
        times.append(time.perf_counter() - started)
    return {
        "rulebook": position.rulebook.id,
        "interpreted": not position.rules.compiled,
        "depth": depth,
        "nodes": nodes,
        "seconds": round(min(times), 9),
        "leaves_per_second": round(nodes / min(times)),
    }


def _search() -> dict[str, object]:
    from damas.engine.signature import DEPTH, searched

    results = searched()
    seconds = sum(result.seconds for result in results)
    nodes = sum(result.nodes for result in results)
    return {
        "depth": DEPTH,
        "signature": nodes,
        "nodes_per_second": round(nodes / seconds) if seconds else 0,
        "positions": [
            {"rulebook": result.rulebook, "fen": result.fen, "nodes": result.nodes, "score": result.score}
            for result in results
        ],
    }


def _text(answer: dict[str, Any], language: str) -> str:
    def word(key: str, **facts: object) -> str:
        return sentence(f"cli.bench.{key}", language, **facts)

    lines = []
    if "perft" in answer:
        columns = [
            sentence(f"cli.perft.{name}", language) for name in ("depth", "leaves", "seconds", "speed")
        ]
        counts = [(word("rulebook"), *columns)]
        for line in answer["perft"]:
            name = word("house", rulebook=line["rulebook"]) if line["interpreted"] else line["rulebook"]
            figures = (str(line["depth"]), page.number(line["nodes"]), f"{line['seconds']:.3f}")
            counts.append((name, *figures, page.number(line["leaves_per_second"])))
        lines += [page.heading(word("perft")), page.table(counts, indent=2, right=range(1, 5)), ""]
    search = answer["search"]
    nodes = [(line["rulebook"], page.number(line["nodes"])) for line in search["positions"]]
    lines += [
        page.heading(word("engine", count=len(nodes), depth=search["depth"])),
        page.table(nodes, indent=2, right=(1,)),
        f"  {word('speed', speed=page.number(search['nodes_per_second']))}",
        f"  {word('signature', signature=search['signature'])}",
    ]
    return "\n".join(lines)
