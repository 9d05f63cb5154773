"""Hypothesis settings for all tests, and endgame tables that are built once per run in a temporary folder."""

import os
from pathlib import Path

import httpx
import pytest
from hypothesis import HealthCheck, settings

from damas import rulebook
from damas.tablebase import Store, build
from http_clients import share_preparations

# No deadline: a busy machine is slow. The same examples on every run: a test that fails, fails for everybody.
settings.register_profile(
    "damas",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("soak", settings.get_profile("damas"), derandomize=False, max_examples=2000)
settings.load_profile("damas")

# A busy machine may take longer for an answer than the five seconds of httpx.
for phase in ("connect", "read", "write", "pool"):
    setattr(httpx._config.DEFAULT_TIMEOUT_CONFIG, phase, 60.0)
share_preparations()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tables, one for all workers of a run: whoever needs a table first builds it."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tables"


@pytest.fixture(scope="session")
def stores(folder: Path):
    """`stores(id, pieces)`: a store whose tables are there."""
    made: dict[str, Store] = {}

    def store(book_id: str, pieces: int) -> Store:
        found = made.setdefault(book_id, Store(rulebook(book_id), folder))
        build(found, pieces, threads=2)
        return found

    return store
