"""Everything of the analysis room that a server opens: searches, verdicts of the endgame tables, reports."""

import os
from time import time
from typing import Any

import msgspec

from damas.server.analysing.engines import Engines
from damas.server.analysing.reports import Reports
from damas.server.analysing.searches import Searches
from damas.server.analysing.verdicts import Verdicts
from damas.server.settings import Limits
from damas.server.store import Store
from damas.server.store.rows import Study

REPORT_PREFIX = "report:"
"""Before a report's key in its id among the studies of the store."""


class Analysing:
    """Opened after the store and closed before it."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self._store = store
        threads, hash_mb = limits.analysis_threads, limits.analysis_hash_mb
        size = limits.analysis_searches or max(1, (os.cpu_count() or 1) // 2)
        self.engines = Engines(size, threads=threads, hash_mb=hash_mb, idle_s=limits.analysis_idle_s)
        self.searches = Searches(
            self.engines,
            size,
            seconds=limits.analysis_s,
            contended_s=limits.analysis_fair_s,
            per_address=limits.analysis_per_address,
        )
        self.verdicts = Verdicts(threads=threads)
        self.reports = Reports(
            nodes=limits.report_nodes,
            hash_mb=hash_mb,
            threads=threads,
            max_waiting=limits.reports_waiting,
            per_address=limits.analysis_per_address,
            load=self._load_report,
            save=self._save_report,
        )

    async def close(self) -> None:
        """Stops every search, build and report."""
        self.searches.close()
        self.verdicts.close()
        self.engines.close()
        await self.reports.close()

    async def _load_report(self, key: str) -> dict[str, Any] | None:
        if not key.isalnum() or not key.isascii():
            return None
        study = await self._store.studies.get(REPORT_PREFIX + key)
        return None if study is None else msgspec.json.decode(study.data, type=dict[str, Any])

    async def _save_report(self, key: str, report: dict[str, Any]) -> None:
        # Each report owns itself: whoever may see the game may see its report.
        name, now = REPORT_PREFIX + key, round(time() * 1000)
        data = msgspec.json.encode(report).decode()
        await self._store.studies.save(
            Study(id=name, owner=name, title="", data=data, public=True, created_ms=now, updated_ms=now)
        )
