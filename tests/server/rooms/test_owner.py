"""Rooms by themselves on both databases, with clocks that are set by hand: absences, outages, programs."""

import asyncio
import gc
import threading
import weakref
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import msgspec
import pytest

from damas.board import Color
from damas.engine import Engine, levels
from damas.server.messages import Act, Move
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.new_game import AgainstFriend, AgainstLevel, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.watchers import Watcher
from damas.server.security.visitors import Visitor
from damas.server.settings import Limits, Settings
from damas.server.store import Store
from damas.server.store.rows import Alive
from damas.views.table import time_left

ANA, RUI = Visitor("a" * 32, "Ana"), Visitor("b" * 32, "Rui")
BOT = Visitor("c" * 32, "bot", bot=True)


@dataclass
class Hands(MachineTime):
    mono: int = 5_000_000
    wall: int = 1_800_000_000_000

    def mono_ms(self) -> int:
        return self.mono

    def wall_ms(self) -> int:
        return self.wall

    def pass_by(self, seconds: float) -> None:
        self.mono += int(seconds * 1000)
        self.wall += int(seconds * 1000)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """On both databases, which a busy machine may answer late."""
    limits = Limits(heartbeat_s=3600, read_s=60, connect_s=60, commit_s=60)
    return Settings(data=tmp_path / "data", database_url=database_url, limits=limits)


@pytest.fixture
async def rooms(store: Store, settings: Settings, hands: Hands) -> AsyncIterator[Rooms]:
    rooms = await Rooms.open(store, settings, time=hands, min_reply_ms=0)
    yield rooms
    await rooms.close()


async def friends(rooms: Rooms, *people: Visitor, **terms: str) -> Room:
    first, second = people or (ANA, RUI)
    wanted = NewGame(terms.pop("rulebook", "brasileira"), AgainstFriend(), colour="white", **terms)  # type: ignore[arg-type]
    room = await rooms.room(await rooms.create(wanted, first))
    await room.take_seat(second.id, second.name, "bot" if second.bot else "person")
    return room


async def arrive(room: Room, person: Visitor) -> Watcher:
    watcher = Watcher(person.id, person.name, "en", 256)
    await room.enter(watcher)
    await settled(room)
    return watcher


async def settled(room: Room) -> None:
    async def nothing() -> None:
        return

    await room.in_turn(nothing)


async def ticked(room: Room) -> None:
    room.tick()
    await settled(room)


def move(room: Room, text: str) -> Move:
    return Move(token_hex(16), room.table.ply, room.seq, text)


def act(room: Room, do: str) -> Act:
    return Act(token_hex(16), room.seq, do)  # type: ignore[arg-type]


async def test_who_is_away_too_long_may_lose_the_game(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms)
    ana, rui = await arrive(room, ANA), await arrive(room, RUI)
    room.leave(ana)
    hands.pass_by(9)
    await ticked(room)
    assert Color.WHITE not in room.table.absent  # it may be a bad line
    hands.pass_by(2)
    await ticked(room)
    assert Color.WHITE in room.table.absent
    early = await room.submit(act(room, "absence"), RUI.id)
    assert early.message["code"] == "GRACE_RUNS"
    hands.pass_by(60)
    assert (await room.submit(act(room, "absence"), RUI.id)).kind == "ack"
    assert room.table.outcome and room.table.outcome.reason == "ABANDONED"
    assert room.table.outcome.winner is Color.BLACK
    room.leave(rui)


async def test_a_program_that_plays_an_invalid_move_loses_where_the_text_says_so(rooms: Rooms) -> None:
    room = await friends(rooms, BOT, ANA, rulebook="concurso")
    answer = await room.submit(move(room, "9,9 8,8"), BOT.id)
    assert answer.kind == "nack"
    assert room.table.outcome and room.table.outcome.reason == "INVALID_MOVE"
    assert room.table.outcome.winner is Color.BLACK


async def test_a_program_that_plays_an_invalid_move_elsewhere_is_told(rooms: Rooms) -> None:
    room = await friends(rooms, BOT, ANA, rulebook="brasileira")
    answer = await room.submit(move(room, "a1-b2"), BOT.id)
    assert answer.message["code"] == "OWN_PIECE_BLOCKS" and room.table.outcome is None


