"""The open sockets of a server: how much each may say, whether it is still there, how long its way is."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from damas.server.messages import encode
from damas.server.rooms import measures
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.room import Room
from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits

log = logging.getLogger("damas.rooms")

PATROL_S = 2.5
POLICY, TOO_BIG, NOT_TEXT, UNREADABLE, SILENT = 1008, 1009, 1003, 1007, 1001
"""Close codes."""
PINGS_OUT = 4


@dataclass(eq=False)
class Socket:
    """One connection of a page to a game."""

    room: Room
    watcher: Watcher
    limits: Limits
    heard: int
    """When it last said something."""
    _errands: set[asyncio.Task[None]] = field(default_factory=set)
    _times: deque[int] = field(default_factory=deque)
    _pings: dict[str, int] = field(default_factory=dict)

    def hears(self, now: int) -> bool:
        """Notes a message; whether it is still within what one socket may say."""
        self.heard = now
        oldest = now - int(self.limits.socket_window_s * 1000)
        while self._times and self._times[0] <= oldest:
            self._times.popleft()
        self._times.append(now)
        return len(self._times) <= self.limits.socket_messages

    def errand(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that may take a while, while the socket goes on being read."""
        task = asyncio.create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._done)

    def _done(self, errand: "asyncio.Task[None]") -> None:
        self._errands.discard(errand)
        if not errand.cancelled() and (error := errand.exception()):
            log.error("game %s: an errand failed", self.room.id, exc_info=error)

    def ping(self, now: int) -> None:
        """Asks for an answer by a word nobody can guess, so that none can come early."""
        nonce = secrets.token_hex(4)
        while len(self._pings) >= PINGS_OUT:
            del self._pings[next(iter(self._pings))]
        self._pings[nonce] = now
        self.watcher.send(encode({"t": "ping", "n": nonce}).decode())

    def pong(self, nonce: object, now: int) -> None:
        sent = self._pings.pop(str(nonce), None)
        if sent is not None and self.watcher.sides:
            self.room.ponged(self.watcher.sides, now - sent)


class Sockets:
    """All of them. One patrol looks after them all."""

    def __init__(self, limits: Limits, time: MachineTime) -> None:
        self._limits = limits
        self._time = time
        self._open: set[Socket] = set()

    def __len__(self) -> int:
        return len(self._open)

    def add(self, room: Room, watcher: Watcher) -> Socket:
        socket = Socket(room, watcher, self._limits, self._time.mono_ms())
        self._open.add(socket)
        measures.sockets_open.set(len(self._open))
        return socket

    def remove(self, socket: Socket) -> None:
        self._open.discard(socket)
        measures.sockets_open.set(len(self._open))

    async def patrol(self) -> None:
        while True:
            await asyncio.sleep(PATROL_S)
            self.look()

    def look(self) -> None:
        """Lets go of who has been silent too long, and measures the way to those whose time runs."""
        now = self._time.mono_ms()
        for socket in tuple(self._open):
            if now - socket.heard > self._limits.silent_s * 1000:
                socket.watcher.close(SILENT, "silent")
            elif socket.watcher.sides and socket.room.playing and socket.room.timed:
                socket.ping(now)
