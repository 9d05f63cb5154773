"""The open sockets of a server: message limits, liveness and round trips."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from damas.server.messages import encode
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.room import Room
from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits

log = logging.getLogger("damas.rooms")

CHECK_INTERVAL_S = 2.5
"""How often each socket is checked."""
GROUPS = 25
"""Sockets are checked group by group: to check all at once would delay everybody."""
WELL_MEASURED = 4
"""After so many pongs a round trip is measured only every fourth time."""
POLICY, TOO_BIG, NOT_TEXT, UNREADABLE, SILENT = 1008, 1009, 1003, 1007, 1001
"""Close codes."""
MAX_PINGS_OUT = 4
"""Unanswered pings that are remembered for each socket."""


@dataclass(eq=False)
class Socket:
    """One connection of a page to a game."""

    room: Room
    watcher: Watcher
    limits: Limits
    last_message: int
    """When the page last sent something, on the monotonic clock."""
    checks: int = 0
    """Checks at which its round trip could be measured."""
    pongs: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _times: deque[int] = field(default_factory=deque)
    _pings: dict[str, int] = field(default_factory=dict)

    def count_message(self, now: int) -> bool:
        """Counts a message; whether the socket is still within its limit."""
        self.last_message = now
        oldest = now - int(self.limits.socket_window_s * 1000)
        while self._times and self._times[0] <= oldest:
            self._times.popleft()
        self._times.append(now)
        return len(self._times) <= self.limits.socket_messages

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs work that may take a while beside the reading of the socket."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("game %s: a socket's task failed", self.room.id, exc_info=error)

    def ping(self, now: int) -> None:
        """Asks for a pong with a random word, so that none can be sent early."""
        nonce = secrets.token_hex(4)
        while len(self._pings) >= MAX_PINGS_OUT:
            del self._pings[next(iter(self._pings))]
        self._pings[nonce] = now
        self.watcher.send(encode({"t": "ping", "n": nonce}))

    def pong(self, nonce: object, now: int) -> None:
        """Measures the round trip of a ping by its random word."""
        sent = self._pings.pop(str(nonce), None)
        if sent is not None and self.watcher.sides:
            self.pongs += 1
            self.room.ponged(self.watcher.sides, now - sent)


class Sockets:
    """All open sockets, checked by one task."""

    def __init__(self, limits: Limits, time: MachineTime) -> None:
        self._limits = limits
        self._time = time
        self._groups: deque[set[Socket]] = deque(set() for _ in range(GROUPS))

    def __len__(self) -> int:
        return sum(map(len, self._groups))

    def add(self, room: Room, watcher: Watcher) -> Socket:
        """A new socket of a game."""
        socket = Socket(room, watcher, self._limits, self._time.mono_ms())
        min(self._groups, key=len).add(socket)
        return socket

    def remove(self, socket: Socket) -> None:
        """Forgets a socket that has closed."""
        for group in self._groups:
            group.discard(socket)

    async def patrol(self) -> None:
        """Checks every socket again and again."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S / GROUPS)
            self._check(self._groups[0])
            self._groups.rotate()

    def _check(self, group: set[Socket]) -> None:
        """Closes silent sockets, and measures the round trip of those whose time runs."""
        now = self._time.mono_ms()
        for socket in tuple(group):
            if now - socket.last_message > self._limits.silent_s * 1000:
                socket.watcher.disconnect(SILENT, "silent")
            elif socket.watcher.sides and socket.room.playing and socket.room.keeper.timed:
                if socket.pongs < WELL_MEASURED or socket.checks % 4 == 0:
                    socket.ping(now)
                socket.checks += 1
