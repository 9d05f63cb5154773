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


def stat_of(pid: int) -> list[str]:
    """State, parent … of a process; empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def is_running(pid: int) -> bool:
    """False also for a zombie, which nobody may have waited for."""
    return stat_of(pid)[:1] not in ([], ["Z"], ["X"])


def parent_of(pid: int) -> int:
    """0 if the process is gone."""
    return int((stat_of(pid) or "00")[1])


def with_command(text: str) -> set[int]:
    """Other processes whose command line contains a text."""
    pids = set()
    for place in Path("/proc").iterdir():
        try:
            if place.name.isdecimal() and text.encode() in (place / "cmdline").read_bytes():
                pids.add(int(place.name))
        except OSError:
            continue
    return pids - {os.getpid()}
