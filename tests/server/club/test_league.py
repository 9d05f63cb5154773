"""A league of teams on the real server: squads, line-ups of captains, boards reported by phone and played in the app."""

import asyncio
from typing import Any

import pytest

from damas.server.club.actions import MAX_LINEUPS
from server.club.people import Hall
from server.rooms.clients import Person, Server


async def lineup(who: Person, hall: Hall, team: int) -> Any:
    return (await who.http.get(f"/api/club/{hall.id}/teams/{team}/lineup")).raise_for_status().json()


async def match(hall: Hall, who: Person | None = None) -> dict[str, Any]:
    view: dict[str, Any] = (await hall.look(who or hall.chief))["tournament"]["played"][-1]["boards"][0]
    return view


async def boards(hall: Hall) -> list[tuple[str, str, str]]:
    shown = (await match(hall))["match_boards"]
    return [(each["first"], each["result"], each["second"]) for each in shown]


async def code(answer: Any) -> str:
    return str(answer.json().get("error", {}).get("code", ""))


async def test_captains_name_line_ups_that_nobody_sees_before_the_round_is_published(server: Server) -> None:
    hall = await Hall.league(server)
    north, south = await hall.captain("Norte"), await hall.captain("Sul")
    assert (await lineup(north, hall, 1))["round"] == 0
    assert (await north.http.get(f"/api/club/{hall.id}/teams/2/lineup")).status_code == 403
    wanted: dict[str, Any] = {"round": 1, "team": "Norte", "names": ["Ana", "Davi", "Caio"]}
    assert await code(await hall.act(north, "lineup", **wanted)) == "TOURNAMENT_REFUSED"  # no round
    await hall.do(hall.chief, "draft")
    assert (await hall.look(south))["tournament"]["played"] == []
    assert await code(await hall.act(north, "lineup", **wanted)) == "CLUB_LINEUP_EARLY"
    await hall.do(hall.chief, "announce", round=1)
    await hall.do(hall.chief, "announce", round=1)  # pressed twice
    shown = await lineup(north, hall, 1)
    assert (shown["opponent"], shown["named"], shown["open"]) == ("Sul", False, True)
    assert [each["name"] for each in shown["boards"]] == ["Ana", "Bia", "Caio"]
    assert shown["boards"][2]["fitting"] == ["Caio"]
    refusals = {
        ("Davi", "Ana", "Caio"): "Ana",  # the order of the squad
        ("Ana", "Bia", "Davi"): "Davi",  # not under 11
        ("Ana", "Ana", ""): "Ana",
        ("Eva", "Ana", ""): "Eva",
    }
    for names, named in refusals.items():
        refused = await hall.act(north, "lineup", round=1, team="Norte", names=list(names))
        assert refused.status_code == 400 and named in refused.json()["error"]["message"], refused.text
    assert (await hall.act(south, "lineup", **wanted)).status_code == 403
    await hall.do(north, "lineup", **wanted)
    await hall.do(north, "lineup", **wanted)
    public = (await hall.look(south))["tournament"]["played"][0]
    assert (public["published"], public["named"], public["boards"][0]["match_boards"]) == (
        False,
        ["Norte"],
        [],
    )
    assert "Davi" not in str(public)
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    assert [line["kind"] for line in log[-2:]] == ["announced", "lined-up"] and "Norte" in log[-1]["who"]
    await hall.do(hall.chief, "publish", round=1)
    seats = [(one, other) for one, _, other in await boards(hall)]
    assert sorted(map(sorted, seats)) == [["Ana", "Eva"], ["Caio", "Gabi"], ["Davi", "Fabio"]]
    late = await hall.act(north, "lineup", **{**wanted, "names": ["Ana", "Bia", ""]})
    assert await code(late) == "CLUB_LINEUP_LATE"
    await hall.do(
        hall.chief, "lineup", **{**wanted, "names": ["Ana", "Bia", ""]}
    )  # the desk may, with an empty board
    assert [result for *_, result, _ in await boards(hall)][2] in ("+ -", "- +")


