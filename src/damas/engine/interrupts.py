"""Ctrl-C at a moment when it may be heard."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until it is over. Whoever is started meanwhile does not hear it, not even before it can say that it
    does not want to; and we do not leave our work half done, though another thread of ours may hear it.
    """
    main = threading.current_thread() is threading.main_thread()
    here = (
        main and signal.getsignal(signal.SIGINT) is not None
    )  # None: somebody hears it who is not of Python
    pressed = threading.Event()
    heard = signal.signal(signal.SIGINT, lambda *_: pressed.set()) if here else None
    masks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if here:
            signal.signal(signal.SIGINT, heard)
        if pressed.is_set():
            signal.raise_signal(signal.SIGINT)


def leave_ctrl_c_to_others(leave: Callable[..., object]) -> None:
    """For a process that was started by `uninterrupted`: Ctrl-C is its parent's, which tells it when to `leave`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # what it starts is not born deaf
    signal.signal(signal.SIGTERM, leave)
