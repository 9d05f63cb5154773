"""Keeps tests out of the user's own folders, and makes them run the same way wherever they are started."""

import gc
import os
import signal
import tempfile
from collections.abc import Iterator

import pytest

collect_ignore = [
    "docs/reference/api",  # its examples are run where they stand, in the docstrings
    "docs/how-to/programs/py_draughts_hub.py",  # runs in another environment, which has py-draughts
]


def pytest_configure() -> None:
    # A process that a shell starts in the background ignores Ctrl-C, and so does every program that it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Two for each core: half of the time tests wait for a process, a browser, a database or a clock."""
    return 2 * (os.cpu_count() or 1)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Thousands of tests are collected without the garbage collector, which leaves them alone later and comes less often.

    It would take a third of the collection's time and a tenth of the tests'.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart(session: pytest.Session) -> Iterator[None]:
    """A temporary folder for endgame tables that examples and tests build when they first need them.

    The workers of a run inherit it from the process that starts them, so that they build each table once.
    """
    if hasattr(session.config, "workerinput"):
        return (yield)
    folder = tempfile.TemporaryDirectory(prefix="damas-tables-")
    os.environ["DAMAS_TABLEBASES"] = folder.name
    session.config.add_cleanup(folder.cleanup)
    return (yield)
