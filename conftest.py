"""Keeps tests out of the user's own folders, and makes them run the same way wherever they are started."""

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    # A process that a shell starts in the background ignores Ctrl-C, and so does every program that it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def tables_of_this_run() -> Iterator[None]:
    """A temporary folder for endgame tables that examples and tests build when they first need them."""
    with tempfile.TemporaryDirectory(prefix="damas-tables-") as folder:
        os.environ["DAMAS_TABLEBASES"] = folder
        yield
        del os.environ["DAMAS_TABLEBASES"]
