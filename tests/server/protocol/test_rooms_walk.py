"""The same walks through the real rooms, over a real SQLite: the network loses, repeats and reorders, the store fails
at every stage, the owner forgets everything and loads the game again.
"""

import asyncio
import json
import random
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from damas.arbiter.ledger import table_of
from damas.board import Color
from damas.server.messages import read_message
from damas.server.rooms.ledger import Commit, Ledger
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.rooms.room import GONE_AWAY, Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.watchers import Watcher
from damas.server.security.visitors import Visitor
from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.errors import StoreError
from damas.server.store.rows import broken_link

STEPS = 800
PEOPLE = [Visitor("w" * 32, "Ana"), Visitor("b" * 32, "Rui"), Visitor("v" * 32, "Eva")]

Message = dict[str, Any]


@dataclass(eq=False)
class Page:
    """A page as its author should write it: items 11 and 12."""

    person: Visitor
    log: list[Message] = field(default_factory=list)
    held: dict[int, Message] = field(default_factory=dict)
    view: Message = field(default_factory=dict)
    pending: Message | None = None
    watcher: Watcher | None = None
    resuming: bool = False

    @property
    def last(self) -> int:
        return self.log[-1]["seq"] if self.log else 0

    def read(self, message: Message) -> bool:
        """Takes a message in; whether something is missing."""
        if message["t"] == "event":
            self.held[message["seq"]] = message
            while self.last + 1 in self.held:
                event = self.held.pop(self.last + 1)
                self.log.append(event)
                self.resuming = False
                self.view = event.get("view") or self.view
            self.held = {seq: event for seq, event in self.held.items() if seq > self.last}
            return bool(self.held) and not self.resuming
        if self.pending and message.get("id") == self.pending["id"] and message["t"] != "busy":
            self.pending = None
        return False


class Lost(AssertionError):
    pass


