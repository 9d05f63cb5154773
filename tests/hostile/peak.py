"""The most that a server took of the machine while somebody looked."""

import asyncio

from damas.server.settings import Limits
from damas.server.work.lanes import Work
from damas.server.work.processes import MAX_IDLE_MB
from hostile.server import DamasServe, memory_mb

MAX_GROWTH_MB = 100.0
"""Most that the server's own process may grow by."""
MAX_WORKER_MB = MAX_IDLE_MB + 128
"""Most that a worker process may take: what it may keep, and a password's hash or a film in the making."""


class Peak:
    """Looks at a server's memory and open files until `stop`."""

    def __init__(self, server: DamasServe) -> None:
        self._server = server
        self.before_mb = self.most_mb = server.memory_mb()
        """Memory of the server's own process."""
        self.worker_mb = 0.0
        """Memory of the largest worker process."""
        self.workers = 0
        """The most worker processes at once."""
        self.files = 0
        """The most open files at once."""
        self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while True:
            self._note()
            await asyncio.sleep(0.1)

    def _note(self) -> None:
        self.most_mb = max(self.most_mb, self._server.memory_mb())
        workers = self._server.workers()
        self.workers = max(self.workers, len(workers))
        self.worker_mb = max(self.worker_mb, *map(memory_mb, workers), 0.0)
        self.files = max(self.files, self._server.open_files())

    def stop(self) -> None:
        """Looks a last time."""
        self._looking.cancel()
        self._note()

    def excess(self) -> str:
        """What was more than the server may take of the machine; empty if nothing was.

        Worker processes are started when they are needed, so that their number before an attack is chance: each of them
        has a bound, and so has their number.
        """
        if self.most_mb - self.before_mb >= MAX_GROWTH_MB:
            return f"the server grew from {self.before_mb:.0f} to {self.most_mb:.0f} MB"
        if self.worker_mb >= MAX_WORKER_MB:
            return f"a worker process took {self.worker_mb:.0f} MB"
        if self.workers > (most := Work(Limits()).size):
            return f"{self.workers} worker processes, more than {most}"
        return ""
