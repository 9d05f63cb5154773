"""What pages ask over HTTP: the engine's thoughts, the tables' verdicts, reports, PDN in and out."""

import asyncio
import json
import os

import httpx
import pytest

from damas.game import Position
from damas.notation import PdnGame, read_games
from damas.server.serve import set_tablebase_folder
from damas.server.settings import Limits, Settings
from damas.tablebase.store import root
from server.rooms.clients import Board, Person


async def messages(http: httpx.AsyncClient, path: str, most: int = 10_000) -> list[dict]:
    result: list[dict] = []
    async with http.stream("GET", path, timeout=60) as answer:
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].startswith("text/event-stream")
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                result.append(json.loads(line[6:]))
                if len(result) == most:
                    break
    return result


TURNED = (
    "W:Wa1,b2,c1,c3,d2,e1,e3,f2,g1,g3,a3,h2:Ba7,b6,b8,c7,d6,d8,e5,e7,f8,g7,h6,h8",
    "B:Wa1,b2,c1,b4,d2,e1,e3,f2,g1,g3,a3,h2:Ba7,b6,b8,c7,d6,d8,e5,e7,f8,g7,h6,h8",
)
"""The positions after c3-d4 and f6-g5, turned by half a circle with the colours exchanged."""


async def play(board: Board, *moves: str) -> None:
    """Moves for whoever is to move, each seen on the board before the next."""
    for move in moves:
        ply = board.view["ply"]
        assert (await board.move(move))["t"] == "ack"
        while board.view["ply"] == ply:
            await board.next("event")


async def finished_game(person: Person, moves: tuple[str, ...], **terms: object) -> str:
    """A game of one person on both sides, resigned after some moves."""
    game = await person.create(kind="device", **terms)
    board = await person.sit(game)
    await play(board, *moves)
    assert (await board.act("resign"))["t"] == "ack"
    await board.close()
    return game


MOVES = ("c3-d4", "f6-g5", "d4-c5", "b6xd4", "e3xc5", "d6xb4", "a3xc5")


# The engine


@pytest.mark.parametrize("limits", [Limits(analysis_s=0.5)])
async def test_the_engine_thinks_aloud(server):
    ana = await server.person()
    reply = await messages(ana.http, "/api/analysis/stream?rulebook=faraes&fen=W:Wc3:Bb4,d4,f6&lines=2")
    assert reply[-1]["done"] in ("time", "over")
    [line] = reply[-1]["lines"]
    assert line["moves"][0] == {
        "text": "c3xe5xg7",
        "route": [9, 18, 27],
        "captured": [13, 22],
        "promotes": False,
    }


@pytest.mark.parametrize("limits", [Limits(analysis_s=3600)])
async def test_when_the_listener_goes_the_search_ends(server):
    ana = await server.person()
    searches = server.services.analysing.searches
    await messages(ana.http, "/api/analysis/stream?rulebook=brasileira", most=1)
    async with asyncio.timeout(60):
        while len(searches):
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("limits", [Limits(analysis_s=3600)])
async def test_a_server_that_stops_ends_its_streams(server):
    ana = await server.person()
    async with ana.http.stream("GET", "/api/analysis/stream?rulebook=brasileira") as answer:
        lines = answer.aiter_lines()
        assert (await anext(lines)).startswith("data: ")
        await server.services.stop_playing()
        async with asyncio.timeout(60):
            async for _ in lines:
                pass


