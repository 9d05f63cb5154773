"""Clocks over real sockets: flags, first moves, absences."""

import asyncio

import pytest

from damas.server.settings import Limits
from server.rooms.clients import Server
from server.rooms.test_playing import friends


async def test_a_flag_falls_by_itself(server: Server) -> None:
    server.stand()
    white, _black = await friends(server, time="1s", rulebook="oficial")
    await white.move("c3-d4")
    server.pass_by(4)
    ended = await white.until("ruled")
    assert ended["event"]["outcome"]["reason"] == "FLAG" and ended["view"]["outcome"]["winner"] == "white"
    assert ended["clocks"]["black"] == 0


async def test_a_move_after_the_time_loses_at_once(server: Server) -> None:
    white, black = await friends(server, time="5s")
    server.pass_by(5.1)  # past the time, and before the timer, which waits for a move on its way
    answer = await white.move("c3-d4")
    assert (answer["t"], answer["code"]) == ("nack", "FLAG")
    await black.until("ruled")
    assert black.view["outcome"]["winner"] == "black" and black.view["ply"] == 0


async def test_what_the_other_says_does_not_make_a_flag_fall_early(server: Server) -> None:
    white, black = await friends(server, time="5s")
    server.pass_by(5.1)
    assert (await black.act("offer"))["t"] == "ack"
    assert black.view["outcome"] is None
    await white.until("ruled")


@pytest.mark.parametrize("limits", [Limits(first_move_fast_s=0.3)])
async def test_no_first_move_no_game(server: Server) -> None:
    white, black = await friends(server, "faraes", time="5+0")
    await black.until("ruled")
    outcome = black.view["outcome"]
    assert outcome["void"] and outcome["facts"]["why"] == "FIRST_MOVE_LATE_WHITE"
    head = await server.services.store.games.head(white.hello["game"])
    assert head.status == "aborted"


@pytest.mark.parametrize("limits", [Limits(first_move_fast_s=0.1)])
@pytest.mark.parametrize("preset", ["school", "club"])
async def test_a_late_first_move_costs_only_time_where_no_game_is_called_off(
    server: Server, preset: str
) -> None:
    server.stand()
    white, black = await friends(server, "faraes", time="1s", preset=preset)
    assert black.hello["first_move_ms"] is None
    server.pass_by(4)
    await white.until("ruled")
    outcome = white.view["outcome"]
    assert (outcome["reason"], outcome["winner"], outcome["void"]) == ("FLAG", "black", False)


async def test_what_is_left_for_a_first_move_is_told(server: Server) -> None:
    white, black = await friends(server, time="5+0")
    assert white.hello["first_move_ms"] is None  # nobody had come
    assert 0 < white.events[-1]["first_move_ms"] <= 30_000
    assert 0 < black.hello["first_move_ms"] <= 30_000
    await white.move("c3-d4")
    assert 0 < (await black.until("moved"))["first_move_ms"] <= 30_000
    await black.move("f6-g5")
    assert (await black.until("moved"))["first_move_ms"] is None


@pytest.mark.parametrize("limits", [Limits(gone_closed_s=0.2)])
async def test_who_is_gone_is_written_down_and_may_come_back(server: Server) -> None:
    white, black = await friends(server)
    game = white.hello["game"]
    await white.close()
    reply = await black.until("disconnected")
    assert reply["event"]["by"] == "white" and "absence" in reply["view"]["can"]
    early = await black.act("absence")
    assert early["code"] == "GRACE_RUNS"
    person = await server.person()
    person.http.cookies = white.cookies
    await person.sit(game)
    await black.until("reconnected")
    assert black.view["absent"] == {}


async def test_the_clock_of_the_turn_starts_at_the_commit(server: Server) -> None:
    """A slow disk is charged to nobody (item 15)."""
    white, black = await friends(server, time="5+0")
    await white.move("c3-d4")
    await black.until("moved")
    await black.move("f6-g5")
    await white.turn("black")
    await white.turn("white")

    server.stand()
    room = await server.rooms.room(white.hello["game"])
    before = room.audience.clocks()
    async with server.slow_disk():
        move = asyncio.create_task(white.move("g3-h4"))
        await server.written(1)
        server.pass_by(20)
    answer = await move
    assert answer["t"] == "ack"
    assert answer["clocks"]["white"] == before.white
    assert room.audience.clocks().black == before.black
