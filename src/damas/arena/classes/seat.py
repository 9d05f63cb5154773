"""The seat of a class: a process for each game, asked with a deadline and ended with the game."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

from damas.arbiter import Table
from damas.arena.classes.child import PATIENCE
from damas.arena.classes.question import ClassQuestion
from damas.arena.seats import STARTING, Ending, Question, Reply
from damas.arena.verdicts import KEPT_STDERR, Fault, ended
from damas.board import Color

CHILD = "damas.arena.classes.child"


class ClassSeat:
    """Trusted code, and so without a box; but an endless loop of it costs a game, and never a tournament."""

    def __init__(self, text: str, tier: str) -> None:
        self.tier = tier
        self._file, _, self._name = text.rpartition(":")
        self._process: subprocess.Popen[bytes] | None = None
        self._helpers: list[threading.Thread] = []
        self._said = b""

    def start(self) -> None:
        # -P: nothing that lies in the current folder is taken for a module of ours or of Python's.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-u", "-m", CHILD, self._file, self._name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._help(self._keep_stderr)

    def greet(self, table: Table, color: Color, name: str) -> None:  # noqa: ARG002
        try:
            self._exchange(b"", STARTING)
        except Fault as fault:
            fault.code = "NOT_READY"
            raise

    def ask(self, question: Question) -> Reply:
        data = pickle.dumps(ClassQuestion.of(question.table.game, question.limits))
        said, spent = self._exchange(data, question.seconds)
        if "garbage" in said:
            raise Fault("GARBAGE", f"answered with {said['garbage']}", said["shown"].encode(), spent)
        return Reply(said["move"].encode("utf-8", "replace"), spent, move=said["move"])

    def _exchange(self, data: bytes, seconds: float) -> tuple[dict[str, Any], float]:
        """What it says to this, and after how long. A helper waits for it, so that nothing can hold us up."""
        process = self._process
        assert process and process.stdin and process.stdout
        pipes = process.stdin, process.stdout
        heard: SimpleQueue[bytes] = SimpleQueue()

        def talk() -> None:
            line = b""
            with suppress(OSError, ValueError):
                pipes[0].write(data)
                pipes[0].flush()
                line = pipes[1].readline()
            heard.put(line)

        began = time.monotonic()
        self._help(talk)
        try:
            line = heard.get(timeout=seconds)
        except Empty:
            raise Fault("TIMEOUT", "no answer", seconds=time.monotonic() - began) from None
        spent = time.monotonic() - began
        said: dict[str, Any] = json.loads(line) if line else {"crash": self._end_of(process)}
        if "crash" in said:
            self._kill()  # so that all it has printed is there
            raise Fault("CRASH", said["crash"], seconds=spent)
        return said, spent

    @staticmethod
    def _end_of(process: "subprocess.Popen[bytes]") -> str:
        try:
            return ended(process.wait(PATIENCE))
        except subprocess.TimeoutExpired:
            return "closed its output"

    def _help(self, work: Callable[[], None]) -> None:
        self._helpers = [helper for helper in self._helpers if helper.is_alive()]
        self._helpers.append(threading.Thread(target=work, daemon=True))
        self._helpers[-1].start()

    def _keep_stderr(self) -> None:
        assert self._process and self._process.stderr
        pipe = self._process.stderr.fileno()
        with suppress(OSError):
            while chunk := os.read(pipe, KEPT_STDERR):
                self._said = (self._said + chunk)[-KEPT_STDERR:]

    def stderr(self) -> bytes:
        return self._said

    def end(self, ending: Ending) -> None:  # noqa: ARG002
        """It learns of the end by its `close`, and has a moment for it."""
        if self._process and self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)

    def close(self) -> None:
        process = self._process
        if process is None:
            return
        self._kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        self._process = None

    def _kill(self) -> None:
        """Ends it and what it has started; helpers then have nothing to wait for."""
        assert self._process
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for helper in self._helpers:
            helper.join(PATIENCE)