@pytest.mark.parametrize("limits", [Limits(analysis_s=3600, analysis_per_address=1)])
async def test_an_address_has_so_many_searches_at_once(server):
    ana, rui = await server.person(), await server.person()
    path = "/api/analysis/stream?rulebook=brasileira"
    async with ana.http.stream("GET", path) as first:
        assert first.status_code == 200
        answer = await rui.http.get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "UNDER_WAY")
        assert answer.headers["retry-after"]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("rulebook=nenhum", 404, "UNKNOWN_RULEBOOK"),
        ("rulebook=../../etc/passwd", 404, "UNKNOWN_RULEBOOK"),
        ("rulebook=faraes&fen=xyz", 400, "NOTATION"),
        ("rulebook=faraes&moves=c3-c4", 400, "NOTATION"),
    ],
)
async def test_a_place_that_cannot_be_read_is_refused_with_a_reason(page, query, status, code):
    answer = await page.get(f"/api/analysis/stream?{query}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


# Fair play


async def test_no_help_with_a_game_that_goes_on(server):
    ana, rui = await server.person(), await server.person()
    game = await ana.create(colour="white")
    await rui.join(game)
    board = await ana.sit(game)
    await play(board, "c3-d4")
    fen = Position.start("brasileira").play("c3-d4").fen

    async def asked(person: Person, **query: str) -> int:
        async with person.http.stream(
            "GET", "/api/analysis/stream", params={"rulebook": "brasileira", "lines": "1", **query}
        ) as answer:
            if answer.status_code == 403:
                assert json.loads(await answer.aread())["error"]["code"] == "FAIR_PLAY"
            return answer.status_code

    assert await asked(ana, fen=fen) == 403
    assert await asked(rui, fen=fen) == 403
    assert await asked(ana, moves="c3-d4") == 403
    assert await asked(ana, moves="c3-d4.f6-g5") == 403, "a move ahead is the same help"
    assert await asked(ana, moves="e3-f4", game=game) == 403
    mirrored = Position.of(Position.from_fen(fen, "brasileira").setup, "portuguesa").fen
    for similar in (
        {"rulebook": "brasileira-cbd", "moves": "c3-d4"},
        {"rulebook": "portuguesa", "fen": mirrored},
        *({"rulebook": "brasileira", "fen": turned} for turned in TURNED),
    ):
        assert await asked(ana, **similar) == 403, "the best move of a similar position is help too"
        answer = await ana.http.post(
            "/api/tablebase", json={**similar, "moves": similar.get("moves", "").split()}
        )
        assert answer.status_code == 403
    assert await asked(ana, rulebook="internacional", moves="32-28") == 200
    assert await asked(ana, rulebook="russa", moves="a3-b4") == 200
    assert await asked(await server.person(), fen=fen) == 200
    assert await asked(ana) == 200, "the opening is nobody's secret"
    answer = await ana.http.post("/api/tablebase", json={"rulebook": "brasileira", "fen": fen})
    assert answer.status_code == 403
    answer = await ana.http.post("/api/analysis/report", json={"game": game})
    assert answer.status_code == 403
    for place in ({"fen": fen}, {"moves": ["c3-d4"]}, {"moves": ["e3-f4"], "game": game}):
        answer = await ana.http.post("/api/analysis/fair", json={"rulebook": "brasileira", **place})
        assert answer.json()["error"]["code"] == "FAIR_PLAY", "nor by the browser's own engine"
    lines = [{"score": 0, "moves": ["c3-d4"]}, {"score": 0, "moves": ["f6-g5"]}]
    judged = {"rulebook": "brasileira", "moves": ["c3-d4"], "lines": lines}
    assert (await ana.http.post("/api/analysis/judge", json=judged)).status_code == 403
    assert (await (await server.person()).http.post("/api/analysis/judge", json=judged)).status_code == 200
    assert (await board.act("resign"))["t"] == "ack"
    assert await asked(ana, fen=fen) == 200


async def test_neither_a_level_nor_the_tables_play_a_game_of_people(server):
    ana, rui = await server.person(), await server.person()
    game = await ana.create(colour="white", fen="W:WKa1,Kc1,Kg1:BKh8")
    await rui.join(game)
    board = await ana.sit(game)
    await play(board, "c1-b2")
    fen = Position.from_fen("W:WKa1,Kc1,Kg1:BKh8", "brasileira").play("c1-b2").fen
    level = {"rulebook": "brasileira-cbd", "opponent": {"kind": "level", "level": 10}, "fen": fen}
    ending = {"rulebook": "brasileira", "fen": "W:WKa1,Kc1,Kg1:BKh8", "moves": ["c1-b2"]}

    async def asked(person: Person) -> list[int]:
        answers = [await person.http.post("/api/games", json=level)]
        answers.append(await person.http.post("/api/endings/reply", json=ending))
        return [answer.status_code for answer in answers]

    assert await asked(rui) == [403, 403]
    assert await asked(await server.person()) == [201, 200]
    assert (await board.act("resign"))["t"] == "ack"
    assert await asked(rui) == [201, 200]
    assert await asked(rui) == [201, 200], "a game against the computer begins twice at one position"


async def test_fifty_games_are_compared_in_a_worker_process(server, blocked, monkeypatch):
    monkeypatch.setattr("damas.server.web.fair_play.game_concerned", blocked.work)
    ana = await server.person()
    await ana.create(kind="device", fen="W:WKa1:BKh6")
    where = {"rulebook": "brasileira", "fen": "W:WKc1:BKh6"}
    asking = asyncio.create_task(ana.http.post("/api/tablebase", json=where))
    assert await blocked.begun() != os.getpid()
    await blocked.end("")
    assert (await asking).status_code == 200


# The tables


async def test_the_tables_know_the_limit_and_what_has_been_counted(page):
    ending = {"rulebook": "faraes", "fen": "W:WKg1,Kc1,Ka3:BKb8"}
    fresh = (await page.post("/api/tablebase", json=ending)).json()
    assert fresh["there"] and fresh["verdict"] == "win" and fresh["winner"] == "white"
    assert fresh["limit"]["need"] == 13 and "Art. 12" in fresh["sentence"]
    assert fresh["limit"]["unit"] == "strong-moves" and 0 < fresh["budget"] <= 13 and not fresh["left_out"]
    assert {move["text"] for move in fresh["moves"]} >= {"c1-b2", "g1-h2"}
    shuttle = ["g1-h2", "b8-a7", "h2-g1", "a7-b8"] * 4
    spent = (await page.post("/api/tablebase", json={**ending, "moves": shuttle})).json()
    assert spent["limit"]["have"] == 8
    assert spent["verdict"] == "cursed-win", "nine moves are needed and five are left"


async def test_a_position_without_a_table_is_said_to_have_none(page):
    reply = (await page.post("/api/tablebase", json={"rulebook": "brasileira"})).json()
    assert reply["there"] is False and reply["code"] == "NO_TABLE" and reply["sentence"]
    reply = (await page.post("/api/tablebase", json={"rulebook": "turca"})).json()
    assert reply["there"] is False and reply["code"] == "NO_TABLES_FOR_RULES"


# Reports


async def test_a_report_on_a_game_of_the_server_is_there_after_a_restart(server, tmp_path):
    ana = await server.person()
    game = await finished_game(ana, MOVES)
    before = (await ana.http.get(f"/api/analysis/report?game={game}")).json()
    assert before["state"] == "none"
    job = (await ana.http.post("/api/analysis/report", json={"game": game})).json()
    reply = await messages(ana.http, f"/api/analysis/report/{job['id']}/stream")
    report = reply[-1]["report"]
    assert reply[-1]["state"] == "done" and report["plies"] == len(MOVES)
    stored = await server.services.store.studies.get(f"report:{job['id']}")
    assert json.loads(stored.data) == report
    after = (await ana.http.get(f"/api/analysis/report?game={game}")).json()
    assert after["state"] == "done" and after["report"] == report


async def test_reports_on_other_games_are_not_kept(server):
    ana = await server.person()
    wanted = {"rulebook": "brasileira", "moves": list(MOVES)}
    job = (await ana.http.post("/api/analysis/report", json=wanted)).json()
    await messages(ana.http, f"/api/analysis/report/{job['id']}/stream")
    assert await server.services.store.studies.get(f"report:{job['id']}") is None
    pdn = '[Rulebook "brasileira"]\n\n1. c3-d4 f6-g5 2. d4-c5 b6xd4 3. e3xc5 d6xb4 4. a3xc5 *'
    same = (await ana.http.post("/api/analysis/report", json={"pdn": pdn})).json()
    assert same["id"] == job["id"] and same["state"] == "done"


async def test_what_a_browser_has_found_is_judged_as_the_servers_own(page):
    game = {"rulebook": "brasileira", "fen": "W:Wb2,a3,a5,g7:Bd2,d6,c7", "moves": ["g7-h8"]}
    lines = [{"score": 300, "moves": ["b2-c3", "d2xb4", "a3xc5xe7"]}, {"score": -20, "moves": ["d6-e5"]}]
    report = (await page.post("/api/analysis/judge", json={**game, "lines": lines})).json()
    [mistake] = report["mistakes"]
    assert (mistake["kind"], mistake["best"], mistake["missed"]["taken"]) == ("blunder", "b2-c3", 2)
    assert "golpe" in mistake["message"]["pt-BR"] and report["tally"]["white"]["blunder"] == 1


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [{"score": 0, "moves": ["c3-d4"]}],
        [{"score": 0, "moves": []}, {"score": 0, "moves": []}],
        [{"score": 0, "moves": ["c3-e5"]}, {"score": 0, "moves": []}],
        [{"score": 99_999, "moves": ["c3-d4"]}, {"score": 0, "moves": []}],
        [{"score": 0, "moves": ["c3-d4"] * 13}, {"score": 0, "moves": []}],
    ],
)
async def test_what_no_search_can_have_found_is_refused(page, lines):
    body = {"rulebook": "brasileira", "moves": ["c3-d4"], "lines": lines}
    assert (await page.post("/api/analysis/judge", json=body)).status_code == 400


