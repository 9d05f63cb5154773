"""`make bench` reports what it measured; how fast that is, is not a matter for a test."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_a_part_is_measured_and_told_as_json() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bench", "batch", "judging", "--quick", "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answer = json.loads(ran.stdout)
    assert set(answer) == {"machine", "batch", "judging"}
    assert all(line["figure"]["value"] > 0 for part in ("batch", "judging") for line in answer[part])


def test_an_unknown_part_is_refused() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bench", "chess"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2
    assert "no part chess" in ran.stderr
