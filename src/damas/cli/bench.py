"""`damas bench`: how fast move generation and search are on this machine, and the engine's signature.

What a developer compares before and after a change is `make bench`.
"""

import argparse
from functools import partial
from typing import Any

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import add_flag, add_integer
from damas.cli.perft import MAX_DEPTH, cells, count, heads, timed
from damas.game import Position
from damas.game.core import core_rules
from damas.language import sentence
from damas.language.numbers import number

_RULEBOOKS = (
    "brasileira",
    "oficial",
    "portuguesa",
    "concurso",
    "russa",
    "inglesa",
    "internacional",
    "frisia",
)
MIN_SECONDS = 0.2
"""A count is repeated until its rounds have taken this long together; the fastest round is reported."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_integer(parser, "--depth", 1, MAX_DEPTH, "plies to look ahead for perft (default: 9)", default=9)
    add_flag(parser, "--nodes", "only the engine's signature: the same number on every machine")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    answer: dict[str, object] = {} if options.nodes else {"perft": _perfts(options.depth)}
    answer["search"] = _search()
    print_answer(options, lambda: answer, lambda: _text(answer, options.language))
    return 0


def _perfts(depth: int) -> list[dict[str, object]]:
    """Each rulebook with its compiled rules, and brasileira with rules that are read at run time, as house rules are."""
    start = Position.start("brasileira")
    lines = [_perft(Position.start(name), depth) for name in _RULEBOOKS]
    return [*lines, _perft(start.under(core_rules(start.rulebook, interpreted=True)), depth)]


def _perft(position: Position, depth: int) -> dict[str, object]:
    counts: list[dict[str, Any]] = []
    while sum(count["seconds"] for count in counts) < MIN_SECONDS:
        counts.append(timed(depth, partial(count, position, depth, routes=False)))
    fastest = min(counts, key=lambda count: count["seconds"])
    return {"rulebook": position.rulebook.id, "interpreted": not position.rules.compiled, **fastest}


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
        counts = [(word("rulebook"), *heads(language))]
        for line in answer["perft"]:
            name = word("house", rulebook=line["rulebook"]) if line["interpreted"] else line["rulebook"]
            counts.append((name, *cells(line, language)))
        lines += [page.heading(word("perft")), page.table(counts, indent=2, right=range(1, 5)), ""]
    search = answer["search"]
    nodes = [(line["rulebook"], number(line["nodes"], language)) for line in search["positions"]]
    lines += [
        page.heading(word("engine", count=len(nodes), depth=search["depth"])),
        page.table(nodes, indent=2, right=(1,)),
        f"  {word('speed', speed=number(search['nodes_per_second'], language))}",
        f"  {word('signature', signature=search['signature'])}",
    ]
    return "\n".join(lines)
