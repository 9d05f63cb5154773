"""A program behind pipes, seen from the referee.

Every question has one absolute deadline that no output moves. Nothing here blocks: a program that does not read, does
not write, or writes without end is faulted and costs us no time. Its output is bounded per line, turn and game.
"""

import array
import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from damas.matches.box.limits import BoxLimits
from damas.matches.faults import MAX_STDERR_BYTES, Fault, exit_text

KEEPER = Path(__file__).with_name("keeper.py")
"""The file that runs as keeper."""
CHUNK = 1 << 16
"""Bytes that are read at a time."""
WAKE_UP_GRACE_S = 0.05
"""An answer in the pipe at the deadline is in time if we woke up no later than this: the delay may well be ours."""
EXIT_TIMEOUT_S = 0.5
"""How long a program may take to end by itself once its game is over."""
POLL_INTERVAL_S = 0.005
"""Time between two checks of how much a program has read."""
KILL_TIMEOUT_S = 6.0
"""How long the keeper may take to report that nothing is left."""


def unsupported() -> str:
    """Why no program can be started on this system; an empty text if it can."""
    return "Windows neither supervises nor contains programs" if sys.platform == "win32" else ""


class KeeperGone(RuntimeError):
    """The keeper of a program was killed, and its program with it: an error of ours, nobody's fault."""


@dataclass(frozen=True)
class Launch:
    """How a program is started: command, environment, and what confines it."""

    argv: list[str]
    env: dict[str, str]
    cwd: str | None = None
    confine: dict[str, Any] | None = None
    """For the confiner, which runs in the new process just before the program."""
    memory: int | None = None
    processes: int | None = None
    nice: int = 0
    stage: Path | None = None
    """A folder made for this program alone, deleted with it."""
    hidden: list[str] | None = None
    """Arguments for descriptor 3, which the program must not see on a command line."""
    silent: bool = False
    """Whether its input is empty and its output discarded, for a program that is not talked to."""
    group: dict[str, Any] | None = None
    """Its control group, for the keeper."""

    @property
    def watched(self) -> bool:
        """Whether the keeper watches it: a limit is set. A trusted program has none."""
        return self.memory is not None or self.processes is not None

    def order(self) -> bytes:
        """The first line for the keeper."""
        from damas.matches.box import confine

        order = asdict(self) | {
            "confiner": confine.__file__,
            "stage": str(self.stage) if self.stage else None,
        }
        return json.dumps(order).encode() + b"\n"


@dataclass
class _Stream:
    """One output of the program and how many bytes have been read from it."""

    fd: int
    turn: int = 0
    game: int = 0
    open: bool = True


@dataclass
class _Status:
    """What the keeper has reported."""

    started: int | None = None
    failed: str | None = None
    exited: int | None = None
    memory: int | None = None
    processes: int | None = None
    left: int | None = None
    ms: int | None = None
    over: bool = False
    rest: bytes = field(default=b"", repr=False)


