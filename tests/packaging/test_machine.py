"""`make` on a machine that lacks something: it stops at once and names the package to install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import check_machine
import pytest

ROOT = Path(__file__).resolve().parents[2]
PLAIN_TOOLS = ("cat", "env", "find", "ls", "make", "mkdir", "printf", "rm", "sed", "sh", "touch", "true")

BLOCKED = {
    "venv": "import sys; sys.modules['ensurepip'] = None",
    "headers": (
        "import sysconfig; paths = sysconfig.get_paths\n"
        "sysconfig.get_paths = lambda *a, **k: {**paths(*a, **k), 'include': '/nowhere'}"
    ),
    "old": "import sys; sys.version_info = (3, 9, 18, 'final', 0)",
}


class Machine:
    """A temporary PATH with plain tools only; each test adds what its machine has."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.tree = folder / "damas"
        self.bin.mkdir()
        for tool in PLAIN_TOOLS:
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        (self.tree / "tools").mkdir(parents=True)
        (self.tree / "cpp").mkdir()
        for name in ("Makefile", "pyproject.toml", "tools/check_machine.py", "tools/requirements.py"):
            shutil.copy(ROOT / name, self.tree / name)

    def program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def python(self, name: str = "python3", *, without: str = "") -> None:
        """Adds a Python that works, or one that lacks one thing."""
        site = self.bin.parent / f"site-{without or 'whole'}"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(BLOCKED.get(without, ""), encoding="utf-8")
        self.program(name, f'PYTHONPATH="{site}" exec "{sys.executable}" "$@"')

    def compiler(self, *, works: bool) -> None:
        self.program(
            "g++", "cat >/dev/null" if works else "cat >/dev/null; echo 'error: unknown -std=c++20'; exit 1"
        )

    def make(self, *words: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.bin), "HOME": str(self.tree), "CI": "true", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            [shutil.which("make") or "make", *words],
            cwd=self.tree,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    def setup_error(self) -> str:
        ran = self.make("setup")
        assert ran.returncode != 0
        assert not (self.tree / ".venv").exists()
        assert "Traceback" not in ran.stderr
        return ran.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_no_python(machine: Machine) -> None:
    machine.compiler(works=True)
    output = machine.setup_error()
    assert "no python3 here" in output
    assert all(package in output for package in ("python3-venv", "python3-devel", "brew install python"))


@pytest.mark.parametrize(
    ("python_lacks", "compiler", "messages"),
    [
        ("old", "works", ["needs Python 3.11 or later"]),
        ("venv", "works", ["cannot make a virtual environment", "install it with"]),
        ("headers", "works", ["headers of Python are missing", "install it with"]),
        ("", "missing", ["no C++ compiler", "install it with"]),
        ("", "old", ["does not know C++20 well enough"]),
        ("venv", "missing", ["cannot make a virtual environment", "no C++ compiler"]),
    ],
)
def test_everything_missing_is_reported_at_once(
    machine: Machine, python_lacks: str, compiler: str, messages: list[str]
) -> None:
    machine.python(without=python_lacks)
    if compiler != "missing":
        machine.compiler(works=compiler == "works")
    output = machine.setup_error()
    assert all(message in output for message in messages), output


def test_a_newer_python_under_its_own_name_is_found(machine: Machine) -> None:
    machine.python(without="old")
    machine.python("python3.12", without="venv")
    machine.compiler(works=True)
    assert "cannot make a virtual environment" in machine.setup_error()


def test_packages_are_named_for_each_family_of_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a system we do not know, Debian's, Fedora's and macOS's names are all given."""
    wanted = {"debian": "apt install g++", "fedora": "dnf install gcc-c++", "macos": "xcode-select --install"}
    for family, command in wanted.items():
        monkeypatch.setattr(check_machine, "family", lambda family=family: family)
        assert check_machine.install("compiler") == f"install it with: {command}"
    monkeypatch.setattr(check_machine, "family", str)
    assert all(command in check_machine.install("compiler") for command in wanted.values())


def test_help_needs_nothing(machine: Machine) -> None:
    output = machine.make().stdout
    for word in ("play", "test", "lint", "format", "bench", "fuzz", "wheel", "clean"):
        assert f"make {word} " in output


def test_ci_runs_what_people_run() -> None:
    run = ROOT / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert "make test" in run.read_text(encoding="utf-8")
