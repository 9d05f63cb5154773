"""`damas perft`: count the positions reached after a number of plies."""

import argparse
import time

from damas.cli import page
from damas.cli.answers import answer_lines, print_json, to_json
from damas.cli.arguments import add_position, book_of, position_of, whole
from damas.cli.moves import title
from damas.game import Position
from damas.game.core import core_rules
from damas.language import sentence
from damas.rules import Rulebook

MAX_DEPTH = 99
CORE_DEPTH = 7
"""Depth counted in one call of the core; deeper counts are split, so that Ctrl-C works between calls."""


def add(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "depth", type=whole("DEPTH", 0, MAX_DEPTH), metavar="DEPTH", help="plies to look ahead"
    )
    parser.add_argument("--divide", action="store_true", help="count each first move separately")
    parser.add_argument("--table", action="store_true", help="count every depth up to DEPTH")
    parser.add_argument(
        "--routes", action="store_true", help="count captures that differ only in route separately"
    )
    parser.add_argument(
        "--interpreted", action="store_true", help="use the interpreted generator, as house rules do"
    )


def run(options: argparse.Namespace) -> int:
    book = book_of(options)
    if options.fen == "-":
        return answer_lines(
            lambda fen: to_json(_answer(Position.from_fen(fen, book), book, options)), options.language
        )
    answer = _answer(position_of(options, book), book, options)
    if options.json:
        print_json(answer)
    else:
        print(_text(position_of(options, book), answer, options.language))
    return 0


def count(position: Position, depth: int, routes: bool) -> int:
    if depth <= CORE_DEPTH:
        return int(position.perft(depth, routes))
    moves = position.routes() if routes else position.legal_moves
    return sum(count(position.play(move), depth - 1, routes) for move in moves)


def _answer(position: Position, book: Rulebook, options: argparse.Namespace) -> dict[str, object]:
    place = position.under(core_rules(book, interpreted=True)) if options.interpreted else position
    counts: list[dict[str, object]] = [
        _count(place, depth, options) for depth in range(1 if options.table else options.depth, options.depth)
    ]
    last = _count(place, options.depth, options)
    answer = {
        "rulebook": book.id,
        "fen": position.fen,
        "routes": options.routes,
        "interpreted": not place.rules.compiled,
        **last,
    }
    return {**answer, "table": [*counts, {key: last[key] for key in counts[0]}]} if counts else answer


def _count(position: Position, depth: int, options: argparse.Namespace) -> dict[str, object]:
    started = time.perf_counter()
    divided: dict[str, int] | None = None
    if options.divide and depth == options.depth and depth > 0:
        moves = position.routes() if options.routes else position.legal_moves
        divided = {move.text: count(position.play(move), depth - 1, options.routes) for move in moves}
        nodes = sum(divided.values())
    else:
        nodes = count(position, depth, options.routes)
    seconds = time.perf_counter() - started
    speed = round(nodes / seconds) if seconds > 0 else 0
    answer: dict[str, object] = {
        "depth": depth,
        "nodes": nodes,
        "seconds": round(seconds, 6),
        "leaves_per_second": speed,
    }
    return answer if divided is None else {**answer, "divide": divided}


def _text(position: Position, answer: dict[str, object], language: str) -> str:
    lines = [title(position, language), page.paragraph(position.fen, indent=2, hang=2), ""]
    divided = answer.get("divide")
    if isinstance(divided, dict):
        moves = [(move, page.number(nodes)) for move, nodes in divided.items()]
        lines += [page.table(moves, indent=2, right=(1,)), ""]
    counts = answer.get("table", [answer])
    assert isinstance(counts, list)
    rows = [[sentence(f"cli.perft.{name}", language) for name in ("depth", "leaves", "seconds", "speed")]]
    for row in counts:
        speed = page.number(row["leaves_per_second"])
        rows.append([str(row["depth"]), page.number(row["nodes"]), f"{row['seconds']:.3f}", speed])
    lines.append(page.table(rows, indent=2, right=range(4)))
    return "\n".join(lines)
