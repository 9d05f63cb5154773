"""The chat of a game, for sockets and for programs."""

from collections import deque
from typing import Any

from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.room import Room
from damas.server.settings import Limits
from damas.server.store.games import Games

LINES, WINDOW_MS = 5, 10_000
"""Lines that one person may send within the window, in all games together."""


class Chat:
    """Stores the lines of players, and sends lines to everybody at a game."""

    def __init__(self, games: Games, limits: Limits, time: MachineTime) -> None:
        self._games = games
        self._max_length = limits.chat_characters
        self._time = time
        self._sent: dict[str, deque[int]] = {}
        """Times of each person's last lines."""

    async def say(self, room: Room, person: str, name: str, text: str) -> None:
        """Sends a line to everybody at a game. Raises `CommandRefused` NOTHING_SAID, TOO_LONG or RATE."""
        line = " ".join(text.split())
        if not line:
            raise CommandRefused("NOTHING_SAID")
        if len(line) > self._max_length:
            raise CommandRefused("TOO_LONG", most=self._max_length)
        if not self._spend(person):
            raise CommandRefused("RATE")
        plays = bool(room.seats.sides_of(person))
        wall = self._time.wall_ms()
        if plays:  # lines of viewers are not kept
            await self._games.say(room.id, person, name, line, wall)
        # While a game is played, what viewers say reaches viewers only.
        room.audience.announce(_line(room, person, name, line, wall), players=plays or not room.playing)

    async def history(self, room: Room) -> list[dict[str, Any]]:
        """The stored lines of a game."""
        return [
            _line(room, line.person, line.name, line.text, line.wall_ms)
            for line in await self._games.chat(room.id)
        ]

    def _spend(self, person: str) -> bool:
        """Whether the person may send another line now, which is counted."""
        times, now = self._sent.setdefault(person, deque(maxlen=LINES)), self._time.mono_ms()
        if len(times) == LINES and now - times[0] < WINDOW_MS:
            return False
        times.append(now)
        return True

    def forget_silent(self) -> None:
        """Forgets people whose lines no longer count."""
        oldest = self._time.mono_ms() - WINDOW_MS
        self._sent = {person: times for person, times in self._sent.items() if times[-1] > oldest}


def _line(room: Room, person: str, name: str, text: str, wall: int) -> dict[str, Any]:
    return {"t": "chat", "by": room.seats.you(person), "name": name, "text": text, "wall_ms": wall}
