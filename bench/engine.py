"""The search: how many positions a second, what a second thread is worth, how soon it stops, what Python adds.

The speed is in processor time. A second thread and a stop are what somebody waits for, so those are in wall time: they
mean something on a machine with two idle cores only, and the header of the table shows the load of the machine.
"""

import statistics
import time
from collections.abc import Iterator

from bench.measure import Figure, median
from bench.table import Line
from damas.engine import Engine, Limits
from damas.openings import ballot_line

BOOKS = ("brasileira", "portuguesa", "oficial", "concurso", "internacional")
NODES = 2_000_000
THREADED = 30
DEEP = 23
"""Plies to which one thread and two are sent: some two seconds for one."""
STOPS = 100


def lines(rounds: int, positions: int = THREADED, depth: int = DEEP) -> Iterator[Line]:
    for book in BOOKS:
        figure, overhead = speed(book, rounds)
        yield Line(f"{book}, with its network", figure, "positions/s", 3e6 if book == "brasileira" else None)
        if book == "brasileira":
            yield Line("  what Python adds to a second of search", overhead, "%", 1.0, at_most=True)
    yield Line(
        f"two threads, {positions} positions to depth {depth}",
        second_thread(positions, depth),
        "times",
        1.4,
        note="one thread; geometric mean",
    )
    took = sorted(stops(STOPS))
    yield Line("stops after, half of them", Figure(statistics.median(took)), "ms")
    yield Line(
        "stops after, all but one in a hundred",
        Figure(took[int(0.99 * len(took)) - 1]),
        "ms",
        5.0,
        at_most=True,
    )


def speed(book: str, rounds: int) -> tuple[Figure, Figure]:
    """Positions per second in the middle of games, and the percentage of a second spent outside the search."""
    rates, outside = [], []
    with Engine(book, hash_mb=64, tables=False) as engine:
        for number in range(rounds):
            engine.forget()
            began = time.process_time()
            result = engine.search(ballot_line(book, number, plies=16), Limits(nodes=NODES))
            rates.append(result.nodes / (time.process_time() - began))
        start = ballot_line(book, 0)
        for _ in range(rounds * 10):
            began = time.process_time()
            engine.search(start, Limits(nodes=1))
            outside.append(100 * (time.process_time() - began))
    return median(rates), median(outside)


def second_thread(positions: int, depth: int) -> Figure:
    """How many times faster two threads reach the depth."""
    gains = []
    with (
        Engine("brasileira", hash_mb=64, tables=False) as one,
        Engine("brasileira", hash_mb=64, tables=False, threads=2) as two,
    ):
        for number in range(positions):
            game = ballot_line("brasileira", number, plies=12)
            took = []
            for engine in (one, two):
                engine.forget()
                began = time.perf_counter()
                engine.search(game, Limits(depth=depth))
                took.append(time.perf_counter() - began)
            gains.append(took[0] / took[1])
    return Figure(statistics.geometric_mean(gains))


def stops(times: int) -> Iterator[float]:
    """Milliseconds from the call of stop to the result."""
    with Engine("brasileira", tables=False) as engine:
        for number in range(times):
            thinking = engine.think(ballot_line("brasileira", number % 10), Limits())
            time.sleep(0.02)
            began = time.perf_counter()
            thinking.stop()
            thinking.wait()
            yield 1000 * (time.perf_counter() - began)
