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


def cpu_ticks(pid: int) -> int:
    """Processor time a process has taken, in hundredths of a second; 0 if it is gone."""
    return sum(map(int, stat_of(pid)[11:13]))


def wait_until_it_computes(pid: int) -> None:
    """Waits until a second thread runs, which whoever minds Ctrl-C leaves the work to, and has done some of it."""
    tasks = Path(f"/proc/{pid}/task")
    if not tasks.exists():
        time.sleep(5)  # no /proc on this system
        return
    wait_for(lambda: len(list(tasks.iterdir())) > 1)
    before = cpu_ticks(pid)
    wait_for(lambda: cpu_ticks(pid) > before + 10 or not is_running(pid))


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
