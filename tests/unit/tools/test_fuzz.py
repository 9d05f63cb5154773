"""A short slice of `make fuzz` on every run, without the sanitizers."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[3] / "tools/fuzz.py"


@pytest.mark.parametrize("reader", ["fen", "move", "pdn", "toml", "batch"])
def test_no_input_of_a_slice_does_anything_but_be_accepted_or_refused(reader: str, tmp_path: Path) -> None:
    command = [sys.executable, FUZZ, reader, "--count", "500", "--seed", "77", "--kept", tmp_path]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"^500 inputs, 0 findings", ran.stdout, re.MULTILINE)


def test_a_kept_input_runs_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    kept.write_text(
        json.dumps({"reader": "fen", "number": 1, "what": "?", "input": ["faraes", "W:Wc3:Bb4,d4,f6"]})
    )
    ran = subprocess.run([sys.executable, FUZZ, "--again", kept], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.count("accepted")) == (0, 3), ran.stdout + ran.stderr
