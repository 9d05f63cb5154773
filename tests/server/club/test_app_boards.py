"""Boards played in the app: the game begins when both players want it, and its verdict becomes the result by itself."""

import asyncio
import json
from typing import Any

import pytest

from damas.game import Position
from damas.rules import rulebook
from damas.server.settings import Settings
from server.club.people import Hall
from server.club.test_results import board_of, settings_with_port
from server.rooms.clients import Board, Person, Server, serving
from server.rooms.test_arbiter import certificate


async def begun(server: Server, **terms: Any) -> tuple[Hall, dict[str, Any], str]:
    """A hall in which both players of board 1 want to play in the app, the board, and its game."""
    hall = await Hall.open(server, **terms)
    board, *_ = await hall.start()
    white, black = await hall.player(board["first"]), await hall.player(board["second"])
    waiting = await hall.do(white, "play", round=1, board=1)
    assert waiting["game"] is None
    assert (await hall.look(black))["you"]["wanting"] == [
        {"round": 1, "board": 1, "match_board": 0, "names": [board["first"]]}
    ]
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
    seat = await white.sit(game)
    await seat.act("resign")
    second = (await seat.next("rematch"))["id"]  # the page of the first game leads to it
    assert second == board_of(await hall.look(hall.chief))["app_games"][1]
    assert (await white.http.post(f"/api/games/{game}/rematch")).json()["id"] == second
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


async def test_where_the_tournament_has_no_clock_its_games_have_none(server: Server) -> None:
    hall, _, game = await begun(server, control="none")
    assert (await hall.chief.look(game))["view"]["time"] == "none"


async def test_no_game_begins_once_the_desk_has_written_the_result(server: Server) -> None:
    hall, board, game = await begun(server, template="itapeva")
    await hall.do(hall.chief, "score", round=1, board=1, result="2-0")
    await (await hall.people[board["first"]].sit(game)).act("resign")
    boards = server.services.app_boards
    while server.services.rooms.in_memory(game).playing or boards._tasks:
        await asyncio.sleep(0.02)
    second = board_of(await hall.look(hall.chief))["app_games"][1]
    assert (await hall.chief.http.get(f"/api/games/{second}")).status_code == 404


async def test_the_next_game_begins_once_a_result_of_the_desk_is_undone(server: Server) -> None:
    hall, board, game = await begun(server, template="itapeva")
    await hall.do(hall.chief, "score", round=1, board=1, result="2-0")
    seat = await hall.people[board["first"]].sit(game)
    await seat.act("resign")
    boards = server.services.app_boards
    while server.services.rooms.in_memory(game).playing or boards._tasks:
        await asyncio.sleep(0.02)
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    await hall.do(hall.chief, "undo", entry=len(log), why="the wrong board")
    second = (await seat.next("rematch"))["id"]
    assert (await hall.chief.look(second))["view"]["outcome"] is None


async def test_a_finished_game_leads_to_the_next_one_also_after_a_restart(settings: Settings) -> None:
    settings = settings_with_port(settings)
    async with serving(settings) as server:
        hall, board, game = await begun(server, template="itapeva")
        white, black = hall.people[board["first"]], hall.people[board["second"]]
        seat = await white.sit(game)
        await seat.act("resign")
        second = (await seat.next("rematch"))["id"]
    async with serving(settings) as server:
        for before in (white, black):
            person = await server.person()
            person.http.cookies = before.http.cookies
            assert (await person.sit(game)).hello["rematch"] == second
            assert (await person.http.post(f"/api/games/{game}/rematch")).json()["id"] == second


# One time for all games; players who are silent for 30 seconds lose their sockets


async def next_game(hall: Hall, place: int) -> str:
    """The id of a later game of board 1, once it has begun."""
    game = str(board_of(await hall.look(hall.chief))["app_games"][place])
    while (await hall.chief.http.get(f"/api/games/{game}")).status_code == 404:
        await asyncio.sleep(0.02)
    return game


async def play(seat: Board) -> None:
    """Any legal move of whoever sits there."""
    book = rulebook(seat.view["rulebook"])
    assert (await seat.move(Position.from_fen(seat.view["fen"], book).legal_moves[0].text))["t"] == "ack"


async def seated(hall: Hall, board: dict[str, Any], game: str) -> tuple[Board, Board]:
    """The player to move and the other one, whatever opening was drawn."""
    one, other = [await hall.people[board[each]].sit(game) for each in ("first", "second")]
    return (one, other) if one.hello["you"] == one.view["to_move"] else (other, one)


LAG_S = 3
"""More than is credited for a ping that was on its way while the clocks jumped."""


def clocks(seat: Board) -> tuple[float, float]:
    """Seconds left, of whoever sits there and of the opponent."""
    sides = ("white", "black") if seat.hello["you"] == "white" else ("black", "white")
    own, other = (seat.hello["clocks"][side] / 1000 for side in sides)
    return own, other


async def test_the_time_for_both_games_goes_with_the_player_and_not_with_the_colour(server: Server) -> None:
    server.stand()
    hall, board, game = await begun(server, template="circuito")
    mover, other = await seated(hall, board, game)
    server.pass_by(20)
    await play(mover)
    server.pass_by(8)
    assert (await other.act("resign"))["t"] == "ack"
    game = await next_game(hall, 1)
    again = {seat.hello["you"]: seat for seat in await seated(hall, board, game)}
    slow, quick = again[other.hello["you"]], again[mover.hello["you"]]
    assert (slow.cookies, quick.cookies) == (mover.cookies, other.cookies)
    assert clocks(slow) == pytest.approx((21 * 60 - 20, 21 * 60 - 8), abs=LAG_S)
    assert (await slow.act("resign"))["t"] == "ack"
    assert (await until_result(hall)).startswith("1-1")
    paper = await certificate(server, game)
    assert [entry["kind"] for entry in paper["ledger"]][:3] == ["started", "time_set", "time_set"]


