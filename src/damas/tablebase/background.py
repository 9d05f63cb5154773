"""Runs long work of the core in another thread, so that this one can report progress and handle Ctrl-C."""

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from damas import _core

T = TypeVar("T")
REPORT_INTERVAL_S = 0.1
"""Seconds between two reports."""

Report = Callable[[int, int, str], None]
"""Called with the positions done, the positions in all, and the name of the current material."""


def silent(done: int, total: int, name: str) -> None:
    """A report that does nothing."""


def watched(work: Callable[[], T], progress: _core.Progress, on_progress: Callable[[int], None]) -> T:
    """Runs `work` and returns its result; calls `on_progress` with the positions done. An error here stops the core."""
    with ctrl_c_stops(progress) as interrupted, ThreadPoolExecutor(1) as background:
        job = background.submit(work)
        try:
            while wait([job], REPORT_INTERVAL_S).not_done and not interrupted.is_set():
                on_progress(progress.done)
        except BaseException:
            progress.stop()
            raise
        if not interrupted.is_set():
            return job.result()
    raise KeyboardInterrupt


@contextmanager
def ctrl_c_stops(progress: _core.Progress) -> Iterator[threading.Event]:
    """Within this context Ctrl-C stops the core and sets the yielded event instead of raising.

    Nothing changes outside the main thread, or where a program has its own handler.
    """
    interrupted = threading.Event()

    def stop(*_: object) -> None:
        interrupted.set()
        progress.stop()

    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield interrupted
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
