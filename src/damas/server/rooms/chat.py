"""What people say to each other at a game: one way in, for sockets and for programs."""

from collections import deque
from typing import Any

from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import Misplaced
from damas.server.rooms.room import Room
from damas.server.settings import Limits
from damas.server.store.games import Games

LINES, WINDOW_MS = 5, 10_000
"""So many lines of one person in so long, wherever they are said."""


class Chat:
    """Builds lines, keeps what players say, and tells it."""

    def __init__(self, games: Games, limits: Limits, time: MachineTime) -> None:
        self._games = games
        self._most = limits.chat_characters
        self._time = time
        self._said: dict[str, deque[int]] = {}
        """When each person last spoke."""

    async def say(self, room: Room, person: str, name: str, text: str) -> None:
        """A line of somebody at a game. Raises `Misplaced`: nothing said, TOO_LONG, RATE."""
        said = " ".join(text.split())
        if not said:
            raise Misplaced("NOTHING_SAID")
        if len(said) > self._most:
            raise Misplaced("TOO_LONG", most=self._most)
        if not self._may(person):
            raise Misplaced("RATE")
        plays = bool(room.seats.sides_of(person))
        wall = self._time.wall_ms()
        if plays:  # what viewers say to each other goes by
            await self._games.say(room.id, person, name, said, wall)
        room.say(_line(room, person, name, said, wall), from_player=plays)

    async def so_far(self, room: Room) -> list[dict[str, Any]]:
        """What was said at a game."""
        return [
            _line(room, line.person, line.name, line.text, line.wall_ms)
            for line in await self._games.chat(room.id)
        ]

    def _may(self, person: str) -> bool:
        times, now = self._said.setdefault(person, deque(maxlen=LINES)), self._time.mono_ms()
        if len(times) == LINES and now - times[0] < WINDOW_MS:
            return False
        times.append(now)
        return True

    def forget(self) -> None:
        """Those who have been silent for long enough."""
        oldest = self._time.mono_ms() - WINDOW_MS
        self._said = {person: times for person, times in self._said.items() if times[-1] > oldest}


def _line(room: Room, person: str, name: str, text: str, wall: int) -> dict[str, Any]:
    return {"t": "chat", "by": room.seats.you(person), "name": name, "text": text, "wall_ms": wall}
