"""A game may be long and people may talk a lot: it can be opened again all the same."""

import pytest

from damas.server.rooms.watchers import Watcher
from damas.server.settings import Limits
from server.rooms.clients import Server
from server.rooms.test_connections import MOVES, closed, device, played

FEW = Limits(events_in_memory=4)


@pytest.mark.parametrize("limits", [FEW])
async def test_a_game_longer_than_an_outbox_can_be_opened_from_its_beginning(server: Server) -> None:
    person, game, board = await device(server)
    await played(board)
    again = await person.sit(game, last=0)
    assert [(await again.next("event"))["seq"] for _ in range(7)] == [1, 2, 3, 4, 5, 6, 7]
    assert again.view["ply"] == len(MOVES)
    await again.send(t="ping", n=1)
    assert (await again.next("pong"))["n"] == 1


@pytest.mark.parametrize("limits", [FEW])
async def test_a_page_without_anything_gets_the_table_and_no_history(server: Server) -> None:
    person, game, board = await device(server)
    await played(board)
    fresh = await person.sit(game)
    assert fresh.hello["seq"] == 7 and fresh.hello["chain"]
    assert [move["text"] for move in fresh.view["moves"]] == list(MOVES)
    assert fresh.hello["start"]
    await fresh.send(t="ping", n=1)
    await fresh.next("pong")
    assert not fresh.events


@pytest.mark.parametrize("limits", [FEW])
async def test_a_game_with_much_chat_can_be_opened(server: Server) -> None:
    person, game, _ = await device(server)
    for line in range(20):
        await server.services.store.games.say(game, "x", "Ana", f"line {line}", 1)
    again = await person.sit(game, last=0)
    assert [(await again.next("chat"))["text"] for _ in range(20)] == [f"line {line}" for line in range(20)]


@pytest.mark.parametrize("limits", [FEW])
async def test_who_asks_again_and_again_without_reading_is_let_go(server: Server) -> None:
    _person, game, board = await device(server)
    await played(board)
    room = await server.rooms.room(game)
    viewer = Watcher("nobody", "nobody", "en", FEW.events_in_memory)
    await room.enter(viewer, 0)
    assert not viewer.closing
    await room.resume(viewer, 0)
    assert viewer.closing == (1013, "too far behind")
    room.leave(viewer)


async def test_what_was_missed_and_read_no_longer_counts() -> None:
    viewer = Watcher("nobody", "nobody", "en", 256)
    viewer.send_missed(["event"] * 3000)
    for _ in range(2999):
        viewer.take()
    for _ in range(256):
        viewer.send("new")
    assert viewer.unread == 257 and not viewer.closing
    viewer.send("one too many")
    assert viewer.closing == (1013, "too far behind")


async def test_chat_has_one_limit_for_sockets_and_for_requests(server: Server) -> None:
    person, game, board = await device(server)
    for line in range(3):
        await board.send(t="chat", text=f"by socket {line}")
        await board.next("chat")
    path = f"/api/board/game/{game}/chat"
    statuses = [(await person.http.post(path, json={"text": "by HTTP"})).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    await board.send(t="chat", text="once more")
    assert (await board.next("nack"))["code"] == "RATE"
    assert len(await server.services.store.games.chat(game)) == 5
    server.rooms.chat.forget_silent()
    assert server.rooms.chat._sent  # nobody is forgiven by being forgotten
    server.rooms.chat._time.mono_ms = lambda: 2**40
    server.rooms.chat.forget_silent()
    assert not server.rooms.chat._sent
    del server.rooms.chat._time.mono_ms


async def test_nobody_is_let_go_for_reading_what_was_missed(server: Server) -> None:
    person, game, board = await device(server)
    await played(board)
    for _ in range(3):
        again = await person.sit(game, last=2)
        await again.next("event")
        await again.close()
        assert await closed(again) == 1000
