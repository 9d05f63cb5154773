"""`damas bench`: how fast the rules are on this machine, from the core and from Python."""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from damas.cli import page
from damas.cli.answers import print_json
from damas.cli.arguments import whole
from damas.cli.perft import DEEPEST, count
from damas.game import Position, refusal
from damas.game.core import core_rules
from damas.language import sentence

RULEBOOKS = ("brasileira", "oficial", "portuguesa", "concurso", "russa", "inglesa", "internacional", "frisia")
MIDDLE_GAME = "W:Wc1,e1,b2,d2,f2,a3,c3,e3,d4,h4:Bb6,d6,f6,h6,a7,c7,e7,g7,d8,f8"
ENOUGH = 0.2
"""Seconds after which a measurement is believed."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--depth",
        type=whole("--depth", 1, DEEPEST),
        default=9,
        metavar="N",
        help="moves ahead for perft (otherwise 9)",
    )
    parser.add_argument(
        "--nodes", action="store_true", help="only the engine's signature: the same number on every machine"
    )


def run(options: argparse.Namespace) -> int:
    if options.nodes:
        answer: dict[str, object] = {"search": _searches()}
    else:
        answer = {
            "perft": _perfts(options.depth),
            "search": _searches(),
            "python": _from_python(),
            "tables": _tables(),
            "import_ms": _import_time(),
        }
    if options.json:
        print_json(answer)
    else:
        print(_text(answer, options.language))
    return 0


def _perfts(depth: int) -> list[dict[str, object]]:
    start = Position.start("brasileira")
    lines = [_perft(Position.start(name), depth) for name in RULEBOOKS]
    return [*lines, _perft(start.under(core_rules(start.rulebook, interpreted=True)), depth)]


def _perft(position: Position, depth: int) -> dict[str, object]:
    times: list[float] = []
    while sum(times) < ENOUGH:
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


def _searches() -> dict[str, object]:
    from damas.engine.signature import DEPTH, searched

    found = searched()
    seconds = sum(each.seconds for each in found)
    nodes = sum(each.nodes for each in found)
    return {
        "depth": DEPTH,
        "signature": nodes,
        "nodes_per_second": round(nodes / seconds) if seconds else 0,
        "positions": [
            {"rulebook": each.rulebook, "fen": each.fen, "nodes": each.nodes, "score": each.score}
            for each in found
        ],
    }


def _from_python() -> list[dict[str, object]]:
    position = Position.from_fen(MIDDLE_GAME, "brasileira")
    moves = list(position.legal_moves)
    tasks: list[tuple[str, Callable[[], object], int]] = [
        ("moves", lambda: position.legal_moves, 1),
        ("texts", lambda: [move.text for move in position.legal_moves], 1),
        ("play", lambda: [position.play(move) for move in moves], len(moves)),
        ("read_fen", lambda: Position.from_fen(MIDDLE_GAME, "brasileira"), 1),
        ("write_fen", lambda: position.fen, 1),
        ("read_move", lambda: position.parse(moves[0].text), 1),
        ("refusal", lambda: refusal(position, "c3-e5"), 1),
    ]
    return [_timed(code, task, parts) for code, task, parts in tasks]


def _tables() -> list[dict[str, object]]:
    """One question to the endgame tables, their blocks unpacked: three kings on every square of the board."""
    from itertools import combinations
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from damas.board import Color, Piece, Setup
    from damas.rules import rulebook
    from damas.tablebase import Store, build

    with TemporaryDirectory() as folder:
        store = Store(rulebook("brasileira"), Path(folder))
        build(store, 3)
        kinds = (Piece.WHITE_KING, Piece.WHITE_KING, Piece.BLACK_KING)
        positions = [
            Position.of(Setup(dict(zip(squares, kinds, strict=True)), Color.WHITE), store.book)
            for squares in combinations(range(len(store.book.square_names)), 3)
        ]
        each = len(positions)
        tasks: list[tuple[str, Callable[[], object]]] = [
            ("probe_python", lambda: [store.code(position, 1) for position in positions]),
            ("probe_core", lambda: store.core.probe_again(positions, 1, 1)),
        ]
        return [_timed(code, task, each) for code, task in tasks]


def _timed(code: str, task: Callable[[], object], parts: int) -> dict[str, object]:
    """`code` is the task's, in every language; `task` says it in English."""
    return {
        "code": code,
        "task": sentence(f"cli.bench.task.{code}", "en"),
        "microseconds": round(_best(task) / parts * 1e6, 3),
    }


def _best(task: Callable[[], object]) -> float:
    """Seconds of one call: the best of several rounds."""
    rounds = 1
    while True:
        started = time.perf_counter()
        for _ in range(rounds):
            task()
        taken = time.perf_counter() - started
        if taken > ENOUGH / 10:
            break
        rounds *= 4
    times = [taken]
    for _ in range(4):
        started = time.perf_counter()
        for _ in range(rounds):
            task()
        times.append(time.perf_counter() - started)
    return min(times) / rounds


def _import_time() -> float:
    """Milliseconds that `import damas` adds to a bare Python."""

    def seconds(code: str) -> float:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True)
            times.append(time.perf_counter() - started)
        return min(times)

    return round(max(0.0, seconds("import damas") - seconds("pass")) * 1e3, 1)


def _text(answer: dict[str, Any], language: str) -> str:
    search = answer["search"]
    rows = [(line["rulebook"], page.number(line["nodes"])) for line in search["positions"]]
    title = sentence("cli.bench.engine", language, count=len(rows), depth=search["depth"])
    speed = sentence("cli.bench.speed", language, speed=page.number(search["nodes_per_second"]))
    engine = [
        page.heading(title),
        page.table(rows, indent=2, right=(1,)),
        f"  {speed}",
        f"  {sentence('cli.bench.signature', language, signature=search['signature'])}",
    ]
    if "perft" not in answer:
        return "\n".join(engine)
    return "\n".join([_speeds(answer, language), "", *engine])


def _speeds(answer: dict[str, Any], language: str) -> str:
    def word(key: str, **facts: object) -> str:
        return sentence(f"cli.bench.{key}", language, **facts)

    columns = [sentence(f"cli.perft.{name}", language) for name in ("depth", "leaves", "seconds", "speed")]
    rows = [(word("rulebook"), *columns)]
    for line in answer["perft"]:
        name = word("house", rulebook=line["rulebook"]) if line["interpreted"] else line["rulebook"]
        figures = (str(line["depth"]), page.number(line["nodes"]), f"{line['seconds']:.3f}")
        rows.append((name, *figures, page.number(line["leaves_per_second"])))
    calls = _calls(answer["python"], language)
    calls.append((word("task.import"), f"{answer['import_ms']:.1f} ms"))
    return "\n".join(
        [
            page.heading(word("perft")),
            page.table(rows, indent=2, right=range(1, 5)),
            "",
            page.heading(word("python", rulebook="brasileira")),
            page.table(calls, indent=2, right=(1,)),
            "",
            page.heading(word("tables", rulebook="brasileira")),
            page.table(_calls(answer["tables"], language), indent=2, right=(1,)),
        ]
    )


def _calls(lines: list[dict[str, Any]], language: str) -> list[tuple[str, str]]:
    return [
        (sentence(f"cli.bench.task.{line['code']}", language), f"{line['microseconds']:.2f} µs")
        for line in lines
    ]
