"""Counts the openings of games once these have ended, in the background: no move waits for it.

What is left to do follows from the database alone, so it goes on after a crash, and takes up games of other nodes.
"""

import asyncio
import logging
from contextlib import suppress

from damas.errors import DamasError
from damas.server.security.errors import ApiError
from damas.server.store import Store
from damas.server.store.errors import DamagedGame, StoreError, UnknownGame
from damas.server.store.openings import AlreadyCounted
from damas.server.work.files import StoredGame
from damas.server.work.lanes import Lane
from damas.server.work.openings import first_keys

log = logging.getLogger("damas")

INTERVAL_S = 3.0
"""How often finished games are looked for."""
RETRY_S = 30.0
"""How long nothing is tried after a failure of the database or of all worker processes."""
BATCH = 50
"""Games that are looked for at once."""
OVERLAP_MS = 600_000
"""Games that ended so long before the last counted one are looked for too: nodes do not write in the order of their clocks."""


class OpeningCounter:
    """Counts while the server runs."""

    def __init__(self, store: Store, lane: Lane) -> None:
        self._store = store
        self._lane = lane
        self._task: asyncio.Task[None] | None = None
        self._since_ms: int | None = None
        self._failed: set[str] = set()
        """Games that cannot be counted; they are left out until the server starts again."""

    def start(self) -> None:
        """Begins to count in the background."""
        self._task = asyncio.create_task(self._run(), name="counter of openings")

    async def close(self) -> None:
        """Stops."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                counted = await self.count_some()
                await asyncio.sleep(0 if counted else INTERVAL_S)
            except (StoreError, ApiError) as error:
                log.info("openings are counted later: %s", error)
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("ALARM: openings cannot be counted")
                await asyncio.sleep(RETRY_S)

    async def count_some(self) -> int:
        """Counts some games that wait for it, and says how many."""
        openings = self._store.openings
        if self._since_ms is None:
            self._since_ms = await openings.last_counted_ms() - OVERLAP_MS
        found = await openings.uncounted(self._since_ms, BATCH + len(self._failed))
        waiting = [(game, changed_ms) for game, changed_ms in found if game not in self._failed][:BATCH]
        for game, changed_ms in waiting:
            await self._count(game)
            self._since_ms = max(self._since_ms, changed_ms - OVERLAP_MS)
        return len(waiting)

    async def _count(self, game: str) -> None:
        try:
            head, rows = await self._store.games.history(game)
            stored = StoredGame(head.rulebook, head.fen, [row.data for row in rows])
            keys = await self._lane.run(first_keys, stored)
            if head.status == "over":
                await self._store.openings.count(head, keys)
        except AlreadyCounted:
            pass
        except (DamagedGame, UnknownGame, DamasError) as error:
            log.error("the opening of game %s cannot be counted: %s", game, error)
            self._failed.add(game)
