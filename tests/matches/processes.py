"""Looks for processes in /proc."""

import os
import time
from collections.abc import Callable
from pathlib import Path


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Waits until a condition holds; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """False also for a zombie, which nobody may have waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def parent_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def with_command(text: str) -> set[int]:
    """Other processes whose command line contains a text."""
    found = set()
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and text.encode() in (place / "cmdline").read_bytes():
                found.add(int(place.name))
        except OSError:
            continue
    return found - {os.getpid()}
