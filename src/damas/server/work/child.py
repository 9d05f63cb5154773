"""A worker process: `python -m damas.server.work`.

It reads calls from its input, one at a time, and writes what they return or raise. It ends when its input is closed,
which happens however the server may end.
"""

import os
import pickle
import signal
import sys
import time
from contextlib import suppress
from typing import Any, BinaryIO

NICE = 10
"""Added to the process's niceness: games come first."""
MAX_DATA_BYTES = 1 << 30
"""Memory of its own that a process may have; more is a MemoryError there."""

_replies: list[BinaryIO] = []
"""Where replies go; empty in every other process."""


def report_progress(value: Any) -> None:
    """Tells the server how far the present call has come; does nothing where no server waits."""
    _write("progress", value, 0.0)


def _write(kind: str, value: Any, cpu_s: float) -> None:
    data = pickle.dumps((kind, value, cpu_s), pickle.HIGHEST_PROTOCOL)
    for pipe in _replies:
        pipe.write(data)
        pipe.flush()


def serve_calls(calls: BinaryIO) -> None:
    """Answers calls until there are no more."""
    while True:
        try:
            function, arguments = pickle.load(calls)
        except EOFError:
            return
        began = time.process_time()
        try:
            reply = "returned", function(*arguments)
        except Exception as error:  # noqa: BLE001 whatever it is goes to the caller
            reply = "raised", _picklable(error)
        try:
            _write(*reply, time.process_time() - began)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            _write("raised", RuntimeError(str(error)), time.process_time() - began)


def _picklable(error: Exception) -> Exception:
    """The exception, or one that says the same where it cannot be sent."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 whatever an exception's own code may raise
        return RuntimeError(repr(error))
    return error


def _limit_memory() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        most = MAX_DATA_BYTES if hard == resource.RLIM_INFINITY else min(hard, MAX_DATA_BYTES)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def main() -> None:
    """Serves calls from the standard input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the server
    if hasattr(os, "nice"):
        os.nice(NICE)
    _limit_memory()
    _replies.append(os.fdopen(os.dup(sys.stdout.fileno()), "wb"))
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what work prints must not be read as a reply
    with suppress(BrokenPipeError):
        serve_calls(sys.stdin.buffer)
