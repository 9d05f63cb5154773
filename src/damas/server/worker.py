"""A process that makes the reports of a database which servers share, and does nothing else."""

import asyncio
import secrets
import signal
import sys
from collections.abc import Callable

import msgspec

from damas.server.analysing.report_worker import ReportWorker
from damas.server.logs import configure
from damas.server.nodes.bus import bus_of
from damas.server.serve import set_tablebase_folder
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.work.lanes import Work

SHOW_INTERVAL_S = 0.5
"""How often progress is shown."""


def run(
    settings: Settings,
    ready: Callable[[str], None],
    progress: Callable[[int, int, int], None],
    *,
    json_logs: bool = False,
) -> int:
    """Makes reports until SIGINT or SIGTERM, and returns how many. Raises `StoreError` where it cannot begin.

    SIGINT waits for the present report; a second one, or SIGTERM, hands it back. `ready` gets the name of the database,
    `progress` the reports made, and the plies of the present one that are done and all of them.
    """
    configure(settings.log_level, as_json=json_logs)
    set_tablebase_folder(settings)
    # A name of its own, so that any number of them may run on one machine.
    settings = msgspec.structs.replace(settings, node=f"{settings.node} worker {secrets.token_hex(4)}")
    return asyncio.run(_work(settings, ready, progress))


async def _work(
    settings: Settings, ready: Callable[[str], None], progress: Callable[[int, int, int], None]
) -> int:
    store = await Store.open(settings)
    work, bus = Work(settings.limits), bus_of(settings, store.database)
    worker = ReportWorker(store.report_jobs, work.reports, bus, settings.node, settings.limits)
    stop = asyncio.Event()
    interrupted = False

    def interrupt() -> None:
        nonlocal interrupted
        if interrupted:
            stop.set()
        interrupted = True
        worker.finish()

    _on_signal(signal.SIGINT, interrupt)
    _on_signal(signal.SIGTERM, stop.set)
    try:
        worker.start()
        bus.open()
        ready(store.database.name)
        ends = [asyncio.create_task(worker.ended()), asyncio.create_task(stop.wait())]
        while not any(end.done() for end in ends):
            if job := worker.current:
                progress(worker.made, worker.done, job.total)
            await asyncio.wait(ends, timeout=SHOW_INTERVAL_S, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
    finally:
        await worker.close()
        work.close()
        await bus.close()
        await store.close()
    return worker.made


def _on_signal(number: signal.Signals, call: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":
        loop.add_signal_handler(number, call)
    else:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))
