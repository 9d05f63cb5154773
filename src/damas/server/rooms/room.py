"""One game and its one owner: what reaches it is dealt with one by one, in the order in which it came.

The order of everything that changes the game: the arbiter decides, the store commits, memory follows, the sender is
answered, everybody is told. Never another order: whatever anybody has seen is on disk (docs/reference/protocol.md, 3–10).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol
from weakref import proxy

import msgspec

from damas.arbiter import (
    Accepted,
    Disconnected,
    Ended,
    Event,
    Flag,
    Moved,
    Offered,
    ProcedureRefused,
    Reconnected,
    Resumed,
    Suspended,
    Table,
    TakeBackAsked,
    TakeBackGranted,
)
from damas.board import Color
from damas.server.messages import Command, Move, content, encode
from damas.server.rooms import measures, outages
from damas.server.rooms.answers import Answer, Arrivals, Asked, ack, busy, nack, said
from damas.server.rooms.audience import Audience
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import Marks, Misplaced, check_seen, event_of, side_of
from damas.server.rooms.computer_players import ComputerPlayers, Levels
from damas.server.rooms.disk import Busy, Disk
from damas.server.rooms.opening import opening
from damas.server.rooms.queue import Queue, Work
from damas.server.rooms.record import Kept, event_rows, line_after, summary, updated
from damas.server.rooms.rulings import apply, written_refusal
from damas.server.rooms.seats import Seats
from damas.server.rooms.sheet import Sheet
from damas.server.rooms.timekeeper import Due, Timekeeper
from damas.server.rooms.watchers import Watcher, Watchers
from damas.server.settings import Limits
from damas.server.store.errors import StoreError, WriteRefused
from damas.server.store.games import Games
from damas.server.store.rows import EventRow, GameRow, HeadUpdate
from damas.server.words import Words
from damas.views import plain
from damas.views.table import ClockView, TableView, clock_view, command_refusal_view, table_view

log = logging.getLogger("damas.rooms")

MOST_WAITING = 32
"""Commands of one player in a game's queue; more are sent away as busy."""
GONE_AWAY = 1012
"""Close code: the service restarts. The page comes back by itself."""
ADOPTED_S = 0.5
"""After so long the sockets of who has just made an account are closed: the answer with the login goes before."""
NOBODY_CAME = "NOBODY_CAME"
FIRST_MOVE_LATE = {Color.WHITE: "FIRST_MOVE_LATE_WHITE", Color.BLACK: "FIRST_MOVE_LATE_BLACK"}
"""Why a game has no result: codes, for which `damas.language` has the words."""


class Person(Protocol):
    """A visitor, as far as a room cares."""

    @property
    def id(self) -> str: ...


@dataclass
class RoomServices:
    """What the rooms of one server share."""

    games: Games
    limits: Limits
    words: Words
    time: MachineTime
    computer_players: ComputerPlayers
    subscribers: list[Callable[["Room"], None]] = field(default_factory=list)
    """Called when a game has started, changed or ended, or somebody has come or gone."""
    lost: Callable[["Room"], None] = lambda _: None
    """The room is no longer the owner of its game."""

    def notify(self, room: "Room") -> None:
        for subscriber in self.subscribers:
            subscriber(room)


