"""A program behind pipes, seen from the referee.

Every question has one absolute deadline that no output moves. Nothing here blocks: a program that does not read, does
not write, or writes without end costs it a verdict and never our time. What it says is bounded per line, turn and game.
"""

import array
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import termios
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damas.arena.box.limits import BoxLimits
from damas.arena.verdicts import KEPT_STDERR, Fault, ended

KEEPER = Path(__file__).with_name("keeper.py")
CHUNK = 1 << 16
GRACE = 0.05
"""An answer found in the pipe when we wake at the deadline is in time, if we woke no later than this: the lateness is
as likely ours."""
LEAVING = 0.5
"""Seconds for a program to leave by itself once its game is over."""
POLLING = 0.005
"""Seconds between two looks at what a program has read."""
KILLED = 6.0
"""Seconds for a keeper to say that nothing is left."""


@dataclass(frozen=True)
class Launch:
    """How a program is started: words, surroundings, and what confines it."""

    argv: list[str]
    env: dict[str, str]
    cwd: str | None = None
    confine: dict[str, Any] | None = None
    """For the confiner, in the new process just before the program takes its place."""
    memory: int | None = None
    processes: int | None = None
    nice: int = 0
    stage: Path | None = None
    """A folder made for this program alone, which goes with it."""
    hidden: list[str] | None = None
    """Words for descriptor 3, which the program must not see on a command line."""

    def order(self) -> bytes:
        from damas.arena.box import confine

        order = {
            "argv": self.argv,
            "env": self.env,
            "cwd": self.cwd,
            "confine": self.confine,
            "confiner": str(Path(confine.__file__)),
            "memory": self.memory,
            "processes": self.processes,
            "nice": self.nice,
            "stage": str(self.stage) if self.stage else None,
            "hidden": self.hidden,
        }
        return json.dumps(order).encode() + b"\n"


@dataclass
class _Stream:
    """One output of the program and what it has cost so far."""

    fd: int
    turn: int = 0
    game: int = 0
    open: bool = True

    def spent(self, count: int) -> None:
        self.turn += count
        self.game += count


