"""Games over a real socket: each kind of opponent, each thing a player can do."""

import asyncio
import random

import pytest

from server.rooms.clients import Board, Server


async def friends(server: Server, rulebook: str = "brasileira", **terms: object) -> tuple[Board, Board]:
    """White and Black at their boards, the game begun."""
    ana, rui = await server.person(), await server.person()
    game = await ana.create(rulebook, "friend", colour="white", **terms)
    white = await ana.sit(game)
    assert white.hello["status"] == "waiting" and white.view["waiting"]
    joined = await rui.join(game)
    assert joined["you"] == "black"
    black = await rui.sit(game)
    await white.until("started")
    return white, black


async def test_a_whole_game_against_level_1(server: Server) -> None:
    person = await server.person()
    game = await person.create("brasileira", "level", level=1, colour="white")
    board = await person.sit(game)
    assert board.hello["you"] == "white" and board.hello["players"]["black"]["kind"] == "level:1"
    chance = random.Random(1)
    while not board.view["outcome"]:
        await board.turn("white")
        if board.view["outcome"]:
            break
        move = chance.choice(board.view["legal"])["text"]
        assert (await board.move(move))["t"] == "ack"
        await board.next("event")
    outcome = board.view["outcome"]
    assert outcome["sentence"] and outcome["reason"]
    assert [event["seq"] for event in board.events] == sorted({event["seq"] for event in board.events})
    head = await server.services.store.games.head(game)
    assert head.status == "over" and head.plies == board.view["ply"]


async def test_two_friends_by_link(server: Server) -> None:
    white, black = await friends(server)
    answer = await white.move("c3-d4")
    assert answer["t"] == "ack" and answer["seq"] == 2
    reply = await black.until("moved")
    assert reply["event"]["move"] == "c3-d4" and reply["view"]["to_move"] == "black"
    assert reply["chain"] == answer["chain"]
    assert (await black.move("f6-g5"))["t"] == "ack"
    await white.until("moved")
    wrong = await white.move("d4-e5", ply=0)
    assert wrong["code"] == "BEHIND"


async def test_the_other_seat_is_taken_once(server: Server) -> None:
    ana, rui, eva = await server.person(), await server.person(), await server.person()
    game = await ana.create(kind="friend")
    await rui.join(game)
    answer = await eva.http.post(f"/api/games/{game}/join", json={}, params={"lang": "pt-BR"})
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "SEAT_TAKEN"
    assert (await eva.sit(game)).hello["you"] == "viewer"


async def test_one_device_plays_both_sides_and_takes_back(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create("faraes", "device"))
    assert board.hello["you"] == "both"
    for move in ("c3-d4", "f6-g5"):
        assert (await board.move(move))["t"] == "ack"
        await board.until("moved")
    assert (await board.act("take_back"))["t"] == "ack"
    await board.until("take_back_granted")
    assert board.view["ply"] == 1 and [move["text"] for move in board.view["moves"]] == ["c3-d4"]
    assert (await board.move("f6-e5"))["t"] == "ack"


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pt-BR", ["Brancas", "Pretas"]),
        ("pt-PT", ["Brancas", "Pretas"]),
        ("es", ["Blancas", "Negras"]),
        ("en", ["White", "Black"]),
    ],
)
async def test_two_at_one_device_are_named_after_their_colours(
    server: Server, language: str, names: list[str]
) -> None:
    """On the page, on the score sheet, in the list, and in the next game, whatever colour was asked for."""
    person = await server.person()
    person.http.headers["Accept-Language"] = language
    game = await person.create(kind="device", colour="black")
    board = await person.sit(game)
    assert [board.hello["players"][side]["name"] for side in ("white", "black")] == names
    assert (await board.act("resign"))["t"] == "ack"
    await board.until("ruled")
    again = (await person.http.post(f"/api/games/{game}/rematch", json={})).json()["id"]
    for each in (game, again):
        sheet = (await person.http.get(f"/game/export/{each}.pdn")).text
        assert f'[White "{names[0]}"]' in sheet and f'[Black "{names[1]}"]' in sheet
    listed = (await person.http.get("/api/archive?mine=1")).json()["games"]
    assert [[row["white"]["name"], row["black"]["name"]] for row in listed] == [names, names]
    listed = (await person.http.get("/api/archive?mine=1&lang=es")).json()["games"]
    assert listed[0]["white"]["name"] == "Blancas", "in the list as whoever reads it calls them"


