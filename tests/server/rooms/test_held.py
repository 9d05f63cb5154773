"""Games that a teacher holds: no clock runs, nobody moves, and nothing but the teacher lets them go on."""

import asyncio

import pytest

from damas.board import Color
from damas.server.rooms.outages import is_held
from damas.server.rooms.rooms import Rooms
from damas.server.settings import Settings
from damas.server.store import Store
from server.rooms.by_hand import ANA, RUI, Hands, arrive, friends, kill, move, reloaded, settled, ticked

CONTROLS = ("5+0", "5+3", "5b3", "10+5x30s", "none")


@pytest.mark.parametrize("control", CONTROLS)
async def test_a_held_game_goes_on_exactly_where_it_was(rooms: Rooms, hands: Hands, control: str) -> None:
    room = await friends(rooms, time=control, preset="club")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(7)
    await room.hold()
    left, turn = (room.audience.clocks().white, room.audience.clocks().black), room.table.awaited
    assert left == {"none": (None, None)}.get(control, left)
    assert control == "none" or left[0] is not None
    hands.pass_by(4000)
    await ticked(room)
    assert (await room.submit(move(room, "d4-e5"), ANA.id)).kind == "nack"
    assert is_held(room.table) and room.audience.moment()["held"]
    await room.let_go()
    clocks = room.audience.clocks()
    assert (clocks.white, clocks.black) == left and room.table.awaited is turn
    assert not room.audience.moment()["held"]
    hands.pass_by(1)
    if control != "none":
        assert left[0] is not None
        now = room.audience.clocks()
        assert now.running == turn.value and now.black == left[1]
        assert now.white in (left[0], left[0] - 1000)  # within a delay nothing is charged
    assert (await room.submit(move(room, "d4-e5"), ANA.id)).kind == "ack"


async def test_neither_a_player_who_comes_nor_a_restart_lets_it_go(
    store: Store, settings: Settings, hands: Hands
) -> None:
    first = await Rooms.open(store, settings, time=hands)
    room = await friends(first, time="5+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.submit(move(room, "f6-g5"), RUI.id)
    hands.pass_by(7)
    await room.hold()
    events = room.table.events
    await arrive(room, ANA)
    kill(first)
    hands.pass_by(100)
    second = await Rooms.open(store, settings, time=hands)
    again = await second.room(room.id)
    watcher = await arrive(again, ANA)
    hands.pass_by(1000)
    await ticked(again)
    assert is_held(again.table)
    later = again.table.events[len(events) :]
    assert {event.kind for event in later} <= {"disconnected"}  # and no time is given for the outage
    assert again.table.clocks.white.remaining == 293_000
    await again.let_go()
    assert again.table.clocks.running is Color.WHITE
    assert again.audience.clocks().white == 293_000 and again.audience.clocks().black == 300_000
    again.leave(watcher)
    await second.close()


async def test_what_the_server_has_suspended_is_held_too(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    await room.submit(move(room, "c3-d4"), ANA.id)
    await room.suspend()
    assert room.table.suspended and not is_held(room.table)
    await room.hold()
    assert is_held(room.table)
    hands.pass_by(1000)
    await arrive(room, RUI)
    await ticked(room)
    assert is_held(room.table)
    again = await reloaded(rooms, room)
    assert is_held(again.table)
    await again.stop("the lesson is over")
    assert again.table.outcome is not None and again.table.outcome.void
    await asyncio.gather(again.hold(), again.let_go(), again.stop("twice"))
    await settled(again)
    assert again.head.status == "aborted"