async def test_a_captain_does_not_fill_the_log(server: Server) -> None:
    hall = await Hall.league(server)
    north = await hall.captain("Norte")
    await hall.do(hall.chief, "draft")
    await hall.do(hall.chief, "announce", round=1)
    codes = []
    for time in range(MAX_LINEUPS + 1):
        names = ["Ana", ("Bia", "Davi")[time % 2], "Caio"]
        codes.append(await code(await hall.act(north, "lineup", round=1, team="Norte", names=names)))
    assert codes == [""] * MAX_LINEUPS + ["CLUB_LINEUPS"]


async def test_boards_of_a_match_are_reported_by_players_and_captains(server: Server) -> None:
    hall = await Hall.league(server)
    await hall.start()
    first = (await match(hall))["first"]
    one, _, other = (await boards(hall))[0]
    place = {"round": 1, "board": 1, "match_board": 1}
    await hall.do(await hall.player(one), "report", **place, games="1")
    shown = (await match(hall))["match_boards"][0]
    assert shown["reports"] == [{"name": one, "games": "1", "result": "1-0"}] and shown["result"] == ""
    stranger = await hall.player((await boards(hall))[1][0])
    assert (await hall.act(stranger, "report", **place, games="1")).status_code == 403
    mine = await hall.captain(first)
    second = "Sul" if first == "Norte" else "Norte"
    theirs = await hall.captain(second)
    await hall.do(theirs, "report", **place, games="0")  # a conflict
    assert len((await match(hall))["match_boards"][0]["reports"]) == 2
    await hall.do(
        await hall.player(other), "report", **place, games="1"
    )  # the player says so for the same side
    assert (await boards(hall))[0][1] == "1-0"
    late = await hall.act(mine, "report", **place, games="0")
    assert late.status_code == 400 and "1.1" in late.json()["error"]["message"]
    for missing in ({"match_board": 0}, {"match_board": 9}, {"board": 7}):
        assert (await hall.act(mine, "report", **{**place, **missing}, games="1")).status_code == 403

    # Both captains agree on board 2; the arbiter writes board 3, and takes it back.
    for who in (mine, theirs):
        await hall.do(who, "report", round=1, board=1, match_board=2, games="=")
    desk = await hall.staff("desk")
    await hall.do(desk, "score", round=1, board=1, match_board=3, result="0-1")
    assert (await match(hall))["result"] == "1-1 (1½-1½)"
    wrong = await hall.act(desk, "score", round=1, board=1, match_board=3, result="1-0")
    assert await code(wrong) == "CLUB_ROLE"
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    await hall.do(hall.chief, "undo", entry=len(log), why="the wrong slip")
    assert (await match(hall))["result"] == ""
    changed = await hall.act(hall.chief, "lineup", round=1, team="Norte", names=["Ana"])
    assert await code(changed) == "CLUB_MATCH_BEGUN"
    whole = await hall.act(hall.chief, "score", round=1, board=1, result="1-0")
    assert await code(whole) == "CLUB_WHICH_BOARD"
    assert await code(await hall.act(desk, "score", round=1, board=1, result="+-")) == "CLUB_ROLE"
    await hall.do(hall.chief, "score", round=1, board=1, result="+-", why="the others had left")
    assert (await match(hall))["result"] == "+ -"
    assert (await hall.look(hall.chief))["tournament"]["table"]["rows"][0]["tie_breaks"]["board-points"] == 3


async def test_a_board_of_a_match_is_played_in_the_app_with_its_colours(server: Server) -> None:
    hall = await Hall.league(server, template="jogos-regionais", boards="open,open", control="10")
    await hall.start()
    one, _, other = (await boards(hall))[1]
    place = {"round": 1, "board": 1, "match_board": 2}
    home, away = await hall.player(one), await hall.player(other)
    assert (await hall.do(home, "play", **place))["game"] is None
    wanting = (await hall.look(away))["you"]["wanting"]
    assert wanting == [{**place, "names": [one]}]
    game = (await hall.do(away, "play", **place))["game"]
    frozen = await hall.act(hall.chief, "lineup", round=1, team="Norte", names=["Ana"])
    assert await code(frozen) == "CLUB_MATCH_BEGUN"
    seat = await home.sit(game)
    assert seat.hello["you"] == "black"  # at the even boards the team named second has White
    await seat.act("resign")
    second = (await seat.next("rematch"))["id"]
    await (await home.sit(second)).act("resign")

    while not (result := (await boards(hall))[1][1]):
        await asyncio.sleep(0.02)
    assert result == "0-1 (0-2)"
    assert (await match(hall))["match_boards"][1]["app_games"] == [game, second]


