"""The engine is asked without the tables at home; a test that wants some says which."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def no_table_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path))
