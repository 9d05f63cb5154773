"""The lobby: who looks for a game, and which games can be watched."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, Protocol

import msgspec

from damas.board import Color
from damas.server.encoding import encode
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
GROUP, GROUP_INTERVAL_S = 10, 0.01
"""So many followers are served at once, and then others have their turn."""


class RemoteLine(msgspec.Struct, frozen=True):
    """A seek or game of another node, as a line of its lobby."""

    owners: list[str]
    """The visitors who have a seat."""
    age_ms: int
    """How long nothing has happened there."""
    line: dict[str, Any]


class LobbyPart(msgspec.Struct, frozen=True):
    """What one node adds to the lobby of all."""

    seeks: list[RemoteLine] = []
    games: list[RemoteLine] = []
    playing: int = 0


class OtherLobbies(Protocol):
    """The lobbies of other nodes."""

    @property
    def parts(self) -> Sequence[LobbyPart]:
        """As they were when they were last read."""

    async def refresh(self) -> None:
        """Reads those that have changed; never raises."""

    def follow(self, changed: Callable[[], None]) -> None:
        """Calls `changed` when another node's lobby has changed."""

    def tell(self) -> None:
        """Tells other nodes that this one's has changed."""


class Lobby:
    """Open seeks and live games, read from the rooms, and from the lobbies of other nodes where there are any."""

    def __init__(self, rooms: Rooms, others: OtherLobbies | None = None) -> None:
        self._rooms = rooms
        self._others = others
        self._changed = Signal()
        self._followers: dict[asyncio.Event, None] = {}
        """The event of each follower, set when the lobby may have changed."""
        self._snapshot: Snapshot | None = None
        """What followers are sent; None while there are none."""
        self._waking: asyncio.Task[None] | None = None
        rooms.services.subscribers.append(lambda _: self._changed.notify())
        if others:
            others.follow(self._changed.notify)
            rooms.services.subscribers.append(lambda _: others.tell())

    async def fresh_snapshot(self, visitor: str = "") -> dict[str, Any]:
        """The lobby of all nodes for one visitor."""
        if self._others:
            await self._others.refresh()
        return self.snapshot(visitor)

    def snapshot(self, visitor: str = "") -> dict[str, Any]:
        """The lobby for one visitor: their own seeks and games are marked, and come first."""
        return self._take_snapshot().view(visitor)

    def _take_snapshot(self) -> "Snapshot":
        playing = sum(room.playing for room in self._rooms)
        return Snapshot(
            self._rooms.time.mono_ms(),
            self._seeks(),
            self._rooms.listed,
            playing,
            self._others.parts if self._others else (),
        )

    def _seeks(self) -> list[Room]:
        return [room for room in self._rooms if room.sought and self._present(room)]

    def part(self) -> LobbyPart:
        """What this node adds to the lobby of all."""
        now = self._rooms.time.mono_ms()

        def lines(rooms: Iterable[Room], describe: Callable[[Room], dict[str, Any]]) -> list[RemoteLine]:
            return [
                RemoteLine(_owners(room), now - room.active, _described(room, describe)) for room in rooms
            ]

        games = sorted(self._rooms.listed, key=lambda room: room.active, reverse=True)
        playing = sum(room.playing for room in self._rooms)
        return LobbyPart(lines(self._seeks()[:MAX_SHOWN], _seek), lines(games[:MAX_SHOWN], _game), playing)

    def _present(self, room: Room) -> bool:
        """Whether the player who seeks a game is there to play it."""
        new = self._rooms.time.wall_ms() - room.head.created_ms < ARRIVAL_MS
        return new or any(room.audience.holds(side) for side in Color)

    async def watch(self, visitor: str = "") -> AsyncIterator[bytes]:
        """The lobby now as JSON, and whenever it has changed."""
        news, sent = asyncio.Event(), b""
        self._followers[news] = None
        if self._waking is None:
            self._waking = asyncio.create_task(self._wake_followers(), name="lobby")
        try:
            while True:
                news.clear()
                self._snapshot = self._snapshot or self._take_snapshot()
                if (data := self._snapshot.json(visitor)) != sent:
                    yield (sent := data)
                await news.wait()
        finally:
            del self._followers[news]

    async def _wake_followers(self) -> None:
        """After every change takes one snapshot for all followers and wakes them, a group at a time."""
        try:
            while self._followers:
                change = self._changed.next
                if self._others:
                    await self._others.refresh()
                self._snapshot = self._take_snapshot()
                for number, news in enumerate(tuple(self._followers), start=1):
                    news.set()
                    if number % GROUP == 0:
                        await asyncio.sleep(GROUP_INTERVAL_S)
                await asyncio.sleep(SETTLING_S)
                with suppress(TimeoutError):
                    await asyncio.wait_for(change.wait(), RECHECK_S)
        finally:
            self._snapshot = self._waking = None