async def test_ten_by_ten(server: Server) -> None:
    white, black = await friends(server, "internacional")
    assert len(white.view["pieces"]) == 40
    assert (await white.move("32-28"))["t"] == "ack"
    assert (await black.until("moved"))["view"]["last"]["text"] == "32-28"


async def test_a_refusal_explains_and_costs_nothing(server: Server) -> None:
    person = await server.person()
    game = await person.create("faraes", "device", fen="W:Wc3:Bb4,d4,f6")
    board = await person.sit(game, lang="pt-BR")
    answer = await board.move("c3xa5")
    assert answer["t"] == "nack" and answer["code"] == "MAJORITY"
    error = answer["error"]
    assert "Art. 7" in error["message"] and "2 peças" in error["message"]
    assert error["alternatives"] == [
        {"text": "c3xe5xg7", "routes": [[9, 18, 27]], "captured": [13, 22], "promotes": False}
    ]
    assert answer["seq"] == 1  # nothing was written


async def test_offers_are_accepted_and_void_once_the_game_has_moved_on(server: Server) -> None:
    white, black = await friends(server)
    await white.move("c3-d4")
    await black.until("moved")
    seen = black.seq
    assert (await black.act("offer"))["t"] == "ack"
    await white.until("offered")
    late = await white.act("accept", last_seq=seen)
    assert late["code"] == "BEHIND"
    assert (await white.act("accept"))["t"] == "ack"
    await black.until("ruled")
    assert black.view["outcome"]["reason"] == "AGREEMENT"


async def test_abort_before_the_second_move(server: Server) -> None:
    white, black = await friends(server)
    assert "abort" in white.view["can"]
    assert (await white.act("abort"))["t"] == "ack"
    await black.until("ruled")
    assert black.view["outcome"]["reason"] == "ABORTED" and black.view["can"] == []


async def test_school_touches_bind_and_slips_are_written_down(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create("faraes", "device", preset="school"))
    assert board.view["touch_move"] and not board.view["hints"]
    assert (await board.act("touch", square=9))["t"] == "ack"
    await board.until("touched")
    assert board.view["touched"] == "c3" and {m["routes"][0][0] for m in board.view["legal"]} == {9}
    other = await board.move("e3-f4")
    assert other["code"] == "TOUCHED" and other["error"]["article"] == "Art. 15"
    written = await board.until("refused")
    assert written["event"]["code"] == "TOUCHED"
    slip = await board.move("c3-c4")
    assert slip["t"] == "nack" and slip["error"]["alternatives"] == []


async def test_a_level_answers_offers_and_take_backs(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create("brasileira", "level", level=1, colour="white"))
    await board.move("c3-d4")
    await board.turn("black")
    await board.turn("white")
    assert (await board.act("take_back"))["t"] == "ack"
    await board.until("take_back_granted")
    assert board.view["ply"] == 0
    await board.move("a3-b4")
    await board.turn("black")
    await board.turn("white")
    assert (await board.act("offer"))["t"] == "ack"
    await board.until("declined")  # it is not behind


async def test_who_plays_both_sides_agrees_a_draw_at_once(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create("brasileira", "device"))
    assert (await board.act("offer"))["t"] == "ack"
    await board.until("ruled")
    assert board.view["outcome"]["reason"] == "AGREEMENT"
    assert [message["event"]["kind"] for message in board.events] == ["offered", "accepted", "ruled"]


