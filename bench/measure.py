"""Measuring time and its spread.

Times are processor time, so that other programs of the machine matter little. Each figure is the median of several
rounds; its spread is half the distance between the quartiles, in percent.
"""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    value: float
    spread: float = 0.0
    """Percent, up and down."""

    def per(self, parts: float) -> "Figure":
        return Figure(self.value / parts, self.spread)

    def rate(self, things: float) -> "Figure":
        """Things a second, where the value is seconds."""
        return Figure(things / self.value, self.spread)


def median(values: list[float]) -> Figure:
    middle = statistics.median(values)
    if len(values) < 3 or not middle:
        return Figure(middle)
    low, _, high = statistics.quantiles(values, n=4)
    return Figure(middle, 50 * (high - low) / middle)


def seconds(task: Callable[[], object], rounds: int = 7, at_least: float = 0.05) -> Figure:
    """Processor seconds of one call. Short tasks are called often enough that a round lasts `at_least`."""
    calls, taken = 1, once(task, 1)
    while taken < at_least:
        calls = max(calls * 2, int(calls * at_least / max(taken, 1e-7)) + 1)
        taken = once(task, calls)
    return median([taken / calls, *(once(task, calls) / calls for _ in range(rounds - 1))])


def once(task: Callable[[], object], calls: int) -> float:
    collecting = gc.isenabled()
    gc.disable()
    started = time.thread_time()
    for _ in range(calls):
        task()
    taken = time.thread_time() - started
    if collecting:
        gc.enable()
    return taken


def memory() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096
