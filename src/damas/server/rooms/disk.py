"""The way of one game's events to the disk. Returning means that they are there; nothing else does."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from damas.server.settings import Limits
from damas.server.store.errors import StoreBusy, StoreFailed, WriteRefused
from damas.server.store.games import Games
from damas.server.store.rows import EventRow, HeadUpdate

RETRY_S = (0.05, 0.1, 0.25, 0.5)


class Busy(Exception):
    """The store takes nothing more now, or the room is being loaded anew; nothing was written. Come again."""

    def __init__(self, retry_ms: int) -> None:
        super().__init__(retry_ms)
        self.retry_ms = retry_ms


class Owner(Protocol):
    """Whose game it is: a room."""

    def pause(self, reason: str) -> None:
        """The store fails, for this reason: the game stands still until `unpause`."""

    def unpause(self) -> None: ...
    def lose(self, refused: WriteRefused) -> None:
        """Memory and disk disagree, or the game has another owner."""


@dataclass
class Disk:
    """Writes for the owner of a game, whose epoch fences every write."""

    games: Games
    game: str
    epoch: int
    limits: Limits
    owner: Owner
    closed: bool = False
    """Nobody waits any more."""

    async def write(self, rows: Sequence[EventRow], head: HeadUpdate) -> None:
        """Tries until the disk has them. Raises `Busy` where it is certain that it has not."""
        tries = 0
        while not await self._written(rows, head, tries):
            tries += 1
            await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S)) - 1])
            if self.closed:
                raise Busy(self.limits.busy_retry_ms)
        if tries:
            self.owner.unpause()

    async def _written(self, rows: Sequence[EventRow], head: HeadUpdate, tries: int) -> bool:
        """One try. After a failure whose outcome is unknown, what the disk has is read back first (item 10)."""
        if tries and await self._has(rows):
            return True
        try:
            await self.games.append(self.game, self.epoch, rows, head)
        except StoreBusy as busy:
            if tries:  # it has been told to wait: the game is paused, not sent away
                return False
            raise Busy(busy.retry_ms) from None
        except WriteRefused as refused:
            if await self._has(rows):
                return True
            self.owner.lose(refused)
            raise Busy(self.limits.busy_retry_ms) from None
        except StoreFailed as failed:
            self.owner.pause(failed.reason)
            return False
        return True

    async def _has(self, rows: Sequence[EventRow]) -> bool:
        """Whether these very events are on disk. Where that cannot be read, appending again will tell: an event is
        written once.
        """
        if not rows:
            return False
        try:
            stored = await self.games.events(self.game, after=rows[0].seq - 1)
        except StoreFailed:
            return False
        return [row.chain for row in stored[: len(rows)]] == [row.chain for row in rows]
