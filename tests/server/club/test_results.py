"""Results by phone: pending until both players agree; a repetition counts once; nothing that was confirmed is lost."""

import asyncio
from typing import Any

import pytest

from damas.server.club.actions import MAX_REPORTS
from damas.server.settings import Settings
from damas.tournaments.hall import Conditions, EventLog
from server.club.people import Hall
from server.rooms.clients import Server, serving


def board_of(view: dict[str, Any], board: int = 1) -> dict[str, Any]:
    shown: dict[str, Any] = next(
        each for each in view["tournament"]["played"][-1]["boards"] if each["board"] == board
    )
    return shown


async def test_a_result_counts_when_both_players_say_the_same(server: Server) -> None:
    hall = await Hall.open(server)
    first, *_ = await hall.start()
    white, black = await hall.player(first["first"]), await hall.player(first["second"])
    await hall.do(white, "report", round=1, board=1, games="1")
    shown = board_of(await hall.look(hall.chief))
    assert (shown["result"], shown["reports"]) == (
        "", [{"name": first["first"], "games": "1", "result": "2-0"}],
    )  # fmt: skip
    await hall.do(black, "report", round=1, board=1, games="0")  # a conflict, which the desk sees
    assert len(board_of(await hall.look(hall.chief))["reports"]) == 2
    await hall.do(black, "report", round=1, board=1, games="1")
    shown = board_of(await hall.look(hall.chief))
    assert (shown["result"], shown["reports"]) == ("2-0", [])
    await hall.do(black, "report", round=1, board=1, games="1")  # tapped twice
    late = await hall.act(black, "report", round=1, board=1, games="0")
    assert late.status_code == 400 and "arbiter" in late.json()["error"]["message"]


async def test_a_player_reports_the_own_board_alone_and_only_played_games(server: Server) -> None:
    hall = await Hall.open(server)
    boards = await hall.start()
    stranger = await hall.player(boards[1]["first"])
    assert (await hall.act(stranger, "report", round=1, board=1, games="1")).status_code == 403
    assert (await hall.act(stranger, "report", round=1, board=99, games="1")).status_code == 403
    assert (await hall.act(stranger, "report", round=1, board=2, games="+")).status_code == 400


