"""`damas perft`: count the positions reached after a number of plies."""

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from damas.cli import page
from damas.cli.answers import answer_positions, to_json
from damas.cli.arguments import add_flag, add_integer, add_position
from damas.cli.moves import header
from damas.game import Position
from damas.game.core import core_rules
from damas.language import sentence
from damas.language.numbers import number

MAX_DEPTH = 99
"""Most plies that can be asked for."""
CORE_DEPTH = 7
"""Depth counted in one call of the core; deeper counts are split, so that Ctrl-C works between calls."""


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_position(parser)
    add_integer(parser, "depth", 0, MAX_DEPTH, "plies to look ahead", metavar="DEPTH")
    add_flag(parser, "--divide", "count each first move separately")
    add_flag(parser, "--table", "count every depth up to DEPTH")
    add_flag(parser, "--routes", "count captures that differ only in route separately")
    add_flag(parser, "--interpreted", "use the interpreted generator, as house rules do")


def run(options: argparse.Namespace) -> int:
    """Run the command and return its exit code."""
    return answer_positions(
        options,
        lambda position: to_json(_answer(position, options)),
        lambda position: _text(position, _answer(position, options), options.language),
    )


def count(position: Position, depth: int, routes: bool) -> int:
    """The number of move sequences of `depth` plies."""
    if depth <= CORE_DEPTH:
        return int(position.perft(depth, routes))
    moves = position.routes() if routes else position.legal_moves
    return sum(count(position.play(move), depth - 1, routes) for move in moves)


def timed(depth: int, work: Callable[[], int]) -> dict[str, Any]:
    """Run a count: its depth, the leaves it returns, the seconds it took and the leaves per second."""
    started = time.perf_counter()
    nodes = work()
    seconds = time.perf_counter() - started
    speed = round(nodes / seconds) if seconds > 0 else 0
    return {"depth": depth, "nodes": nodes, "seconds": round(seconds, 9), "leaves_per_second": speed}


def heads(language: str) -> list[str]:
    """The heads of the columns that `cells` fills."""
    return [sentence(f"cli.perft.{name}", language) for name in ("depth", "leaves", "seconds", "speed")]


def cells(count: dict[str, Any], language: str) -> list[str]:
    """A count as a row of a table."""
    nodes, speed = (number(count[name], language) for name in ("nodes", "leaves_per_second"))
    return [str(count["depth"]), nodes, number(count["seconds"], language, 3), speed]


def _answer(position: Position, options: argparse.Namespace) -> dict[str, Any]:
    place, routes = position, options.routes
    if options.interpreted:
        place = position.under(core_rules(position.rulebook, interpreted=True))
    divided: dict[str, int] = {}

    def divide() -> int:
        for move in place.routes() if routes else place.legal_moves:
            divided[move.text] = count(place.play(move), options.depth - 1, routes)
        return sum(divided.values())

    depths = range(1 if options.table else options.depth, options.depth)
    table = [timed(depth, partial(count, place, depth, routes)) for depth in depths]
    divides = options.divide and options.depth > 0
    last = timed(options.depth, divide if divides else partial(count, place, options.depth, routes))
    return {
        "rulebook": position.rulebook.id,
        "fen": position.fen,
        "routes": routes,
        "interpreted": not place.rules.compiled,
        **last,
        **({"divide": divided} if divides else {}),
        **({"table": [*table, last]} if table else {}),
    }


def _text(position: Position, answer: dict[str, Any], language: str) -> str:
    lines = header(position, language)
    if "divide" in answer:
        moves = [(move, number(nodes, language)) for move, nodes in answer["divide"].items()]
        lines += [page.table(moves, indent=2, right=(1,)), ""]
    counts = answer.get("table", [answer])
    rows = [cells(count, language) for count in counts]
    lines.append(page.table([heads(language), *rows], indent=2, right=range(4)))
    return "\n".join(lines)
