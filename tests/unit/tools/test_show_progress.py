"""The lines that `make` shows while something long goes on."""

import signal
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).parents[3] / "tools"
COUNTS = "import sys; print('[3/10] Building', flush=True); print('a warning'); sys.stdin.readline(); sys.exit({code})"


def start(code: int) -> subprocess.Popen[str]:
    """A command that has built three of ten files, ends with a code when it reads a line, and is looked at often."""
    command = [sys.executable, "-c", COUNTS.format(code=code)]
    program = "import sys, show_progress; show_progress.INTERVAL_S = 0.05; "
    program += f"sys.exit(show_progress.main('building', {command!r}))"
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", program], cwd=TOOLS, text=True, stdin=pipe, stdout=pipe, stderr=pipe
    )


def test_it_counts_while_a_command_runs_and_keeps_its_output() -> None:
    with start(0) as ran:
        assert ran.stdout and ran.stdout.readline() == "damas: building\n"
        while not (line := ran.stdout.readline()).startswith("damas: building: 3 of 10, "):
            assert line.startswith("damas: building, ")
        out, err = ran.communicate("go on\n")
    assert (ran.returncode, err) == (0, "")
    assert "warning" not in out


def test_a_command_that_fails_shows_its_output() -> None:
    with start(3) as ran:
        _, err = ran.communicate("go on\n")
    assert ran.returncode == 3
    assert err.endswith("a warning\ndamas: building: failed\n")


def test_an_interrupted_command_is_one_line() -> None:
    with start(0) as ran:
        assert ran.stdout and ran.stdout.readline() == "damas: building\n"
        while not ran.stdout.readline().startswith("damas: building: 3 of 10, "):
            pass
        ran.send_signal(signal.SIGINT)
        _, err = ran.communicate("go on\n")
    assert (ran.returncode, err) == (130, "damas: building: interrupted; the next make goes on from here\n")


def test_make_lets_progress_through_while_two_things_go_on() -> None:
    """With --output-sync, make shows what a command prints only when the command has ended: minutes of silence."""
    recipes = [line for line in (TOOLS.parent / "Makefile").read_text().splitlines() if line.startswith("\t")]
    assert [line for line in recipes if "--jobs" in line]
    assert not [line for line in recipes if "output-sync" in line or "$(SYNC)" in line]
