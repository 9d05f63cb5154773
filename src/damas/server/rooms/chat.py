"""The chat of a game, for sockets and for programs. It has two rooms.

What a player or the arbiter writes is for the two players and the arbiter alone, and is stored. What a viewer writes is
for viewers, also for the players once the game is over, and is not stored.
"""

from collections import deque
from typing import Any

from damas.arbiter import regulation
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.room import Room
from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits
from damas.server.store.classes import Classes
from damas.server.store.games import Games
from damas.server.store.rows import GameRow

ARBITER = "arbiter"
"""Stands for the arbiter where a stored line names its writer."""
LINES, WINDOW_MS = 5, 10_000
"""Lines that one person may send within the window, in all games together."""


class Chat:
    """Stores the lines of players, and sends lines to those who may read them."""

    def __init__(self, games: Games, classes: Classes, limits: Limits, time: MachineTime) -> None:
        self._games = games
        self._classes = classes
        self._max_length = limits.chat_characters
        self._time = time
        self._sent: dict[str, deque[int]] = {}
        """Times of each person's last lines."""

    async def say(self, room: Room, person: str, name: str, text: str, *, is_arbiter: bool = False) -> None:
        """Sends a line to its readers. Raises `CommandRefused` NOTHING_SAID, TOO_LONG, CHAT_OFF or RATE."""
        line = " ".join(text.split())
        if not line:
            raise CommandRefused("NOTHING_SAID")
        if len(line) > self._max_length:
            raise CommandRefused("TOO_LONG", most=self._max_length)
        if not self._spend(person):
            raise CommandRefused("RATE")
        if not await self.is_open(room.head, person):
            raise CommandRefused("CHAT_OFF")
        of_players = is_arbiter or bool(room.seats.sides_of(person))
        writer, wall = ARBITER if is_arbiter else person, self._time.wall_ms()
        message = _line(room, writer, name, line, wall)
        if of_players:
            await self._games.say(room.id, writer, name, line, wall)
            room.audience.announce(message, viewers=False)
        else:
            room.audience.announce(message, players=not room.playing)

    async def is_open(self, game: GameRow, person: str) -> bool:
        """Whether a person may write in a game: its regulation allows it, and so do the classes of all pupils there."""
        if not regulation(game.preset).chat:
            return False
        there = await self._classes.class_of([game.white_id, game.black_id, person])
        return all(school_class.chat for school_class, _ in there.values())

    async def history(self, room: Room, watcher: Watcher) -> list[dict[str, Any]]:
        """The stored lines of a game, for a watcher who may read them; none for a viewer."""
        if not room.audience.is_official(watcher):
            return []
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


def _line(room: Room, writer: str, name: str, text: str, wall: int) -> dict[str, Any]:
    by = ARBITER if writer == ARBITER else room.seats.you(writer)
    place = "viewers" if by == "viewer" else "players"
    return {"t": "chat", "by": by, "room": place, "name": name, "text": text, "wall_ms": wall}
