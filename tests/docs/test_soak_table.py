"""The table in CONTRIBUTING.md names every check that `make test` leaves to `make soak`, and nothing that is gone."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"pytest\.mark\.soak|\b(tour|soaked)\(")


def table_paths() -> list[Path]:
    """The files and folders that the first column names."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = text.partition("| `make soak` runs |")[2].partition("\n\n")[0].splitlines()[2:]
    return [ROOT / path for row in rows for path in re.findall(r"`(tests/[^`]+)`", row.split("|")[1])]


def test_every_path_of_the_table_exists() -> None:
    assert len(table_paths()) > 8
    assert [path for path in table_paths() if not path.exists()] == []


def test_every_long_check_is_in_the_table() -> None:
    checks = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if path.name == "soak.py"
        or (path != Path(__file__) and MARK.search(path.read_text(encoding="utf-8")))
    ]
    assert len(checks) > 8
    listed = table_paths()
    assert [path for path in checks if not any(path.is_relative_to(entry) for entry in listed)] == []
