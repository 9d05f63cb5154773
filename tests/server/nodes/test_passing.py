"""A game is reached through any node: by HTTP, by stream and by socket."""

import asyncio

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.nodes.conftest import at
from server.rooms.clients import Board, Server


async def test_both_players_play_through_different_nodes(nodes: list[Server]) -> None:
    one, two = nodes
    ana, rui = await one.person(), await two.person()
    game = await ana.create(time="5+3")
    joined = await rui.join(game)  # passed on, and Rui keeps the identity he has at his node
    assert two.rooms.in_memory(game) is None and one.rooms.in_memory(game) is not None
    white, black = await ana.sit(game), await rui.sit(game)
    assert {white.hello["you"], black.hello["you"]} == {"white", "black"} and joined["you"] == black.hello[
        "you"
    ]
    first, second = (white, black) if white.hello["you"] == "white" else (black, white)
    assert (await first.move("c3-d4"))["t"] == "ack"
    await second.turn("black")
    assert (await second.move("f6-g5"))["t"] == "ack"
    assert (await second.move("c3-c4"))["t"] == "nack"
    await second.send(t="chat", text="Boa sorte!")
    assert (await first.next("chat"))["text"] == "Boa sorte!"
    looked = await at(ana, two).look(game)
    assert looked["you"] == white.hello["you"] and looked["seq"] == second.seq
    refused = await rui.http.post(f"/api/games/{game}/join", json={})
    assert refused.status_code == 200, "whoever sits there already gets the same answer"
    assert (await rui.http.post(f"/api/games/{game}/rematch", json={})).json()["error"]["code"] == "NOT_OVER"
    body = await rui.http.post(f"/api/games/{game}/join", content=b"x" * 200, headers={"Content-Type": "a/b"})
    assert body.status_code in (200, 415)


async def test_programs_follow_a_game_of_another_node(nodes: list[Server]) -> None:
    one, two = nodes
    ana = await one.person()
    game = await ana.create(kind="device")
    there = at(ana, two)
    lines: asyncio.Queue[str] = asyncio.Queue()

    async def follow() -> None:
        async with there.http.stream("GET", f"/api/board/game/stream/{game}") as stream:
            async for line in stream.aiter_lines():
                if line.strip():
                    lines.put_nowait(line)

    following = asyncio.create_task(follow())
    async with asyncio.timeout(60):
        assert '"gameFull"' in await lines.get()
        moved = await there.http.post(f"/api/board/game/{game}/move/c3-d4")
        assert moved.status_code == 200, moved.text
        while "c3-d4" not in await lines.get():
            pass
        resigned = await there.http.post(f"/api/board/game/{game}/resign")
        assert resigned.status_code == 200
        await following  # the stream ends with the game, and the connection closes as it should


async def test_a_node_that_dies_in_the_middle_sends_its_guests_back(nodes: list[Server]) -> None:
    one, two = nodes
    ana = await one.person()
    game = await ana.create(kind="device", time="5+3")
    board = await at(ana, two).sit(game)
    assert (await board.move("c3-d4"))["t"] == "ack"
    keeper = two.rooms.ownership.keeper
    # As if its machine was gone without a word: nobody renews its lease, and what it was sent stays unanswered.
    for task in one.rooms._tasks:
        task.cancel()
    with pytest.raises(ConnectionClosed) as closed:
        await board.next("nothing more")
    assert closed.value.rcvd and closed.value.rcvd.code == 1012
    assert not keeper.peers["one"].alive
    again = await at(ana, two).sit(game)
    assert again.hello["epoch"] > board.hello["epoch"] and again.view["ply"] == 1
    assert two.rooms.in_memory(game) is not None
    assert (await again.move("f6-g5"))["t"] == "ack"


async def test_a_node_that_stops_hands_its_games_over(nodes: list[Server]) -> None:
    one, two = nodes
    ana, rui = await one.person(), await one.person()
    game = await ana.create(time="5+3", color="white")
    await rui.join(game)
    white, black = await ana.sit(game), await rui.sit(game)
    assert (await white.move("c3-d4"))["t"] == "ack"
    await one.services.stop_playing()
    there = two.rooms.in_memory(game)
    assert there is not None, "it is there before the sockets are closed"
    with pytest.raises(ConnectionClosed) as closed:
        await white.next("nothing more")
    assert closed.value.rcvd and closed.value.rcvd.code == 1012
    late = await at(rui, two).sit(game, last=black.seq)
    assert late.hello["seq"] > black.seq and late.hello["epoch"] == black.hello["epoch"] + 1
    assert (await late.move("f6-g5"))["t"] == "ack"
    kinds = [event.kind for event in there.table.events]
    assert "suspended" in kinds and "resumed" in kinds and "time_added" not in kinds
    assert (there.table.clocks.white.remaining or 0) <= 303_000


async def test_strangers_at_the_port_for_nodes_get_nothing(nodes: list[Server]) -> None:
    one, _ = nodes
    address = one.services.rooms.ownership.keeper._address
    host, _, port = address.rpartition(":")
    for sent in (b"GET / HTTP/1.1\r\n\r\n", b"\x00\x00\x00\x02{}", b"\x00\x00\x00\x09\x81\xa6secret\xc4\x00"):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(sent)
        if writer.can_write_eof():
            writer.write_eof()
        async with asyncio.timeout(60):
            assert await reader.read() == b""
        writer.close()


async def test_a_socket_of_a_visitor_counts_where_it_was_opened(nodes: list[Server]) -> None:
    """The limits of the node that a client reached hold; a passed request is not counted twice."""
    one, two = nodes
    ana = await one.person()
    game = await ana.create(kind="device")
    there = at(ana, two)
    cookies = "; ".join(f"{name}={value}" for name, value in there.http.cookies.items())
    url = f"ws://127.0.0.1:{two.port}/game/{game}/socket"
    boards: list[Board] = [await there.sit(game) for _ in range(5)]
    async with connect(url, additional_headers={"Cookie": cookies}) as sixth:
        with pytest.raises(ConnectionClosed) as closed:
            await sixth.recv()
        assert closed.value.rcvd and closed.value.rcvd.code == 1008
    assert len(boards) == len(one.rooms.sockets) and not len(two.rooms.sockets)
    foreign = await there.http.post(
        f"/api/games/{game}/join", json={}, headers={"Origin": "http://elsewhere.example"}
    )
    assert foreign.status_code == 403
    assert isinstance(foreign, httpx.Response)
