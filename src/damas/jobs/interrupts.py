"""Ctrl-C and SIGTERM: handled at a moment when the work in progress can be left."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import parent_process
from multiprocessing.connection import wait
from typing import Any


class Terminated(KeyboardInterrupt):
    """Somebody asked this process to end, by SIGTERM."""


@contextmanager
def termination_heard() -> Iterator[None]:
    """Within this context SIGTERM raises `Terminated`, once, so that work is cleaned up as after Ctrl-C.

    Nothing changes outside the main thread, or where SIGTERM is ignored or has a handler.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def leave(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Within this context Ctrl-C, and SIGTERM if it has a handler, are held back and raised at the end.

    Programs started meanwhile have SIGINT blocked from their first instruction.
    """
    main = threading.current_thread() is threading.main_thread()
    pending: list[int] = []

    def hold_back(number: int, _: object) -> None:
        pending.append(number)

    handlers: dict[int, Any] = {}
    # None: the handler was not installed from Python
    if main and signal.getsignal(signal.SIGINT) is not None:
        handlers[signal.SIGINT] = signal.signal(signal.SIGINT, hold_back)
    if main and callable(signal.getsignal(signal.SIGTERM)):
        handlers[signal.SIGTERM] = signal.signal(signal.SIGTERM, hold_back)
    masks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in pending:
            signal.raise_signal(number)


def leave_with_the_parent(leave: Callable[..., object], patience: float) -> None:
    """For a process started within `uninterrupted`: it ignores Ctrl-C and runs `leave` on SIGTERM from its parent.

    When the parent ends, however that may be, it gets SIGTERM and exits after `patience` seconds.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):
        signal.pthread_sigmask(
            signal.SIG_UNBLOCK, {signal.SIGINT}
        )  # or the programs it starts would have it blocked
    signal.signal(signal.SIGTERM, leave)
    parent = parent_process()
    if parent is None:
        return

    def follow() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(patience)
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
