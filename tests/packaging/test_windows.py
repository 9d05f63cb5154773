"""What Windows lacks is not needed: no room fails to load, games without programs are played, programs are refused."""

import subprocess
import sys
from pathlib import Path

import pytest

AS_ON_WINDOWS = Path(__file__).with_name("as_on_windows.py")


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run as_on_windows.py in a fresh interpreter."""
    command = [sys.executable, AS_ON_WINDOWS, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_every_module_of_damas_is_loaded(tmp_path: Path) -> None:
    ran = run("import", folder=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert int(ran.stdout) > 300


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (["--help"], "usage: damas"),
        (["moves", "-r", "brasileira"], "c3-d4"),
        (["best", "-r", "brasileira", "--nodes", "500"], "3-"),
        (
            ["match", "greedy", "random", "-r", "brasileira", "--games", "2", "--openings", "random:2"],
            "greedy",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_without_programs_works(command: list[str], shown: str, tmp_path: Path) -> None:
    ran = run("damas", *command, folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert shown in ran.stdout


def test_a_program_is_refused_with_the_reason(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("print()\n")
    ran = run("damas", "match", str(bot), "random", "--games", "2", folder=tmp_path)
    assert ran.returncode == 2
    assert "Windows neither supervises nor contains programs" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("engine", "shown"),
    [
        ("damas", ""),
        (f"hub:{sys.executable} -m damas hub", "Windows neither supervises nor contains programs"),
        (f"dxp:1:{sys.executable} -m damas dxp", "Windows neither supervises nor contains programs"),
    ],
    ids=["damas", "hub", "dxp"],
)
def test_an_engine_that_is_a_program_is_refused_with_the_reason(
    engine: str, shown: str, tmp_path: Path
) -> None:
    ran = run("open", engine, folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert shown in ran.stdout and bool(shown) is bool(ran.stdout)
