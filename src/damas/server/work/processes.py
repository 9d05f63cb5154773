"""Worker processes: started when they are needed, used again, and ended when nobody has needed them for a while."""

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

MAX_IDLE_MB = 128
"""Memory of its own that an idle process may have; one that has grown beyond it is ended after its work."""


class ProcessEnded(Exception):
    """A worker process ended before it answered: killed, or out of memory."""


class Result(NamedTuple):
    """What a call returned or raised, and the processor time it took."""

    value: Any
    error: BaseException | None
    cpu_s: float


class WorkerProcess:
    """One process; one thread at a time calls functions in it."""

    def __init__(self) -> None:
        # -P: no module is imported from the folder in which the server was started. -S: as the server, if it has it.
        flags = ["-P", *(["-S"] if sys.flags.no_site else [])]
        command = [sys.executable, *flags, "-m", "damas.server.work"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be called."""
        return self._process.poll() is None

    def memory_mb(self) -> float:
        """Memory of its own that it has now; 0 where the system does not say."""
        try:
            _, resident, shared, *_ = Path(f"/proc/{self.pid}/statm").read_text().split()
        except OSError:
            return 0.0
        return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def cpu_s(self) -> float:
        """Processor time it has used so far; where the system does not say, the time on the clock."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return monotonic()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        on_progress: Callable[[Any], None] = lambda _: None,
    ) -> Result:
        """Runs a function of a module. Raises `ProcessEnded`; what the function raises is part of the result."""
        kind, value, cpu_s = self._reply_to(pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL))
        while kind == "progress":
            on_progress(value)
            kind, value, cpu_s = self._reply_to(b"")
        return Result(None, value, cpu_s) if kind == "raised" else Result(value, None, cpu_s)

    def _reply_to(self, message: bytes) -> tuple[str, Any, float]:
        """The next thing the process says, after it was sent these bytes."""
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(message)
            self._process.stdin.flush()
            reply: tuple[str, Any, float] = pickle.load(self._process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise ProcessEnded from error
        return reply

    def kill(self) -> None:
        """Ends it at once; a call under way raises `ProcessEnded`."""
        self._process.kill()

    def close(self) -> None:
        """Ends it and waits for its end."""
        self.kill()
        assert self._process.stdin and self._process.stdout
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what was written last has not arrived
                pipe.close()


class IdleProcesses:
    """Processes that wait for work, shared by all servers of this Python process. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: deque[tuple[float, WorkerProcess]] = deque()
        """Each with the time since which it is idle, the oldest first."""
        atexit.register(self.close)

    def __len__(self) -> int:
        return len(self._idle)

    def take(self) -> WorkerProcess:
        """The process used last, or a new one."""
        while True:
            with self._lock:
                process = self._idle.pop()[1] if self._idle else None
            if process is None:
                return WorkerProcess()
            if process.alive:
                return process
            process.close()

    def give_back(self, process: WorkerProcess) -> None:
        """The process has done its work."""
        if process.memory_mb() > MAX_IDLE_MB:
            process.close()
            return
        with self._lock:
            self._idle.append((monotonic(), process))

    @contextmanager
    def borrow(self) -> Iterator[WorkerProcess]:
        """A process for one call. It is given back afterwards, or ended where the call raises."""
        process = self.take()
        try:
            yield process
        except BaseException:
            process.close()
            raise
        self.give_back(process)

    def warm_up(self, function: Callable[..., Any]) -> None:
        """Has one process ready that has imported the module of this function."""
        with suppress(ProcessEnded), self.borrow() as process:
            process.call(function, ())

    def close_older(self, idle_s: float) -> None:
        """Ends the processes that have been idle for so long, but for one."""
        with self._lock:
            closing = []
            while len(self._idle) > 1 and self._idle[0][0] <= monotonic() - idle_s:
                closing.append(self._idle.popleft()[1])
        for process in closing:
            process.close()

    def close(self) -> None:
        """Ends every idle process."""
        with self._lock:
            closing, self._idle = self._idle, deque()
        for _, process in closing:
            process.close()


IDLE = IdleProcesses()
"""The idle processes of this Python process."""