class Room:
    """A game in memory. `table` is what is on disk, never more.

    Made by `Rooms`, which hands it the events on disk; a game that still waits for its second player has none.
    """

    def __init__(
        self, services: RoomServices, head: GameRow, table: Table, rows: Sequence[EventRow], epoch: int
    ) -> None:
        self.services = services
        self.head = head
        self.seats = Seats.of(head)
        self.table = table
        self.epoch = epoch
        self.seq = rows[-1].seq if rows else 0
        self.chain = rows[-1].chain if rows else ""
        self.paused: str | None = None
        """Why the game cannot go on now, in the database's words."""
        self.closed = False
        """No longer the owner: whoever holds on to this room must ask for it again."""
        self.next_game: str | None = None
        """The rematch, once the disk has it."""
        self.told_start = False
        """Whether its players know that it goes on."""
        self.address = ""
        """Whence it was last played or asked for, as far as anybody knows: levels are shared out by it."""
        self.rematch_wanted: set[str] = set()
        self.active = services.time.mono_ms()
        self.keeper = Timekeeper(services.limits, services.time, table, self.seats, begun=bool(rows))
        owner = proxy(self)  # what belongs to a room goes with it: nothing in it holds on to it
        self.audience = Audience(owner, services.games, rows, services.limits.events_in_memory)
        self._disk = Disk(services.games, self.id, epoch, services.limits, owner)
        self._levels = Levels(services.computer_players, services.time)
        self._line = line_after(rows)
        self._ids = {row.client_id for row in rows if row.client_id}
        self._marks = Marks()
        for row, event in zip(rows, table.events, strict=False):
            self._marks.note(event, row.seq)
        self._sheet = Sheet(table, rows)
        self._arrivals = Arrivals()
        self._queue = Queue(f"owner of {self.id}", owner)
        self._asking: Counter[frozenset[Color]] = Counter()
        """How many of the queue are commands of these sides."""
        self._timer: asyncio.TimerHandle | None = None
        self._arm()

    # What stands

    @property
    def id(self) -> str:
        return self.head.id

    @property
    def watchers(self) -> Watchers:
        return self.audience.watchers

    @property
    def playing(self) -> bool:
        return self.keeper.playing

    @property
    def timed(self) -> bool:
        return self.keeper.timed

    @property
    def waiting(self) -> bool:
        """For the second player."""
        return self.head.status == "waiting"

    @property
    def sought(self) -> bool:
        """Whether the lobby shows it."""
        return self.waiting and any(self.seats[side].sought for side in Color)

    @property
    def now(self) -> int:
        """The game's time."""
        return self.keeper.now

    @property
    def at_rest(self) -> bool:
        """Whether nothing is under way and nobody is here, so that the room may be let go."""
        at_work = not self._queue.empty or self._levels.thinking or len(self.watchers)
        return not at_work and not (self.playing and self.timed)

    def view(self, language: str) -> TableView:
        """The table as boards read it. While somebody is awaited there is nothing to play."""
        view = table_view(self.table, language, self.table.now, self._sheet.moves)
        return replace(view, waiting=True, can=("abort",), legal=()) if self.waiting else view

    def clocks(self) -> ClockView:
        """What is left now; while nobody's time runs, `running` is None."""
        shown = clock_view(self.table, self.now)
        return replace(shown, running=None) if self.keeper.watch.standing or not self.playing else shown

    def moment(self) -> dict[str, Any]:
        """The clocks, what is left for a first move that is waited for, and the moment for which they hold."""
        now, begin_by = self.services.time.mono_ms(), self.keeper.begin_by
        first_move_ms = None if begin_by is None else max(0, begin_by - now)
        return {"clocks": self.clocks(), "first_move_ms": first_move_ms, "server_ms": now}

    def players(self) -> dict[str, Any]:
        return {
            side.value: {
                "name": self.seats[side].name,
                "kind": self.seats[side].shown_kind,
                "free": self.seats[side].free,
                "here": self._here(side),
            }
            for side in Color
        }

    def _here(self, side: Color) -> bool:
        return self.seats[side].level is not None or self.watchers.holds(side)

    def describe(self, visitor: str, language: str) -> dict[str, Any]:
        """The whole of a game for somebody who has just come."""
        return {
            "game": self.id,
            "epoch": self.epoch,
            "seq": self.seq,
            "chain": self.chain,
            "status": self.head.status,
            "you": self.seats.you(visitor),
            "players": self.players(),
            "view": self.audience.view(language),
            **self.moment(),
            "paused": self.paused,
            "start": self.table.started.fen,
            "previous": self.head.previous,
            "rematch": self.next_game,
        }

    # Watching

    async def enter(self, watcher: Watcher, last: int | None = None, chain: str = "") -> None:
        """Lets somebody look on, and play where they have a seat: greets them, sends what they missed, then all that
        comes.
        """
        missed = await self.audience.missed(watcher, last, chain)
        if self.closed:
            watcher.disconnect(GONE_AWAY, "the game is loaded again")
            return
        self._greet(watcher)
        self.audience.catch_up(watcher, missed)
        if watcher.sides and watcher.address:
            self.address = watcher.address
        for side in watcher.sides:
            self._put(lambda side=side: self._welcome(side))  # type: ignore[misc]
        self._tell_presence()

    def _greet(self, watcher: Watcher) -> None:
        self.audience.greet(watcher, self.services.limits.for_clients())
        self.keeper.here |= watcher.sides

    async def resume(self, watcher: Watcher, last: int, chain: str = "") -> None:
        """Every event after `last` once more."""
        self.audience.catch_up(watcher, await self.audience.missed(watcher, last, chain), again=True)

    def leave(self, watcher: Watcher) -> None:
        self.active = self.services.time.mono_ms()
        for side in self.audience.left(watcher):
            self.keeper.here.discard(side)
            self.keeper.left_at[side] = self.active
        self._tell_presence()
        self._arm()

    def _tell_presence(self) -> None:
        here = {side.value: self._here(side) for side in Color}
        self.audience.announce({"t": "presence", **here, "viewers": self.watchers.viewers})
        self.services.notify(self)

    def say(self, message: dict[str, Any], *, from_player: bool) -> None:
        """Chat: while a game is played, what viewers say reaches viewers only."""
        self.audience.announce(message, players=from_player or not self.playing)

    def ponged(self, sides: frozenset[Color], trip_ms: int) -> None:
        """A player's socket answered a ping after so long."""
        for side in sides:
            self.keeper.lags[side].heard(trip_ms)

    def adopt(self, visitor: str, account: str) -> None:
        """Somebody has made an account, or logged in: their seats and sockets are the account's from now on. The
        sockets are closed soon: those that come back are bound to the login, and end with it.
        """
        if held := self.seats.sides_of(visitor):
            self.head = msgspec.structs.replace(self.head, **{f"{side.value}_id": account for side in held})
            self.seats = Seats.of(self.head)
            self.keeper.seats = self.seats
        if visitor in self.rematch_wanted:
            self.rematch_wanted = self.rematch_wanted - {visitor} | {account}
        for watcher in self.watchers:
            if watcher.visitor == visitor:
                watcher.visitor = account
                asyncio.get_running_loop().call_later(ADOPTED_S, watcher.disconnect, GONE_AWAY, "logged in")

    # The queue

    def ask(
        self, command: Command, visitor: Person, received: int, language: str, watcher: Watcher | None = None
    ) -> asyncio.Future[Answer]:
        """Puts a command into the queue; `received` is when it came, on the monotonic clock. The answer also goes to
        the watcher, before anybody hears of the event. Who does not play is answered at once: viewers take no place
        from players, nor one player from the other.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        sides = self.seats.sides_of(visitor.id)
        asked = Asked(command, sides, received, language, watcher, answer)
        if self.closed:
            asked.reply(self._later_please(asked))
        elif not sides:
            asked.reply(self._nack(command, Misplaced("NOT_A_PLAYER"), language))
        elif watcher and not watcher.sides:
            asked.reply(self._nack(command, Misplaced("SUPERSEDED"), language))
        elif self._asking[sides] >= MOST_WAITING:
            asked.reply(self._later_please(asked))
        else:
            self._asking[sides] += 1
            self._put(lambda: self._obey(asked), lambda: asked.reply(self._later_please(asked)))
        return answer

    async def submit(self, command: Command, visitor: Person, language: str = "en") -> Answer:
        """The answer to a command that came without a socket."""
        return await self.ask(command, visitor, self.services.time.mono_ms(), language)

    def _put(self, work: Work, drop: Callable[[], None] = lambda: None) -> None:
        self.active = self.services.time.mono_ms()
        self._queue.put(work, drop)

    def failed(self, error: Exception) -> None:
        """What was in the queue could not be done."""
        if isinstance(error, Busy):  # what happens by itself comes again by itself
            self._later()
            return
        log.error("game %s: our mistake", self.id, exc_info=error)
        measures.alarms.labels("owner").inc()

    async def in_turn(self, work: Work) -> None:
        """Waits for its place in the queue, and for its end."""
        self.active = self.services.time.mono_ms()
        await self._queue.in_turn(work, Busy(self.services.limits.busy_retry_ms))

    # Commands

    async def _obey(self, asked: Asked) -> None:
        command = asked.command
        self._asking[asked.sides] -= 1
        try:
            answer = await self._decide(asked)
        except Misplaced as why:
            answer = self._nack(command, why, asked.language)
        except Busy as busy:
            answer = self._later_please(asked, busy.retry_ms)
        except StoreError:  # a stored answer could not be read: it is still the answer
            answer = self._later_please(asked)
        except Exception:
            asked.reply(self._nack(command, Misplaced("OUR_FAULT"), asked.language))
            raise
        if answer:
            asked.reply(answer)

    async def _decide(self, asked: Asked) -> Answer | None:
        """The answer, or None where it was given with the commit."""
        command = asked.command
        if command.id in self._ids:
            return await self._again(asked)
        if self.waiting:
            await self._while_waiting(asked)
            return None
        if not self.keeper.begun:
            raise Misplaced("CALLED_OFF")
        side = side_of(command, asked.sides, self.table)
        if self.playing:
            check_seen(command, self.table, self._marks)
            if self.table.suspended and self.table.awaited is side:
                await self._go_on()
        asked.received = self._arrivals.first(asked)
        moves = isinstance(command, Move)
        at = self.keeper.move_at(side, asked.received) if moves else self.keeper.other_at(asked.received)
        event = event_of(command, side, at, self.table)
        table, refused = apply(event, self.table)
        if not refused and len(asked.sides) == 2 and (agreed := _agreed(event, side.other)):
            table, refused = apply(agreed, table)
        return await self._settle(asked, event, table, refused)

    async def _settle(
        self, asked: Asked, event: Event, table: Table, refused: ProcedureRefused | None
    ) -> Answer | None:
        """Writes down what there is to write, and answers."""
        command, before = asked.command, self.table
        new = table.events[len(before.events) :]
        code, error = "", {}
        if why := refused or written_refusal(new, before):
            code, error = why.code, plain(command_refusal_view(why, before, asked.language))
            if isinstance(event, Moved):
                measures.illegal.labels(before.book.id, code).inc()
        if any(isinstance(each, Suspended) for each in new):
            code, error = "OUR_FAULT", self._said(Misplaced("OUR_FAULT"), asked.language)
            measures.alarms.labels("suspended").inc()
            log.error("game %s: our own mistake suspends it\n%s", self.id, new[-1])
        if not new:
            return nack(command, code, error, self.seq)

        def answer(last: EventRow) -> Answer:
            if code:
                return nack(command, code, error, last.seq)
            return ack(command, table, last)

        credit = self.keeper.watch.at_of(asked.received) - event.at
        await self._commit(table, new, asked, answer)
        if not code:
            measures.acks.labels(event.kind).inc()
            if isinstance(event, Moved):
                self.keeper.lags[event.by].spend(credit)
        return None

    def _later_please(self, asked: Asked, retry_ms: int | None = None) -> Answer:
        """Busy; the moment at which the command first came is kept."""
        self._arrivals.keep(asked)
        return busy(asked.command, self.services.limits.busy_retry_ms if retry_ms is None else retry_ms)

    async def _again(self, asked: Asked) -> Answer:
        """The stored answer of an id that was used before, if it was used by the same for the same (item 6a)."""
        row = await self.services.games.by_client_id(self.id, asked.command.id)
        kept = Kept.read(row)
        if kept is None or kept.content != content(asked.command) or not kept.given_to(asked.sides):
            raise Misplaced("ID_REUSED")
        return Answer(kept.message)

    def _said(self, why: Misplaced, language: str) -> dict[str, Any]:
        return said(self.services.words, why, language)

    def _nack(self, command: Command, why: Misplaced, language: str) -> Answer:
        return nack(command, why.code, self._said(why, language), self.seq)

    # Before the game

    async def _while_waiting(self, asked: Asked) -> None:
        """Before the second player comes there is nothing to do but to call it off: a game that began and ended at
        once, without a result, so that the id of whoever did it is kept like any other.
        """
        command = asked.command
        if isinstance(command, Move) or command.do != "abort":
            raise Misplaced("WAITING")
        await self._call_off(asked)

    async def _call_off(self, asked: Asked | None = None) -> None:
        table = opening(self.head)
        table = table.apply(Ended(table.now, NOBODY_CAME, "*"))

        def answer(last: EventRow) -> Answer:
            assert asked
            return ack(asked.command, table, last)

        await self._commit(table, table.events, asked, answer if asked else None)
        self.audience.announce({"t": "called_off"})

    async def call_off(self) -> None:
        """Ends a game for which nobody has come."""

        async def work() -> None:
            if self.waiting and not self.seats.full:
                await self._call_off()

        await self.in_turn(work)

    async def take_seat(self, visitor: str, name: str, kind: str) -> None:
        """The second player sits down and the game begins. Raises `Misplaced` where the seat is taken, or kept for
        somebody else.
        """

        async def work() -> None:
            side = self.seats.free_side
            if side is None or not self.waiting or self.seats.sides_of(visitor):
                raise Misplaced("SEAT_TAKEN")
            if self.seats[side].invited not in (None, visitor):
                raise Misplaced("INVITED")
            await self.services.games.set_seat(self.id, self.epoch, side.value, visitor, name, kind)
            seat = {f"{side.value}_id": visitor, f"{side.value}_name": name, f"{side.value}_kind": kind}
            self.head = msgspec.structs.replace(self.head, **seat)
            self.seats = Seats.of(self.head)
            await self._begin()
            for watcher in self.watchers:
                if watcher.visitor == visitor:  # who looked on before plays now
                    self._greet(watcher)
            self.audience.announce({"t": "players", "players": self.players()})
            self._tell_presence()  # who sat down looks on no more

        await self.in_turn(work)

    async def _begin(self) -> None:
        """Both are there: the first event, from which time counts."""
        table = opening(self.head)
        await self._commit(table, table.events)

    async def complete(self) -> None:
        """Begins a game whose second player sat down just before the server stopped."""
        if self.waiting and self.seats.full:
            await self.in_turn(self._begin)

    # What happens by itself

    def _arm(self) -> None:
        """Sets the one timer to whatever is due next."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = None if self.closed else self.keeper.due()
        if due:
            delay = max(0, due.moment - self.services.time.mono_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self.tick)

    def tick(self) -> None:
        """Looks what is due."""
        self._put(self._do_what_is_due)

    async def _do_what_is_due(self) -> None:
        while (due := self.keeper.due()) and due.moment <= self.services.time.mono_ms():
            before = self.table
            await self._happens(due)
            if self.table is before:  # it was not allowed: trying at once again would go on for ever
                self._later()
                return
        self._arm()

    async def _happens(self, due: Due) -> None:
        keeper, table = self.keeper, self.table
        match due.what:
            case "flag":
                if table.clocks.overdue(keeper.now):
                    await self.by_itself(Flag(keeper.now, due.side))
                    measures.flags.labels("timer").inc()
            case "not_begun":
                await self.by_itself(Ended(keeper.in_time, FIRST_MOVE_LATE[due.side], "*"))
            case "gone":
                at = keeper.other_at(keeper.left_at[due.side])
                await self.by_itself(Disconnected(at, due.side))
            case "go_on":
                await self._go_on()
            case "nobody_back":
                await self.by_itself(Ended(table.now, outages.NOBODY_BACK, "*"))

    async def by_itself(self, event: Event) -> bool:
        """An event that nobody sent; what the arbiter does not allow is not written. Raises `Busy`."""
        table, refused = apply(event, self.table)
        new = table.events[len(self.table.events) :]
        if not new:
            log.warning("game %s: %s was not allowed: %s", self.id, event.kind, refused and refused.code)
            return False
        await self._commit(table, new)
        return True

    def _later(self) -> None:
        def once_more() -> None:
            self.tick()
            self.wake()

        asyncio.get_running_loop().call_later(self.services.limits.busy_retry_ms / 1000, once_more)

    async def _welcome(self, side: Color) -> None:
        """A player's socket is open again."""
        if not self.playing or not self.watchers.holds(side):
            return
        if side in self.table.absent:
            await self.by_itself(Reconnected(self.keeper.in_time, side))
        if self.table.suspended and self.table.awaited is side:
            await self._go_on()
        self._arm()

    async def _go_on(self) -> None:
        """A suspended game goes on, and the clock with it."""
        if self.table.suspended:
            await self.by_itself(Resumed(self.table.now, outages.WENT_ON))

    async def suspend(self) -> None:
        """Before the server stops: up to now time is charged, and from now on to nobody."""

        async def work() -> None:
            if self.playing and self.timed and not self.table.suspended:
                await self.by_itself(Suspended(self.keeper.in_time, None, outages.STOPPED))

        await self.in_turn(work)

    def wake(self) -> None:
        """Lets a level think where one has something to do."""
        self._levels.wake(self)

    def put_answer(self, work: Work) -> None:
        """What a level has thought of takes its place in the queue like anything else."""
        self._put(work)

    # Commit, then tell

    async def _commit(
        self,
        table: Table,
        events: Sequence[Event],
        asked: Asked | None = None,
        answer: Callable[[EventRow], Answer] | None = None,
    ) -> None:
        """The one door to the disk and from there to everybody. Raises `Busy`, and then nothing has happened."""
        time = self.services.time
        rows = event_rows(
            events,
            table,
            seq=self.seq,
            chain=self.chain,
            epoch=self.epoch,
            line=self._line,
            wall=time.wall_ms(),
            mono=time.mono_ms(),
            client_id=asked.command.id if asked else None,
        )
        told = answer(rows[-1]) if answer else None
        if asked and told:
            kept = Kept(content(asked.command), told.message, sorted(side.value for side in asked.sides))
            rows[0] = msgspec.structs.replace(rows[0], answer=kept.written)
        head = summary(table, rows[-1].wall_ms)
        await self._disk.write(rows, head)
        committed = time.mono_ms()
        self._remember(table, events, rows, head, committed)
        if asked and told:
            self._arrivals.forget(asked)
            measures.to_commit.observe(max(0, committed - asked.received) / 1000)
            asked.reply(told)
        self.audience.tell(rows)
        measures.to_send.observe(max(0, time.mono_ms() - committed) / 1000)
        self._arm()
        self.wake()
        self.services.notify(self)

    def _remember(
        self,
        table: Table,
        events: Sequence[Event],
        rows: Sequence[EventRow],
        head: HeadUpdate,
        committed: int,
    ) -> None:
        """Memory follows the disk."""
        before, self.table = self.table, table
        self._sheet.follow(before, table)
        for event, row in zip(events, rows, strict=True):
            self._marks.note(event, row.seq)
            if row.client_id:
                self._ids.add(row.client_id)
            self._line += row.kind == TakeBackGranted.kind
        self.seq, self.chain = rows[-1].seq, rows[-1].chain
        self.head = updated(self.head, head)
        self.keeper.follow(table, self.seats, committed)

    def pause(self, reason: str) -> None:
        if self.paused is not None:
            return
        self.paused = reason
        self.keeper.pause()
        for watcher in self.watchers:
            told = self._said(Misplaced("PAUSED"), watcher.language)
            watcher.send(encode({"t": "paused", "reason": reason, **told}).decode())

    def unpause(self) -> None:
        self.paused = None
        self.keeper.unpause()
        self.audience.announce({"t": "resumed", **self.moment()})

    def lose(self, refused: WriteRefused) -> None:
        """Memory and disk disagree, or the game has another owner: the disk is right, so everybody comes again."""
        log.error("game %s: %s", self.id, refused)
        measures.alarms.labels("lost_room").inc()
        self.close(GONE_AWAY, "the game is loaded again")
        self.services.lost(self)

    def close(self, code: int, reason: str) -> None:
        """Lets go of everything and everybody. What is on disk stays."""
        self.closed = self._disk.closed = True
        self._arm()
        self._levels.stop()
        self._queue.close()
        for watcher in self.watchers:
            watcher.disconnect(code, reason)


def _agreed(event: Event, other: Color) -> Event | None:
    """What who plays both sides has said with such an event, for there is nobody else to ask."""
    if isinstance(event, TakeBackAsked):
        return TakeBackGranted(event.at, other)
    return Accepted(event.at, other) if isinstance(event, Offered) else None
