"""All the games of a server that are in memory: made, found, loaded from the store, let go again."""

import asyncio
import logging
import random
import secrets
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any, Literal, Protocol

from msgspec import Meta, Struct

from damas.arbiter import TimeControl, draw_lots, regulation
from damas.board import Color
from damas.errors import NotationError, Problem, UnknownRegulation, UnknownRulebook
from damas.game import Position
from damas.rules import rulebook
from damas.rules.library import builtin_id, rulebook_ids
from damas.server.rooms import measures, outages
from damas.server.rooms.chat import Chat
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.commands import Misplaced
from damas.server.rooms.computer_players import ComputerPlayers, seed_of
from damas.server.rooms.disk import Busy
from damas.server.rooms.opening import opening
from damas.server.rooms.record import broken_link, event_rows, summary, table_of, updated
from damas.server.rooms.room import GONE_AWAY, Room, RoomServices
from damas.server.rooms.seats import INVITED, SOUGHT, Seat, Seats
from damas.server.rooms.sockets import Sockets
from damas.server.security.errors import ApiError
from damas.server.settings import Settings
from damas.server.store import Alive, GameTaken, Store, StoreError
from damas.server.store.errors import WriteRefused
from damas.server.store.rows import FIRST_EPOCH, EventRow, Filter, GameRow
from damas.server.words import Words

log = logging.getLogger("damas.rooms")

PRESETS = ("casual", "school", "club", "contest")
LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""None that look alike: ids are read aloud and typed."""
ID_LENGTH = 12
IDLE_S = 60.0
SWEEP_S = 5.0
QUIET_MS = 2000
WAITING_S = 86_400
"""A game for which nobody comes so long is called off."""
FORGOTTEN_S = 600.0
"""So often somebody looks for such games."""
MOST_DAYS = 14
"""For a move by correspondence."""
MIN_REPLY_MS = 350
TAKEN_UP_TOGETHER = 64
"""Games loaded at once after a start: their writes share a commit, and people's requests find a gap."""


