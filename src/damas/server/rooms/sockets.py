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
"""So often each socket is looked at."""
SHARES = 25
"""One share of the sockets after the other: to look at all of them at once would hold everybody up."""
WELL_KNOWN = 4
"""Answers after which the way to somebody is known well enough to measure it in every fourth round only."""
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
    rounds: int = 0
    """How often the patrol has come by while its way could be measured."""
    answers: int = 0
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
            self.answers += 1
            self.room.ponged(self.watcher.sides, now - sent)


class Sockets:
    """All of them. One patrol looks after them all."""

    def __init__(self, limits: Limits, time: MachineTime) -> None:
        self._limits = limits
        self._time = time
        self._shares: deque[set[Socket]] = deque(set() for _ in range(SHARES))

    def __len__(self) -> int:
        return sum(map(len, self._shares))

    def add(self, room: Room, watcher: Watcher) -> Socket:
        socket = Socket(room, watcher, self._limits, self._time.mono_ms())
        min(self._shares, key=len).add(socket)
        measures.sockets_open.set(len(self))
        return socket

    def remove(self, socket: Socket) -> None:
        for share in self._shares:
            share.discard(socket)
        measures.sockets_open.set(len(self))

    async def patrol(self) -> None:
        while True:
            await asyncio.sleep(PATROL_S / SHARES)
            self._look_at(self._shares[0])
            self._shares.rotate()

    def look(self) -> None:
        """A whole round at once."""
        for share in self._shares:
            self._look_at(share)

    def _look_at(self, share: set[Socket]) -> None:
        """Lets go of who has been silent too long, and measures the way to those whose time runs."""
        now = self._time.mono_ms()
        for socket in tuple(share):
            if now - socket.heard > self._limits.silent_s * 1000:
                socket.watcher.disconnect(SILENT, "silent")
            elif socket.watcher.sides and socket.room.playing and socket.room.timed:
                if socket.answers < WELL_KNOWN or socket.rounds % 4 == 0:
                    socket.ping(now)
                socket.rounds += 1
