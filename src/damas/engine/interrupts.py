"""Ctrl-C, and the wish of others that we end, at a moment when they may be heard."""

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
    """SIGTERM raises `Terminated`, so that what is under way is put away as after Ctrl-C. It is heard once: whoever is
    leaving is not disturbed. Where it is ignored, or somebody hears it already, all stays as it is.
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
    """Ctrl-C waits until it is over, and so does SIGTERM if we hear it. Whoever is started meanwhile does not hear Ctrl-C,
    not even before it can say that it does not want to; and we do not leave our work half done, though another thread of
    ours may hear it.
    """
    main = threading.current_thread() is threading.main_thread()
    pressed: list[int] = []

    def press(number: int, _: object) -> None:
        pressed.append(number)

    heard: dict[int, Any] = {}
    # None: somebody hears it who is not of Python
    if main and signal.getsignal(signal.SIGINT) is not None:
        heard[signal.SIGINT] = signal.signal(signal.SIGINT, press)
    if main and callable(signal.getsignal(signal.SIGTERM)):
        heard[signal.SIGTERM] = signal.signal(signal.SIGTERM, press)
    masks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, before_it in heard.items():
            signal.signal(number, before_it)
        for number in pressed:
            signal.raise_signal(number)


def leave_with_the_parent(leave: Callable[..., object], patience: float) -> None:
    """For a process that was started by `uninterrupted`: Ctrl-C is its parent's, which tells it when to `leave`; and it
    is gone with its parent, however that may end, after so many seconds in which to put its programs away.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # what it starts is not born deaf
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