async def test_four_games_share_the_time_and_keep_the_increments(server: Server) -> None:
    server.stand()
    hall, board, _ = await begun(server, template="fpdamas", control="10+5")
    times = {board["first"]: 600, board["second"]: 600}
    for place in range(4):
        mover, other = await seated(hall, board, await next_game(hall, place))
        white, black = (board["first"], board["second"])[:: -1 if place % 2 else 1]
        assert clocks(mover) == pytest.approx((times[white], times[black]), abs=LAG_S)
        server.pass_by(20 + place)
        await play(mover)
        times[white] -= 20 + place - 5
        server.pass_by(1)
        times[black] -= 1
        assert (await other.act("resign"))["t"] == "ack"
    assert await until_result(hall) == "2-2"


async def test_whoever_has_used_up_the_time_loses_the_games_that_are_left(server: Server) -> None:
    server.stand()
    hall, _, game = await begun(server, template="fpdamas")
    server.pass_by(30 * 60 + 10)
    (await server.rooms.room(game)).tick()
    assert await until_result(hall) == "0-4"
    papers = [await certificate(server, await next_game(hall, place)) for place in range(4)]
    outcomes = [paper["outcome"] for paper in papers]
    assert [outcome["result"] for outcome in outcomes] == ["0-1", "1-0", "0-1", "1-0"]
    assert [outcome["reason"] for outcome in outcomes] == ["FLAG", "ARBITER", "ARBITER", "ARBITER"]
    outcome = (await hall.chief.look(await next_game(hall, 3)))["view"]["outcome"]
    assert outcome["message"].startswith("White wins: the time for all games was used up")


async def test_the_clocks_are_right_when_the_server_is_killed_between_the_games(settings: Settings) -> None:
    settings = settings_with_port(settings)
    async with serving(settings) as server:
        server.stand()
        hall, board, game = await begun(server, template="circuito")
        mover, other = await seated(hall, board, game)
        server.pass_by(20)
        await play(mover)
        server.services.app_boards._boards.clear()  # as if it had been killed at the end of the game
        assert (await other.act("resign"))["t"] == "ack"
        assert board_of(await hall.look(hall.chief))["app_games"][0] == game
        cookies = {name: who.http.cookies for name, who in [("", hall.chief), *hall.people.items()]}
    for _ in range(2):  # before the second game, and when it has just begun
        async with serving(settings) as server:
            server.stand()
            again = Hall(server, hall.id, await server.person())
            again.chief.http.cookies = cookies[""]
            game = await next_game(again, 1)
            _, rows = await server.services.store.games.history(game)
            events = [json.loads(row.data) for row in rows]
            assert [event["kind"] for event in events[:3]] == ["started", "time_set", "time_set"]
            left = {event["to"]: event["ms"] / 1000 for event in events if event["kind"] == "time_set"}
            wanted = {mover.hello["you"]: 21 * 60, other.hello["you"]: 21 * 60 - 20}
            assert left == pytest.approx(wanted, abs=LAG_S)


async def test_the_next_game_begins_after_a_kill_though_nobody_opens_the_tournament(
    settings: Settings,
) -> None:
    settings = settings_with_port(settings)
    async with serving(settings) as server:
        hall, board, game = await begun(server, template="itapeva")
        server.services.app_boards._boards.clear()  # as if it had been killed at the end of the game
        await (await hall.people[board["first"]].sit(game)).act("resign")
        second = board_of(await hall.look(hall.chief))["app_games"][1]
    async with serving(settings) as server:
        while await server.services.store.games.head(second) is None:
            await asyncio.sleep(0.02)


# Boards that the desk decides


async def undecided(hall: Hall, who: Person) -> list[dict[str, Any]]:
    """What somebody is shown of boards whose games are over without a result, once there is one."""
    while not (shown := (await hall.look(who))["you"]["undecided"]):
        await asyncio.sleep(0.02)
    return list(shown)


async def test_a_draw_in_a_knock_out_is_left_to_the_desk_also_after_a_restart(settings: Settings) -> None:
    settings = settings_with_port(settings)
    async with serving(settings) as server:
        hall, board, game = await begun(server, system="knockout")
        white, black = await opened(hall, board, game)
        await white.act("offer")
        await black.next("event")
        assert (await black.act("accept"))["t"] == "ack"
        tie = [{"round": 1, "board": 1, "match_board": 0, "games": "=", "result": "1-1"}]
        assert await undecided(hall, hall.chief) == tie
        assert await undecided(hall, hall.people[board["first"]]) == tie
        assert board_of(await hall.look(hall.chief))["result"] == ""
        cookies = hall.chief.http.cookies
    async with serving(settings) as server:
        person = await server.person()
        person.http.cookies = cookies
        again = Hall(server, hall.id, person)
        assert await undecided(again, person) == tie
        refused = await again.act(person, "score", round=1, board=1, result="=")
        assert refused.json()["error"]["code"] == "CLUB_TIE"
        await again.do(person, "score", round=1, board=1, result="=", advance=board["second"])
        view = await again.look(person)
        assert (board_of(view)["games"], view["you"]["undecided"]) == ("=", [])


async def test_a_game_without_a_result_is_left_to_the_desk(server: Server) -> None:
    hall, _, game = await begun(server, template="itapeva")
    await (await server.rooms.room(game)).stop("power cut")
    assert await undecided(hall, hall.chief) == [
        {"round": 1, "board": 1, "match_board": 0, "games": "*", "result": ""}
    ]