async def test_lag_is_credited_within_the_quota(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    for _ in range(8):
        room.ponged(frozenset({Color.WHITE}), 400)
    hands.pass_by(2)
    await room.submit(move(room, "c3-d4"), ANA.id)
    assert room.table.clocks.white.remaining == 300_000 - 1_600
    hands.pass_by(2)
    await room.submit(move(room, "f6-g5"), RUI.id)  # who has answered no ping
    assert room.table.clocks.black.remaining == 300_000 - 2_000


async def test_after_a_crash_time_is_charged_up_to_the_last_sign_of_life(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="5+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(7)
    beat = Alive(node=settings.node, boot="x", wall_ms=hands.wall, mono_ms=hands.mono)
    await store.games.heartbeat(beat)
    for task in first._tasks:
        task.cancel()  # as if killed: nothing is said, nothing written
    hands.pass_by(100)
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.table.suspended and again.ledger.epoch == room.ledger.epoch + 1
    assert again.table.clocks.white.remaining == 300_000 - 7_000 + 15_000
    assert again.table.clocks.black.remaining == 300_000 + 5_000
    # The opponent is back: the clock waits for the mover, half a minute at most.
    watcher = await arrive(again, RUI)
    hands.pass_by(29)
    await ticked(again)
    assert again.table.suspended
    hands.pass_by(2)
    await ticked(again)
    assert not again.table.suspended and again.table.clocks.running is Color.WHITE
    hands.pass_by(1)
    assert again.audience.clocks().white == 300_000 - 7_000 + 15_000 - 1_000
    # The old owner is fenced off.
    answer = await room.submit(move(room, "g3-h4"), ANA.id)
    assert answer.kind == "busy" and room.closed
    again.leave(watcher)
    await second.close()


async def test_nobody_comes_back_and_the_game_has_no_result(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="1+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    await first.close()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    hands.pass_by(599)
    await ticked(again)
    assert again.table.outcome is None
    hands.pass_by(2)
    await ticked(again)
    assert again.table.outcome and again.table.outcome.void
    assert again.head.status == "aborted"
    await second.close()


async def test_a_flag_that_was_about_to_fall_does_not_fall_in_an_outage(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="10s")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(12)  # longer than there was, and the server dies before its timer is asked
    await store.games.heartbeat(Alive(node=settings.node, boot="x", wall_ms=hands.wall, mono_ms=hands.mono))
    for task in first._tasks:
        task.cancel()
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert again.table.outcome is None and again.table.clocks.white.remaining == 15_000
    await second.close()


async def test_games_without_a_clock_just_go_on(store: Store, settings: Settings, hands: Hands) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first)
    await room.submit(move(room, "c3-d4"), ANA.id)
    await first.close()
    hands.mono = 10  # another machine, another monotonic clock
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    assert [event.kind for event in again.table.events] == ["started", "moved"]
    assert (await again.submit(move(again, "f6-g5"), RUI.id)).kind == "ack"
    await second.close()


async def test_a_level_keeps_no_engine_between_moves(rooms: Rooms) -> None:
    game = await rooms.create(NewGame("oficial", AgainstLevel(3), colour="black"), ANA)
    room = await rooms.room(game)
    while room.table.ply == 0:
        await settled(room)
        await asyncio.sleep(0.01)
    assert room.table.to_move is Color.BLACK and not room._levels.thinking
    assert rooms.services.computer_players.workers.running == 0


async def test_a_game_that_lots_decide_has_its_lot(rooms: Rooms) -> None:
    room = await friends(rooms, rulebook="concurso", preset="contest")
    lot = room.table.started.lot
    assert lot is not None
    first = room.seats.white if lot.first is Color.WHITE else room.seats.black
    assert first.id == ANA.id and room.table.player(lot.first).name == "Ana"


async def test_times_on_the_score_sheet_survive_a_reload_and_a_take_back(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+3")
    for text, person in (("c3-d4", ANA), ("f6-g5", RUI), ("g3-h4", ANA)):
        hands.pass_by(4)
        assert (await room.submit(move(room, text), person.id)).kind == "ack"
    assert (await room.submit(act(room, "take_back"), ANA.id)).kind == "ack"
    assert (await room.submit(act(room, "grant"), RUI.id)).kind == "ack"
    hands.pass_by(7)
    assert (await room.submit(move(room, "b2-c3"), ANA.id)).kind == "ack"

    def sheet(room: Room) -> list[tuple[str, int]]:
        view = msgspec.json.decode(room.audience.view("en"))
        return [(each["text"], each["clock_ms"]) for each in view["moves"]]

    shown = sheet(room)
    assert shown == [("c3-d4", 299_000), ("f6-g5", 299_000), ("b2-c3", 294_000)]
    assert time_left(room.table) == [299_000, 299_000, 294_000]
    room.close(1012, "")
    rooms._drop(room)
    again = await rooms.room(room.id)
    assert sheet(again) == shown


async def test_a_room_that_is_let_go_is_gone_at_once(rooms: Rooms) -> None:
    room = await friends(rooms, time="5+3")
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    watcher = await arrive(room, RUI)
    room.leave(watcher)
    while not room._queue.empty:
        await asyncio.sleep(0)
    held = weakref.ref(room)
    rooms._drop(room)
    room.close(1012, "")
    gc.disable()  # nobody looks for rings of dead objects: there is none
    try:
        del room, watcher
        await asyncio.sleep(0)
        assert held() is None
    finally:
        gc.enable()


async def test_a_thought_ends_when_the_server_stops(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last level thinks by the clock, here for an hour; a stop does not wait for it."""
    monkeypatch.setattr(levels, "DEFAULT_MOVETIME_S", 3600.0)
    searching = threading.Event()
    begin = Engine._begin

    def noting_begin(engine: Engine) -> int:
        ticket = begin(engine)
        searching.set()
        return ticket

    monkeypatch.setattr(Engine, "_begin", noting_begin)
    game = await rooms.create(NewGame("brasileira", AgainstLevel(10), colour="black"), ANA)
    room = await rooms.room(game)
    await asyncio.to_thread(searching.wait)
    players = rooms.services.computer_players
    assert players.workers.running == 1
    players.close()
    while players.workers.running:
        await asyncio.sleep(0.005)
    room.close(1012, "")
