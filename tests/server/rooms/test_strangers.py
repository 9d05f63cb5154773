"""Who does not play can neither hold up who does, nor speak for them, nor take a seat that is kept for another."""

import asyncio

import pytest

from damas.server.messages import Move
from damas.server.rooms import room as one
from damas.server.rooms.new_game import AgainstFriend, NewGame
from damas.server.rooms.rooms import Rooms
from damas.server.rooms.watchers import Watcher
from damas.server.security.visitors import Visitor
from server.rooms.by_hand import ANA, RUI, Hands, act, friends, move, reloaded
from server.rooms.clients import Server
from server.rooms.test_connections import closed

EVA = Visitor("e" * 32, "Eva")


async def test_the_commands_of_viewers_take_nobodys_place(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    ask = [room.ask(move(room, "c3-d4"), EVA.id, hands.mono, "en") for _ in range(500)]
    assert all(answer.done() and answer.result().message["code"] == "NOT_A_PLAYER" for answer in ask)
    assert room._queue.empty
    assert (await room.submit(act(room, "resign"), EVA.id)).message["code"] == "NOT_A_PLAYER"
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"


async def test_one_player_cannot_fill_the_others_queue(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    flood = [room.ask(act(room, "offer"), RUI.id, hands.mono, "en") for _ in range(500)]
    answer = await room.submit(move(room, "c3-d4"), ANA.id)
    assert answer.kind == "ack"
    assert [(await each).kind for each in flood].count("busy") == 500 - one.MAX_QUEUED_COMMANDS


async def test_a_move_sent_away_by_a_full_queue_is_charged_once(rooms: Rooms, hands: Hands) -> None:
    room = await friends(rooms, time="5+0")
    flood = [room.ask(act(room, "accept"), ANA.id, hands.mono, "en") for _ in range(one.MAX_QUEUED_COMMANDS)]
    hands.pass_by(1)
    wanted = move(room, "c3-d4")
    assert (await room.submit(wanted, ANA.id)).kind == "busy"
    # That the opponent is sent away as well takes nothing from the mover.
    more = [room.ask(act(room, "accept"), RUI.id, hands.mono, "en") for _ in range(99)]
    assert (await more[-1]).kind == "busy"
    await asyncio.gather(*flood, *more)
    hands.pass_by(7)
    assert (await room.submit(wanted, ANA.id)).kind == "ack"
    assert room.table.clocks.white.remaining == 300_000 - 1_000


async def test_an_answer_is_for_who_asked(rooms: Rooms) -> None:
    room = await friends(rooms)
    wanted = move(room, "c3-d4")
    first = await room.submit(wanted, ANA.id)
    assert first.kind == "ack" and (await room.submit(wanted, ANA.id)) == first
    assert (await room.submit(wanted, EVA.id)).message["code"] == "NOT_A_PLAYER"
    assert (await room.submit(wanted, RUI.id)).message["code"] == "ID_REUSED"
    again = Move(wanted.id, 0, wanted.last_seq, "c3-d4")
    room = await reloaded(rooms, room)
    assert (await room.submit(again, ANA.id)) == first
    assert (await room.submit(again, RUI.id)).message["code"] == "ID_REUSED"


async def test_a_seat_that_is_kept_for_somebody_is_theirs_alone(rooms: Rooms) -> None:
    wanted = NewGame("brasileira", AgainstFriend(), colour="white")
    room = await rooms.room(await rooms.create(wanted, ANA, invited=RUI.id))
    assert room.audience.players()["black"]["kind"] == "person"

    def joining() -> list[str]:
        return [who.id for who in (ANA, RUI, EVA) if room.audience.describe(who.id, "en")["may_join"]]

    for _ in range(2):
        assert joining() == [RUI.id]
        with pytest.raises(one.CommandRefused, match="INVITED"):
            await room.take_seat(EVA.id, EVA.name, "person")
        room = await reloaded(rooms, room)  # it holds after a restart too
    await room.take_seat(RUI.id, RUI.name, "person")
    assert room.playing and room.head.black_kind == "person" and not room.table.black.bot
    assert joining() == []


async def test_only_a_players_other_history_raises_an_alarm(rooms: Rooms) -> None:
    room = await friends(rooms)
    assert (await room.submit(move(room, "c3-d4"), ANA.id)).kind == "ack"
    alarm = one.metrics.alarms.labels("other_chain")._value
    before = alarm.get()
    for person, raised in ((EVA, 0), (ANA, 1)):
        watcher = Watcher(person.id, person.name, "en", 256)
        await room.enter(watcher, 2, "0" * 64)
        assert alarm.get() - before == raised
        assert [text for text in watcher._messages if '"seq":1,' in text]  # all of it, again
        room.leave(watcher)


async def test_a_socket_from_before_the_account_ends_with_the_login(server: Server) -> None:
    ana, rui = await server.person(), await server.person()
    game = await ana.create(colour="white")
    await rui.join(game)
    board = await ana.sit(game)
    created = await ana.http.post("/api/account", json={"name": "Ana", "password": "um cavalo sem sela 99"})
    assert created.status_code == 201, created.text
    assert await closed(board) == 1012  # the page comes back, with its login
    again = await ana.sit(game)
    assert again.hello["you"] == "white"
    assert (await again.move("c3-d4"))["t"] == "ack"
    assert (await ana.http.post("/api/account/logout", json={})).status_code == 200
    await asyncio.wait_for(again.socket.wait_closed(), 60)
    assert again.socket.close_code == 1008
