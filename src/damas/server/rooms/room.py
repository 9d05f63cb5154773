"""One game and its owner: commands are handled one at a time, in the order in which they came.

Everything that changes the game goes the same way: the arbiter decides, the store commits, memory follows (`ledger`),
the sender is answered, everybody is told (`audience`). Whatever anybody has seen is on disk (docs/reference/protocol.md,
3-10).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from weakref import proxy

from damas.arbiter import (
    Accepted,
    Disconnected,
    Ended,
    Event,
    Flag,
    Moved,
    Offered,
    Reconnected,
    Resumed,
    Suspended,
    Table,
    TakeBackAsked,
    TakeBackGranted,
)
from damas.board import Color
from damas.errors import DamasError
from damas.server.messages import Command, Intervene, Move, encode
from damas.server.rooms import metrics, outages
from damas.server.rooms.answers import Answer, FirstArrivals, PendingCommand, ack, busy, nack
from damas.server.rooms.audience import Audience
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import CommandRefused, check_seen, event_of, interventions_of, side_of
from damas.server.rooms.computer_players import ComputerPlayers, Levels
from damas.server.rooms.lease import Lease
from damas.server.rooms.ledger import Busy, Commit, Decision, GameLost, Ledger
from damas.server.rooms.long_lists import list_ahead
from damas.server.rooms.queue import Queue, Work
from damas.server.rooms.record import opening
from damas.server.rooms.seats import Seats
from damas.server.rooms.timekeeper import Due, Timekeeper
from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits
from damas.server.store.errors import StoreError
from damas.server.store.games import Games
from damas.server.store.rows import AGREED, EventRow, GameRow, LinkHolder
from damas.server.words import Words
from damas.views import plain
from damas.views.table import command_refusal_view

log = logging.getLogger("damas.rooms")

MAX_QUEUED_COMMANDS = 32
"""Commands of one player in a game's queue; further ones are answered `busy`."""
RETRY_S = (0.05, 0.1, 0.25, 0.5)
"""Waits before a failed write is tried again; the last one repeats."""
GONE_AWAY = 1012
"""Close code: the service restarts. The page reconnects by itself."""
LOGIN_GRACE_S = 0.5
"""Sockets of a visitor who logs in are closed after this time, when the response to the login has gone out."""
NO_LEASE = "the lease of this node has ended"
"""Why what may be on disk is not acknowledged."""
NOBODY_CAME = "NOBODY_CAME"
"""Code of a game whose second player did not come."""
FIRST_MOVE_LATE = {Color.WHITE: "FIRST_MOVE_LATE_WHITE", Color.BLACK: "FIRST_MOVE_LATE_BLACK"}
"""Codes of games without a result; `damas.language` has their sentences."""


@dataclass
class RoomServices:
    """What the rooms of one server share."""

    games: Games
    node: str
    limits: Limits
    words: Words
    time: MachineTime
    computer_players: ComputerPlayers
    lease: Lease | None = None
    """That of this node; None for a process that has its database for itself."""
    subscribers: list[Callable[["Room"], None]] = field(default_factory=list)
    """Called when a game has started, changed or ended, or somebody has come or gone."""
    lost: Callable[["Room"], None] = lambda _: None
    """Called when a room is no longer the owner of its game."""

    def notify(self, room: "Room") -> None:
        """Calls every subscriber."""
        for subscriber in self.subscribers:
            subscriber(room)