async def test_rematch_changes_colours(server: Server) -> None:
    ana, rui = await server.person(), await server.person()
    game = await ana.create(kind="friend", colour="white")
    await rui.join(game)
    white, black = await ana.sit(game), await rui.sit(game)
    early = await ana.http.post(f"/api/games/{game}/rematch", json={})
    assert early.json()["error"]["code"] == "NOT_OVER"
    await white.act("resign")
    await black.until("ruled")
    offered = await ana.http.post(f"/api/games/{game}/rematch", json={})
    assert offered.status_code == 202 and offered.json()["id"] is None
    assert (await black.next("rematch"))["by"] == "white"
    agreed = await rui.http.post(f"/api/games/{game}/rematch", json={})
    new = agreed.json()["id"]
    assert (await white.next("rematch"))["by"] == "white"
    assert (await white.next("rematch"))["id"] == new
    assert (await ana.sit(new)).hello["you"] == "black"
    assert (await ana.http.post(f"/api/games/{game}/rematch", json={})).json()["id"] == new


async def test_chat_of_viewers_does_not_reach_the_players(server: Server) -> None:
    white, black = await friends(server)
    game = white.hello["game"]
    viewer, other = await (await server.person()).sit(game), await (await server.person()).sit(game)
    await viewer.send(t="chat", text="c3-d4 wins!")
    line = await other.next("chat")
    assert (line["by"], line["room"]) == ("viewer", "viewers")
    await white.send(t="chat", text="  good   luck ")
    line = await black.next("chat")
    assert (line["by"], line["room"], line["text"]) == ("white", "players", "good luck")
    await white.send(t="chat", text="x" * 301)
    assert (await white.next("nack"))["code"] == "TOO_LONG"
    assert all(message["t"] != "chat" or message["by"] == "white" for message in black.heard)
    await white.act("resign")
    await other.until("resigned")
    await viewer.send(t="chat", text="well played")  # now the players may read it
    while (line := await black.next("chat"))["text"] != "well played":
        assert line["by"] == "white"
    assert line["room"] == "viewers"


async def test_players_chat_is_not_for_viewers(server: Server) -> None:
    """Neither as it is written, nor later, nor after the game; both players and the arbiter read it whenever they come."""
    ana, rui, eva = await server.person(), await server.person(), await server.person()
    game = await ana.create(color="white")
    link = await ana.arbiter_link(game)
    white = await ana.sit(game)
    await rui.join(game)
    black, viewer = await rui.sit(game), await eva.sit(game)
    await white.send(t="chat", text="my phone is 555-0100")
    await black.next("chat")
    arbiter = await (await server.person()).arbitrate(link)
    assert (await arbiter.next("chat"))["text"] == "my phone is 555-0100"
    await arbiter.send(t="chat", text="ten minutes left")
    for board in (white, black):
        while (line := await board.next("chat"))["by"] != "arbiter":
            assert line["by"] == "white"
        assert (line["room"], line["text"]) == ("players", "ten minutes left")
    await white.act("resign")
    await viewer.until("resigned")
    late, again = await (await server.person()).sit(game), await rui.sit(game)
    assert [(await again.next("chat"))["by"] for _ in range(2)] == ["white", "arbiter"]
    for board in (viewer, late):
        await board.send(t="ping", n=1)
        await board.next("pong")  # everything before it has come
        assert [message for message in board.heard if message["t"] == "chat"] == []
    for path in (
        f"/api/games/{game}",
        f"/game/export/{game}.pdn",
        f"/game/export/{game}.json",
        "/api/archive",
        "/api/archive.pdn",
    ):
        assert "555-0100" not in (await eva.http.get(path)).text