class World:
    def __init__(self, rooms: Rooms, seed: int) -> None:
        self.rooms = rooms
        self.chance = random.Random(seed)
        self.pages = [Page(person) for person in PEOPLE]
        self.up: list[tuple[Page, Message]] = []
        self.down: list[tuple[Page, Message]] = []
        self.promised: dict[str, Message] = {}
        self.game = ""
        self.owners = 1
        self.faults = 0
        self._luck = random.Random(f"faults of {seed}")  # its own: it is asked on another thread

    async def begin(self) -> None:
        wanted = NewGame(
            "brasileira", AgainstFriend(), colour="white", time=self.chance.choice(["none", "60+5"])
        )
        self.game = await self.rooms.create(wanted, PEOPLE[0])
        room = await self.room()
        await room.take_seat(PEOPLE[1].id, PEOPLE[1].name, "person")
        self.rooms.store.writer.fault = self._fault

    async def room(self) -> Room:
        """Loading fails too, and is tried again, as pages do."""
        while True:
            with suppress(StoreError):
                return await self.rooms.room(self.game)
            await asyncio.sleep(0.005)

    def _fault(self, stage: str) -> None:
        """The store breaks now and then, before, at and after the commit."""
        if self._luck.random() < 0.04:
            self.faults += 1
            raise ConnectionResetError(f"broken at {stage}")

    async def walk(self, steps: int) -> None:
        actions = {
            self.intend: 20,
            self.deliver_up: 40,
            self.deliver_down: 50,
            self.connect: 20,
            self.rest: 60,
            self.lose: 4,
            self.repeat: 6,
            self.time_out: 8,
            self.cut: 2,
            self.forget: 1,
        }
        for _ in range(steps):
            await self.chance.choices(list(actions), list(actions.values()))[0]()
            await self._gather()

    async def settle(self) -> None:
        """Until nothing is under way."""
        self.rooms.store.writer.fault = None
        for _ in range(400):
            room = await self.room()
            await self._gather()
            if room._queue.empty:
                return
            await asyncio.sleep(0.01)

    async def _gather(self) -> None:
        """What the server has said is on its way; what it has promised is held against the disk at once."""
        for page in self.pages:
            watcher = page.watcher
            while watcher and (text := watcher.take()) is not None:
                message = json.loads(text)
                self.down.append((page, message))
                if message["t"] == "ack":
                    await self._is_on_disk(message)
            if watcher and watcher.closing:
                page.watcher = None

    async def _is_on_disk(self, ack: Message) -> None:
        row = await self.rooms.store.games.by_client_id(self.game, ack["id"])
        if row is None or row.seq > ack["seq"]:
            raise Lost(f"{ack} was acknowledged and is not on disk")
        if self.promised.setdefault(ack["id"], ack) != ack:
            raise Lost(f"{ack['id']} was acknowledged in two ways")

    # Pages

    async def intend(self) -> None:
        page = self.chance.choice(self.pages[:2])
        mine = Color.WHITE if page is self.pages[0] else Color.BLACK
        if page.pending or not page.view or page.view["outcome"]:
            return
        number = secrets.token_hex(16)
        if page.view["take_back"] == mine.other.value:
            page.pending = {"t": "act", "id": number, "last_seq": page.last, "do": "grant"}
        elif self.chance.random() < 0.08:
            page.pending = {"t": "act", "id": number, "last_seq": page.last, "do": "take_back"}
        elif page.view["legal"] and (page.view["to_move"] == mine.value or self.chance.random() < 0.1):
            move = self.chance.choice(page.view["legal"])["text"]
            seen = {"ply": page.view["ply"], "last_seq": page.last}
            page.pending = {"t": "move", "id": number, **seen, "move": move}
        self._send(page)

    async def time_out(self) -> None:
        page = self.chance.choice(self.pages)
        page.resuming = False
        self._send(page)

    def _send(self, page: Page) -> None:
        if page.pending and page.watcher:
            self.up.append((page, page.pending))

    async def connect(self) -> None:
        page = self.chance.choice(self.pages)
        if page.watcher is None:
            room = await self.room()
            page.watcher = Watcher(page.person.id, page.person.name, "en", 10_000)
            await room.enter(page.watcher, page.last)
            self._send(page)

    async def cut(self) -> None:
        page = self.chance.choice(self.pages)
        if page.watcher:
            (await self.room()).leave(page.watcher)
            page.watcher = None
        self.up = [item for item in self.up if item[0] is not page]
        self.down = [item for item in self.down if item[0] is not page]

    # The network

    async def lose(self) -> None:
        self._take(self.chance.choice([self.up, self.down]))

    async def repeat(self) -> None:
        line = self.chance.choice([self.up, self.down])
        if line:
            line.append(self.chance.choice(line))

    def _take(self, line: list[tuple[Page, Message]]) -> tuple[Page, Message] | None:
        return line.pop(self.chance.randrange(len(line))) if line else None

    async def deliver_up(self) -> None:
        item = self._take(self.up)
        if item is None or item[0].watcher is None:
            return
        page, message = item
        room = await self.room()
        watcher = page.watcher
        if watcher is None or watcher not in set(room.audience):
            return
        command = read_message(msgspec.json.encode(message))
        room.ask(command, page.person.id, self.rooms.time.mono_ms(), "en", watcher)  # type: ignore[arg-type]

    async def deliver_down(self) -> None:
        item = self._take(self.down)
        if item and item[0].read(item[1]) and item[0].watcher:
            item[0].resuming = True
            await (await self.room()).resume(item[0].watcher, item[0].last)

    async def rest(self) -> None:
        """Time passes, mostly until the owner is done."""
        for _ in range(self.chance.randrange(40)):
            await asyncio.sleep(0.001)
            if (await self.room())._queue.empty:
                return

    async def forget(self) -> None:
        """The owner is gone, with whatever it was doing, and another loads the game."""
        room = await self.room()
        room.close(GONE_AWAY, "forgotten")
        self.rooms._drop(room)
        self.owners += 1
        for page in self.pages:
            page.watcher = None

    # What must hold in the end

    async def check(self) -> int:
        rows = await self.rooms.store.games.events(self.game)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert broken_link(rows) is None
        table = table_of(row.data for row in rows)
        plies = [(row.line, row.ply) for row in rows if row.kind == "moved"]
        assert len(set(plies)) == len(plies)
        chains = [row.chain for row in rows]
        for page in self.pages:
            assert [event["chain"] for event in page.log] == chains[: len(page.log)]
        room = await self.room()
        assert room.table.events == table.events
        return len(plies)


@pytest.fixture
async def rooms(tmp_path: Path) -> AsyncIterator[Rooms]:
    settings = Settings(data=tmp_path, limits=Limits(heartbeat_s=60, gone_closed_s=3600, first_move_s=3600))
    store = await Store.open(settings)
    rooms = await Rooms.open(store, settings)
    yield rooms
    await rooms.close()
    await store.close()


async def test_the_rooms_keep_what_the_model_promises(rooms: Rooms) -> None:
    moves = owners = faults = promises = 0
    for seed in range(5):
        world = World(rooms, seed)
        await world.begin()
        await world.walk(STEPS)
        await world.settle()
        moves += await world.check()
        owners, faults, promises = (
            owners + world.owners,
            faults + world.faults,
            promises + len(world.promised),
        )
    assert moves > 25 and owners > 8 and faults > 3 and promises > 25, (moves, owners, faults, promises)


async def test_acknowledging_before_the_commit_is_noticed(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test is tested: rooms that do not wait for the disk are caught by the same walks."""
    write = Ledger.write
    late: set[asyncio.Task[str | None]] = set()

    async def hasty(self: Ledger, commit: Commit, *, again: bool) -> None:
        late.add(asyncio.ensure_future(write(self, commit, again=again)))

    world = World(rooms, 1)
    await world.begin()
    monkeypatch.setattr(Ledger, "write", hasty)
    with pytest.raises(Lost):
        await world.walk(STEPS)
    await asyncio.gather(*late, return_exceptions=True)
