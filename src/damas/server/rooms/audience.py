"""Everybody at one game, and what they are shown: greetings, events in order, missed events, presence.

Events are encoded once for each language and put into every outbox; the last 256 are kept for who comes back.
"""

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from damas.arbiter import Table
from damas.board import Color
from damas.server.messages import encode, raw
from damas.server.rooms import metrics
from damas.server.rooms.ledger import Ledger
from damas.server.rooms.outages import is_held
from damas.server.rooms.record import time_left
from damas.server.rooms.timekeeper import Timekeeper
from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits
from damas.server.store.games import Games
from damas.server.store.rows import AGREED, EventRow
from damas.views import plain
from damas.views.over_the_board import followed_view
from damas.views.table import ClockView, clock_view, note_time, played_move, played_moves, table_view

log = logging.getLogger("damas.rooms")


FEW_EVENTS = 64
"""Events that anybody may have missed; to send more is a replay."""


class SentEvent(NamedTuple):
    """An event as watchers get it."""

    seq: int
    event: msgspec.Raw
    chain: str

    @classmethod
    def of(cls, row: EventRow) -> "SentEvent":
        """The event of a stored row."""
        return cls(row.seq, msgspec.Raw(row.data.encode()), row.chain)


class Audience:
    """The watchers of one game. Iterate over it for all of them."""

    def __init__(
        self, ledger: Ledger, keeper: Timekeeper, games: Games, rows: Sequence[EventRow], limits: Limits
    ) -> None:
        self._ledger = ledger
        self._keeper = keeper
        self._games = games
        self._limits = limits
        self._watchers: set[Watcher] = set()
        self._holders: dict[Color, Watcher] = {}
        """The socket that moves for each side."""
        kept = limits.events_in_memory
        self._recent = deque(map(SentEvent.of, rows[-kept:]), kept)
        self._views: dict[str, msgspec.Raw] = {}
        """The table in each language, encoded."""
        self._followed: dict[str, msgspec.Raw] = {}
        """The same for the arbiter of many boards."""
        self._score_sheet = ScoreSheet(ledger.table, rows)
        self.remote_arbiters: set[object] = set()
        """Arbiters who follow this board from a page of many boards."""
        self.arbiter_wanted: set[str] = set()
        """Visitors who want an arbiter for this game."""

    def __iter__(self) -> Iterator[Watcher]:
        return iter(tuple(self._watchers))

    def __len__(self) -> int:
        return len(self._watchers)

    def holds(self, side: Color) -> bool:
        """Whether the player of this side has a socket open."""
        return side in self._holders

    def holder(self, side: Color) -> Watcher | None:
        """The socket that moves for a side."""
        return self._holders.get(side)

    def sockets_of(self, visitor: str) -> int:
        """How many sockets a visitor has open here."""
        return sum(1 for watcher in self._watchers if watcher.visitor == visitor)

    @property
    def viewers(self) -> int:
        """Those who only watch; older windows of a player do not count."""
        players = {holder.visitor for holder in self._holders.values()}
        return sum(
            not watcher.sides and not watcher.is_arbiter and watcher.visitor not in players
            for watcher in self._watchers
        )

    @property
    def has_arbiter(self) -> bool:
        """Whether an arbiter is here."""
        return bool(self.remote_arbiters) or any(watcher.is_arbiter for watcher in self._watchers)

    # What is shown

    def view(self, language: str) -> msgspec.Raw:
        """The table as boards read it. While the second player is awaited nothing can be played."""
        encoded = self._views.get(language)
        if encoded is None:
            table = self._ledger.table
            view = table_view(table, language, table.now, self._score_sheet.moves)
            if self._ledger.waiting:
                view = replace(view, waiting=True, can=("abort",), legal=())
            encoded = self._views[language] = raw(view)
        return encoded

    def followed(self, language: str) -> msgspec.Raw:
        """The table as the arbiter of many boards sees it."""
        encoded = self._followed.get(language)
        if encoded is None:
            encoded = self._followed[language] = raw(plain(followed_view(self._ledger.table, language)))
        return encoded

    def clocks(self) -> ClockView:
        """What is left now; `running` is None while nobody's time runs."""
        keeper = self._keeper
        clocks = clock_view(self._ledger.table, keeper.now)
        return replace(clocks, running=None) if keeper.watch.standing or not keeper.playing else clocks

    def moment(self) -> dict[str, Any]:
        """The clocks, the time left for an awaited first move, the server time for which they hold, and whether a teacher
        holds the game.
        """
        now, begin_by = self._keeper.machine.mono_ms(), self._keeper.begin_by
        first_move_ms = None if begin_by is None else max(0, begin_by - now)
        held = is_held(self._ledger.table)
        return {"clocks": self.clocks(), "first_move_ms": first_move_ms, "server_ms": now, "held": held}

    def players(self) -> dict[str, Any]:
        """Name, kind and presence of both players, by side, and whether they took the arbiter's link before the other came."""
        seats = self._ledger.seats
        return {
            side.value: {
                "name": seats[side].name,
                "kind": seats[side].shown_kind,
                "free": seats[side].free,
                "here": self._present(side),
                "arbiter_link": seats.apart and self._ledger.head.arbiter_link == side.value,
            }
            for side in Color
        }

    def _present(self, side: Color) -> bool:
        return self._ledger.seats[side].level is not None or self.holds(side)

    def describe(self, visitor: str, language: str) -> dict[str, Any]:
        """The whole game for somebody who has just come."""
        ledger = self._ledger
        return {
            "game": ledger.id,
            "epoch": ledger.epoch,
            "seq": ledger.seq,
            "chain": ledger.chain,
            "status": ledger.head.status,
            "you": ledger.seats.you(visitor),
            "may_join": ledger.head.status == "waiting" and ledger.seats.free_for(visitor),
            "players": self.players(),
            "view": self.view(language),
            **self.moment(),
            "paused": ledger.paused,
            "start": ledger.table.started.fen,
            "previous": ledger.head.previous,
            "rematch": ledger.next_game,
            "arbiter_wanted": [
                side.value
                for side in Color
                if ledger.head.arbiter_link == AGREED or ledger.seats[side].id in self.arbiter_wanted
            ],
        }

    # Everybody

    def follow(self, before: Table, rows: Sequence[EventRow]) -> None:
        """Sends new events to everybody, the mover too, who has been answered before.

        Only the last one shows the table: whoever has it may act on it.
        """
        self._score_sheet.follow(before, self._ledger.table)
        self._views.clear()
        self._followed.clear()
        events = [SentEvent.of(row) for row in rows]
        self._recent.extend(events)
        moment = self.moment()
        encoded: dict[str, list[str]] = {}
        for watcher in self._watchers:
            texts = encoded.get(watcher.language)
            if texts is None:
                shown = {"view": self.view(watcher.language), **moment}
                texts = encoded[watcher.language] = _event_messages(events, shown)
            for text in texts:
                watcher.send(text)

    def announce(self, message: dict[str, Any], *, players: bool = True, viewers: bool = True) -> None:
        """Sends a message that is no event of the game and may get lost; arbiters get every one."""
        text = encode(message)
        for watcher in self._watchers:
            plays = bool(self._ledger.seats.sides_of(watcher.visitor))
            if watcher.is_arbiter or (players if plays else viewers):
                watcher.send(text)

    def is_official(self, watcher: Watcher) -> bool:
        """Whether it is a player, in any window, or the arbiter."""
        return watcher.is_arbiter or bool(self._ledger.seats.sides_of(watcher.visitor))

    def announce_presence(self) -> None:
        """Tells everybody who is here."""
        here = {side.value: self._present(side) for side in Color}
        self.announce({"t": "presence", **here, "viewers": self.viewers, "arbiter": self.has_arbiter})

    # One of them

    def greet(self, watcher: Watcher) -> None:
        """Lets somebody in. A player's newest socket is the one that plays (item 13)."""
        self._watchers.add(watcher)
        seats = self._ledger.seats
        sides = frozenset() if watcher.takes_no_side else seats.sides_of(watcher.visitor)
        # Of two sockets of one page a busy server may accept the older one last.
        watcher.sides = frozenset(
            side for side in sides if side not in self._holders or not watcher.precedes(self._holders[side])
        )
        replaced = {self._holders[side] for side in watcher.sides if side in self._holders} - {watcher}
        self._holders |= dict.fromkeys(watcher.sides, watcher)
        for older in replaced:
            older.sides = frozenset()
            older.send(encode({"t": "superseded"}))
        game = self.describe(watcher.visitor, watcher.language)
        if watcher.takes_no_side:
            game["you"] = "arbiter" if watcher.is_arbiter else "viewer"
        watcher.send(encode({"t": "hello", **game, "limits": self._limits.for_clients()}))

    def remove(self, watcher: Watcher) -> frozenset[Color]:
        """Forgets somebody who has gone; the sides whose player has no socket now."""
        self._watchers.discard(watcher)
        left = frozenset(side for side, holder in self._holders.items() if holder is watcher)
        for side in left:
            del self._holders[side]
        return left

    def is_replay(self, last: int | None, chain: str) -> bool:
        """Whether a watcher who has the events up to `last` needs more than the last few."""
        if last is None:
            return False
        if self._ledger.seq - last > FEW_EVENTS:
            return True
        known = next((event.chain for event in reversed(self._recent) if event.seq <= last), chain)
        return bool(chain) and chain != known

    async def missed(self, watcher: Watcher, last: int | None, chain: str) -> list[SentEvent]:
        """The events after `last`; all events for a watcher whose `chain` is not ours (item 32)."""
        if last is None:
            return []
        last = min(last, self._ledger.seq)
        if not chain or not last:
            return await self._since(last)
        events = await self._since(last - 1)
        if events and events[0].chain == chain:
            return events[1:]
        # Anybody can write an address, so only a player's other history is a sign of trouble.
        if self._ledger.seats.sides_of(watcher.visitor):
            metrics.alarms.labels("other_chain").inc()
            log.error("game %s: a player's page has another history up to event %s", self._ledger.id, last)
        return await self._since(0)

    async def _since(self, last: int) -> list[SentEvent]:
        """The events after `last`, from memory or from the store where memory does not reach back so far."""
        if last >= self._ledger.seq:
            return []
        first = self._recent[0].seq if self._recent else self._ledger.seq + 1
        stored: list[SentEvent] = []
        metrics.resumes.labels("store" if last + 1 < first else "memory").inc()
        if last + 1 < first:
            rows = await self._games.events(self._ledger.id, after=last)
            stored = [SentEvent.of(row) for row in rows]
            last = stored[-1].seq if stored else last
        return [*stored, *(event for event in self._recent if event.seq > last)]

    def catch_up(self, watcher: Watcher, missed: Sequence[SentEvent], *, again: bool = False) -> None:
        """Sends missed events; only the last shows the table, as it is now."""
        if not missed:
            return
        # What was committed while the store was being read is in memory by now.
        newer = [event for event in self._recent if event.seq > missed[-1].seq]
        shown = {"view": self.view(watcher.language), **self.moment()}
        watcher.send_missed(_event_messages([*missed, *newer], shown), again=again)


