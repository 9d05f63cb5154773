"""Boards played in the app: the game begins when both players want it, and its verdict becomes the result by itself."""

import asyncio
from typing import Any

import pytest

from damas.server.settings import Settings
from server.club.people import Hall
from server.club.test_results import board_of, settings_with_port
from server.rooms.clients import Board, Server, serving


async def begun(server: Server, **terms: Any) -> tuple[Hall, dict[str, Any], str]:
    """A hall in which both players of board 1 want to play in the app, the board, and its game."""
    hall = await Hall.open(server, **terms)
    board, *_ = await hall.start()
    white, black = await hall.player(board["first"]), await hall.player(board["second"])
    waiting = await hall.do(white, "play", round=1, board=1)
    assert waiting["game"] is None
    assert (await hall.look(black))["you"]["wanting"] == [{"round": 1, "board": 1, "names": [board["first"]]}]
    game = (await hall.do(black, "play", round=1, board=1))["game"]
    assert (await hall.do(white, "play", round=1, board=1))["game"] == game
    return hall, board, game


async def test_whoever_asks_again_and_again_makes_nobody_look_again(server: Server) -> None:
    hall = await Hall.open(server)
    board, *_ = await hall.start()
    white = await hall.player(board["first"])
    answers = [await hall.do(white, "play", round=1, board=1) for _ in range(3)]
    assert len({answer["version"] for answer in answers}) == 1
    assert answers[0]["version"] != (await hall.do(hall.chief, "check_in", names=["Ana"]))["version"]


async def until_result(hall: Hall, board: int = 1) -> str:
    while not (result := board_of(await hall.look(hall.chief), board)["result"]):
        await asyncio.sleep(0.02)
    return str(result)


async def test_the_verdict_of_the_game_becomes_the_result(server: Server) -> None:
    hall, board, game = await begun(server)
    white, black = hall.people[board["first"]], hall.people[board["second"]]
    seat = await white.sit(game)
    assert (seat.hello["you"], seat.hello["players"]["white"]["name"]) == ("white", board["first"])
    assert (await black.sit(game)).hello["you"] == "black"
    assert (await (await server.person()).sit(game)).hello["you"] == "viewer"
    await seat.act("resign")
    assert await until_result(hall) == "0-2"
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    assert [(line["who"], line["kind"]) for line in log[-2:]] == [
        (board["second"], "played-in-app"), ("damas", "scored"),
    ]  # fmt: skip
    await hall.do(hall.chief, "score", round=1, board=1, result="1-1", why="the phone had no battery")
    assert board_of(await hall.look(hall.chief))["result"] == "1-1"


async def opened(hall: Hall, board: dict[str, Any], game: str) -> tuple[Board, Board]:
    """White and Black at their boards, after a move each."""
    white = await hall.people[board["first"]].sit(game)
    black = await hall.people[board["second"]].sit(game)
    for ply, (mover, move) in enumerate(((white, "c3-d4"), (black, "f6-g5")), start=1):
        assert (await mover.move(move))["t"] == "ack"
        for seat in (white, black):
            while seat.view["ply"] < ply:
                await seat.next("event")
    return white, black


async def test_a_draw_becomes_the_result(server: Server) -> None:
    hall, board, game = await begun(server)
    white, black = await opened(hall, board, game)
    assert (await white.act("offer"))["t"] == "ack"
    await black.next("event")
    assert (await black.act("accept"))["t"] == "ack"
    assert await until_result(hall) == "1-1"


async def test_a_flag_that_falls_becomes_the_result(server: Server) -> None:
    server.stand()
    hall, board, game = await begun(server)
    await opened(hall, board, game)
    server.pass_by(21 * 60)
    assert await until_result(hall) == "0-2"


async def test_in_a_micro_match_the_second_game_begins_after_the_first(server: Server) -> None:
    hall, board, game = await begun(server, template="itapeva")
    white, black = hall.people[board["first"]], hall.people[board["second"]]
    await (await white.sit(game)).act("resign")
    second = board_of(await hall.look(hall.chief))["app_games"][1]
    while (await black.http.get(f"/api/games/{second}")).status_code == 404:
        await asyncio.sleep(0.02)
    seat = await black.sit(second)
    assert seat.hello["you"] == "white"
    assert board_of(await hall.look(hall.chief))["result"] == ""
    await seat.act("resign")
    assert (await until_result(hall)).startswith("1-1")


async def test_a_game_that_ends_while_the_tournament_is_forgotten_counts_all_the_same(
    settings: Settings,
) -> None:
    """The server stops between the end of the game and the result."""
    async with serving(settings_with_port(settings)) as server:
        hall, board, game = await begun(server)
        server.services.app_boards._boards.clear()  # as if it had been killed there
        await (await hall.people[board["second"]].sit(game)).act("resign")
        assert board_of(await hall.look(hall.chief))["result"] == ""
        cookies = hall.chief.http.cookies
    async with serving(settings_with_port(settings)) as server:
        person = await server.person()
        person.http.cookies = cookies
        assert await until_result(Hall(server, hall.id, person)) == "2-0"


async def test_whoever_sits_elsewhere_after_a_correction_plays_nobody(server: Server) -> None:
    hall = await Hall.open(server)
    first, second = await hall.start()
    await hall.do(await hall.player(first["first"]), "play", round=1, board=1)
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    await hall.do(hall.chief, "undo", entry=len(log), why="a mistake")
    # Board 1 gets other players, board 2 whoever had wanted to play at board 1.
    await hall.do(hall.chief, "meet", one=first["second"], other=second["second"], why="friends")
    await hall.do(hall.chief, "publish", round=1)
    boards = (await hall.look(hall.chief))["tournament"]["played"][0]["boards"]
    changed = next(each for each in boards if first["first"] not in (each["first"], each["second"]))
    assert changed["board"] == 1
    one, other = await hall.player(changed["first"]), await hall.player(changed["second"])
    assert (await hall.do(one, "play", round=1, board=1))["game"] is None
    assert (await hall.do(other, "play", round=1, board=1))["game"]


@pytest.mark.parametrize("public", [True, False])
async def test_the_lobby_lists_games_of_public_tournaments_alone(server: Server, public: bool) -> None:
    _, board, game = await begun(server, public=public)
    listed = (await (await server.person()).http.get("/api/lobby")).text
    assert (game in listed, board["first"] in listed) == (public, public)
