"""Functions that tests give to workers: they must be found by other processes."""

import os
import signal
import time
from pathlib import Path


class CannotTravel(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def square(number: int) -> int:
    return number * number


def slow_first(number: int) -> int:
    """The first piece ends after the others."""
    if number == 0:
        time.sleep(0.3)
    return number


def fail_at_three(number: int) -> int:
    if number == 3:
        raise ValueError("three")
    return number


def fail_without_pickle(number: int) -> int:
    raise CannotTravel(number, number)


def result_without_pickle(number: int) -> object:
    return lambda: number


def die_once(mark: str) -> str:
    """The process dies in the first attempt."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def node_of(number: int) -> str:
    """The node of a cluster that does the piece, and a moment in which others are begun elsewhere."""
    import ray

    time.sleep(0.2)
    return f"{number} {ray.get_runtime_context().get_node_id()}"
