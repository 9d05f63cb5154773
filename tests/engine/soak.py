"""Run before a release (`make soak`): the engine over many endings with half-spent counters, and over whole games.

Endings: the move chosen keeps the value that the tables give, and the search agrees with the tables about every move.
Games: the engine against itself in every rulebook; the core ends the process if it plays what is not legal.
Timed games: 1 s and 10 ms a move for each side; nobody may overstep the time.
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from damas import _core, rulebook, rulebooks
from damas.arbiter import TimeControl
from damas.cli.arguments import add_cluster
from damas.engine import Engine, Limits, network_for
from damas.game.core import rules_of
from damas.game.game import LETTER
from damas.game.laws import laws_of
from damas.jobs import call, run_pieces
from damas.matches import Entrant, Start, Terms, play
from damas.openings import opening
from damas.tablebase import Store, build, canonical_materials, probe, root
from tablebase.playing import half_spent

BOOKS = ("brasileira", "faraes", "portuguesa", "oficial", "concurso")
SIGN = {"win": 1, "draw": None, "loss": -1}
PART = 500
TIMED_PART = 10


def endings(name: str, pieces: int, count: int, seed: int) -> tuple[str, int, list[str]]:
    """How many were looked at, and the faults."""
    store = Store(rulebook(name), root())
    faults = []
    games = half_spent(Random(seed), store, list(canonical_materials(pieces)))
    with Engine(name, hash_mb=1, tables=store, customs=LETTER) as engine:
        assert engine.pieces >= pieces
        for _ in range(count):
            game = next(games)
            probed = probe(game.position, game.record, customs=LETTER, store=store)
            verdicts = {each.move.text: each for each in probed.moves}
            best = engine.search(game, Limits(nodes=1000)).best
            if best is None or verdicts[best.text].value != probed.verdict.value:
                faults.append(f"{name} root {game.record}")
            for line in engine.search(game, Limits(depth=1, lines=99)).lines:
                each = verdicts[line.moves[0].text]
                if not (each.after and each.after.beside) and line.decided != SIGN[each.value]:
                    faults.append(f"{name} search {line.moves[0].text} {game.record}")
    return name, count, faults


def games(name: str, first: int, count: int, nodes: int, seed: int) -> tuple[str, int, list[str]]:
    book = rulebook(name)
    _, counts = _core.harvest(
        rules_of(book),
        laws_of(book),
        network_for(book),
        nodes=nodes,
        seed=seed,
        first=first,
        games=count,
        threads=1,
    )
    return name, counts["games"], [] if counts["games"] == count else [f"{name}: {counts}"]


def timed(name: str, first: int, count: int) -> tuple[str, int, list[str]]:
    """Games by a short clock."""
    faults = []
    engine = Entrant.parse("damas")
    terms = Terms(name, TimeControl("fischer", 1000, 10), hash_mb=1, tables=False)
    for number in range(first, first + count):
        line = opening("ballot", (), name, number)
        result = play(engine, engine, Start(number, line.fen, line.moves), terms)
        if result.offender or result.points is None:
            faults.append(f"{name} game {number}: {result.reason}")
    return f"{name} by the clock", count, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pieces", type=int, default=5)
    parser.add_argument("--count", type=int, default=10_000, help="endings of each rulebook")
    parser.add_argument("--games", type=int, default=0, help="games of each rulebook")
    parser.add_argument("--timed", type=int, default=0, help="games of 1 s + 10 ms, brasileira")
    parser.add_argument("--nodes", type=int, default=1000, help="a move, in those games")
    parser.add_argument("--seed", type=int, default=1, help="of those games")
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--jobs", type=int, default=2)
    add_cluster(place)
    parser.add_argument("-r", "--rulebook", action="append")
    options = parser.parse_args()
    started = time.monotonic()
    for name in (options.rulebook or BOOKS) if options.count else ():
        build(Store(rulebook(name), root()), options.pieces, threads=options.jobs)
    faults: list[str] = []
    todo = [
        partial(endings, name, options.pieces, min(PART, options.count - first), first)
        for name in options.rulebook or BOOKS
        for first in range(0, options.count, PART)
    ]
    if options.games:
        names = options.rulebook or [book.id for book in rulebooks()]
        todo += [
            partial(games, name, first, min(PART, options.games - first), options.nodes, options.seed)
            for name in names
            for first in range(0, options.games, PART)
        ]
    todo += [
        partial(timed, "brasileira", first, min(TIMED_PART, options.timed - first))
        for first in range(0, options.timed, TIMED_PART)
    ]
    looked: dict[str, int] = {}
    for _, (name, count, wrong) in run_pieces(call, todo, jobs=options.jobs, cluster=options.cluster):
        looked[name] = looked.get(name, 0) + count
        faults += wrong
    print(f"engine: {looked}, {len(faults)} faults, {time.monotonic() - started:.0f} s")
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
