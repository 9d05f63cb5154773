"""The lobby: who looks for a game, and which games can be watched."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from damas.board import Color
from damas.server.rooms.record import terms
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.waiting import Signal

MAX_SHOWN = 50
"""Seeks, and as many games, that one visitor is shown."""
SETTLING_S = 0.5
"""Changes within this time are sent together."""
RECHECK_S = 5.0
"""A seek whose player has left disappears without any event in the rooms."""
ARRIVAL_MS = 15_000
"""A new seek is shown for so long before its page has opened its socket."""


class Lobby:
    """Open seeks and live games, read from the rooms."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._changed = Signal()
        rooms.services.subscribers.append(lambda _: self._changed.notify())

    def snapshot(self, visitor: str = "") -> dict[str, Any]:
        """The lobby for one visitor: their own seeks and games are marked, and come first."""
        rooms = self._rooms
        seeks = [_seek(room, visitor) for room in rooms if room.sought and self._present(room)]
        games = sorted(
            rooms.listed, key=lambda room: (room.seats.you(visitor) != "viewer", room.active), reverse=True
        )
        return {
            "seeks": sorted(seeks, key=lambda seek: not seek["mine"])[:MAX_SHOWN],
            "games": [_game(room, visitor) for room in games[:MAX_SHOWN]],
            "playing": sum(room.playing for room in rooms),
        }

    def _present(self, room: Room) -> bool:
        """Whether the player who seeks a game is there to play it."""
        new = self._rooms.time.wall_ms() - room.head.created_ms < ARRIVAL_MS
        return new or any(room.audience.holds(side) for side in Color)

    async def watch(self, visitor: str = "") -> AsyncIterator[dict[str, Any]]:
        """The lobby now, and whenever it has changed."""
        sent: dict[str, Any] | None = None
        while True:
            change, snapshot = self._changed.next, self.snapshot(visitor)
            if snapshot != sent:
                yield snapshot
            sent = snapshot
            await asyncio.sleep(SETTLING_S)
            with suppress(TimeoutError):
                await asyncio.wait_for(change.wait(), RECHECK_S)


def _seek(room: Room, visitor: str) -> dict[str, Any]:
    side = next(side for side in Color if not room.seats[side].free)
    return {
        "id": room.id,
        "mine": room.seats[side].id == visitor,
        "name": room.seats[side].name,
        "color": side.other.value,
        "colour": side.other.value,
        **terms(room.head),
    }


def _game(room: Room, visitor: str) -> dict[str, Any]:
    return {
        "id": room.id,
        "mine": room.seats.you(visitor) != "viewer",
        "white": room.seats.white.name,
        "black": room.seats.black.name,
        "ply": room.table.ply,
        "fen": room.table.position.fen,
        "viewers": room.audience.viewers,
        **terms(room.head),
    }
