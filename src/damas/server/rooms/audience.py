"""What everybody at a game is sent: greetings, events in their order, what was missed.

Events are written once for each language and handed to every outbox; the last 256 are kept for who comes back.
"""

import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from damas.board import Color
from damas.server.messages import encode, raw
from damas.server.rooms import measures
from damas.server.rooms.seats import Seats
from damas.server.rooms.watchers import Watcher, Watchers
from damas.server.store.games import Games
from damas.server.store.rows import EventRow
from damas.views.table import TableView

log = logging.getLogger("damas.rooms")


@dataclass(frozen=True)
class Told:
    """An event as watchers get it."""

    seq: int
    event: msgspec.Raw
    chain: str

    @classmethod
    def of(cls, row: EventRow) -> "Told":
        return cls(row.seq, msgspec.Raw(row.data.encode()), row.chain)


class Shown(Protocol):
    """What the audience looks at: a room."""

    @property
    def id(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def seats(self) -> Seats: ...
    @property
    def playing(self) -> bool: ...
    def view(self, language: str) -> TableView: ...
    def moment(self) -> dict[str, Any]: ...
    def describe(self, visitor: str, language: str) -> dict[str, Any]: ...


class Audience:
    """Everybody at one game."""

    def __init__(self, room: Shown, games: Games, rows: Sequence[EventRow], kept: int) -> None:
        self.watchers = Watchers()
        self._room = room
        self._games = games
        self._ring = deque(map(Told.of, rows[-kept:]), kept)
        self._views: dict[str, msgspec.Raw] = {}

    # The table, written once

    def view(self, language: str) -> msgspec.Raw:
        written = self._views.get(language)
        if written is None:
            written = self._views[language] = raw(self._room.view(language))
        return written

    def forget_views(self) -> None:
        """The table is another."""
        self._views.clear()

    # Everybody

    def tell(self, rows: Sequence[EventRow]) -> None:
        """New events, for everybody, the mover too, whose answer has gone before. Only the last shows the table: who has
        seen it has seen them all, and may act on it.
        """
        self.forget_views()
        news = [Told.of(row) for row in rows]
        self._ring.extend(news)
        moment = self._room.moment()
        written: dict[str, list[str]] = {}
        for watcher in self.watchers:
            texts = written.get(watcher.language)
            if texts is None:
                texts = written[watcher.language] = _events(
                    news, {"view": self.view(watcher.language), **moment}
                )
            for text in texts:
                watcher.send(text)

    def announce(self, message: dict[str, Any], *, players: bool = True, viewers: bool = True) -> None:
        """Something that is no event of the game, and may get lost."""
        text = encode(message).decode()
        for watcher in self.watchers:
            plays = bool(self._room.seats.sides_of(watcher.visitor))
            if players if plays else viewers:
                watcher.send(text)

    # One of them

    def greet(self, watcher: Watcher, limits: dict[str, Any]) -> None:
        """Lets somebody in; their newest socket is the one that plays (item 13)."""
        for older in self.watchers.add(watcher, self._room.seats.sides_of(watcher.visitor)):
            older.send(encode({"t": "superseded"}).decode())
        told = self._room.describe(watcher.visitor, watcher.language)
        watcher.send(encode({"t": "hello", **told, "limits": limits}).decode())

    async def missed(self, watcher: Watcher, last: int | None, chain: str) -> list[Told]:
        """The events after `last`: from the ring, or from the store where it does not reach back so far. Whoever has
        another history than ours gets all of it (item 32).
        """
        if last is None:
            return []
        last = min(last, self._room.seq)
        known = await self._since(last - 1 if chain and last else last)
        if chain and last:
            if known and known[0].chain == chain:
                return known[1:]
            self._alarm(watcher, last)
            return await self._since(0)
        return known

    async def _since(self, last: int) -> list[Told]:
        """The events after `last`, and never fewer than the ring has by then."""
        if last >= self._room.seq:
            return []
        first = self._ring[0].seq if self._ring else self._room.seq + 1
        stored: list[Told] = []
        measures.resumes.labels("store" if last + 1 < first else "memory").inc()
        if last + 1 < first:
            stored = [Told.of(row) for row in await self._games.events(self._room.id, after=last)]
            last = stored[-1].seq if stored else last
        return [*stored, *(told for told in self._ring if told.seq > last)]

    def _alarm(self, watcher: Watcher, last: int) -> None:
        """A player has another history than ours. Of a viewer we only know that anybody can write an address."""
        if self._room.seats.sides_of(watcher.visitor):
            measures.alarms.labels("other_chain").inc()
            log.error("game %s: a player's page has another history up to event %s", self._room.id, last)

    def catch_up(self, watcher: Watcher, missed: Sequence[Told], *, again: bool = False) -> None:
        """Sends them; only the last shows the table, which is that of now."""
        if not missed:
            return
        # What was committed while the store was being read is in the ring by now.
        newer = [told for told in self._ring if told.seq > missed[-1].seq]
        shown = {"view": self.view(watcher.language), **self._room.moment()}
        watcher.send_missed(_events([*missed, *newer], shown), again=again)

    def left(self, watcher: Watcher) -> frozenset[Color]:
        """Somebody has gone; the sides that nobody holds now."""
        return self.watchers.remove(watcher)


def _events(news: Sequence[Told], shown: dict[str, Any]) -> list[str]:
    """As they go over the wire; the last one with what is to be shown."""
    *earlier, latest = news
    return [*(_event(told, {}) for told in earlier), _event(latest, shown)]


def _event(told: Told, shown: dict[str, Any]) -> str:
    return encode({"t": "event", "seq": told.seq, "event": told.event, "chain": told.chain, **shown}).decode()