class Room:
    """A game in memory, with the rows on disk from which `Rooms` made it."""

    def __init__(self, services: RoomServices, ledger: Ledger, rows: Sequence[EventRow]) -> None:
        self.services = services
        self.closed = False
        """No longer the owner: whoever holds this room must get it from `Rooms` again."""
        self.start_announced = False
        """Whether the players' event streams know that the game has started."""
        self.address = ""
        """Client address of the last command; used to share engine time fairly."""
        self.rematch_wanted: set[str] = set()
        """Visitors who want a rematch."""
        self.active = services.time.mono_ms()
        """When something last happened here."""
        self.ledger = ledger
        self.keeper = Timekeeper(services.limits, services.time, ledger.table, ledger.seats, begun=bool(rows))
        self.audience = Audience(ledger, self.keeper, services.games, rows, services.limits)
        self._levels = Levels(services.computer_players, services.time)
        self._first_arrivals = FirstArrivals()
        # No reference cycle, as a bound method would be: a room is freed as soon as nobody uses it.
        owner = proxy(self)
        self._queue = Queue(f"owner of {self.id}", lambda error: owner._work_failed(error))  # noqa: PLW0108
        self._queued: Counter[frozenset[Color]] = Counter()
        """Commands in the queue, by the sides their sender holds."""
        self._timer: asyncio.TimerHandle | None = None
        self._set_timer()

    @property
    def id(self) -> str:
        """The game's id."""
        return self.ledger.head.id

    @property
    def head(self) -> GameRow:
        """The stored summary of the game."""
        return self.ledger.head

    @property
    def seats(self) -> Seats:
        """Who plays which side."""
        return self.ledger.seats

    @property
    def table(self) -> Table:
        """The arbiter's table, as it is on disk."""
        return self.ledger.table

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.ledger.seq

    @property
    def playing(self) -> bool:
        """Whether the game has started and is not over."""
        return self.keeper.playing

    @property
    def waiting(self) -> bool:
        """Whether the second player is still to come."""
        return self.ledger.waiting

    @property
    def sought(self) -> bool:
        """Whether it is an open seek of the lobby."""
        return self.waiting and any(self.seats[side].sought for side in Color)

    @property
    def idle(self) -> bool:
        """Whether nothing is going on and nobody is here, so that the room may be dropped."""
        active = not self._queue.empty or self._levels.thinking or len(self.audience)
        return not active and not (self.playing and self.keeper.timed)

    # Watching

    async def enter(self, watcher: Watcher, last: int | None = None, chain: str = "") -> None:
        """Greets a watcher, sends the events after `last`, and from then on all that comes."""
        missed = await self.audience.missed(watcher, last, chain)
        if self.closed:
            watcher.disconnect(GONE_AWAY, "the game is loaded again")
            return
        self._greet(watcher)
        self.audience.catch_up(watcher, missed)
        if watcher.sides and watcher.address:
            self.address = watcher.address
        for side in watcher.sides:
            self.put(lambda side=side: self._player_came(side))  # type: ignore[misc]
        self._presence_changed()

    def _greet(self, watcher: Watcher) -> None:
        self.audience.greet(watcher)
        self.keeper.here |= watcher.sides
        self.wake()

    async def resume(self, watcher: Watcher, last: int, chain: str = "") -> None:
        """Sends every event after `last` once more."""
        self.audience.catch_up(watcher, await self.audience.missed(watcher, last, chain), again=True)

    def appoint(self, watcher: Watcher) -> None:
        """A watcher has shown the key of the arbiter's link."""
        watcher.is_arbiter = True
        self.audience.greet(watcher)
        self._presence_changed()

    def plays_against_another(self, visitor: str) -> bool:
        """Whether a visitor plays here against another person, and so cannot be the arbiter."""
        return self.seats.apart and bool(self.seats.sides_of(visitor))

    def arbiter_came(self, page: object) -> None:
        """An arbiter follows the board from a page of many boards."""
        before = self.audience.has_arbiter
        self.audience.remote_arbiters.add(page)
        self._arbiters_changed(before)

    def arbiter_left(self, page: object) -> None:
        """That page has been closed."""
        before = self.audience.has_arbiter
        self.audience.remote_arbiters.discard(page)
        self._arbiters_changed(before)

    def _arbiters_changed(self, had_arbiter: bool) -> None:
        """One page more or less is news only where it is the first or the last."""
        if self.audience.has_arbiter != had_arbiter:
            self._presence_changed()

    def _dismiss_players(self) -> None:
        """Takes the arbiter's office from windows of a player who now plays against another person."""
        for watcher in self.audience:
            if watcher.is_arbiter and self.plays_against_another(watcher.visitor):
                watcher.is_arbiter = False
                self.audience.greet(watcher)

    async def want_arbiter(self, visitor: str) -> bool:
        """A player wants an arbiter for this game; whether it has one now, because both do or nobody else plays."""
        sides = self.seats.sides_of(visitor)
        if not sides:
            raise CommandRefused("NOT_A_PLAYER")
        if self.head.arbiter_link == AGREED or await self._take_link(visitor, next(iter(sides))):
            return True
        wanted = self.audience.arbiter_wanted
        people = {seat.id for seat in (self.seats.white, self.seats.black) if seat.level is None}
        if visitor not in wanted:
            wanted.add(visitor)
            agreed = people <= wanted
            if agreed:
                await self.in_turn(lambda: self._note_link(AGREED))
            self.audience.announce({"t": "arbiter", "by": next(iter(sides)).value, "agreed": agreed})
        return people <= wanted

    async def _take_link(self, visitor: str, side: Color) -> bool:
        """Whether a visitor may have the link because no other person plays; if one is still to come, it is noted."""
        taken = False

        async def work() -> None:
            nonlocal taken
            taken = self.seats.made_by(visitor)
            if taken and self.waiting and self.head.arbiter_link is None:
                await self._note_link(side.value)

        await self.in_turn(work)
        return taken

    async def _note_link(self, holder: LinkHolder) -> None:
        """Stores who has the arbiter's link."""
        await self.services.games.set_arbiter_link(self.id, self.ledger.epoch, holder)
        self.ledger.set_head(arbiter_link=holder)

    def leave(self, watcher: Watcher) -> None:
        """A socket or stream has closed."""
        self.active = self.services.time.mono_ms()
        for side in self.audience.remove(watcher):
            self.keeper.here.discard(side)
            self.keeper.left_at[side] = self.active
        self._presence_changed()
        self._set_timer()
        self.wake()

    def _presence_changed(self) -> None:
        self.audience.announce_presence()
        self.services.notify(self)

    def ponged(self, sides: frozenset[Color], trip_ms: int) -> None:
        """A player's socket answered a ping after this round trip."""
        for side in sides:
            self.keeper.lags[side].add_trip(trip_ms)

    def adopt(self, visitor: str, account: str) -> None:
        """A visitor has logged in: their seats and sockets now belong to the account.

        The sockets are closed soon, so that they come back bound to the login and end with it.
        """
        if sides := self.seats.sides_of(visitor):
            self.ledger.set_head(**{f"{side.value}_id": account for side in sides})
            self.keeper.seats = self.seats
        for people in (self.rematch_wanted, self.audience.arbiter_wanted):
            if visitor in people:
                people.symmetric_difference_update({visitor, account})
        for watcher in self.audience:
            if watcher.visitor == visitor:
                watcher.visitor = account
                loop = asyncio.get_running_loop()
                loop.call_later(LOGIN_GRACE_S, watcher.disconnect, GONE_AWAY, "logged in")

    # The queue

    def ask(
        self, command: Command, visitor: str, received: int, language: str, watcher: Watcher | None = None
    ) -> asyncio.Future[Answer]:
        """Puts a visitor's command into the queue; `received` is when it came, on the monotonic clock.

        The answer also goes to the watcher, before anybody is sent the event. Commands of viewers are answered at once,
        and each player has a share of the queue.
        """
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        sides = frozenset() if isinstance(command, Intervene) else self.seats.sides_of(visitor)
        pending = PendingCommand(command, sides, received, language, watcher, answer)
        if self.closed:
            pending.reply(self._busy(pending))
        elif code := self._may_not_ask(pending):
            pending.reply(self._refuse(pending, CommandRefused(code)))
        elif self._queued[pending.sides] >= MAX_QUEUED_COMMANDS:
            pending.reply(self._busy(pending))
        else:
            self._queued[pending.sides] += 1
            self.put(lambda: self._handle(pending), lambda: pending.reply(self._busy(pending)))
        return answer

    def _may_not_ask(self, pending: PendingCommand) -> str:
        """Why the sender may not give this command; empty if they may. Only a socket with the arbiter's role intervenes."""
        watcher = pending.watcher
        if isinstance(pending.command, Intervene):
            return "" if watcher and watcher.is_arbiter else "NOT_ARBITER"
        if not pending.sides:
            return "NOT_A_PLAYER"
        return "SUPERSEDED" if watcher and not watcher.sides else ""

    async def submit(self, command: Command, visitor: str, language: str = "en") -> Answer:
        """The answer to a command that came without a socket."""
        return await self.ask(command, visitor, self.services.time.mono_ms(), language)

    def put(self, work: Work, drop: Callable[[], None] = lambda: None) -> None:
        """Queues work; `drop` is called instead if the room is closed before its turn."""
        self.active = self.services.time.mono_ms()
        self._queue.put(work, drop)

    async def in_turn(self, work: Work) -> None:
        """Runs work when its turn in the queue has come, and waits for its end."""
        self.active = self.services.time.mono_ms()
        await self._queue.in_turn(work, Busy(self.services.limits.busy_retry_ms))

    def _work_failed(self, error: Exception) -> None:
        if isinstance(error, Busy):  # timers and levels try again by themselves
            self._retry_later()
            return
        log.error("game %s: our mistake", self.id, exc_info=error)
        metrics.alarms.labels("owner").inc()

    # Commands

    async def _handle(self, pending: PendingCommand) -> None:
        self._queued[pending.sides] -= 1
        try:
            answer = await self._decide(pending)
        except CommandRefused as refused:
            answer = self._refuse(pending, refused)
        except Busy as busy:
            answer = self._busy(pending, busy.retry_ms)
        except StoreError:  # the stored answer could not be read now
            answer = self._busy(pending)
        except Exception:
            pending.reply(self._refuse(pending, CommandRefused("OUR_FAULT")))
            raise
        if answer and self.services.lease and not self.services.lease.held:  # another node may know better
            answer = self._busy(pending)
        if answer:
            pending.reply(answer)

    async def _decide(self, pending: PendingCommand) -> Answer | None:
        """The answer, or None where it was sent with the commit."""
        command, ledger, keeper = pending.command, self.ledger, self.keeper
        if ledger.knows(command.id):
            return await ledger.stored_answer(pending)
        if ledger.waiting:
            if isinstance(command, Move) or command.do != "abort":
                raise CommandRefused("WAITING")
            await self._call_off(pending)
            return None
        if not keeper.begun:
            raise CommandRefused("CALLED_OFF")
        if isinstance(command, Intervene):
            return await self._intervene(pending, command)
        level = self._levels.side_of(command, pending.watcher)
        side = level or side_of(command, pending.sides, ledger.table)
        if keeper.playing:
            check_seen(command, ledger.table, ledger.milestones)
            if ledger.table.suspended and ledger.table.awaited is side:
                await self._resume_clock()
        pending.received = self._first_arrivals.first(pending)
        is_move = isinstance(command, Move)
        if isinstance(command, Move):
            await list_ahead(ledger.table.position, command.move)
        at = keeper.move_at(side, pending.received) if is_move else keeper.other_at(pending.received)
        event = event_of(command, side, at, ledger.table)
        if level and isinstance(event, Moved):
            return await self._play_for_level(pending, event)
        agreed = _agreed(event, side.other) if len(pending.sides) == 2 else None
        return await self._settle(
            pending, event, ledger.decide(event, agreed) if agreed else ledger.decide(event)
        )

    async def _play_for_level(self, pending: PendingCommand, move: Moved) -> Answer | None:
        """The move of a level that its opponent's page computed; a wrong one costs the level nothing."""
        reading = self.table.reading(move)
        if isinstance(reading, DamasError):
            self._levels.think_here(self)
            return await self._settle(pending, move, Decision(self.table, (), reading))
        refusal = await self._settle(pending, move, self.ledger.decide(move))
        if refusal is None:
            metrics.level_moves.labels("page").inc()
        return refusal

    async def _intervene(self, pending: PendingCommand, command: Intervene) -> Answer | None:
        """What the arbiter does. It holds as a whole or not at all."""
        ledger = self.ledger
        if not self.seats.full:
            raise CommandRefused("CALLED_OFF")
        if pending.watcher and self.plays_against_another(pending.watcher.visitor):
            raise CommandRefused("OWN_GAME")
        check_seen(command, ledger.table, ledger.milestones)
        if not ledger.epoch:  # a finished game has no owner
            await self._take_ownership()
        at = self.keeper.other_at(pending.received)
        events = interventions_of(command, at, ledger.table)
        decision = ledger.decide(*events)
        if decision.refusal:
            decision = decision._replace(events=())
        return await self._settle(pending, events[0], decision)

    async def _take_ownership(self) -> None:
        """Makes this node the owner of a finished game. Raises `Busy` if another node has it."""
        epochs = await self.services.games.take([self.id], self.services.node)
        if self.id not in epochs:
            raise Busy(self.services.limits.busy_retry_ms)
        self.ledger.epoch = epochs[self.id]

    async def _settle(self, pending: PendingCommand, event: Event, decision: Decision) -> Answer | None:
        """Commits what is to be written, and answers."""
        command, before, new = pending.command, self.table, decision.events
        code, error = "", {}
        if decision.refusal:
            view = command_refusal_view(decision.refusal, before, pending.language)
            code, error = decision.refusal.code, plain(view)
            if isinstance(event, Moved):
                metrics.illegal.labels(before.book.id, code).inc()
        if any(isinstance(each, Suspended) for each in new):
            code, error = "OUR_FAULT", CommandRefused("OUR_FAULT").view(self.services.words, pending.language)
            metrics.alarms.labels("suspended").inc()
            log.error("game %s: our own mistake suspends it\n%s", self.id, new[-1])
        if not new:
            return nack(command, code, error, self.seq)

        def answer(last: EventRow) -> Answer:
            return nack(command, code, error, last.seq) if code else ack(command, decision.table, last)

        received = self.keeper.watch.at_of(pending.received)
        credit, reply_ms = received - event.at, received - before.clocks.since
        await self._commit(decision.table, new, pending, answer)
        if not code:
            metrics.acks.labels(event.kind).inc()
            if isinstance(event, Moved):
                self.keeper.lags[event.by].spend(credit, reply_ms)
        return None

    def _busy(self, pending: PendingCommand, retry_ms: int | None = None) -> Answer:
        """A `busy` answer; the moment at which the command first came is kept."""
        self._first_arrivals.keep(pending)
        return busy(pending.command, self.services.limits.busy_retry_ms if retry_ms is None else retry_ms)

    def _refuse(self, pending: PendingCommand, refused: CommandRefused) -> Answer:
        error = refused.view(self.services.words, pending.language)
        return nack(pending.command, refused.code, error, self.seq)

    # Before the game

    async def _call_off(self, pending: PendingCommand | None = None) -> None:
        """Ends a waiting game. It is stored as a game that started and ended at once without a result, so that the
        command that did it is known like any other.
        """
        table = opening(self.head)
        table = table.apply(Ended(table.now, NOBODY_CAME, "*"))
        answer = (lambda last: ack(pending.command, table, last)) if pending else None
        await self._commit(table, table.events, pending, answer)
        self.audience.announce({"t": "called_off"})

    async def call_off(self) -> None:
        """Ends the game if its second player has not come."""

        async def work() -> None:
            if self.waiting and not self.seats.full:
                await self._call_off()

        await self.in_turn(work)

    async def take_seat(self, visitor: str, name: str, kind: str) -> None:
        """The second player sits down and the game starts. Raises `CommandRefused` where the seat is taken or kept for
        somebody else.
        """

        async def work() -> None:
            side = self.seats.free_side
            if side is None or not self.waiting or self.seats.sides_of(visitor):
                raise CommandRefused("SEAT_TAKEN")
            if self.seats[side].invited not in (None, visitor):
                raise CommandRefused("INVITED")
            await self.services.games.set_seat(self.id, self.ledger.epoch, side.value, visitor, name, kind)
            seat = {"id": visitor, "name": name, "kind": kind}
            self.ledger.set_head(**{f"{side.value}_{field}": value for field, value in seat.items()})
            await self._start()
            for watcher in self.audience:
                if watcher.visitor == visitor:  # who watched before plays now
                    self._greet(watcher)
            self._dismiss_players()
            self.audience.announce({"t": "players", "players": self.audience.players()})
            self._presence_changed()

        await self.in_turn(work)

    async def _start(self) -> None:
        """Both players are there: the first event, from which time counts."""
        table = opening(self.head)
        await self._commit(table, table.events)

    async def complete(self) -> None:
        """Starts a game whose second player sat down just before the server stopped."""
        if self.waiting and self.seats.full:
            await self.in_turn(self._start)

    def lead_on(self, game: str) -> None:
        """Leads everybody who is here to the next game of the same players."""
        self.ledger.next_game = game
        self.rematch_wanted.clear()
        self.audience.announce({"t": "rematch", "id": game, "by": None})

    # What happens by itself

    def _set_timer(self) -> None:
        """Sets the one timer to whatever is due next."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        due = None if self.closed else self.keeper.due()
        if due:
            delay = max(0, due.moment - self.services.time.mono_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay, self.tick)

    def tick(self) -> None:
        """Puts what is due into the queue."""
        self.put(self._do_what_is_due)

    async def _do_what_is_due(self) -> None:
        while (due := self.keeper.due()) and due.moment <= self.services.time.mono_ms():
            before = self.table
            await self._happen(due)
            if self.table is before:  # the arbiter refused: trying again at once would never end
                self._retry_later()
                return
        self._set_timer()

    async def _happen(self, due: Due) -> None:
        keeper, table = self.keeper, self.table
        match due.what:
            case "flag":
                if table.clocks.overdue(keeper.now):
                    await self.apply(Flag(keeper.now, due.side))
                    metrics.flags.labels("timer").inc()
            case "not_begun":
                await self.apply(Ended(keeper.in_time, FIRST_MOVE_LATE[due.side], "*"))
            case "gone":
                await self.apply(Disconnected(keeper.other_at(keeper.left_at[due.side]), due.side))
            case "go_on":
                await self._resume_clock()
            case "nobody_back":
                await self.apply(Ended(table.now, outages.NOBODY_BACK, "*"))

    async def apply(self, event: Event) -> bool:
        """Commits an event that no command asked for; whether the arbiter allowed it. Raises `Busy`."""
        decision = self.ledger.decide(event)
        if not decision.events:
            refusal = decision.refusal and decision.refusal.code
            log.warning("game %s: %s was not allowed: %s", self.id, event.kind, refusal)
            return False
        await self._commit(decision.table, decision.events)
        return True

    def _retry_later(self) -> None:
        def retry() -> None:
            self.tick()
            self.wake()

        asyncio.get_running_loop().call_later(self.services.limits.busy_retry_ms / 1000, retry)

    async def _player_came(self, side: Color) -> None:
        """A player's socket is open again."""
        if not self.playing or not self.audience.holds(side):
            return
        if side in self.table.absent:
            await self.apply(Reconnected(self.keeper.in_time, side))
        if self.table.suspended and self.table.awaited is side:
            await self._resume_clock()
        self._set_timer()

    async def _resume_clock(self) -> None:
        """A suspended game goes on, unless a teacher holds it."""
        if self.table.suspended and not outages.is_held(self.table):
            await self.apply(Resumed(self.table.now, outages.WENT_ON))

    async def suspend(self) -> None:
        """Before the server stops: up to now time is charged, and from now on to nobody."""

        async def work() -> None:
            if self.playing and self.keeper.timed and not self.table.suspended:
                await self.apply(Suspended(self.keeper.in_time, None, outages.STOPPED))

        await self.in_turn(work)

    async def hand_over(self) -> None:
        """Before another node takes the game over: whatever comes from now on is for that node."""

        async def work() -> None:
            if self.playing and self.keeper.timed and not self.table.suspended:
                await self.apply(Suspended(self.keeper.in_time, None, outages.MOVED))
            self._stop_working()

        await self.in_turn(work)

    async def hold(self) -> None:
        """A teacher holds the game: no clock runs and nobody can move until `let_go`."""

        async def work() -> None:
            if not self.playing or outages.is_held(self.table):
                return
            if self.table.suspended:  # by the server, which would let it go on by itself
                await self.apply(Resumed(self.table.now, outages.WENT_ON))
            await self.apply(Suspended(self.keeper.in_time, None, outages.HELD))

        await self.in_turn(work)

    async def let_go(self) -> None:
        """A game that is held goes on exactly where it was."""

        async def work() -> None:
            await self._end_hold()

        await self.in_turn(work)

    async def _end_hold(self) -> None:
        if self.playing and outages.is_held(self.table):
            await self.apply(Resumed(self.table.now, outages.LET_GO))

    async def stop(self, reason: str) -> None:
        """Ends the game without a result."""

        async def work() -> None:
            await self._end_hold()  # no trouble of ours is the reason for the end of a game that is held
            if self.playing:
                await self.apply(Ended(self.keeper.in_time, reason, "*"))

        await self.in_turn(work)

    def wake(self) -> None:
        """Lets a level think if it is its turn."""
        self._levels.wake(self)

    # Commit, answer, tell

    async def _commit(
        self,
        table: Table,
        events: Sequence[Event],
        pending: PendingCommand | None = None,
        answer: Callable[[EventRow], Answer] | None = None,
    ) -> None:
        """The only way to the disk, and from there to everybody. Raises `Busy`, and then nothing has happened."""
        time, before = self.services.time, self.table
        commit = self.ledger.prepare(table, events, time, pending, answer)
        await self._write(commit)
        committed = time.mono_ms()
        self.ledger.follow(commit)
        self.keeper.follow(table, self.seats, committed)
        if pending and commit.answer:
            self._first_arrivals.forget(pending)
            metrics.to_commit.observe(max(0, committed - pending.received) / 1000)
            pending.reply(commit.answer)
        self.audience.follow(before, commit.rows)
        metrics.to_send.observe(max(0, time.mono_ms() - committed) / 1000)
        self._set_timer()
        self.wake()
        self.services.notify(self)

    async def _write(self, commit: Commit) -> None:
        """Tries until the disk has a commit; while it fails the game is paused."""
        lease = self.services.lease
        for tries in count():
            try:
                failure = await self.ledger.write(commit, again=tries > 0)
            except GameLost as lost:
                self._lose(lost)
                raise Busy(self.services.limits.busy_retry_ms) from None
            if failure is None and (lease is None or lease.held):
                break
            self._pause(failure or NO_LEASE)
            await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
            if self.closed:
                raise Busy(self.services.limits.busy_retry_ms)
        if tries:
            self._unpause()

    def _pause(self, reason: str) -> None:
        if self.ledger.paused is not None:
            return
        self.ledger.paused = reason
        self.keeper.pause()
        for watcher in self.audience:
            error = CommandRefused("PAUSED").view(self.services.words, watcher.language)
            watcher.send(encode({"t": "paused", "reason": reason, **error}))

    def _unpause(self) -> None:
        self.ledger.paused = None
        self.keeper.unpause()
        self.audience.announce({"t": "resumed", **self.audience.moment()})

    def _lose(self, lost: GameLost) -> None:
        """The disk is right and memory is not, so everybody must come again."""
        log.error("game %s: %s", self.id, lost)
        metrics.alarms.labels("lost_room").inc()
        self.close(GONE_AWAY, "the game is loaded again")
        self.services.lost(self)

    def close(self, code: int, reason: str) -> None:
        """Stops everything and disconnects everybody. What is on disk stays."""
        self._stop_working()
        for watcher in self.audience:
            watcher.disconnect(code, reason)

    def _stop_working(self) -> None:
        self.closed = True
        self._set_timer()
        self._levels.stop()
        self._queue.close()


def _agreed(event: Event, other: Color) -> Event | None:
    """What a visitor who plays both sides has agreed to with an event."""
    if isinstance(event, TakeBackAsked):
        return TakeBackGranted(event.at, other)
    return Accepted(event.at, other) if isinstance(event, Offered) else None