async def test_there_is_nothing_to_report_on_a_game_without_moves(page):
    answer = await page.post("/api/analysis/report", json={"rulebook": "brasileira"})
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "NOTHING_TO_REPORT"
    assert (await page.get("/api/analysis/report/nothing")).status_code == 404


# PDN


PDN = """[Event "Teste"]
[White "Ana"]
[GameType "26,W,8,8,A0,0"]

1. c3-d4 {bom [%clk 0:05:00] [%csl Gd4]} ({ou} 1. e3-f4 f6-g5 (1... d6-c5 {[%cal Rc5b4]})) f6-g5? 2. b2-c3 1-0
"""


async def test_what_is_read_is_written_back_the_same(page):
    reply = (await page.post("/api/pdn/read", json={"pdn": PDN})).json()
    [game] = reply["games"]
    assert [move["text"] for move in game["moves"]] == ["c3-d4", "f6-g5", "b2-c3"]
    tree = {key: game[key] for key in ("rulebook", "moves", "comments", "tags", "result")}
    written = (await page.post("/api/pdn/write", json=tree)).json()["pdn"]
    [again], [first] = read_games(written), read_games(PDN)
    assert isinstance(again, PdnGame) and again == first


async def test_comments_before_a_move_of_the_main_line_go_to_the_move_before(page):
    moves = [
        {"text": "c3-d4", "before": ["x"]},
        {"text": "f6-g5", "before": ["y"], "commands": "z [%emt 0:00:02]"},
    ]
    reply = await page.post("/api/pdn/write", json={"rulebook": "brasileira", "moves": moves})
    assert "{x} 1. c3-d4 {y} 1... f6-g5 {[%emt 0:00:02]} {z} *" in reply.json()["pdn"]


