"""The core as WebAssembly in node beside the core of this machine, in turns."""

import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.measure import Figure, median
from bench.table import Line, Remark
from damas import Position
from damas.engine import Engine, Limits
from damas.engine.networks import FOLDER, name_for
from damas.rules import rulebook

ROOT = Path(__file__).parent.parent
NODE = ROOT / ".venv/node"
PERFT = {"brasileira": 9, "internacional": 8, "turca": 6, "inglesa": 10}
SEARCHES = ("brasileira", "internacional", "portuguesa")
TARGET = 50.0
"""Percent of the native speed."""


def lines(rounds: int, nodes: int = 400_000) -> Iterator[Line | Remark]:
    """Measures each task in both cores, one after the other in every round."""
    if not NODE.exists():
        yield Remark("node is not in .venv: run `make lint-js`")
        return
    command = [NODE, ROOT / "bench/wasm.js"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        for book, depth in PERFT.items():
            yield _line(node, f"perft {depth}, {book}", {"book": book, "depth": depth}, rounds)
        for book in SEARCHES:
            name = name_for(rulebook(book))
            request = {"book": book, "nodes": nodes, "network": str(FOLDER / name) if name else None}
            yield _line(node, f"search with network, {book}", request, rounds)
        assert node.stdin
        node.stdin.close()


def _line(node: "subprocess.Popen[str]", what: str, request: dict[str, Any], rounds: int) -> Line:
    shares, here, there = [], [], []
    _in_node(node, request)  # compiled for speed after its first calls
    for _ in range(rounds):
        mine, others = _native(request), _in_node(node, request)
        here.append(mine)
        there.append(others)
        shares.append(100 * others / mine)
    note = f"{median(there).value / 1e6:.2f} M/s; native {median(here).value / 1e6:.2f} M/s"
    share = median(shares)
    return Line(what, Figure(round(share.value, 1), share.spread), "%", TARGET, note=note)


def _in_node(node: "subprocess.Popen[str]", request: dict[str, Any]) -> float:
    """Leaves or nodes a second of processor time."""
    assert node.stdin and node.stdout
    node.stdin.write(json.dumps(request) + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    return float(answer["count"] / answer["seconds"])


def _native(request: dict[str, Any]) -> float:
    start = Position.start(request["book"])
    if "depth" in request:
        before = time.thread_time()
        leaves = start.perft(request["depth"])
        return leaves / (time.thread_time() - before)
    with Engine(request["book"], hash_mb=16, tables=False) as engine:
        before = time.process_time()  # a long search runs in a thread of its own
        found = engine.search(start, Limits(nodes=request["nodes"]))
        return found.nodes / (time.process_time() - before)
