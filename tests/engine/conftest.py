"""The engine is asked without the tables at home; a test that wants some says which."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from damas.engine import Engine
from damas.game import Position


@pytest.fixture(autouse=True)
def no_table_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path))


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine for brasileira without tables."""
    with Engine("brasileira", hash_mb=4, tables=False) as engine:
        yield engine


@pytest.fixture
def middle_game() -> Position:
    """A position of brasileira with ten pieces a side."""
    fen = "W:Wc1,e1,b2,d2,f2,a3,c3,e3,d4,h4:Bb6,d6,f6,h6,a7,c7,e7,g7,d8,f8"
    return Position.from_fen(fen, "brasileira")