async def test_the_tables_of_teams_and_of_players(server: Server) -> None:
    hall = await Hall.league(server)
    await hall.start()
    first = (await match(hall))["first"]
    for board, result in ((1, "1-0"), (2, "="), (3, "0-1")):
        await hall.do(hall.chief, "score", round=1, board=1, match_board=board, result=result)
    view = (await hall.look(await server.person()))["tournament"]
    assert view["over"] and [row["points"] for row in view["table"]["rows"]] == [1, 1]
    assert view["categories"][0]["title"] == "Players of the teams"
    assert {person["birth"] for team in view["players"] for person in team["squad"]} == {
        ""
    }  # for the staff alone
    tables = f"/api/club/{hall.id}/tables"
    players = (await hall.chief.http.get(f"{tables}/players")).json()
    winners = [(row["name"], row["club"], row["points"]) for row in players["rows"][:2]]
    names = await boards(hall)
    assert {each[:1] + each[2:] for each in winners} == {(names[0][0], 1), (names[2][2], 1)}
    assert players["tie_breaks"] == ["wins", "sonneborn"] and winners[0][1] in ("Norte", "Sul")
    women = (await hall.chief.http.get(f"{tables}/players:sex:f")).json()["rows"]
    assert {row["name"] for row in women} == {"Ana", "Bia", "Eva", "Gabi"}
    assert (await hall.chief.http.get(f"{tables}/sex:f")).status_code == 404
    path = f"/api/club/{hall.id}/players/1"
    assert (await hall.chief.http.get(path)).json()["name"] in ("Norte", "Sul")
    assert (await hall.chief.http.get(f"{path}?table=players")).json()["name"] in ("Ana", "Eva")
    for kind in ("pairings", "names", "slips", "scoresheets", "table", "cross", "cards", "diplomas"):
        paper = await hall.chief.http.get(f"/club/{hall.id}/papers/{kind}.pdf")
        assert paper.content.startswith(b"%PDF"), (kind, paper.text)
    assert first in (await hall.chief.http.get(f"/club/{hall.id}/files/tournament.trf")).text


async def test_the_ratings_of_a_federation_come_in_and_its_report_goes_out(server: Server) -> None:
    hall = await Hall.league(server)
    path = f"/api/club/{hall.id}/ratings"
    listed = "id;nome;rating\n101;ANA;1745\n102;Fábio;1700\n103;Eva;1690\n".encode(
        "cp1252"
    )  # as Windows writes
    reply = (await hall.chief.http.post(path, content=listed)).raise_for_status().json()
    assert reply["changed"] == 3 and set(reply["missing"]) == {"Bia", "Caio", "Davi", "Gabi"}
    again = (await hall.chief.http.post(path, content=listed)).json()
    assert again["changed"] == 0
    squads = {team["name"]: team["squad"] for team in (await hall.look(hall.chief))["tournament"]["players"]}
    assert (squads["Norte"][0]["rating"], squads["Norte"][0]["id"]) == (1745, "101")
    for wrong in (b"", b"clube;rating\nNorte;1700\n"):
        assert (await hall.chief.http.post(path, content=wrong)).status_code == 400
    await hall.start()
    await hall.do(hall.chief, "score", round=1, board=1, match_board=1, result="1-0")
    report = (await hall.chief.http.get(f"/club/{hall.id}/files/ratings.csv")).text
    assert "101,Ana,Norte,,1745,no,1," in report


