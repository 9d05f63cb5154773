"""Boards that one arbiter follows together, each by the key of its link."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import Any

from damas.server.rooms.ledger import Busy
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Signature
from damas.server.store.errors import DamagedGame, StoreError
from damas.views import plain

SETTLING_S = 0.5
"""Changes within this time are sent together."""
RECHECK_S = 20.0
"""The boards are looked at again after this time without a change."""
MAX_BOARDS = 64
"""Boards that one page can follow."""


class FollowedBoards:
    """The boards of an arbiter's page. Players see that an arbiter is here while it is open."""

    def __init__(
        self, rooms: Rooms, signature: Signature, keys: Mapping[str, str], visitor: str, language: str
    ) -> None:
        self._rooms, self._signature, self._language = rooms, signature, language
        self._keys, self._visitor = keys, visitor
        self._stale = set(keys)
        """Games that may have changed since they were last looked at."""
        self._changed = asyncio.Event()
        """Set while there are any."""
        self._present: dict[str, Room] = {}
        """Rooms that know that this arbiter is here."""

    async def snapshot(self) -> list[dict[str, Any]]:
        """Every board as it is now, in the order of the keys."""
        return [board async for board in self._boards(set(self._keys))]

    async def _boards(self, wanted: set[str], *, is_watching: bool = False) -> AsyncIterator[dict[str, Any]]:
        """These boards as they are now; others are served between two of them. Whoever is watching is announced to the
        players.
        """
        for game in self._keys:
            if game in wanted:
                yield await self._board(game, is_watching)
                await asyncio.sleep(0)

    async def _board(self, game: str, is_watching: bool) -> dict[str, Any]:
        if not self._signature.is_arbiter_key(game, self._keys[game]):
            return {"id": game, "status": "refused"}
        try:
            room = await self._rooms.room(game)
        except ApiError as error:
            return {"id": game, "status": "missing" if error.status == 404 else "busy"}
        except DamagedGame:
            return {"id": game, "status": "damaged"}
        except (StoreError, Busy):
            return {"id": game, "status": "busy"}
        if room.plays_against_another(self._visitor):
            if game in self._present:
                self._present.pop(game).arbiter_left(self)
            return {"id": game, "status": "refused"}
        if is_watching and self._present.get(game) is not room:
            self._present[game] = room
            room.arbiter_came(self)
        following = room.ledger.next_game
        return {
            "id": game,
            "status": room.head.status,
            "players": room.audience.players(),
            "board": room.audience.followed(self._language),
            "clocks": plain(room.audience.clocks()),
            "rematch": {"id": following, "key": self._signature.arbiter_key(following)}
            if following
            else None,
        }

    async def watch(self) -> AsyncIterator[dict[str, Any]]:
        """All boards now, and then those that have changed."""
        subscribers = self._rooms.services.subscribers
        sent: dict[str, dict[str, Any]] = {}
        subscribers.append(self._notice)
        try:
            while True:
                stale, self._stale = self._stale or set(self._keys), set()
                self._changed.clear()
                changed = []
                async for board in self._boards(stale, is_watching=True):
                    # A running clock alone is no change: the page counts it down.
                    shown = {**board, "clocks": None}
                    if shown != sent.get(board["id"]):
                        sent[board["id"]] = shown
                        changed.append(board)
                if changed:
                    yield {"boards": changed}
                await asyncio.sleep(SETTLING_S)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), RECHECK_S)
        finally:
            subscribers.remove(self._notice)
            for room in self._present.values():
                room.arbiter_left(self)

    def _notice(self, room: Room) -> None:
        if room.id in self._keys:
            self._stale.add(room.id)
            self._changed.set()
