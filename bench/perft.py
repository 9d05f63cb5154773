"""Leaves a second in the core, one core, bulk counted at the last ply; every count is checked as well."""

import sys
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Figure, seconds
from bench.table import Line
from damas import Position
from damas.game.core import core_rules

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from perft.tables import ROWS

TARGETS = {"brasileira": 250e6, "internacional": 200e6}
DEPTHS = {"brasileira": 11, "internacional": 9}
"""Where a target names its depth; elsewhere the deepest within `LEAVES`."""
LEAVES = 120_000_000
SAME_CODE = {
    "faraes": "brasileira",
    "brasileira-cbd": "brasileira",
    "brasileira-64": "brasileira",
    "espanhola": "portuguesa",
    "portuguesa-fpd": "portuguesa",
}
"""Rulebooks that part in their draws only run the same generator."""
INTERPRETED_COSTS = 3.0


class WrongCount(Exception):
    """The generator is broken: speed does not matter then."""


def lines(rounds: int, leaves: int = LEAVES) -> Iterator[Line]:
    for row in ROWS:
        if row.position != "start" or row.routes or row.rulebook in SAME_CODE:
            continue
        depth = min(row.depth_within(leaves), DEPTHS.get(row.rulebook, 99))
        stated = row.counts[depth - 1]
        start = row.opened()
        compiled = speed(start, depth, stated, rounds)
        yield Line(
            f"{row.rulebook}, depth {depth}",
            compiled,
            "leaves/s",
            TARGETS.get(row.rulebook),
            note=f"{stated:,} leaves",
        )
        shallower = max(1, depth - 1)
        as_house = start.under(core_rules(start.rulebook, interpreted=True))
        beside = speed(start, shallower, row.counts[shallower - 1], rounds)
        house = speed(as_house, shallower, row.counts[shallower - 1], rounds)
        yield Line(
            f"{row.rulebook} as house rules, slower by",
            Figure(beside.value / house.value, beside.spread + house.spread),
            "times",
            INTERPRETED_COSTS,
            at_most=True,
            note=f"{house.value / 1e6:.0f} M/s at depth {shallower}, the rules read at run time",
        )


def speed(position: Position, depth: int, stated: int, rounds: int) -> Figure:
    counted = position.perft(depth)
    if counted != stated:
        raise WrongCount(f"{position!r} depth {depth}: {counted}, not {stated}")
    return seconds(lambda: position.perft(depth), rounds, 0.02).rate(stated)