class Visitor(Protocol):
    """Who plays; `damas.server.security.visitors.Visitor` is one."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def bot(self) -> bool: ...


class AgainstLevel(Struct, tag_field="kind", tag="level", frozen=True):
    level: Annotated[int, Meta(ge=1, le=10)] = 4


class AgainstFriend(Struct, tag_field="kind", tag="friend", frozen=True):
    """By a link: whoever opens it may take the other seat."""


class OnOneDevice(Struct, tag_field="kind", tag="device", frozen=True):
    """Two people, one screen."""


class AgainstSeek(Struct, tag_field="kind", tag="seek", frozen=True):
    """Whoever looks into the lobby."""


class NewGame(Struct, frozen=True):
    """What somebody wants to play."""

    rulebook: Annotated[str, Meta(max_length=40)]
    opponent: AgainstLevel | AgainstFriend | OnOneDevice | AgainstSeek
    color: Literal["white", "black", "random"] | None = None
    """Random where it is left out."""
    colour: Literal["white", "black", "random"] = "random"
    """Deprecated: the same as `color`."""
    time: Annotated[str, Meta(max_length=40)] = "none"
    preset: Annotated[str, Meta(max_length=20)] = "casual"
    fen: Annotated[str, Meta(max_length=400)] | None = None
    public: bool | None = None
    """Whether others find it in the lobby and in the archive. Unless told, a game by link is between the two."""

    @property
    def shown(self) -> bool:
        return not isinstance(self.opponent, AgainstFriend) if self.public is None else self.public


class Rooms:
    """Opened after the store and closed before it."""

    def __init__(self, store: Store, settings: Settings, time: MachineTime, min_reply_ms: int) -> None:
        self.store = store
        self.settings = settings
        self.time = time
        self.chat = Chat(store.games, settings.limits, time)
        self.sockets = Sockets(settings.limits, time)
        self.services = RoomServices(
            games=store.games,
            limits=settings.limits,
            words=Words(),
            time=time,
            computer_players=ComputerPlayers(min_reply_ms=min_reply_ms),
            lost=self._drop,
        )
        self.stopping = False
        self.boot = secrets.token_hex(8)
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._before: Alive | None = None
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(
        cls,
        store: Store,
        settings: Settings,
        *,
        time: MachineTime | None = None,
        min_reply_ms: int = MIN_REPLY_MS,
    ) -> "Rooms":
        """Ready to play. Games that were being played when the server stopped are taken up again in the background."""
        rooms = cls(store, settings, time or MachineTime(), min_reply_ms)
        rooms._before = await store.games.last_beat(settings.node)
        rooms._tasks = [
            asyncio.create_task(rooms._take_up(), name="rooms: take up"),
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
        """Games between two people that are being played."""
        return [room for room in self._rooms.values() if room.playing and room.seats.apart]

    @property
    def on_show(self) -> list[Room]:
        """Those of them that anybody may find."""
        return [room for room in self.live if room.head.public]

    @property
    def quiet(self) -> bool:
        """Whether nobody has done anything for a while."""
        before = self.time.mono_ms() - QUIET_MS
        return all(room.active <= before for room in self._rooms.values())

    # Making

    async def create(
        self,
        wanted: NewGame,
        visitor: Visitor,
        *,
        invited: str | None = None,
        address: str = "",
        language: str = "en",
    ) -> str:
        """A new game; its id. A game for two people begins when the second has come: whoever opens it, or only the
        one who was `invited`. `language` is the visitor's: in it are named those whose names nobody knows.
        """
        return await self._open(self._head(wanted, visitor, invited, language), address=address)

    def _head(self, wanted: NewGame, visitor: Visitor, invited: str | None, language: str) -> GameRow:
        name = builtin_id(wanted.rulebook)
        if not name:
            raise UnknownRulebook(wanted.rulebook, rulebook_ids())
        if wanted.preset not in PRESETS:
            raise UnknownRegulation(wanted.preset, PRESETS)
        control = TimeControl.parse(wanted.time)
        if control.kind == "days" and control.extra > MOST_DAYS * 86_400_000:
            raise NotationError(wanted.time, (Problem("TIME_CONTROL", wanted.time, 0),))
        book, rules = rulebook(name), regulation(wanted.preset)
        position = Position.from_fen(wanted.fen, book) if wanted.fen else Position.start(book)
        game_id = _id_of(secrets.token_bytes(32))
        color = wanted.color or wanted.colour
        side = Color(color) if color != "random" else random.choice(list(Color))
        if rules.lot_under(book):
            side = draw_lots(seed_of(game_id))
        own = Seat(visitor.id, visitor.name, "bot" if visitor.bot else "person")
        if isinstance(wanted.opponent, OnOneDevice):
            seats = self._on_one_device(own, language)
        else:
            other = self._opponent(wanted.opponent, invited)
            seats = Seats(own, other) if side is Color.WHITE else Seats(other, own)
        return self._row(
            game_id,
            name,
            book.hash,
            wanted.preset,
            str(control),
            position.fen,
            seats,
            public=wanted.shown or invited is not None,
        )

    def _on_one_device(self, own: Seat, language: str) -> Seats:
        """Nobody tells us which of the two sits where: on the score sheet they are White and Black."""
        names = [self.services.words.say(f"board.side.{side.value}", language) for side in Color]
        return Seats(*(replace(own, name=name) for name in names))

    @staticmethod
    def _opponent(opponent: AgainstLevel | AgainstFriend | AgainstSeek, invited: str | None) -> Seat:
        match opponent:
            case AgainstLevel(level=level):
                return Seat.of_level(level)
            case AgainstSeek():
                return Seat(None, "", SOUGHT)
            case AgainstFriend():
                return Seat(None, "", f"{INVITED}{invited}" if invited else "person")

    def _row(
        self,
        game_id: str,
        book: str,
        book_hash: str,
        preset: str,
        control: str,
        fen: str,
        seats: Seats,
        previous: str | None = None,
        *,
        public: bool,
    ) -> GameRow:
        wall = self.time.wall_ms()
        return GameRow(
            id=game_id,
            rulebook=book,
            rulebook_hash=book_hash,
            preset=preset,
            time_control=control,
            white_id=seats.white.id,
            black_id=seats.black.id,
            white_name=seats.white.name,
            black_name=seats.black.name,
            white_kind=seats.white.kind,
            black_kind=seats.black.kind,
            created_ms=wall,
            updated_ms=wall,
            fen=fen,
            previous=previous,
            public=public,
        )

    async def _open(self, head: GameRow, *, address: str = "") -> str:
        """Stores a game and has its room ready."""
        if self.stopping:
            raise ApiError(503, "RESTARTING", retry_s=2)
        table = opening(head)
        rows: list[EventRow] = []
        if Seats.of(head).full:
            wall, mono = self.time.wall_ms(), self.time.mono_ms()
            rows = event_rows(
                table.events, table, seq=0, chain="", epoch=FIRST_EPOCH, line=0, wall=wall, mono=mono
            )
            head = updated(head, summary(table, wall))
        rows = await self.store.games.create(head, rows, node=self.settings.node)
        room = Room(self.services, head, table, rows, FIRST_EPOCH)
        room.address = address
        self._keep(room)
        room.wake()
        self.services.notify(room)
        return head.id

    def _keep(self, room: Room) -> None:
        self._rooms[room.id] = room
        measures.rooms_open.set(len(self._rooms))

    # Finding

    async def room(self, game_id: str) -> Room:
        """The room of a game, loaded if need be. Raises `ApiError` 404 where there is no such game."""
        room = self._rooms.get(game_id)
        if room and not room.closed:
            room.active = self.time.mono_ms()
            return room
        loading = self._loading.get(game_id) or self._begin_loading(game_id, self._load(game_id))
        return await asyncio.shield(loading)

    def _begin_loading(self, game_id: str, load: Coroutine[Any, Any, Room]) -> asyncio.Task[Room]:
        """Whoever asks for the game from now on waits for this."""
        loading = self._loading[game_id] = asyncio.create_task(load)
        loading.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return loading

    async def _load(self, game_id: str) -> Room:
        """From the store."""
        games = self.store.games
        head = await games.head(game_id) if _is_id(game_id) else None
        if head is None:
            raise ApiError(404, "NOT_FOUND")
        beat = await self._last_beat(game_id)
        epoch = await self._take(head)
        rows = await games.events(game_id)
        if not rows:  # somebody may have sat down before the game was ours
            head = await games.head(game_id) or head
        return await self._play_again(head, epoch, rows, beat)

    async def _play_again(self, head: GameRow, epoch: int, rows: list[EventRow], beat: Alive | None) -> Room:
        """A room as its events leave it. What an outage owes the players is written first."""
        game_id = head.id
        if (seq := broken_link(rows)) is not None:
            measures.alarms.labels("broken_chain").inc()
            log.error("game %s: the chain breaks at event %s", game_id, seq)
            raise ApiError(500, "OUR_FAULT")
        table = table_of(rows) if rows else opening(head)
        if rows and epoch:
            head = updated(head, summary(table, head.updated_ms))
            spent = outages.charged(rows[-1], beat)
            after = outages.after_outage(table, spent, self.settings.limits)
            if after is not table:
                added = event_rows(
                    after.events[len(table.events) :],
                    after,
                    seq=rows[-1].seq,
                    chain=rows[-1].chain,
                    epoch=epoch,
                    line=rows[-1].line + (rows[-1].kind == "take_back_granted"),
                    wall=self.time.wall_ms(),
                    mono=self.time.mono_ms(),
                )
                change = summary(after, self.time.wall_ms())
                rows += await self.store.games.append(game_id, epoch, added, change)
                table, head = after, updated(head, change)
        room = Room(self.services, head, table, rows, epoch)
        room.told_start = room.playing
        if table.outcome:
            room.next_game = await self._rematch_of(room)
        self._keep(room)
        await room.complete()
        room.wake()
        return room

    async def _last_beat(self, game_id: str) -> Alive | None:
        """The last sign of life of whoever owned the game before."""
        if self.settings.sqlite_path is not None:  # there is no other
            return self._before
        owner = await self.store.games.owner(game_id)
        if owner is None or owner[0] == self.settings.node:
            return self._before
        return await self.store.games.last_beat(owner[0])

    async def _take(self, head: GameRow) -> int:
        """Makes this node the owner; a game that is over needs none."""
        if head.status not in ("waiting", "playing"):
            return 0
        try:
            return await self.store.games.take(head.id, self.settings.node)
        except GameTaken as taken:
            raise ApiError(503, "ELSEWHERE", retry_s=1, node=taken.node) from None

    def _drop(self, room: Room) -> None:
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]
            measures.rooms_open.set(len(self._rooms))

    # Going on after a game

    async def rematch(self, game_id: str, visitor: Visitor) -> str | None:
        """The next game of the same two, colours changed; None while the other has not agreed."""
        room = await self.room(game_id)
        held = room.seats.sides_of(visitor.id)
        if not held:
            raise Misplaced("NOT_A_PLAYER")
        if room.table.outcome is None:
            raise Misplaced("NOT_OVER")
        if not room.seats.full:
            raise Misplaced("CALLED_OFF")
        if next_game := room.next_game or await self._rematch_of(room):
            room.next_game = next_game
            return next_game
        room.rematch_wanted.add(visitor.id)
        wanted = {room.seats[side].id for side in Color if room.seats[side].level is None}
        if wanted - room.rematch_wanted:
            side = next(iter(held))
            room.audience.announce({"t": "rematch", "id": None, "by": side.value})
            return None
        head = room.head
        new = _next_id(room)
        by_lot = regulation(head.preset).lot_under(room.table.book)
        seats = room.seats
        # At one device the names are those of the colours, and stay with them.
        if not seats.shared and not (by_lot and draw_lots(seed_of(new)) is Color.BLACK):
            seats = Seats(seats.black, seats.white)
        row = self._row(
            new,
            head.rulebook,
            room.table.book.hash,
            head.preset,
            head.time_control,
            room.table.started.fen,
            seats,
            game_id,
            public=head.public,
        )
        try:
            await self._open(row, address=room.address)
        except WriteRefused:  # the other's word came at the same time: it is there
            return new
        room.next_game = new
        room.rematch_wanted.clear()
        room.audience.announce({"t": "rematch", "id": new, "by": None})
        return new

    async def _rematch_of(self, room: Room) -> str | None:
        """The next game of a game that is over, if the store has it."""
        head = await self.store.games.head(_next_id(room))
        return head.id if head and head.previous == room.id else None

    # By itself

    async def _take_up(self) -> None:
        """Loads the games whose clocks must not be forgotten; then, and not before, says that the server lives, since
        the last sign of life of the one before is what its games are charged by.
        """
        try:
            unfinished = await self.store.games.unfinished(self.settings.node)
            timed = [
                head.id for head in unfinished if head.status == "playing" and head.time_control != "none"
            ]
            batches = iter(
                [timed[at : at + TAKEN_UP_TOGETHER] for at in range(0, len(timed), TAKEN_UP_TOGETHER)]
            )
            # Two at a time: while one waits for the disk, the other plays games again.
            async with asyncio.TaskGroup() as both:
                for _ in range(2):
                    both.create_task(self._take_up_in_turn(batches))
        except Exception:  # whatever it is, the server lives, and says so
            log.exception("not every game could be taken up")
            measures.alarms.labels("take_up").inc()
        while True:
            beat = Alive(
                node=self.settings.node,
                boot=self.boot,
                wall_ms=self.time.wall_ms(),
                mono_ms=self.time.mono_ms(),
            )
            with suppress(StoreError):  # the writer says it, and /readyz
                await self.store.games.beat(beat)
            await asyncio.sleep(self.settings.limits.heartbeat_s)

    async def _take_up_in_turn(self, batches: Iterator[Sequence[str]]) -> None:
        for games in batches:
            await self._take_up_some(games)

    async def _take_up_some(self, games: Sequence[str]) -> None:
        """Asks the store once for them all. Those that somebody has asked for already are loaded, or being loaded."""
        games = [game for game in games if game not in self._rooms and game not in self._loading]
        if not games:
            return
        taken = asyncio.create_task(self._take_together(games))

        async def load(game: str) -> Room:
            found = (await asyncio.shield(taken)).get(game)
            if found is None:  # another node has it
                return await self._load(game)
            return await self._play_again(*found, self._before)

        loading = [self._begin_loading(game, load(game)) for game in games]
        for game, ended in zip(games, await asyncio.gather(*loading, return_exceptions=True), strict=True):
            if isinstance(ended, Exception):
                log.error("game %s could not be taken up", game, exc_info=ended)

    async def _take_together(self, games: Sequence[str]) -> dict[str, tuple[GameRow, int, list[EventRow]]]:
        """Makes this node their owner, first: what the owner before us has written is there once a game is ours."""
        store = self.store.games
        epochs = await store.take_up(games, self.settings.node)
        heads, histories = await store.heads(games), await store.histories(games)
        return {game: (heads[game], epoch, histories[game]) for game, epoch in epochs.items()}

    async def _sweep(self) -> None:
        """Lets go of rooms in which nothing happens; they are loaded again when somebody comes."""
        while True:
            await asyncio.sleep(SWEEP_S)
            self.sweep()
            self.chat.forget()

    async def _call_off_forgotten(self) -> None:
        while True:
            await self.call_off_forgotten()
            await asyncio.sleep(FORGOTTEN_S)

    async def call_off_forgotten(self) -> None:
        """Ends the games for which nobody has come for a day, whether they are in memory or not."""
        before = self.time.wall_ms() - WAITING_S * 1000
        try:
            for head in await self.store.games.search(Filter(status="waiting", before=before, limit=200)):
                with suppress(ApiError, Busy):  # another node's, or the store is full: next time
                    await (await self.room(head.id)).call_off()
        except Exception:
            log.exception("not every forgotten game could be called off")

    def sweep(self, idle_s: float = IDLE_S) -> int:
        """How many rooms were let go."""
        oldest = self.time.mono_ms() - int(idle_s * 1000)
        idle = [room for room in self._rooms.values() if room.at_rest and room.active <= oldest]
        for room in idle:
            room.close(GONE_AWAY, "idle")
            self._drop(room)
        return len(idle)

    async def close(self) -> None:
        """Within two seconds: no new games, everybody told, what waits is written, clocks stopped, sockets closed."""
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        rooms = list(self._rooms.values())
        for room in rooms:
            room.audience.announce({"t": "restarting"})
        suspended = asyncio.gather(*(room.suspend() for room in rooms), return_exceptions=True)
        try:
            await asyncio.wait_for(suspended, self.settings.limits.stop_s * 0.6)
        except TimeoutError:
            log.warning(
                "not every game could be paused in time; they will be charged up to the last sign of life"
            )
        for room in rooms:
            room.close(GONE_AWAY, "restarting")
        self._rooms.clear()
        self.services.computer_players.close()


def _id_of(chance: bytes) -> str:
    number = int.from_bytes(chance, "big")
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(ID_LENGTH))


def _next_id(room: Room) -> str:
    """The id of a game's rematch. It follows from how the game went, so that no restart and no second word makes two
    of them, and nobody knows it before the game is over.
    """
    return _id_of(sha256(f"rematch/{room.id}/{room.chain}".encode()).digest())


def _is_id(text: str) -> bool:
    return len(text) == ID_LENGTH and all(letter in LETTERS for letter in text)
