"""The lobby: who looks for a game, and which games can be watched. All of it is read off the rooms."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from damas.board import Color
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms

MOST_SHOWN = 50
SETTLING_S = 0.5
"""Changes are told together: a busy server does not send a list for every move."""
PATIENCE_MS = 15_000
"""A seek is shown so long before its page has opened its socket."""


class Lobby:
    """What `GET /api/lobby` and its stream tell."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._waiting: set[asyncio.Event] = set()
        before = rooms.services.changed

        def changed(room: Room) -> None:
            before(room)
            for event in self._waiting:
                event.set()

        rooms.services.changed = changed

    def snapshot(self, visitor: str = "") -> dict[str, Any]:
        """As this visitor sees it: their own seeks and games are marked, and come first."""
        rooms = self._rooms
        seeks = [_seek(room, visitor) for room in rooms if room.sought and self._present(room)]
        games = sorted(rooms.on_show, key=lambda room: (_plays(visitor, room), room.active), reverse=True)
        return {
            "seeks": sorted(seeks, key=lambda seek: not seek["mine"])[:MOST_SHOWN],
            "games": [_game(room, visitor) for room in games[:MOST_SHOWN]],
            "playing": sum(room.playing for room in rooms),
        }

    def _present(self, room: Room) -> bool:
        """Nobody is shown who would not be there to play."""
        young = self._rooms.time.wall_ms() - room.head.created_ms < PATIENCE_MS
        return young or any(room.watchers.holds(side) for side in Color)

    async def watch(
        self, stop: asyncio.Event, visitor: str = "", every_s: float = 5.0
    ) -> AsyncIterator[dict[str, Any] | None]:
        """The lobby now and after each change; None from time to time, so that both ends know the line is up."""
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            told: dict[str, Any] | None = None
            while not stop.is_set():
                now = self.snapshot(visitor)
                yield None if now == told else now
                told = now
                await _first_of(stop, SETTLING_S)
                await _first_of(changed, every_s, stop)
                changed.clear()
        finally:
            self._waiting.discard(changed)


async def _first_of(event: asyncio.Event, seconds: float, other: asyncio.Event | None = None) -> None:
    """Until one of them is set, or so long."""
    waits = [asyncio.ensure_future(each.wait()) for each in (event, other) if each]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def _seek(room: Room, visitor: str) -> dict[str, Any]:
    side = next(side for side in Color if not room.seats[side].free)
    return {
        "id": room.id,
        "mine": room.seats[side].id == visitor,
        "name": room.seats[side].name,
        "colour": side.other.value,
        **_terms(room),
    }


def _plays(visitor: str, room: Room) -> bool:
    return bool(room.seats.sides_of(visitor))


def _game(room: Room, visitor: str) -> dict[str, Any]:
    return {
        "id": room.id,
        "mine": _plays(visitor, room),
        "white": room.seats.white.name,
        "black": room.seats.black.name,
        "ply": room.table.ply,
        "fen": room.table.position.fen,
        "viewers": room.watchers.viewers,
        **_terms(room),
    }


def _terms(room: Room) -> dict[str, Any]:
    head = room.head
    return {"rulebook": head.rulebook, "time": head.time_control, "preset": head.preset}
