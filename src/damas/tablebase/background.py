"""Long work in the core: done in another thread, so that this one can report, and hear an interrupt."""

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from damas import _core

T = TypeVar("T")
NOW_AND_THEN = 0.1
"""Seconds between two reports."""

Report = Callable[[int, int, str], None]
"""Called now and then with positions done, positions in all, and the material at work."""


def silent(done: int, total: int, name: str) -> None:
    """Where nobody watches."""


def watched(work: Callable[[], T], progress: _core.TableProgress, tell: Callable[[int], None]) -> T:
    """What the work answers. `tell` hears how many positions are done; whatever goes wrong here stops the core."""
    with interrupts_stop(progress) as interrupted, ThreadPoolExecutor(1) as background:
        job = background.submit(work)
        try:
            while wait([job], NOW_AND_THEN).not_done and not interrupted.is_set():
                tell(progress.done)
        except BaseException:
            progress.stop()
            raise
        if not interrupted.is_set():
            return job.result()
    raise KeyboardInterrupt


@contextmanager
def interrupts_stop(progress: _core.TableProgress) -> Iterator[threading.Event]:
    """Meanwhile an interrupt only stops the core, however often it comes: nobody may leave while a thread of ours is
    still at work in there. Whoever has a handler of their own, or waits in another thread, keeps it.
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
