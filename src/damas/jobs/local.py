"""Worker processes on this machine.

They are in sessions of their own, so that Ctrl-C at the terminal does not reach them, and end with the process that
started them, however that may end. A piece whose process dies is tried once more by a new one.
"""

import os
import pickle
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Self

from damas.jobs.interrupts import leave_with_the_parent, uninterrupted
from damas.jobs.work import Done, Event, Lost, Message, Work

EXIT_TIMEOUT_S = 2.0
"""How long a worker that is asked to stop may take."""


class PieceFailed(Exception):
    """A piece raised an error that cannot be sent between processes; the text is its traceback."""


class LocalWorkers:
    """Processes of this machine that do one kind of work."""

    def __init__(self, work: Work, count: int, *, messages: bool = False) -> None:
        self._work, self._count, self._messages = work, count, messages
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.stop()
        deadline = time.monotonic() + EXIT_TIMEOUT_S
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))
        self._workers = []

    @property
    def has_room(self) -> bool:
        return len(self.in_progress) < self._count

    @property
    def in_progress(self) -> list[Any]:
        return [worker.piece for worker in self._workers if worker.busy]

    def give(self, piece: Any) -> None:
        worker = next((worker for worker in self._workers if not worker.busy), None)
        if worker is None:
            worker = self._start()
            self._workers.append(worker)
        worker.give(piece)

    def receive(self, timeout_s: float) -> list[Event]:
        busy = [worker for worker in self._workers if worker.busy]
        if not busy:
            return []
        ready = set(wait([worker.pipe for worker in busy], timeout=timeout_s))
        events = (self._event_of(worker) for worker in busy if worker.pipe in ready)
        return [event for event in events if event]

    def _start(self) -> "_Worker":
        return _Worker(self._work, messages=self._messages)

    def _event_of(self, worker: "_Worker") -> Event | None:
        """What a worker has sent; None where it died and another tries its piece again."""
        piece = worker.piece
        try:
            kind, content = worker.pipe.recv()
        except (EOFError, OSError):
            return self._replace(worker)
        if kind == "message":
            return Message(piece, content)
        worker.busy = False
        if kind == "error":
            raise content
        return Done(piece, content)

    def _replace(self, worker: "_Worker") -> Lost | None:
        worker.stop()
        code = worker.join(EXIT_TIMEOUT_S)
        fresh = self._start()
        self._workers[self._workers.index(worker)] = fresh
        if worker.attempts == 2:
            return Lost(worker.piece, f"the process that did it ended twice, with {code}")
        fresh.give(worker.piece, worker.attempts + 1)
        return None


class _Worker:
    """A process that does one piece after the other."""

    def __init__(self, work: Work, *, messages: bool) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process: SpawnProcess = context.Process(
            target=serve, args=(theirs, work, messages), daemon=False
        )
        try:
            with uninterrupted():
                self._process.start()
        except BaseException:  # a process that has begun all the same ends with its pipe
            self.pipe.close()
            raise
        finally:
            theirs.close()
        self.piece: Any = None
        self.busy = False
        self.attempts = 0

    def give(self, piece: Any, attempt: int = 1) -> None:
        self.piece, self.busy, self.attempts = piece, True, attempt
        with suppress(OSError):  # it has died, which is noticed when the pipe is read
            self.pipe.send(piece)

    def stop(self) -> None:
        self.pipe.close()
        self._process.terminate()

    def join(self, timeout_s: float) -> int | None:
        """Waits for its end, and kills it after that time; returns its exit code."""
        self._process.join(timeout_s)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        return self._process.exitcode


def serve(pipe: "Connection[Any, Any]", work: Work, messages: bool) -> None:
    """The main function of a worker: receives pieces and sends results, until the pipe is closed."""
    with suppress(AttributeError, OSError):
        os.setsid()  # away from the signals of the terminal
    leave_with_the_parent(_exit, EXIT_TIMEOUT_S)
    with suppress(EOFError, OSError):
        answer(pipe, work, messages)


def answer(pipe: "Connection[Any, Any]", work: Work, messages: bool) -> None:
    """Does the pieces that come through a pipe; an error in opening the work is the answer to the first of them."""

    def send(content: Any) -> None:
        pipe.send(("message", content))

    try:
        with work.open(send if messages else None) as do:
            while True:
                reply(pipe, outcome(do, pipe.recv()))
    except (EOFError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 (it is raised where the piece was given)
        pipe.recv()
        pipe.send(("error", portable(error)))


def reply(pipe: "Connection[Any, Any]", message: tuple[str, Any]) -> None:
    """Sends the outcome of a piece, or the error that it cannot be sent."""
    try:
        pipe.send(message)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001 (it is raised where the piece was given)
        pipe.send(("error", portable(error)))


def outcome(do: Callable[[Any], Any], piece: Any) -> tuple[str, Any]:
    """The result of a piece, or the error that it raised."""
    try:
        return "result", do(piece)
    except Exception as error:  # noqa: BLE001 (it is raised where the piece was given)
        return "error", portable(error)


def portable(error: Exception) -> Exception:
    """An error that another process can raise: the same one, or one with its traceback as text."""
    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            return error
    except Exception:  # noqa: BLE001 (whatever the reason: this error cannot travel)
        pass
    return PieceFailed("".join(traceback.format_exception(error)))


def _exit(*_: object) -> None:
    raise SystemExit(0)