async def test_a_file_is_read_and_a_bad_game_spoils_no_other(page):
    text = PDN + "\n" + PDN.replace("2. b2-c3", "2. b2-b3") + "\n" + PDN
    answer = await page.post("/api/pdn/read", content=text, headers={"Content-Type": "text/plain"})
    reply = answer.json()
    assert len(reply["games"]) == 2
    [bad] = reply["bad"]
    assert (
        bad["game"] == 2 and bad["message"] and [move["text"] for move in bad["moves"]] == ["c3-d4", "f6-g5"]
    )


async def test_numbers_from_the_bottom_left_are_told_as_a_hint(page):
    reply = (await page.post("/api/pdn/read", json={"pdn": "1. 9-13", "rulebook": "brasileira"})).json()
    assert not reply["games"] and "a3-b4" in reply["bad"][0]["hint"]


async def test_an_illegal_tree_is_refused_and_a_huge_one_too(page):
    tree = {"rulebook": "brasileira", "moves": [{"text": "c3-c4"}]}
    assert (await page.post("/api/pdn/write", json=tree)).status_code == 400
    shuttle = [{"text": text} for text in ("c1-d2", "f8-e7", "d2-c1", "e7-f8")] * 600
    fen = "W:WKc1,h2:BKf8,a7"
    answer = await page.post("/api/pdn/write", json={"rulebook": "brasileira", "fen": fen, "moves": shuttle})
    assert answer.status_code == 200
    too_many = {
        "rulebook": "brasileira",
        "fen": fen,
        "moves": [{**shuttle[0], "variations": [[shuttle[0]]] * 3000}],
    }
    assert (await page.post("/api/pdn/write", json=too_many)).status_code in (200, 413)


