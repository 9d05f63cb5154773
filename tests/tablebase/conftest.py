from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def no_table_at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMAS_TABLEBASES", str(folder))