class Snapshot:
    """The lobby at one moment, put together and encoded once for everybody who has no line of their own in it."""

    def __init__(
        self,
        now_ms: int,
        seeks: Iterable[Room],
        games: Iterable[Room],
        playing: int,
        others: Sequence[LobbyPart] = (),
    ) -> None:
        self._seeks = Lines(seeks, _seek, [line for part in others for line in part.seeks])
        there = [line for part in others for line in part.games]

        def age_ms(line: Room | RemoteLine) -> int:
            return line.age_ms if isinstance(line, RemoteLine) else now_ms - line.active

        self._games = Lines(sorted([*games, *there], key=age_ms), _game)
        self._playing = playing + sum(part.playing for part in others)
        self._for_others = b""

    def view(self, visitor: str) -> dict[str, Any]:
        """What one visitor is shown."""
        shown = {"seeks": self._seeks.shown_to(visitor), "games": self._games.shown_to(visitor)}
        return {**shown, "playing": self._playing}

    def json(self, visitor: str) -> bytes:
        """The same, encoded."""
        if visitor in self._seeks.owners or visitor in self._games.owners:
            return encode(self.view(visitor))
        self._for_others = self._for_others or encode(self.view(""))
        return self._for_others


class Lines:
    """Rooms of one kind, as lines of the lobby: each is described once, whoever is shown it."""

    def __init__(
        self,
        rooms: Iterable[Room | RemoteLine],
        describe: Callable[[Room], dict[str, Any]],
        remote: Iterable[RemoteLine] = (),
    ) -> None:
        self._rooms: list[Room | RemoteLine] = [*rooms, *remote]
        self._describe = describe
        self._lines: dict[int, dict[str, Any]] = {}
        self.owners: defaultdict[str, list[Room | RemoteLine]] = defaultdict(list)
        """The rooms in which each visitor has a seat."""
        for room in self._rooms:
            for player in room.owners if isinstance(room, RemoteLine) else _owners(room):
                self.owners[player].append(room)

    def shown_to(self, visitor: str) -> list[dict[str, Any]]:
        """The first lines, those of the visitor before all others."""
        own = self.owners.get(visitor, [])[:MAX_SHOWN]
        others = [room for room in islice(self._rooms, MAX_SHOWN + len(own)) if room not in own]
        lines = [*({**self._line(room), "mine": True} for room in own), *map(self._line, others)]
        return lines[:MAX_SHOWN]

    def _line(self, room: Room | RemoteLine) -> dict[str, Any]:
        if isinstance(room, RemoteLine):
            return room.line
        if id(room) not in self._lines:
            self._lines[id(room)] = _described(room, self._describe)
        return self._lines[id(room)]


def _owners(room: Room) -> list[str]:
    return [player for side in Color if (player := room.seats[side].id)]


def _described(room: Room, describe: Callable[[Room], dict[str, Any]]) -> dict[str, Any]:
    return {"id": room.id, "mine": False, **describe(room), **terms(room.head)}


def _seek(room: Room) -> dict[str, Any]:
    side = next(side for side in Color if not room.seats[side].free)
    return {"name": room.seats[side].name, "color": side.other.value, "colour": side.other.value}


def _game(room: Room) -> dict[str, Any]:
    return {
        "white": room.seats.white.name,
        "black": room.seats.black.name,
        "ply": room.table.ply,
        "fen": room.table.position.fen,
        "viewers": room.audience.viewers,
    }
