"""The page on security shows the limits as they are."""

import re
from pathlib import Path

from damas.server.settings import Limits

PAGE = Path(__file__).parents[2] / "docs/explanation/security.md"


def test_every_limit_in_the_tables_has_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", PAGE.read_text(), re.MULTILINE)
    assert len(rows) >= 30
    assert {name: float(value) for name, value in rows} == {
        name: float(getattr(Limits(), name)) for name, _ in rows
    }