async def test_squads_are_entered_ordered_and_bounded(server: Server) -> None:
    hall = await Hall.league(server, squad=4, min_boards=1)

    async def squad(team: int = 0) -> list[str]:
        players = (await hall.look(hall.chief))["tournament"]["players"]
        return [each["name"] for each in players[team]["squad"]]

    order = ["Bia", "Ana", "Caio", "Davi"]
    before = await squad()
    await hall.do(hall.chief, "squad", team="Norte", names=order, before=before)
    assert await squad() == order
    assert (
        await code(await hall.act(hall.chief, "squad", team="Norte", names=["Eva"], before=order))
        == "TOURNAMENT_REFUSED"
    )
    full = await hall.act(hall.chief, "enter", player={"name": "Hugo", "club": "norte"})
    assert full.status_code == 400 and "4" in full.json()["error"]["message"]
    assert await code(await hall.act(hall.chief, "import", text="Hugo")) == "CLUB_NO_TEAM"
    await hall.do(hall.chief, "import", text="Hugo", team="sul")
    await hall.do(hall.chief, "enter", player={"name": "Iara", "club": "Leste"})
    assert await squad(2) == ["Iara"] or await squad(0) == ["Iara"]
    twice = await hall.act(hall.chief, "enter", player={"name": "Iara", "club": "Oeste"})
    assert twice.status_code == 400 and "Leste" in twice.json()["error"]["message"]
    await hall.start()
    names = ["Bia", "Ana", "Caio"]
    late = await hall.act(hall.chief, "squad", team="Norte", names=names, before=order)
    assert late.status_code == 400


async def test_a_player_whom_another_desk_adds_is_not_lost(server: Server) -> None:
    hall = await Hall.league(server)
    shown = ["Eva", "Fabio", "Gabi"]
    await hall.do(hall.chief, "enter", player={"name": "Hugo", "club": "Sul"})
    moved = {"team": "Sul", "names": ["Fabio", "Eva", "Gabi"]}
    assert await code(await hall.act(hall.chief, "squad", **moved, before=shown)) == "CLUB_SQUAD_CHANGED"
    squads = [team["squad"] for team in (await hall.look(hall.chief))["tournament"]["players"]]
    assert "Hugo" in [person["name"] for person in squads[1]]


async def test_a_list_that_is_too_long_is_refused_before_its_teams_are_entered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = await Hall.league(server)
    monkeypatch.setattr("damas.server.club.tournament.link", None)
    for team in ("one", "{}"):  # a team of 501 players, and 501 teams
        rows = "\n".join(f"x{row};{team.format(row)}" for row in range(501))
        refused = await hall.act(hall.chief, "import", text=f"nome;equipe\n{rows}")
        assert await code(refused) == "TOURNAMENT_FULL"


@pytest.mark.parametrize("who", ["Ana", "Norte"])
async def test_a_corrected_name_stands_everywhere_and_its_card_still_opens(server: Server, who: str) -> None:
    hall = await Hall.league(server)
    link = next(each for each in await hall.links() if each["name"] == who)
    await hall.start()
    for board in (1, 2, 3):
        await hall.do(hall.chief, "score", round=1, board=1, match_board=board, result="1-0")
    refused = await hall.act(hall.chief, "rename", player=who, to="Certo")
    assert await code(refused) == "CLUB_WHY"
    taken = await hall.act(hall.chief, "rename", player=who, to="Sul", why="typing")
    assert taken.status_code == 400 and "Sul" in taken.json()["error"]["message"]
    await hall.do(hall.chief, "rename", player=who, to=" Nome  Certo ", why="typing")
    view = (await hall.look(hall.chief))["tournament"]
    assert "Nome Certo" in str(view["played"]) and f"'{who}'" not in str(view)
    trf = (await hall.chief.http.get(f"/club/{hall.id}/files/tournament.trf")).text
    assert "Nome Certo" in trf
    phone = await hall.enter(link["path"])  # the card that was handed out
    assert (await hall.look(phone))["you"]["name"] == "Nome Certo"
    entered = await (await server.person()).http.post(
        f"/api/club/{hall.id}/enter", json={"name": "nome certo", "pin": link["pin"]}
    )
    assert entered.json()["name"] == "Nome Certo"
    again = await hall.act(hall.chief, "enter", player={"name": who, "club": "Sul"})
    assert again.status_code == 400  # whoever has the old card would be somebody else
    log = (await hall.chief.http.get(f"/api/club/{hall.id}/log")).json()["log"]
    number = next(line["n"] for line in log if line["kind"] == "renamed")
    await hall.do(hall.chief, "undo", entry=number, why="it was right")
    view = (await hall.look(hall.chief))["tournament"]
    assert "Nome Certo" not in str(view["played"]) and (await hall.look(phone))["you"]["name"] == who
