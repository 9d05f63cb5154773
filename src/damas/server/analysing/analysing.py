"""What a server opens for analysis."""

import os

from damas.server.analysing.engines import Engines
from damas.server.analysing.report_worker import ReportWorker
from damas.server.analysing.reports import Reports
from damas.server.analysing.searches import Searches
from damas.server.nodes.bus import Bus
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.work.lanes import Lane


class Analysing:
    """Everything of the analysis room that a server opens after its store, and closes before it."""

    def __init__(self, settings: Settings, store: Store, bus: Bus, reports: Lane, secret: bytes) -> None:
        limits = settings.limits
        size = limits.analysis_searches or max(1, (os.cpu_count() or 1) // 2)
        self.engines = Engines(size, limits)
        self.searches = Searches(self.engines, limits)
        worker = ReportWorker(store.report_jobs, reports, bus, settings.node, limits)
        self.reports = Reports(limits, store, bus, worker, secret)

    def start(self) -> None:
        """Begins to make reports that wait."""
        self.reports.worker.start()

    async def close(self) -> None:
        """Stops every search and report."""
        self.searches.close()
        self.engines.close()
        await self.reports.worker.close()