class ScoreSheet:
    """The moves of one game as everybody is shown them, each encoded once: a long game costs no more than a short."""

    def __init__(self, table: Table, rows: Sequence[EventRow]) -> None:
        self._left = time_left(rows, table)
        self.moves: list[msgspec.Raw] = []
        self._write_all(table)

    def follow(self, before: Table, after: Table) -> None:
        """Writes down what has changed from one table to the next."""
        note_time(self._left, before, after)
        same_stretch = len(after.stretches) == len(before.stretches)
        if same_stretch and after.ply == before.ply + 1:
            stretch, ply = after.stretches[-1], after.game.record.length
            set_up = len(after.stretches) > 1
            self.moves.append(raw(played_move(stretch, ply, self._left[-1], set_up=set_up)))
        elif not same_stretch or after.game is not before.game:
            self._write_all(after)

    def _write_all(self, table: Table) -> None:
        self.moves = [raw(move) for move in played_moves(table, self._left)]


def _event_messages(events: Sequence[SentEvent], shown: dict[str, Any]) -> list[str]:
    """Events as they are sent, the last one with what is to be shown."""
    *earlier, latest = events
    return [*(_event_message(event, {}) for event in earlier), _event_message(latest, shown)]


def _event_message(event: SentEvent, shown: dict[str, Any]) -> str:
    return encode({"t": "event", **event._asdict(), **shown})
