"""Rooms by themselves, with clocks that are set by hand: absences, outages, programs."""

import asyncio
import gc
import threading
import weakref

import msgspec
import pytest

from damas.board import Color
from damas.engine import Engine, levels
from damas.server.rooms.new_game import AgainstLevel, NewGame
from damas.server.rooms.room import Room
from damas.server.rooms.rooms import Rooms
from damas.views.table import time_left
from server.rooms.by_hand import ANA, BOT, RUI, Hands, act, arrive, friends, move, reloaded, settled, ticked


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
    assert (await room.submit(move(room, "9,9 8,8"), BOT.id)).kind == "nack"
    assert room.table.outcome and room.table.outcome.reason == "INVALID_MOVE"
    assert room.table.outcome.winner is Color.BLACK
    elsewhere = await friends(rooms, BOT, ANA, rulebook="brasileira")
    answer = await elsewhere.submit(move(elsewhere, "a1-b2"), BOT.id)
    assert answer.message["code"] == "OWN_PIECE_BLOCKS" and elsewhere.table.outcome is None


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


async def test_late_pongs_are_charged_in_full(rooms: Rooms, hands: Hands) -> None:
    """A client that holds every pong back for 2,434 ms paid 144 ms for a move of 2,578."""
    room = await friends(rooms, time="5+3")
    for _ in range(8):
        room.ponged(frozenset({Color.WHITE}), 2_434)
    hands.pass_by(2.578)
    await room.submit(move(room, "c3-d4"), ANA.id)
    assert room.table.clocks.white.remaining == 300_000 - 2_578 + 3_000


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
    assert sheet(await reloaded(rooms, room)) == shown


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
    assert await asyncio.to_thread(searching.wait, 60)
    players = rooms.services.computer_players
    assert players.workers.running == 1
    players.close()
    while players.workers.running:
        await asyncio.sleep(0.005)
    room.close(1012, "")
