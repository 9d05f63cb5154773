"""The room of the engines: everything of it that a server opens, in one object."""

import os
from time import time
from typing import Any, Self

import msgspec

from damas.server.analysing.jobs import Jobs
from damas.server.analysing.pool import Pool
from damas.server.analysing.thinking import Thoughts
from damas.server.analysing.verdicts import Verdicts
from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.rows import Study

REPORTS = "report:"
"""Before the key of a report, among the studies of the store."""


class Analysing:
    """Opened by the server after the store, closed before it."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self._store = store
        threads, hash_mb = limits.analysis_threads, limits.analysis_hash_mb
        slots = limits.analysis_searches or max(1, (os.cpu_count() or 1) // 2)
        self.pool = Pool(slots=slots, threads=threads, hash_mb=hash_mb, idle=limits.analysis_idle_s)
        self.thoughts = Thoughts(
            self.pool,
            seconds=limits.analysis_s,
            fair=limits.analysis_fair_s,
            each=limits.analysis_per_address,
        )
        self.verdicts = Verdicts(threads=threads)
        self.reports = Jobs(
            nodes=limits.report_nodes,
            hash_mb=hash_mb,
            threads=threads,
            most_waiting=limits.reports_waiting,
            each=limits.analysis_per_address,
            find=self._find,
            keep=self._keep,
        )

    @classmethod
    async def open(cls, settings: Settings, store: Store) -> Self:
        return cls(settings.limits, store)

    async def close(self) -> None:
        """Everything that thinks is stopped; nothing of it outlives the server."""
        self.thoughts.close()
        self.verdicts.close()
        self.pool.stop()
        await self.reports.close()

    async def _find(self, key: str) -> dict[str, Any] | None:
        if not key.isalnum() or not key.isascii():
            return None
        kept = await self._store.studies.get(REPORTS + key)
        return None if kept is None else msgspec.json.decode(kept.data, type=dict[str, Any])

    async def _keep(self, key: str, report: dict[str, Any]) -> None:
        # It belongs to nobody but itself: whoever may see the game may see its report.
        name, now = REPORTS + key, round(time() * 1000)
        data = msgspec.json.encode(report).decode()
        await self._store.studies.save(
            Study(id=name, owner=name, title="", data=data, public=True, created_ms=now, updated_ms=now)
        )
