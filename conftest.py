"""Nothing a test does reaches the user's own folders, and it is the same wherever the tests are started."""

import os
import signal
import tempfile
from collections.abc import Iterator

import pytest


def pytest_configure() -> None:
    # Whoever is started by a shell in the background ignores Ctrl-C, and so does every program that it starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def tables_of_this_run() -> Iterator[None]:
    """Endgame tables that an example makes when it first needs them."""
    with tempfile.TemporaryDirectory(prefix="damas-tables-") as folder:
        os.environ["DAMAS_TABLEBASES"] = folder
        yield
        del os.environ["DAMAS_TABLEBASES"]