class Program:
    """A running program. `ask` raises `Fault`; after a fault it must be closed."""

    def __init__(self, launch: Launch, limits: BoxLimits) -> None:
        if reason := unsupported():
            raise Fault("NOT_READY", reason)
        self._limits, self._launch = limits, launch
        ours, theirs = socket.socketpair()
        try:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(KEEPER), str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            if launch.stage:
                shutil.rmtree(launch.stage, ignore_errors=True)
            raise
        finally:
            theirs.close()
        assert self._keeper.stdin and self._keeper.stdout and self._keeper.stderr
        self._control = ours
        self._in = self._keeper.stdin.fileno()
        self._out = _Stream(self._keeper.stdout.fileno())
        self._err = _Stream(self._keeper.stderr.fileno())
        for fd in (self._in, self._out.fd, self._err.fd, ours.fileno()):
            os.set_blocking(fd, False)
        self._status = _Status()
        self._buffer = b""
        self._stderr = b""
        self._closed = False
        self._sending = threading.Lock()
        self.killed_ms: int | None = None
        """How long it took until no process was left; None before."""
        self.left: int | None = None
        """Processes that could not be killed; more than 0 is an error of ours."""
        ours.setblocking(True)
        ours.sendall(launch.order())
        ours.setblocking(False)

    # Asking

    def begin_game(self) -> None:
        """Another game begins: what it has written so far answers nothing and is not counted any more."""
        self.forget()
        self._out.game = self._err.game = 0

    def begin_turn(self) -> None:
        """Its time begins: its output of this turn is counted from here, and it may compute."""
        self._out.turn = self._err.turn = 0
        self._send_keeper(b"t")

    def end_turn(self) -> None:
        """Its time is over: from here on it must not compute."""
        self._send_keeper(b"w")

    def _send_keeper(self, word: bytes) -> None:
        if not self._launch.watched and word != b"k":
            return
        with contextlib.suppress(OSError):
            self._control.send(word)

    def early(self) -> bytes:
        """What it has written without being asked, blank lines aside; raises `Fault` if it has exceeded a limit."""
        began = time.monotonic()
        self._read_keeper()
        self._read(self._out)
        self._read(self._err)
        self._check_bounds(began)
        return self.pending

    def forget(self) -> None:
        """Discards what it has written so far."""
        self._buffer = b""

    def ask(self, data: bytes, deadline: float, began: float | None = None) -> bytes:
        """Writes `data` and returns the next line without its end; the line may arrive before all is written."""
        began = time.monotonic() if began is None else began
        rest = memoryview(data)
        while True:
            if not rest and (line := self._line(began)) is not None:
                self._check_bounds(began)
                return line
            self._check(began)
            now = time.monotonic()
            if now >= deadline:
                return self._at_deadline(rest, deadline, began)
            rest = self._step(rest, deadline - now)

    def send(self, data: bytes, deadline: float) -> None:
        """Writes `data` whole, from any thread, also while another one waits in `receive`; raises `Fault` if it is not read.

        Whether the program has ended is reported by `receive`.
        """
        with self._sending:
            poll = select.poll()
            poll.register(self._in, select.POLLOUT)
            rest = memoryview(data)
            while rest and not self._closed:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Fault("TIMEOUT", "does not read")
                poll.poll(left * 1000)
                try:
                    rest = rest[os.write(self._in, rest) :]
                except BlockingIOError:
                    continue
                except OSError:
                    return

    def receive(self, seconds: float) -> bytes | None:
        """The next line, or None if there is none after so many seconds; raises `Fault` if the program has ended."""
        began = time.monotonic()
        while (line := self._line(began)) is None:
            self._check(began)
            left = began + seconds - time.monotonic()
            self._step(memoryview(b""), max(left, 0.0))
            if left <= 0:
                return self._line(began)
        return line

    def give(self, data: bytes, deadline: float) -> None:
        """Writes `data` and waits until the program has read it, which shows that it is up, or until it writes something.

        A program that never reads is not faulted here: it will miss its next deadline.
        """
        began = time.monotonic()
        rest = memoryview(data)
        while time.monotonic() < deadline and not self.pending:
            self._check(began)
            rest = self._step(rest, POLL_INTERVAL_S)
            if not rest and not self._unread():
                return

    def _unread(self) -> int:
        """Bytes that the program has not read yet."""
        import fcntl
        import termios

        count = array.array("i", [0])
        try:
            fcntl.ioctl(self._in, termios.FIONREAD, count)
        except OSError:
            return 0
        return count[0]

    def _at_deadline(self, rest: memoryview, deadline: float, began: float) -> bytes:
        """At the deadline: a line in the pipe is in time, unless we woke up too late to know."""
        self._read(self._out)
        now = time.monotonic()
        line = self._line(began) if not rest else None
        if line is not None and now <= deadline + WAKE_UP_GRACE_S:
            return line
        self._read_keeper()
        self._check_bounds(began)
        detail = "does not read" if rest else "no answer"
        raise Fault("TIMEOUT", detail, self._buffer, now - began)

    def _step(self, rest: memoryview, seconds: float) -> memoryview:
        poll = select.poll()
        poll.register(self._control.fileno(), select.POLLIN)
        for stream in (self._out, self._err):
            if stream.open:
                poll.register(stream.fd, select.POLLIN)
        if rest:
            poll.register(self._in, select.POLLOUT)
        ready = dict(poll.poll(seconds * 1000))
        if self._control.fileno() in ready:
            self._read_keeper()
        for stream in (self._out, self._err):
            if stream.fd in ready:
                self._read(stream)
        if rest and self._in in ready:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                pass
            except OSError:  # it reads no more; the keeper reports whether it has ended
                rest = memoryview(b"")
        return rest

    def _line(self, began: float) -> bytes | None:
        """The next complete line that is not blank."""
        self._buffer = self._buffer.lstrip()
        if b"\n" in self._buffer[: self._limits.line + 1]:
            line, _, self._buffer = self._buffer.partition(b"\n")
            return line
        if len(self._buffer) > self._limits.line:
            raise Fault("TOO_MUCH_OUTPUT", "line too long", self._buffer, time.monotonic() - began)
        return None

    @property
    def pending(self) -> bytes:
        """What it has written after the line just returned, blank lines aside."""
        return self._buffer if self._buffer.strip() else b""

    def read_now(self) -> None:
        """Reads what is in the pipe, without waiting."""
        self._read(self._out)

    # Bounds

    def check(self) -> None:
        """Raises `Fault` if the program could not be started, has ended or has exceeded a limit."""
        self._read_keeper()
        self._check(time.monotonic())

    def _check(self, began: float) -> None:
        """Raises `Fault` if the program has exceeded a limit, has ended or has closed its output."""
        self._check_bounds(began)
        status, spent = self._status, time.monotonic() - began
        if not self._out.open:
            self._await_exit()
            self._check_bounds(began)
        if status.over and status.left is None:
            raise KeeperGone(f"the keeper is gone: {self.stderr()[-2000:]!r}")
        if status.failed is not None:
            raise Fault("NOT_READY", status.failed, b"", spent)
        if status.exited is not None:
            self._read(self._out)
            if b"\n" in self._buffer:
                return
            self._read(self._err)
            raise Fault("CRASH", exit_text(status.exited), self._buffer, spent)
        if not self._out.open:
            self._read(self._err)
            raise Fault("CRASH", "closed its output", self._buffer, spent)

    def _await_exit(self) -> None:
        """A closed output mostly means an exit that the keeper is about to report; on a busy machine it reports late."""
        self._read_keeper_until(lambda: not self.running, 0.2)
        if _has_ended(self._status.started):
            self._read_keeper_until(lambda: not self.running, KILL_TIMEOUT_S)

    def _check_bounds(self, began: float) -> None:
        limits, status, spent = self._limits, self._status, time.monotonic() - began
        if status.memory is not None:
            raise Fault("MEMORY", f"{status.memory >> 20} MiB", self._buffer, spent)
        if status.processes is not None:
            raise Fault("PROCESSES", str(status.processes), self._buffer, spent)
        for stream, name in ((self._out, "stdout"), (self._err, "stderr")):
            if stream.turn > limits.turn_output or stream.game > limits.game_output:
                raise Fault("TOO_MUCH_OUTPUT", name, self._buffer, spent)

    # Reading

    def _read(self, stream: _Stream) -> None:
        """Reads what is there, up to the limit of a turn."""
        while stream.open and stream.turn <= self._limits.turn_output:
            try:
                chunk = os.read(stream.fd, CHUNK)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            if not chunk:
                stream.open = False
                return
            stream.turn += len(chunk)
            stream.game += len(chunk)
            if stream is self._out:
                self._buffer += chunk
            else:
                self._stderr = (self._stderr + chunk)[-MAX_STDERR_BYTES:]
            if len(chunk) < CHUNK:
                return

    def stderr(self) -> bytes:
        """The last bytes it wrote to its standard error."""
        return self._stderr

    def _read_keeper(self) -> None:
        while not self._status.over:
            try:
                chunk = self._control.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            if not chunk:
                self._status.over = True
                return
            *lines, self._status.rest = (self._status.rest + chunk).split(b"\n")
            for line in lines:
                for key, value in json.loads(line).items():
                    setattr(self._status, key, value)

    def _read_keeper_until(self, condition: Callable[[], bool], seconds: float) -> None:
        """Reads its reports until a condition holds, the keeper is gone or time is over."""
        deadline = time.monotonic() + seconds
        while not (condition() or self._status.over) and (left := deadline - time.monotonic()) > 0:
            select.select([self._control], [], [], left)
            self._read_keeper()

    # The end

    def leave(self, data: bytes, seconds: float = EXIT_TIMEOUT_S) -> None:
        """Writes a last message, closes its input, and waits so long for it to end."""
        deadline = time.monotonic() + seconds
        rest = memoryview(data)
        self.begin_turn()
        while rest and self.running and (left := deadline - time.monotonic()) > 0:
            rest = self._step(rest, left)
        self._close_input()
        while self.running and (left := deadline - time.monotonic()) > 0:
            if self._out.turn > self._limits.turn_output or self._err.turn > self._limits.turn_output:
                break
            self._step(memoryview(b""), left)

    @property
    def running(self) -> bool:
        """Whether its process has not ended."""
        self._read_keeper()
        return self._status.exited is None and not self._status.over and self._status.failed is None

    def _close_input(self) -> None:
        if self._keeper.stdin and not self._keeper.stdin.closed:
            with self._sending, contextlib.suppress(OSError):
                self._keeper.stdin.close()

    def close(self) -> None:
        """Kills all its processes. `left` says how many could not be killed."""
        if self._closed:
            return
        self._closed = True
        began = time.monotonic()
        self._send_keeper(b"k")
        self._read_keeper_until(lambda: self._status.left is not None, KILL_TIMEOUT_S)
        self.killed_ms = round((time.monotonic() - began) * 1000)
        self.left = self._status.left
        if self.left is None:  # the keeper itself was killed or hangs: its child dies with it
            with contextlib.suppress(OSError):
                os.killpg(self._keeper.pid, signal.SIGKILL)
        self._err.turn = 0
        self._read(self._err)
        self._keeper.wait()
        self._close_input()
        for stream in (self._keeper.stdout, self._keeper.stderr, self._control):
            assert stream
            stream.close()
        if self._launch.stage and self.left is None:
            shutil.rmtree(self._launch.stage, ignore_errors=True)


def _has_ended(pid: int | None) -> bool:
    """Whether a process is gone, or waits only to be reaped; False where there is no /proc."""
    try:
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return Path("/proc/self").exists()
    return state in (b"Z", b"X")
