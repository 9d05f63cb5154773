"""Endgame tables for every test that asks: made once for the whole run, in a folder that goes away with it."""

from pathlib import Path

import pytest

from damas import rulebook
from damas.tablebase import Store, build


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