@dataclass
class _News:
    """What the keeper has told."""

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
    """A running program. `ask` raises `Fault`; after any fault it is to be closed."""

    def __init__(self, launch: Launch, limits: BoxLimits) -> None:
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
        self._news = _News()
        self._buffer = b""
        self._ring: deque[bytes] = deque()
        self._kept = 0
        self._closed = False
        self.killed_ms: int | None = None
        """How long it took until nothing was left; None before."""
        self.left: int | None = None
        """Processes that could not be killed; anything but nothing is an error of ours."""
        ours.setblocking(True)
        ours.sendall(launch.order())
        ours.setblocking(False)

    # Asking

    def begin_turn(self) -> None:
        """Its time begins: what it says counts anew, and it may compute."""
        self._out.turn = self._err.turn = 0
        self._tell_keeper(b"t")

    def end_turn(self) -> None:
        """Its time is over: what it computes now is at the cost of others."""
        self._tell_keeper(b"w")

    def _tell_keeper(self, word: bytes) -> None:
        if self._launch.memory is None and word != b"k":
            return  # the owner's own program is not watched
        with contextlib.suppress(OSError):
            self._control.send(word)

    def early(self) -> bytes:
        """What it has said without being asked, blank lines aside. Raises `Fault` for a program that is no more."""
        began = time.monotonic()
        self._hear_keeper()
        self._read(self._out)
        self._read(self._err)
        self._check_bounds(began)
        said = self._buffer.strip()
        return self._buffer if said else b""

    def forget(self) -> None:
        """What it has said so far answers nothing."""
        self._buffer = b""

    def ask(self, data: bytes, deadline: float, began: float | None = None) -> bytes:
        """Writes `data` and gives back the next whole line, without its end; its bytes may come before all is written."""
        began = time.monotonic() if began is None else began
        rest = memoryview(data)
        while True:
            if not rest and (line := self._line(began)) is not None:
                self._check_bounds(began)
                return line
            self._check(began)
            now = time.monotonic()
            if now >= deadline:
                return self._last_look(rest, deadline, began)
            rest = self._step(rest, deadline - now)

    def give(self, data: bytes, deadline: float) -> None:
        """Writes `data` and waits until the program has read it: then it is up. Something it says ends the wait too.

        A program that never reads costs the wait, and no verdict: its next deadline will tell.
        """
        began = time.monotonic()
        rest = memoryview(data)
        while time.monotonic() < deadline and not self.pending:
            self._check(began)
            rest = self._step(rest, POLLING)
            if not rest and not self._unread():
                return

    def _unread(self) -> int:
        """Bytes that the program has still to read."""
        count = array.array("i", [0])
        try:
            fcntl.ioctl(self._in, termios.FIONREAD, count)
        except OSError:
            return 0
        return count[0]

    def _last_look(self, rest: memoryview, deadline: float, began: float) -> bytes:
        """At the deadline: what stands in the pipe is in time, unless it is we who come too late to tell."""
        self._read(self._out)
        now = time.monotonic()
        line = self._line(began) if not rest else None
        if line is not None and now <= deadline + GRACE:
            return line
        self._hear_keeper()
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
            self._hear_keeper()
        for stream in (self._out, self._err):
            if stream.fd in ready:
                self._read(stream)
        if rest and self._in in ready:
            try:
                rest = rest[os.write(self._in, rest) :]
            except BlockingIOError:
                pass
            except OSError:  # it reads no more; whether it ended is the keeper's to say
                rest = memoryview(b"")
        return rest

    def _line(self, began: float) -> bytes | None:
        """The next line that is not blank, if it is whole."""
        self._buffer = self._buffer.lstrip()
        if b"\n" in self._buffer[: self._limits.line + 1]:
            line, _, self._buffer = self._buffer.partition(b"\n")
            return line
        if len(self._buffer) > self._limits.line:
            raise Fault("TOO_MUCH_OUTPUT", "line too long", self._buffer, time.monotonic() - began)
        return None

    @property
    def pending(self) -> bytes:
        """What it has said beyond the line just taken, blank lines aside."""
        return self._buffer if self._buffer.strip() else b""

    def read_now(self) -> None:
        """Takes what is in the pipe, without waiting."""
        self._read(self._out)

    # Bounds

    def _check(self, began: float) -> None:
        """A program over its bounds, ended, or closed to us has nothing more to say."""
        self._check_bounds(began)
        news, spent = self._news, time.monotonic() - began
        if not self._out.open:
            self._await_exit()
            self._check_bounds(began)
        if news.over and news.left is None:
            raise RuntimeError(f"the keeper is gone: {self.stderr()[-2000:]!r}")
        if news.failed is not None:
            raise Fault("NOT_READY", news.failed, b"", spent)
        if news.exited is not None:
            self._read(self._out)
            if b"\n" in self._buffer:
                return
            self._read(self._err)
            raise Fault("CRASH", ended(news.exited), self._buffer, spent)
        if not self._out.open:
            self._read(self._err)
            raise Fault("CRASH", "closed its output", self._buffer, spent)

    def _await_exit(self) -> None:
        """A closed output mostly means an end that the keeper is about to tell of."""
        deadline = time.monotonic() + 0.2
        while self._running() and (left := deadline - time.monotonic()) > 0:
            select.select([self._control], [], [], left)
            self._hear_keeper()

    def _check_bounds(self, began: float) -> None:
        limits, news, spent = self._limits, self._news, time.monotonic() - began
        if news.memory is not None:
            raise Fault("MEMORY", f"{news.memory >> 20} MiB", self._buffer, spent)
        if news.processes is not None:
            raise Fault("PROCESSES", str(news.processes), self._buffer, spent)
        for stream, name in ((self._out, "stdout"), (self._err, "stderr")):
            if stream.turn > limits.turn_output or stream.game > limits.game_output:
                raise Fault("TOO_MUCH_OUTPUT", name, self._buffer, spent)

    # Reading

    def _read(self, stream: _Stream) -> None:
        """Takes what is there, up to what a turn may hold."""
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
            stream.spent(len(chunk))
            if stream is self._out:
                self._buffer += chunk
            else:
                self._keep(chunk)
            if len(chunk) < CHUNK:
                return

    def _keep(self, chunk: bytes) -> None:
        self._ring.append(chunk)
        self._kept += len(chunk)
        while self._kept - len(self._ring[0]) >= KEPT_STDERR:
            self._kept -= len(self._ring.popleft())

    def stderr(self) -> bytes:
        """The last it wrote there."""
        return b"".join(self._ring)[-KEPT_STDERR:]

    def _hear_keeper(self) -> None:
        while not self._news.over:
            try:
                chunk = self._control.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                chunk = b""
            if not chunk:
                self._news.over = True
                return
            *lines, self._news.rest = (self._news.rest + chunk).split(b"\n")
            for line in lines:
                for key, value in json.loads(line).items():
                    setattr(self._news, key, value)

    # The end

    def leave(self, data: bytes, seconds: float = LEAVING) -> None:
        """Says a last word, closes its input, and gives it so long to go."""
        deadline = time.monotonic() + seconds
        rest = memoryview(data)
        self.begin_turn()
        while rest and self._running() and (left := deadline - time.monotonic()) > 0:
            rest = self._step(rest, left)
        self._close_input()
        while self._running() and (left := deadline - time.monotonic()) > 0:
            if self._out.turn > self._limits.turn_output or self._err.turn > self._limits.turn_output:
                break
            self._step(memoryview(b""), left)

    def _running(self) -> bool:
        self._hear_keeper()
        return self._news.exited is None and not self._news.over and self._news.failed is None

    def _close_input(self) -> None:
        if self._keeper.stdin and not self._keeper.stdin.closed:
            with contextlib.suppress(OSError):
                self._keeper.stdin.close()

    def close(self) -> None:
        """Kills whatever is left of it. Returns when nothing is, or says so in `left`."""
        if self._closed:
            return
        self._closed = True
        began = time.monotonic()
        self._tell_keeper(b"k")
        while self._news.left is None and not self._news.over and time.monotonic() < began + KILLED:
            select.select([self._control], [], [], 0.5)
            self._hear_keeper()
        self.killed_ms = round((time.monotonic() - began) * 1000)
        self.left = self._news.left
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