async def test_seeks_are_listed_and_joined(server: Server) -> None:
    ana, rui = await server.person(), await server.person()
    game = await ana.create("portuguesa", "seek", colour="black", time="5+3")
    board = await ana.sit(game)
    seeks = (await rui.http.get("/api/lobby")).json()["seeks"]
    assert [(seek["id"], seek["colour"], seek["time"]) for seek in seeks] == [(game, "white", "5+3")]
    assert (await rui.join(game))["you"] == "white"
    await board.until("started")
    lobby = (await rui.http.get("/api/lobby")).json()
    assert lobby["seeks"] == [] and [live["id"] for live in lobby["games"]] == [game]


async def test_the_lobby_streams_its_changes(server: Server) -> None:
    ana, rui = await server.person(), await server.person()
    async with ana.http.stream("GET", "/api/lobby/stream") as stream:
        lines = stream.aiter_lines()
        heard = ""
        while not heard.startswith("data:"):
            heard = await asyncio.wait_for(anext(lines), 60)
        assert '"seeks":[]' in heard
        await rui.create(kind="seek")
        while '"colour"' not in heard:
            heard = await asyncio.wait_for(anext(lines), 60)


async def test_what_cannot_be_played_is_refused(server: Server) -> None:
    person = await server.person()
    for wanted, status in (
        ({"rulebook": "/etc/passwd.toml", "opponent": {"kind": "device"}}, 404),
        ({"rulebook": "faraes", "opponent": {"kind": "device"}, "preset": "../x.toml"}, 404),
        ({"rulebook": "faraes", "opponent": {"kind": "device"}, "time": "soon"}, 400),
        ({"rulebook": "faraes", "opponent": {"kind": "device"}, "fen": "W:W"}, 400),
        ({"rulebook": "faraes", "opponent": {"kind": "level", "level": 11}}, 400),
        ({"rulebook": "faraes"}, 400),
    ):
        answer = await person.http.post("/api/games", json=wanted)
        assert answer.status_code == status, (wanted, answer.text)
    assert (await person.http.get("/api/games/nosuchgame22")).status_code == 404


@pytest.mark.parametrize(
    ("preset", "time"), [("casual", "none"), ("school", "none"), ("club", "20"), ("contest", "30s/move")]
)
async def test_a_game_without_a_time_has_the_one_of_its_regulation(
    server: Server, preset: str, time: str
) -> None:
    person = await server.person()
    board = await person.sit(await person.create("faraes", "device", preset=preset))
    assert board.view["time"] == time


@pytest.mark.parametrize(
    ("command", "tried"),
    [
        ({"t": "move", "ply": 0, "move": "2,2 3,3"}, "2,2 3,3"),  # a capture is compulsory
        ({"t": "move", "ply": 0, "move": "3,3 2,4"}, "3,3 2,4"),  # not one's own piece
        ({"t": "act", "do": "stop", "move": "2,2 4,4"}, "2,2 4,4"),  # the first jump of two
    ],
)
async def test_an_invalid_move_of_a_person_loses_in_a_contest(
    server: Server, command: dict[str, object], tried: str
) -> None:
    person = await server.person()
    terms = {"preset": "contest", "time": "60s/move", "fen": "W:Wc3,h2:Bd4,d6,h8"}
    board = await person.sit(await person.create("concurso", "device", **terms))
    answer = await board.ask(**command)
    assert answer["t"] == "nack"
    ended = await board.until("ruled")
    outcome = ended["view"]["outcome"]
    assert (outcome["reason"], outcome["winner"], outcome["article_id"]) == (
        "INVALID_MOVE",
        "black",
        "004-4.4",
    )
    assert tried in outcome["message"]


@pytest.mark.parametrize("kind", ["level", "friend", "seek", "device"])
async def test_every_way_to_play_takes_a_contest_by_another_reading(server: Server, kind: str) -> None:
    person = await server.person()
    game = await person.create("concurso-men-forward", kind, preset="contest", time="30s/move")
    head = await server.services.store.games.head(game)
    assert (head.rulebook, head.preset, head.time_control) == ("concurso-men-forward", "contest", "30s/move")
    board = await person.sit(game)
    assert board.view["rulebook"] == "concurso-men-forward"
