"""All games of a server that are in memory: created, looked up, loaded from the store, dropped when idle."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from typing import Any

from damas.arbiter import Event, Suspended
from damas.arbiter.ledger import table_of
from damas.board import Color
from damas.errors import DamasError
from damas.server.rooms import metrics, outages
from damas.server.rooms.chat import Chat
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import CommandRefused
from damas.server.rooms.computer_players import ComputerPlayers
from damas.server.rooms.ledger import Busy, Ledger
from damas.server.rooms.new_game import NewGame, is_game_id, rematch_head, rematch_id
from damas.server.rooms.ownership import OwnedGame, Ownership
from damas.server.rooms.record import opening, summary, updated
from damas.server.rooms.room import GONE_AWAY, Room, RoomServices
from damas.server.rooms.sockets import Sockets
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Visitor
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.errors import DamagedGame, StoreBusy, StoreError, StoreFailed, WriteRefused
from damas.server.store.rows import FIRST_EPOCH, Filter, GameRow
from damas.server.words import Words

log = logging.getLogger("damas.rooms")

IDLE_S = 60.0
"""A room in which nothing has happened for so long is dropped."""
SWEEP_INTERVAL_S = 5.0
"""How often idle rooms are looked for."""
QUIET_MS = 2000
"""Without an event for so long, all rooms count as quiet."""
MAX_WAITING_S = 86_400
"""A game whose second player does not come for so long is called off."""
CALL_OFF_INTERVAL_S = 600.0
"""How often games to which nobody came are called off."""
MIN_REPLY_MS = 350
"""A level replies no sooner than this."""


class Rooms:
    """The rooms of one server. Opened after the store and closed before it."""

    def __init__(
        self, store: Store, settings: Settings, time: MachineTime, min_reply_ms: int, address: str | None
    ) -> None:
        self.store = store
        self.settings = settings
        self.time = time
        self.ownership = Ownership(store, settings, time, address)
        self.chat = Chat(store.games, store.classes, settings.limits, time)
        self.sockets = Sockets(settings.limits, time)
        self.services = RoomServices(
            games=store.games,
            node=settings.node,
            limits=settings.limits,
            words=Words(),
            time=time,
            computer_players=ComputerPlayers(min_reply_ms=min_reply_ms),
            lost=self._drop,
            lease=self.ownership.lease if self.ownership.keeper else None,
        )
        self.stopping = False
        self.tell_successors: Callable[[], Awaitable[None]] | None = None
        """Tells the other nodes that this one has given up its games; returns when they have them."""
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._opening: dict[str, asyncio.Event] = {}
        """Games that are being stored, and are not in memory yet."""
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        store: Store,
        settings: Settings,
        *,
        time: MachineTime | None = None,
        min_reply_ms: int = MIN_REPLY_MS,
        address: str | None = None,
    ) -> "Rooms":
        """Ready to play. Games that were being played when the server stopped are loaded in the background.

        Other nodes reach this one at `address`.
        """
        rooms = cls(store, settings, time or MachineTime(), min_reply_ms, address)
        metrics.rooms_open.set_function(lambda: len(rooms))
        metrics.sockets_open.set_function(lambda: len(rooms.sockets))
        await rooms.ownership.open()
        rooms._tasks = [
            *rooms.ownership.tasks(rooms._take_up, rooms._adopt, rooms._drop_lost),
            asyncio.create_task(rooms._sweep(), name="rooms: sweep"),
            asyncio.create_task(rooms._call_off_forgotten(), name="rooms: forgotten"),
            asyncio.create_task(rooms.sockets.patrol(), name="rooms: patrol"),
        ]
        return rooms

    def __iter__(self) -> Iterator[Room]:
        return iter(tuple(self._rooms.values()))

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def live(self) -> list[Room]:
        """Games in progress between two people or programs, not against the computer nor on a shared device."""
        return [room for room in self._rooms.values() if room.playing and room.seats.apart]

    @property
    def listed(self) -> list[Room]:
        """The public ones among `live`, which the lobby lists."""
        return [room for room in self.live if room.head.public]

    @property
    def quiet(self) -> bool:
        """Whether nothing has happened in any room for two seconds."""
        limit = self.time.mono_ms() - QUIET_MS
        return all(room.active <= limit for room in tuple(self._rooms.values()))  # any thread may ask

    # Creating

    async def create(
        self,
        wanted: NewGame,
        visitor: Visitor,
        *,
        invited: str | None = None,
        address: str = "",
        language: str = "en",
    ) -> str:
        """Creates a game, and returns its id.

        A game of two people starts when the second has come: anybody who accepts, or only the one who is `invited`.
        """
        most = self.settings.limits.games_open
        rooms = (room for room in self._rooms.values() if room.playing or room.waiting)
        if sum(bool(room.seats.sides_of(visitor.id)) for room in rooms) >= most:
            raise ApiError(429, "GAMES_OPEN", most=most, retry_s=60)
        head = wanted.head(visitor, invited, self.services.words, language, self.time.wall_ms())
        return await self._open(head, address=address)

    async def open_game(self, head: GameRow, events: Sequence[Event] = ()) -> None:
        """Opens a game whose players are seated already, with events that follow its start in the same write; nothing
        happens if there is one of its id.
        """
        with suppress(WriteRefused):
            await self._open(head, events)

    async def create_held(self, head: GameRow) -> str:
        """Creates a game of two players that a teacher holds from its beginning, and returns its id."""
        return await self._open(head, (Suspended(0, None, outages.HELD),))

    async def _open(self, head: GameRow, events: Sequence[Event] = (), *, address: str = "") -> str:
        """Stores a game, with events that follow its start where both players are seated, and opens its room."""
        if self.stopping:
            raise ApiError(503, "RESTARTING", retry_s=2)
        ledger, rows = Ledger(self.store.games, head, opening(head), (), FIRST_EPOCH), []
        if ledger.seats.full:
            table = ledger.table
            for event in events:
                table = table.apply(event)
            commit = ledger.prepare(table, table.events, self.time)
            ledger.follow(commit)
            rows = commit.rows
        while loading := self._loading.get(head.id):  # finds no game, or the one that exists
            await asyncio.wait([loading])
        opened = self._opening.setdefault(head.id, asyncio.Event())
        try:
            await self.store.games.create(ledger.head, rows, node=self.settings.node)
            room = Room(self.services, ledger, rows)
            room.address = address
            self._rooms[room.id] = room
        finally:
            opened.set()
            self._opening.pop(head.id, None)
        room.wake()
        self.services.notify(room)
        return head.id

    # Finding

    async def room(self, game_id: str) -> Room:
        """The room of a game, loaded if it is not in memory. Raises `ApiError` 404 where there is no such game,
        and `DamagedGame`.
        """
        if opened := self._opening.get(game_id):  # on disk before it is in memory: nobody else may load it
            await opened.wait()
        room = self._rooms.get(game_id)
        if room and not room.closed:
            room.active = self.time.mono_ms()
            return room
        if self.stopping:
            raise ApiError(503, "RESTARTING", retry_s=1)
        loading = self._loading.get(game_id) or self._start_loading(game_id, self._load(game_id))
        return await asyncio.shield(loading)

    def in_memory(self, game_id: str) -> Room | None:
        """The room of a game that is in memory."""
        return self._rooms.get(game_id)

    def adopt(self, change: tuple[str, str] | None) -> None:
        """A visitor's seats and sockets are another person's from now on, as in the store; `change` has both."""
        if change:
            before, now = change
            for room in self:
                room.adopt(before, now)

    def _start_loading(self, game_id: str, load: Coroutine[Any, Any, Room]) -> asyncio.Task[Room]:
        """Everybody who wants the game from now on waits for this task."""
        loading = self._loading[game_id] = asyncio.create_task(load)
        loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return loading

    async def _load(self, game_id: str) -> Room:
        games = self.store.games
        head = await games.head(game_id) if is_game_id(game_id) else None
        if head is None:
            raise ApiError(404, "NOT_FOUND")
        if head.status not in ("waiting", "playing"):  # a finished game has no owner
            head, rows = await games.history(game_id)
            return await self._restore(OwnedGame(head, 0, rows, None))
        taken = await self.ownership.take([game_id])
        if not taken:
            await games.head(game_id)  # raises where its owner's row is damaged
            node, _ = await games.owner(game_id) or ("", 0)
            raise ApiError(503, "ELSEWHERE", retry_s=1, node=node)
        return await self._restore(taken[game_id])

    async def _restore(self, game: OwnedGame) -> Room:
        """The room after the events on disk; compensation for an outage is written first."""
        head, epoch, rows, beat = game
        try:
            self.store.games.check(head, rows)
            table = await asyncio.to_thread(table_of, [row.data for row in rows]) if rows else opening(head)
        except DamagedGame:
            metrics.alarms.labels("broken_chain").inc()
            raise
        except DamasError as error:  # anything else is no damage, and may pass
            damage = DamagedGame("store.no_replay", head.id, why=repr(error))
            raise self.store.games.set_aside(damage) from error
        ledger = Ledger(self.store.games, head, table, rows, epoch)
        if rows and epoch:
            ledger.head = updated(head, summary(table, head.updated_ms))
            spent = outages.charged(rows[-1], beat)
            moved = outages.after_move(table, rows[-1], self.time.wall_ms())
            after = outages.after_outage(moved, spent, self.settings.limits)
            if after is not table:
                commit = ledger.prepare(after, after.events[len(table.events) :], self.time)
                rows += await self.store.games.append(
                    head.id, epoch, commit.rows, commit.head, follows=ledger.chain
                )
                ledger.follow(commit)
        room = Room(self.services, ledger, rows)
        room.start_announced = room.playing
        if room.table.outcome:
            room.ledger.next_game = await self._stored_next_game(room)
        self._rooms[room.id] = room
        await room.complete()
        room.wake()
        return room

    def _drop(self, room: Room) -> None:
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]

    # Rematches

    async def rematch(self, game_id: str, visitor: Visitor) -> str | None:
        """The id of the rematch; None while the other player has not agreed."""
        room = await self.room(game_id)
        sides = room.seats.sides_of(visitor.id)
        if not sides:
            raise CommandRefused("NOT_A_PLAYER")
        if room.table.outcome is None:
            raise CommandRefused("NOT_OVER")
        if not room.seats.full:
            raise CommandRefused("CALLED_OFF")
        if existing := room.ledger.next_game or await self._stored_next_game(room):
            room.ledger.next_game = existing
            return existing
        room.rematch_wanted.add(visitor.id)
        people = {room.seats[side].id for side in Color if room.seats[side].level is None}
        if people - room.rematch_wanted:
            room.audience.announce({"t": "rematch", "id": None, "by": next(iter(sides)).value})
            return None
        row = rematch_head(room.ledger, self.time.wall_ms())
        new = row.id
        try:
            await self._open(row, address=room.address)
        except WriteRefused:  # both agreed at the same moment: it exists
            return new
        room.lead_on(new)
        return new

    async def _stored_next_game(self, room: Room) -> str | None:
        """The id of the rematch, or of the next game of an encounter, if the store has it."""
        head = await self.store.games.head(rematch_id(room.ledger))
        if head and head.previous == room.id:
            return head.id
        return await self.store.games.next_after(room.head)

    # Background

    async def _take_up(self, games: Sequence[str]) -> int:
        """Loads games of this node with few queries."""
        return await self._load_together(games, orphans=False)

    async def _adopt(self, games: Sequence[str]) -> int:
        """Takes over games of nodes whose lease has ended; how many."""
        return await self._load_together(games, orphans=True)

    async def _load_together(self, games: Sequence[str], *, orphans: bool) -> int:
        """Takes and loads games; those that are loaded, or being loaded or opened, are left out. How many it got."""
        known = (self._rooms, self._loading, self._opening)
        games = [game for game in games if not any(game in some for some in known)]
        if not games or self.stopping:
            return 0
        taking = asyncio.create_task(self.ownership.take(games, skip_locked=orphans))

        async def load(game: str) -> Room:
            try:
                taken = (await asyncio.shield(taking)).get(game)
            except StoreError:  # what cannot be read may be one game's: each by itself
                if orphans:
                    raise
                taken = None
            if taken is None and orphans:  # another node is taking it
                raise ApiError(503, "ELSEWHERE", retry_s=1, node="")
            if taken is None:  # another node has it, or it is damaged
                return await self._load(game)
            return await self._restore(taken)

        loading = [self._start_loading(game, load(game)) for game in games]
        results = await asyncio.gather(*loading, return_exceptions=True)
        for game, result in zip(games, results, strict=True):
            if isinstance(result, StoreFailed | StoreBusy):
                log.warning("game %s could not be taken up now: %s", game, result)
                self.ownership.unread.add(game)
            elif isinstance(result, Exception) and not isinstance(result, ApiError):
                log.error("game %s could not be taken up", game, exc_info=result)
        return sum(isinstance(result, Room) for result in results)

    async def _drop_lost(self) -> None:
        """Drops the games that other nodes have taken over while this one had no lease."""
        epochs = {room.id: room.ledger.epoch for room in self if room.ledger.epoch}
        for game in await self.ownership.lost(epochs):
            if room := self._rooms.get(game):
                log.warning("game %s has gone on at another node", game)
                room.close(GONE_AWAY, "the game is at another node")
                self._drop(room)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_INTERVAL_S)
            self.sweep()
            self.chat.forget_silent()

    async def _call_off_forgotten(self) -> None:
        while True:
            await self.call_off_forgotten()
            await asyncio.sleep(CALL_OFF_INTERVAL_S)

    async def call_off_forgotten(self) -> None:
        """Ends the games whose second player has not come for a day, whether they are in memory or not."""
        before = self.time.wall_ms() - MAX_WAITING_S * 1000
        try:
            for head in await self.store.games.search(Filter(status="waiting", before=before, limit=200)):
                # Another node's game, a damaged one, or a full store: next time.
                with suppress(ApiError, DamagedGame, Busy):
                    await (await self.room(head.id)).call_off()
        except Exception:
            log.exception("not every forgotten game could be called off")

    def sweep(self, idle_s: float = IDLE_S) -> int:
        """Drops idle rooms, which are loaded again when somebody comes; how many."""
        oldest = self.time.mono_ms() - int(idle_s * 1000)
        idle = [room for room in self._rooms.values() if room.idle and room.active <= oldest]
        for room in idle:
            room.close(GONE_AWAY, "idle")
            self._drop(room)
        return len(idle)

    async def close(self) -> None:
        """Announces the stop, suspends the games with their clocks, and closes all sockets; within `stop_s`.

        Where there are other nodes, they take the games over before the sockets are closed, for which they have as long again.
        """
        self.stopping = True
        handing_over = self.ownership.has_successors
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        rooms = list(self._rooms.values())
        for room in rooms:
            room.audience.announce({"t": "restarting"})
        ends = [room.hand_over() if handing_over else room.suspend() for room in rooms]
        suspended = asyncio.gather(*ends, return_exceptions=True)
        try:
            await asyncio.wait_for(suspended, self.settings.limits.stop_s * 0.6)
        except TimeoutError:
            log.warning(
                "not every game could be paused in time; they will be charged up to the last sign of life"
            )
        if handing_over:
            await self._hand_over([room.id for room in rooms if room.ledger.epoch])
        for room in rooms:
            room.close(GONE_AWAY, "restarting")
        self._rooms.clear()
        self.services.computer_players.close()

    async def _hand_over(self, games: Sequence[str]) -> None:
        """Gives these games to the other nodes; where that fails they take them when the lease has ended."""
        try:
            async with asyncio.timeout(self.settings.limits.stop_s):
                await self.ownership.give_up(games)
                if self.tell_successors:
                    await self.tell_successors()
        except (StoreError, TimeoutError) as error:
            log.warning("not every game could be handed over: %r", error)
