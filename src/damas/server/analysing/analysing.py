"""What a server opens for analysis."""

import os

from damas.server.analysing.engines import Engines
from damas.server.analysing.reports import Reports
from damas.server.analysing.searches import Searches
from damas.server.settings import Limits
from damas.server.store.studies import Studies
from damas.server.work.lanes import Lane


class Analysing:
    """Everything of the analysis room that a server opens after its store, and closes before it."""

    def __init__(self, limits: Limits, studies: Studies, reports: Lane) -> None:
        size = limits.analysis_searches or max(1, (os.cpu_count() or 1) // 2)
        self.engines = Engines(size, limits)
        self.searches = Searches(self.engines, limits)
        self.reports = Reports(limits, studies, reports)

    async def close(self) -> None:
        """Stops every search and report."""
        self.searches.close()
        self.engines.close()
        await self.reports.close()
