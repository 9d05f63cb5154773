"""Nothing a test does reaches the user's own folders."""

import os
import tempfile
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def tables_of_this_run() -> Iterator[None]:
    """Endgame tables that an example makes when it first needs them."""
    with tempfile.TemporaryDirectory(prefix="damas-tables-") as folder:
        os.environ["DAMAS_TABLEBASES"] = folder
        yield
        del os.environ["DAMAS_TABLEBASES"]
