"""Endgame tables for every test that asks, made once for the whole run, and how hypothesis searches.

Hypothesis tries the same examples on every machine and every run, however busy it is: a red test is red for everybody.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from damas import rulebook
from damas.tablebase import Store, build

settings.register_profile(
    "damas",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=int(os.environ.get("DAMAS_EXAMPLES", "60")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("damas")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="session")
def stores(folder: Path):
    """`stores(id, pieces)`: a store whose tables are there."""
    made: dict[str, Store] = {}

    def store(book_id: str, pieces: int) -> Store:
        found = made.setdefault(book_id, Store(rulebook(book_id), folder))
        build(found, pieces, threads=2)
        return found

    return store