async def test_a_request_that_is_repeated_counts_once(server: Server) -> None:
    hall = await Hall.open(server)
    await hall.start()
    desk = await hall.staff("desk")
    score = {"round": 1, "board": 1, "result": "1-0", "id": "q7"}
    answers = await asyncio.gather(*(hall.act(desk, "score", **score) for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    await hall.do(desk, "score", **{**score, "id": "q8"})  # a second desk with the same slip
    other = await hall.act(desk, "score", **{**score, "result": "0-1", "id": "q9"})
    assert other.json()["error"]["code"] == "CLUB_ROLE"  # a correction is for arbiters
    await hall.do(hall.chief, "publish", round=1)  # as a button that is pressed twice
    refused = await hall.act(hall.chief, "score", round=1, board=1, result="0-1")
    assert refused.json()["error"]["code"] == "CLUB_SCORED_ALREADY"
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    kinds = [line["kind"] for line in log]
    assert (kinds.count("scored"), kinds.count("published")) == (1, 1)


async def test_everybody_hears_of_a_change(server: Server) -> None:
    hall = await Hall.open(server)
    visitor = await server.person()
    async with visitor.http.stream("GET", f"/api/club/{hall.id}/stream") as stream:
        lines = stream.aiter_lines()
        before = await anext(lines)
        await hall.do(hall.chief, "draft")
        after = await anext(line async for line in lines if line.startswith("data:"))
    assert before != after


async def test_a_tournament_is_the_same_after_a_restart(settings: Settings) -> None:
    async with serving(settings_with_port(settings)) as server:
        hall = await Hall.open(server)
        await hall.start()
        await hall.do(hall.chief, "score", round=1, board=1, result="1-0")
        await hall.do(hall.chief, "undo", entry=5)
        await hall.do(hall.chief, "score", round=1, board=1, result="=")
        before = (await hall.look(hall.chief))["tournament"]
        cookies, links = hall.chief.http.cookies, await hall.links()
    async with serving(settings_with_port(settings)) as server:
        person = await server.person()
        person.http.cookies = cookies
        again = Hall(server, hall.id, person)
        after = (await again.look(person))["tournament"]
        assert {**after, "version": ""} == {**before, "version": ""}
        assert await again.links() == links


def settings_with_port(settings: Settings) -> Settings:
    import msgspec

    return msgspec.structs.replace(settings, port=0)


async def test_two_nodes_write_to_one_tournament(settings: Settings) -> None:
    """On PostgreSQL: whoever is overtaken decides again on what is there now."""
    if settings.sqlite_path is not None:
        pytest.skip("one process has an SQLite database")
    import msgspec

    other = msgspec.structs.replace(settings_with_port(settings), node="b", data=settings.data / "b")
    async with serving(settings_with_port(settings)) as one, serving(other) as two:
        hall = await Hall.open(one, players=8)
        boards = await hall.start()
        person = await two.person()
        person.http.cookies = hall.chief.http.cookies
        there = Hall(two, hall.id, person)
        await asyncio.gather(
            *(
                (hall if place % 2 else there).do(
                    hall.chief if place % 2 else person, "score", round=1, board=board["board"], result="1-0"
                )
                for place, board in enumerate(boards)
            )
        )
        for each in (hall, there):
            view = (await each.look(each.chief))["tournament"]
            assert view["played"][0]["complete"]
        # A link that one node revokes opens nothing at the other.
        link = next(each for each in await hall.links() if each["role"] == "player")
        player = Hall(two, hall.id, person)
        phone = await player.enter(link["path"])
        assert (await player.look(phone))["you"]["role"] == "player"
        (await hall.chief.http.delete(f"/api/club/{hall.id}/links/{link['id']}")).raise_for_status()
        assert (await player.look(phone))["you"]["role"] == "visitor"
        new = next(each for each in await hall.links() if each["name"] == link["name"])
        assert (await player.look(await player.enter(new["path"])))["you"]["role"] == "player"


async def test_what_a_server_must_not_take_is_refused(server: Server) -> None:
    """No file of the server is read as template or ballot, nothing damaged, nothing without an end."""
    person = await server.person()

    async def made(**terms: object) -> str:
        answer = await person.http.post("/api/club", json={"template": "escola", "title": "Open", **terms})
        code: str = answer.json()["error"]["code"]
        return code

    assert await made(template="/etc/passwd") == "NOT_FOUND"
    assert await made(template="superliga", boards="queens") == "TOURNAMENT_REFUSED"
    assert await made(rulebook="no such") == "TOURNAMENT_REFUSED"
    assert await made(control="an hour") == "NOTATION"
    log = EventLog.create(
        server.services.settings.data / "ballot.damas", Conditions("Open", "faraes", ballot="/etc/passwd")
    )
    log.close()
    for data in (log.path.read_bytes(), b"", b"{}\n", b"\xff\n"):
        answer = await person.http.post("/api/club/file", content=data)
        assert answer.status_code == 400, answer.text
    hall = await Hall.open(server, players=0)
    for players in ("\n".join(f"P{number}" for number in range(501)), "x" * 81):
        assert (await hall.act(hall.chief, "import", text=players)).status_code == 400
    assert (await hall.act(hall.chief, "enter", player={"name": "x" * 81})).status_code == 400
    assert (await hall.look(hall.chief))["tournament"]["players"] == []


async def test_two_names_that_look_the_same_are_one(server: Server) -> None:
    """Some programs write an accent as a letter of its own."""
    hall = await Hall.open(server, players=0)
    await hall.do(hall.chief, "import", text="Jose\u0301\nAna")
    for do, fields in (("enter", {"player": {"name": "José"}}), ("import", {"text": "Jose\u0301"})):
        answer = await hall.act(hall.chief, do, **fields)
        assert answer.status_code == 400 and "José" in answer.json()["error"]["message"]


async def test_one_player_does_not_fill_the_log(server: Server) -> None:
    hall = await Hall.open(server)
    board, *_ = await hall.start()
    player = await hall.player(board["first"])
    codes = []
    for time in range(MAX_REPORTS + 1):
        answer = await hall.act(player, "report", round=1, board=1, games="10"[time % 2])
        codes.append(answer.json().get("error", {}).get("code", ""))
    assert codes == [""] * MAX_REPORTS + ["CLUB_REPORTS"]
    await hall.do(hall.chief, "score", round=1, board=1, result="1-0")