# Lines and setups


async def test_a_line_is_answered_position_by_position_up_to_what_cannot_be_played(page):
    wanted = {"rulebook": "brasileira", "moves": ["c3-d4", "f6-g5", "d4-d5"], "since": 1}
    reply = (await page.post("/api/analysis/line", json=wanted)).json()
    assert [view["ply"] for view in reply["views"]] == [1, 2]
    assert reply["views"][0]["last"]["text"] == "c3-d4" and reply["views"][1]["turn"] == "white"
    assert reply["error"]["message"]
    whole = (await page.post("/api/analysis/line", json={"rulebook": "brasileira"})).json()
    assert whole["error"] is None and len(whole["views"]) == 1


async def test_a_line_goes_on_behind_the_end_that_the_rules_give(page):
    """oficial: threefold at ply 8; the players went on."""
    moves = ["g1-h2", "b8-a7", "h2-g1", "a7-b8"] * 3
    wanted = {"rulebook": "oficial", "fen": "W:WKg1,a3:BKb8,h6", "moves": moves}
    reply = (await page.post("/api/analysis/line", json=wanted)).json()
    assert reply["error"] is None and len(reply["views"]) == 13
    assert [view["ply"] for view in reply["views"] if view["outcome"]] == [8]
    assert reply["views"][12]["legal"] and reply["views"][12]["last"]["text"] == "a7-b8"


async def test_a_setup_that_cannot_be_is_answered_with_every_reason(page):
    bad = (await page.post("/api/analysis/setup", json={"rulebook": "faraes", "fen": "W:Wd8:B"})).json()
    assert bad["fits"] is False and "d8" in bad["message"]
    good = (await page.post("/api/analysis/setup", json={"rulebook": "faraes", "fen": "W:Wc3:Bd4"})).json()
    assert good == {"fits": True, "fen": "W:Wc3:Bd4", "standard": False}


async def test_tables_that_cannot_be_written_are_told_of_and_tried_again(server, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path / "file" / "tables"))
    ana = await server.person()
    place = {"rulebook": "brasileira", "fen": "W:WKa1:BKh6"}
    for path, body in (
        ("/api/tablebase", place),
        ("/api/endings", {"rulebook": "brasileira", "ending": "man-man"}),
        ("/api/endings/reply", {**place, "moves": ["a1-b2"]}),
    ):
        answer = await ana.http.post(path, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "NO_PLACE_FOR_TABLES"), path
        assert "tables" in answer.json()["error"]["message"]
    (tmp_path / "file").unlink()
    assert (await ana.http.post("/api/tablebase", json=place)).json()["there"]


def test_where_the_cache_cannot_be_written_the_data_folder_has_the_tables(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.delenv("DAMAS_TABLEBASES", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    settings = Settings(data=tmp_path / "data")
    set_tablebase_folder(settings)
    assert root() == tmp_path / "cache/damas/tablebases"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("DAMAS_TABLEBASES", "")  # so that what is set is taken back
    set_tablebase_folder(settings)
    assert root() == tmp_path / "data/tablebases"
