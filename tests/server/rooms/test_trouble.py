"""The store is full, away, or gone with the server: nobody loses a move or a second by it."""

import asyncio
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from damas.server.settings import Limits, Settings
from server.rooms.clients import Board, Server, serving
from server.rooms.test_playing import friends


class DiskFull(OSError):
    pass


async def test_while_the_store_fails_the_game_stands_still_and_goes_on_by_itself(server: Server) -> None:
    white, black = await friends(server, time="5+3")
    writer = server.services.store.writer
    failing = True

    def fault(stage: str) -> None:
        if failing and stage == "write":
            raise DiskFull(28, "No space left on device")

    writer.fault = fault
    move = asyncio.create_task(white.move("c3-d4"))
    paused = await black.next("paused")
    assert "no space left" in paused["reason"] and paused["message"]
    assert not move.done()  # no acknowledgement without a commit
    room = await server.rooms.room(white.hello["game"])
    stood = room.audience.clocks()
    server.pass_by(20)
    assert room.audience.clocks() == stood and stood.running is None
    failing = False
    assert (await move)["t"] == "ack"
    await black.next("resumed")
    reply = await black.until("moved")
    assert reply["clocks"]["running"] == "black"
    assert reply["clocks"]["white"] > 300_000 + 3_000 - 2_000


@pytest.mark.parametrize("stage", ["commit", "committed"])
async def test_an_unknown_outcome_is_read_back_before_anything_is_said(server: Server, stage: str) -> None:
    """Before or after COMMIT, the move is there once, and its player is told so once."""
    white, black = await friends(server)
    broken = []

    def fault(at: str) -> None:
        if at == stage and not broken:
            broken.append(at)
            raise ConnectionResetError("the connection is gone")

    server.services.store.writer.fault = fault
    answer = await white.move("c3-d4")
    assert broken and answer["t"] == "ack" and answer["seq"] == 2
    rows = await server.services.store.games.events(white.hello["game"])
    assert [row.kind for row in rows] == ["started", "moved"]
    await black.until("moved")


@pytest.mark.parametrize("limits", [Limits(queue=2, heartbeat_s=60)])
async def test_busy_is_said_and_coming_again_costs_nothing(server: Server) -> None:
    white, _ = await friends(server, time="5+3")
    room = await server.rooms.room(white.hello["game"])
    writer = server.services.store.writer
    server.stand()
    before = room.audience.clocks().white
    number = "ab" * 16
    async with server.slow_disk():
        blocked = [asyncio.create_task(writer.do(lambda _: None)) for _ in range(2)]
        await server.written(2)
        answer = await white.move("c3-d4", id=number)
        assert answer["t"] == "busy" and answer["retry_ms"] > 0
        server.pass_by(20)
    await asyncio.gather(*blocked)
    again = await white.move("c3-d4", id=number)
    assert again["t"] == "ack"
    assert again["clocks"]["white"] == before + 3000  # the waiting is not charged


async def test_another_owner_makes_everybody_come_again(server: Server) -> None:
    white, _black = await friends(server)
    game = white.hello["game"]
    await server.services.store.games.take([game], server.services.settings.node)  # as another process would
    number = "cd" * 16
    with pytest.raises(ConnectionClosed) as end:
        await white.move("c3-d4", id=number)
    assert end.value.rcvd is not None and end.value.rcvd.code == 1012
    assert (await server.services.store.games.events(game))[-1].kind == "started"
    again = await _sit_again(server, white.cookies, game)
    assert again.hello["epoch"] == 3
    assert (await again.move("c3-d4", id=number))["t"] == "ack"


async def test_a_stop_pauses_the_clocks_and_a_start_gives_time_back(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, port=0)
    async with serving(settings) as first:
        white, black = await friends(first, time="5+0")
        game, cookies = white.hello["game"], [white.cookies, black.cookies]
        assert (await white.move("c3-d4"))["t"] == "ack"
        await black.until("moved")
        first.stand()
        first.pass_by(0.3)
        before = (await first.rooms.room(game)).audience.clocks()
        await first.services.stop_playing()
        await white.next("restarting")
        suspended = await black.until("suspended")
        assert suspended["clocks"]["running"] is None
    async with serving(settings) as second:
        again = await _sit_again(second, cookies[0], game)
        assert again.view["suspended"] and again.hello["clocks"]["running"] is None
        clocks = again.hello["clocks"]
        assert clocks["black"] == before.black + 15_000
        assert clocks["white"] == before.white + 5_000
        mover = await _sit_again(second, cookies[1], game)
        await mover.until("resumed")
        assert mover.view["clocks"]["running"] == "black"
        assert (await mover.move("f6-g5"))["t"] == "ack"
        kinds = [row.kind for row in await second.services.store.games.events(game)]
    assert kinds == ["started", "moved", "suspended", "time_added", "time_added", "resumed", "moved"]


async def _sit_again(server: Server, cookies: object, game: str) -> Board:
    person = await server.person()
    person.http.cookies = cookies
    return await person.sit(game)
