"""A short slice of `make fuzz` on every run, without the sanitizers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def fuzz(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fuzz", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("reader", ["fen", "move", "pdn", "toml", "batch"])
def test_no_input_of_a_slice_does_anything_but_be_accepted_or_refused(reader: str, tmp_path: Path) -> None:
    ran = fuzz(reader, "--count", "500", "--seed", "77", "--kept", tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "500 inputs" in ran.stdout
    assert ran.stdout.endswith("\n0 findings\n")


def test_a_kept_input_runs_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(
        json.dumps({"reader": "fen", "number": 1, "problem": "?", "input": ["faraes", "W:Wc3:Bb4,d4,f6"]})
    )
    ran = fuzz("--again", kept)
    assert ran.returncode == 0, ran.stderr
    assert "accepted" in ran.stdout
