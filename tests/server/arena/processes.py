"""A server in a process of its own, to be killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from ports import lasting_port

PROGRAM = Path(__file__).parents[1] / "protocol" / "server_process.py"


class ServerProcess:
    """Ready when it is made; `port` is where it listens."""

    def __init__(self, data: Path, port: int = 0) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(data), str(port or lasting_port())],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout
        self.port = int(self._process.stdout.readline())

    def kill(self) -> None:
        """Ends it as a power cut would."""
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()
