"""A real `damas serve` in a process of its own, with its own limits, and what it takes of the machine."""

import sys
from pathlib import Path

from load import Process


class DamasServe(Process):
    """`damas serve` on a free port. `command` is the program to measure, if it is not the one of these tests."""

    def __init__(self, data: Path, *options: str, command: str = "") -> None:
        program = [command] if command else [sys.executable, "-m", "damas"]
        arguments = ["serve", "--port", "0", "--no-open", "--data", str(data), *options]
        self.data = data
        self._log = data.with_name(f"{data.name}.log")
        with self._log.open("w") as log:
            super().__init__(*program, *arguments, log=log)

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._log.read_text()

    def workers(self) -> list[int]:
        """Its worker processes. (A contest's programs have limits of their own.)"""
        children = [
            int(child)
            for task in _listed(f"/proc/{self.pid}/task")
            for child in _text(f"/proc/{self.pid}/task/{task}/children").split()
        ]
        # Between its fork and its own program a child shows the server's memory, and is no worker yet.
        return [pid for pid in children if "damas.server.work" in _text(f"/proc/{pid}/cmdline")]

    def memory_mb(self) -> float:
        """Memory of its own that the process has now, without its workers."""
        return memory_mb(self.pid)

    def open_files(self) -> int:
        """Open files and sockets of the server itself."""
        return len(_listed(f"/proc/{self.pid}/fd"))

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None


def memory_mb(pid: int) -> float:
    """Memory of its own that a process has now."""
    lines = _text(f"/proc/{pid}/status").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # it has just ended
        return ""


def _listed(path: str) -> list[str]:
    try:
        return [entry.name for entry in Path(path).iterdir()]
    except OSError:
        return []
