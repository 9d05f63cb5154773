"""The arbiter's table: who may intervene, what an intervention does, and an evening of eight boards."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from damas.judging.certificate import check
from damas.server.rooms.ledger import Busy
from damas.server.settings import Settings
from damas.server.store.errors import DamagedGame, StoreError
from server.rooms.clients import Board, Person, Server, serving

TOUCHED, FREE = "c3", "e3"
SHUTTLE = ("4-8", "29-25", "8-4", "25-29")


async def pair(server: Server, **terms: Any) -> tuple[str, str, Board, Board]:
    """A game of two people with the arbiter's link, which its maker asked for before the other came."""
    white, black = await server.person(), await server.person()
    game = await white.create(**{"rulebook": "faraes", "preset": "school", "color": "white", **terms})
    link = await white.arbiter_link(game)
    own = await white.sit(game)
    await black.join(game)
    other = await black.sit(game)
    await own.until("started")
    return game, link, own, other


async def certificate(server: Server, game: str) -> dict[str, Any]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as http:
        answer = await http.get(f"/api/games/{game}/certificate")
    assert answer.status_code == 200, answer.text
    assert check(answer.content) == []
    return dict(json.loads(answer.content))


async def play(text: str, mover: Board, other: Board) -> dict[str, Any]:
    """A move that both players have seen; what the other one sees."""
    assert (await mover.move(text))["t"] == "ack"
    await mover.until("moved")
    await other.until("moved")
    return other.view


def kinds(board: Board) -> list[str]:
    return [message["event"]["kind"] for message in board.events]


async def test_only_the_arbiters_link_may_intervene(server: Server) -> None:
    game, link, white, black = await pair(server)
    viewer, other = await server.person(), await server.person()
    looking = await viewer.sit(game)
    for board in (white, black, looking):
        answer = await board.intervene("result", "I want it", result="1-0")
        assert (answer["t"], answer["code"]) == ("nack", "NOT_ARBITER")
        await board.send(
            t="arbitrate", key=link.partition("=")[2]
        )  # a socket that did not come as the arbiter
        assert (await board.next("nack"))["code"] == ("NOT_ARBITER" if board is looking else "OWN_GAME")
        assert (await board.intervene("note", "x", side="black", conduct="other"))["code"] == "NOT_ARBITER"
    wrong = await other.sit(game, role="arbiter")
    assert wrong.hello["you"] == "viewer"
    other_game = await other.create()
    for key in ("", "x", (await other.arbiter_link(other_game)).partition("=")[2]):
        await wrong.send(t="arbitrate", key=key)
        assert (await wrong.next("nack"))["code"] == "NOT_ARBITER"
        assert (await wrong.intervene("result", "x", result="0-1"))["code"] == "NOT_ARBITER"
    arbiter = await other.arbitrate(link)
    assert (await arbiter.move("c3-d4"))["code"] == "NOT_A_PLAYER"
    assert (await arbiter.act("resign"))["code"] == "NOT_A_PLAYER"
    assert (await server.rooms.room(game)).table.events[1:] == ()


async def test_who_may_have_the_link(server: Server) -> None:
    white, black = await server.person(), await server.person()
    game = await white.create()
    link = await white.arbiter_link(game)
    assert await white.arbiter_link(game) == link
    for person in (black, await server.person()):
        answer = await person.http.post(f"/api/games/{game}/arbiter", json={})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "NOT_A_PLAYER")
    own = await white.sit(game)
    await black.join(game)
    other = await black.sit(game)
    for _ in range(2):  # now nobody can tell who made it, so that both have to want it
        answer = await black.http.post(f"/api/games/{game}/arbiter", json={})
        assert (answer.status_code, answer.json()) == (202, {"url": None})
    asked = await own.next("arbiter")
    assert (asked["by"], asked["agreed"]) == (other.hello["you"], False)
    assert (await white.sit(game)).hello["arbiter_wanted"] == [other.hello["you"]]
    assert await white.arbiter_link(game) == await black.arbiter_link(game) == link
    assert (await other.next("arbiter"))["by"] == other.hello["you"]
    assert (await other.next("arbiter"))["agreed"]
    key = (server.services.settings.data / "operator").read_text()
    for shown, status in ((key, 200), ("0" * 64, 403)):
        headers = {"Authorization": f"Operator {shown}"}
        stranger = await server.person()
        answer = await stranger.http.post(f"/api/games/{game}/arbiter", json={}, headers=headers)
        assert answer.status_code == status
    shared = await white.create(kind="device")
    assert (await white.arbiter_link(shared)).startswith(f"/game/{shared}#arbiter=")


async def test_both_players_know_who_took_the_link_before_the_other_came(server: Server) -> None:
    for taken in (True, False):
        maker, other = await server.person(), await server.person()
        game = await maker.create(color="white")
        own = await maker.sit(game)
        if taken:
            await maker.arbiter_link(game)
        await other.join(game)
        for players in (
            (await own.next("players"))["players"],
            (await other.sit(game)).hello["players"],
            (await maker.look(game))["players"],
        ):
            assert [players[side]["arbiter_link"] for side in ("white", "black")] == [taken, False]


async def test_the_arbiters_window_takes_no_seat(server: Server) -> None:
    """Even in the browser of a player: the player's window goes on playing, and the arbiter's watches."""
    player = await server.person()
    game = await player.create("faraes", "device", preset="school")
    link = await player.arbiter_link(game)
    board = await player.sit(game)
    arbiter = await player.arbitrate(link)
    while not (presence := await board.next("presence"))["arbiter"]:
        pass
    assert (presence["viewers"], presence["white"]) == (0, True)
    assert (await board.move("c3-d4"))["t"] == "ack"
    assert (await arbiter.move("f6-g5"))["code"] == "SUPERSEDED"


async def test_interventions_are_told_to_everybody_with_their_reason(server: Server) -> None:
    _, link, white, black = await pair(server, time="5")
    arbiter = await (await server.person()).arbitrate(link)
    assert (await white.act("touch", square=TOUCHED))["t"] == "ack"
    assert (await arbiter.until("touched"))["view"]["touched"] == TOUCHED
    assert (await arbiter.intervene("release", ""))["code"] == "NO_REASON"
    assert (await arbiter.intervene("release", "a manga bateu na peça"))["t"] == "ack"
    for board in (white, black):
        seen = await board.until("released")
        assert seen["view"]["touched"] is None
        assert seen["view"]["news"][-1]["message"].endswith("a manga bateu na peça")
    assert (await white.move(f"{FREE}-f4"))["t"] == "ack"
    before = (await black.until("moved"))["view"]["clocks"]["black"]
    assert (await arbiter.intervene("time", "relógio parado", side="black", seconds=60))["t"] == "ack"
    assert (await black.until("time_added"))["clocks"]["black"] > before + 50_000
    assert (await arbiter.intervene("restore", "lance trocado", ply=0))["t"] == "ack"
    view = (await white.until("restored"))["view"]
    assert (view["ply"], view["to_move"], view["moves"]) == (0, "white", [])
    assert (await white.move("c3-d4"))["t"] == "ack"  # the same ply once more
    assert (await arbiter.until("moved"))["view"]["ply"] == 1
    fen = "W:Wa1,c3:Bf6,h8"
    assert (await arbiter.intervene("position", "peça caída", fen="W:Wz9:B1"))["t"] == "nack"
    assert (await arbiter.intervene("position", "peça caída", fen=fen))["t"] == "ack"
    assert (await white.until("corrected"))["view"]["fen"] == fen
    assert (await white.move("c3-b4"))["t"] == "ack"
    answer = await arbiter.intervene("result", "desistência combinada", result="0-1")
    assert answer["t"] == "ack"
    outcome = (await black.until("ruled"))["view"]["outcome"]
    assert (outcome["result"], outcome["reason"]) == ("0-1", "ARBITER")
    assert "desistência combinada" in outcome["message"]
    same = await arbiter.ask(
        t="intervene", do="result", reason="desistência combinada", result="0-1", id=answer["id"]
    )
    assert same["t"] == "ack"  # the same command is answered again, and happens once
    assert kinds(black).count("ended") == 1


async def test_a_command_for_a_position_that_the_arbiter_has_changed_is_late(server: Server) -> None:
    _, link, white, black = await pair(server)
    arbiter = await (await server.person()).arbitrate(link)
    await white.move("c3-d4")
    await black.until("moved")
    seen = black.seq
    await arbiter.until("moved")
    await arbiter.intervene("restore", "de novo", ply=0)
    await white.until("restored")
    await white.move("c3-b4")
    assert (await black.move("f6-g5", last_seq=seen, ply=1))["code"] == "BEHIND"
    stale = await arbiter.intervene("restore", "tarde", ply=0, last_seq=seen)
    assert stale["code"] == "BEHIND"


async def test_a_finished_game_is_reopened_even_after_a_restart(settings: Settings) -> None:
    async with serving(settings) as server:
        game, link, white, _ = await pair(server, preset="club", time="5")
        await white.move("c3-d4")
        await white.act("resign")
        await white.until("ruled")
    async with serving(settings) as server:
        arbiter = await (await server.person()).arbitrate(link)
        assert arbiter.view["outcome"]["reason"] == "RESIGNATION"
        assert (await arbiter.intervene("restore", "desistiu por engano", ply=1))["t"] == "ack"
        assert (await arbiter.until("resumed"))["view"]["outcome"] is None
        head = (await server.rooms.room(game)).head
        assert (head.status, head.result) == ("playing", "*")
        assert (await arbiter.intervene("result", "acordo", result="1/2-1/2"))["t"] == "ack"
        assert (await arbiter.until("ruled"))["view"]["outcome"]["result"] == "1/2-1/2"
        assert (await arbiter.intervene("result", "contas erradas", result="1-0"))["t"] == "ack"
        assert (await arbiter.until("ruled"))["view"]["outcome"]["result"] == "1-0"
        head = (await server.rooms.room(game)).head
        assert (head.status, head.result, head.reason) == ("over", "1-0", "ARBITER")
        paper = await certificate(server, game)
        reasons = [entry["reason"] for entry in paper["ledger"] if entry["kind"] in ("restored", "ended")]
        assert reasons == ["desistiu por engano", "acordo", "contas erradas", "contas erradas"]


async def test_captures_in_two_tempi_and_crowning(server: Server) -> None:  # 003-6a, 003-6b, 003-11d
    _, _, white, black = await pair(server, rulebook="portuguesa", fen="W:W10,1:B14,23,30,29")
    view = await play("10x19x28", white, black)
    squares = {"14": 13, "23": 22}
    assert view["lifting"] == {"by": "white", "squares": list(squares.values())}
    assert view["pieces"]["13"] == "b"
    assert (view["awaited"], view["legal"]) == ("white", [])
    assert (await black.move("30-26"))["code"] == "LIFTING_DUE"
    assert (await white.act("lift", square=squares["23"]))["code"] == "LIFT_ORDER"
    for name, square in squares.items():
        assert (await white.act("lift", square=name))["t"] == "ack"
        view = (await black.until("lifted"))["view"]
        assert str(square) not in view["pieces"]
    assert view["lifting"] is None
    assert (await black.act("blow", square="28"))["code"] == "NO_BLOWING"
    await play("30-26", black, white)
    view = await play("28-32", white, black)
    assert (view["crowning"]["by"], view["crowning"]["name"], view["pieces"]["31"]) == ("black", "32", "w")
    assert view["legal"]  # so that whoever tries to play on is told why not
    assert (await black.move("26-22"))["code"] == "CROWNING_DUE"
    assert (await black.act("crown", square=31))["t"] == "ack"
    assert (await black.until("crowned"))["view"]["pieces"]["31"] == "W"
    view = await play("26-22", black, white)
    totals = {(each["by"], each["article"]): each["count"] for each in view["register"]["totals"]}
    assert totals == {
        ("white", "n.º 6"): 1,
        ("black", "n.º 11, alínea a"): 1,
        ("black", "n.º 11, alínea d"): 1,
    }


async def test_an_arbiters_evening(server: Server) -> None:
    """Eight boards: two claims, one touched piece, one illegal move, one wrong clock; certificates for all."""
    person: Person = await server.person()
    kings = {"rulebook": "portuguesa-fpd", "fen": "W:WK4,9:BK29,24"}
    boards = [await pair(server, time="20", **(kings if n < 2 else {})) for n in range(8)]
    arbiters = [await person.arbitrate(link) for _, link, _, _ in boards]

    # Two claims, of which one is made too soon: the others at the table are told.
    _, _, white, black = boards[0]
    for ply in range(8):
        players = (white, black) if ply % 2 == 0 else (black, white)
        await play(SHUTTLE[ply % 4], *players)
    assert [claim["rule"] for claim in black.view["claims"]] == ["threefold"]
    assert (await black.act("claim", rule="threefold"))["t"] == "ack"
    await arbiters[0].until("ruled")
    _, _, white, black = boards[1]
    assert (await black.act("claim", rule="threefold"))["code"] == "WRONG_CLAIM"
    for board in (white, arbiters[1]):
        news = (await board.until("refused"))["view"]["news"][-1]
        assert (news["by"], "repetition of the position" in news["message"]) == ("black", True)

    # A touched piece, released; an illegal move; a wrong clock, corrected.
    _, _, white, black = boards[2]
    await white.act("touch", square=TOUCHED)
    assert (await white.move(f"{FREE}-f4"))["code"] == "TOUCHED"
    await arbiters[2].until("refused")
    assert (await arbiters[2].intervene("release", "tocou ao arrumar"))["t"] == "ack"
    await white.until("released")
    assert (await white.move(f"{FREE}-f4"))["t"] == "ack"
    _, _, white, black = boards[3]
    assert (await white.move("c3-c5"))["t"] == "nack"
    entry = (await black.until("refused"))["view"]["register"]["entries"][-1]
    assert (entry["by"], entry["conduct"], entry["source"]) == ("white", "illegal", "refused")
    wrong = {"side": "black", "seconds": 300}
    assert (await arbiters[4].intervene("clock", "relógio trocado", **wrong))["t"] == "ack"
    assert (await boards[4][2].until("time_set"))["clocks"]["black"] == 300_000

    # The evening ends: results, and a certificate of every board.
    for n, arbiter in enumerate(arbiters[1:], start=1):
        note = {"side": "black", "conduct": "pointing"}
        assert (await arbiter.intervene("note", "contava com o dedo", **note))["t"] == "ack"
        assert (await arbiter.intervene("result", f"fim da ronda {n}", result="1/2-1/2"))["t"] == "ack"
    papers = [await certificate(server, game) for game, *_ in boards]
    assert [paper["outcome"]["reason"] for paper in papers] == ["REPETITION", *["ARBITER"] * 7]
    counted = [paper["irregularities"]["totals"] for paper in papers]
    assert counted[0] == {"white": {}, "black": {}}
    assert counted[2]["white"] == {"Art. 15": 1}
    assert sum(counted[3]["white"].values()) == 1
    assert sum(counted[1]["black"].values()) == 2  # the claim and the note
    assert all(total["black"] == {"Art. 14": 1} for total in counted[2:])
    clocks = [entry for entry in papers[4]["ledger"] if entry["kind"] == "time_set"]
    assert [(entry["to"], entry["ms"], entry["reason"]) for entry in clocks] == [
        ("black", 300_000, "relógio trocado")
    ]


@pytest.mark.parametrize("conduct", ["hands", "blowing"])
async def test_a_report_reaches_both_players_and_the_arbiter(server: Server, conduct: str) -> None:
    _, link, white, black = await pair(server, rulebook="portuguesa")
    arbiter = await (await server.person()).arbitrate(link)
    assert conduct in [each["conduct"] for each in black.view["conduct"]]
    assert (await black.act("report", conduct=conduct))["t"] == "ack"
    assert (await black.act("report", conduct="singing"))["code"] == "NO_SUCH_CONDUCT"
    for board in (white, arbiter):
        view = (await board.until("reported"))["view"]
        assert view["register"]["entries"][0]["by"] == "white"
        assert view["news"][-1]["kind"] == "reported"


async def test_nobody_arbitrates_the_own_game(server: Server) -> None:
    players = await server.person(), await server.person()
    game = await players[0].create()
    link = await players[0].arbiter_link(game)
    await players[1].join(game)
    for player in players:
        window = await player.sit(game, role="arbiter")
        await window.send(t="arbitrate", key=link.partition("=")[2])
        assert (await window.next("nack"))["code"] == "OWN_GAME"
        assert (await window.intervene("result", "porque sim", result="1-0"))["code"] == "NOT_ARBITER"
        body = {"boards": [{"id": game, "key": link.partition("=")[2]}]}
        answer = await player.http.post("/api/arbiter/boards", json=body)
        assert answer.json()["boards"] == [{"id": game, "status": "refused"}]


async def test_a_window_loses_the_office_when_somebody_sits_down_against_its_player(server: Server) -> None:
    maker, other = await server.person(), await server.person()
    game = await maker.create()
    link = await maker.arbiter_link(game)
    board, window = await maker.sit(game), await maker.arbitrate(link)
    decision = {"t": "intervene", "do": "result", "reason": "porque sim", "result": "1-0", "last_seq": 0}
    async with following(maker, (game, link.partition("=")[2])) as pages:
        assert (await anext(pages))[0]["status"] == "waiting"
        async with server.slow_disk():
            joining = asyncio.create_task(other.join(game))
            await server.written(1)
            await window.send(
                id=secrets.token_hex(16), **decision
            )  # before the office is lost, handled after
            await window.send(t="ping", n=1)
            await window.next("pong")
        await joining
        assert {(await window.next("hello"))["you"], (await window.next("nack"))["code"]} == {
            "viewer",
            "OWN_GAME",
        }
        assert (await window.intervene("result", "porque sim", result="1-0"))["code"] == "NOT_ARBITER"
        while (await anext(pages))[0]["status"] != "refused":
            pass
        while (await board.next("presence"))["arbiter"]:
            pass
    assert (await server.rooms.room(game)).table.outcome is None


@asynccontextmanager
async def following(person: Person, *boards: tuple[str, str]) -> AsyncIterator[AsyncIterator[Any]]:
    """What the stream of many boards sends, a list of boards at a time."""
    body = {"boards": [{"id": game, "key": key} for game, key in boards]}
    async with person.http.stream("POST", "/api/arbiter/stream", json=body, timeout=60) as stream:
        assert stream.status_code == 200
        yield (
            json.loads(line.removeprefix("data: "))["boards"]
            async for line in stream.aiter_lines()
            if line.startswith("data")
        )


async def test_the_stream_sends_only_the_boards_that_changed(server: Server) -> None:
    one, two = [await pair(server) for _ in range(2)]
    keys = [(game, link.partition("=")[2]) for game, link, _, _ in (one, two)]
    people = await server.person(), await server.person()
    _, _, white, black = one
    async with following(people[0], *keys) as first:
        assert [board["id"] for board in await anext(first)] == [one[0], two[0]]
        while not (await white.next("presence"))["arbiter"]:
            pass
        heard = len(white.heard)
        async with following(people[1], *keys) as second:
            assert len(await anext(second)) == 2
            await black.act("call")
            await white.until("called_arbiter")
            assert "presence" not in [message["t"] for message in white.heard[heard:]]  # one is here already
            for pages in (first, second):
                (board,) = await anext(pages)
                assert (board["id"], board["board"]["calls"]) == (one[0], ["black"])
    audience = (await server.rooms.room(one[0])).audience
    assert audience.followed("en") is audience.followed("en")  # encoded once for everybody


@pytest.mark.parametrize(
    ("trouble", "status"),
    [
        (DamagedGame("store.no_replay", "x", why="x"), "damaged"),
        (StoreError("slow"), "busy"),
        (Busy(100), "busy"),
    ],
)
async def test_a_board_in_trouble_leaves_the_others_on_the_page(
    server: Server, monkeypatch: pytest.MonkeyPatch, trouble: Exception, status: str
) -> None:
    one, two = [await pair(server) for _ in range(2)]
    room = server.rooms.room

    async def sound(game: str) -> Any:
        if game == one[0]:
            raise trouble
        return await room(game)

    monkeypatch.setattr(server.rooms, "room", sound)
    keys = [(game, link.partition("=")[2]) for game, link, _, _ in (one, two)]
    assert [board["status"] for board in await followed(server, *keys)] == [status, "playing"]


async def followed(server: Server, *boards: tuple[str, str]) -> list[dict[str, Any]]:
    """What the page of many boards is shown of these games and keys."""
    keys = [{"id": game, "key": key} for game, key in boards]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as http:
        answer = await http.post("/api/arbiter/boards", json={"boards": keys}, headers={"X-Damas": "1"})
    assert answer.status_code == 200, answer.text
    return list(answer.json()["boards"])


async def test_a_player_calls_the_arbiter_who_answers(server: Server) -> None:
    _, link, white, black = await pair(server)
    arbiter = await (await server.person()).arbitrate(link)
    assert (await black.act("call"))["t"] == "ack"
    assert (await black.act("call"))["code"] == "CALL_STANDS"
    for board in (white, arbiter):
        view = (await board.until("called_arbiter"))["view"]
        assert view["calls"] == ["black"]
        assert view["news"][-1]["message"] == "Black calls the arbiter"
    assert (await arbiter.intervene("say", "continuem"))["t"] == "ack"
    view = (await black.until("advised"))["view"]
    assert (view["calls"], view["news"][-1]["message"]) == ([], "the arbiter says: continuem")
    assert (await black.act("call"))["t"] == "ack"


async def test_many_boards_are_followed_by_their_keys(server: Server) -> None:
    one, two = [await pair(server, time="20") for _ in range(2)]
    keys = [(game, link.partition("=")[2]) for game, link, _, _ in (one, two)]
    assert (await one[3].act("call"))["t"] == "ack"
    await play("c3-d4", two[2], two[3])
    first, second, none = await followed(server, *keys, ("x", keys[0][1]))
    (wrong,) = await followed(server, (keys[0][0], keys[1][1]))
    assert (first["status"], first["board"]["calls"], first["board"]["last"]) == ("playing", ["black"], "")
    assert first["players"]["white"]["here"]
    assert (second["board"]["awaited"], second["board"]["last"]) == ("black", "c3-d4")
    assert second["clocks"]["running"] == "black"
    assert (wrong, none) == ({"id": keys[0][0], "status": "refused"}, {"id": "x", "status": "refused"})
    arbiter = await (await server.person()).arbitrate(two[1])
    assert (await arbiter.intervene("result", "acordo", result="1/2-1/2"))["t"] == "ack"
    assert (await two[3].until("ruled"))["view"]["outcome"]["reason"] == "ARBITER"
    (over,) = await followed(server, keys[1])
    assert (over["status"], over["board"]["outcome"]["result"], over["rematch"]) == ("over", "1/2-1/2", None)


async def test_the_page_of_many_boards_is_live_and_seen_by_the_players(server: Server) -> None:
    game, link, white, black = await pair(server)
    body = {"boards": [{"id": game, "key": link.partition("=")[2]}]}
    url = f"http://127.0.0.1:{server.port}"
    async with (
        httpx.AsyncClient(base_url=url, headers={"X-Damas": "1"}, timeout=60) as http,
        http.stream("POST", "/api/arbiter/stream", json=body) as stream,
    ):
        lines = (
            line.removeprefix("data: ") async for line in stream.aiter_lines() if line.startswith("data")
        )
        assert json.loads(await anext(lines))["boards"][0]["board"]["calls"] == []
        while not (await white.next("presence"))["arbiter"]:
            pass
        await black.act("call")
        while not json.loads(await anext(lines))["boards"][0]["board"]["calls"]:
            pass
    while (await white.next("presence"))["arbiter"]:
        pass


async def test_a_rematch_keeps_its_arbiter(server: Server) -> None:
    people = await server.person(), await server.person()
    game = await people[0].create()
    key = (await people[0].arbiter_link(game)).partition("=")[2]
    await people[1].join(game)
    board = await people[0].sit(game)
    await board.act("resign")
    await board.until("ruled")
    for person in people:
        answer = await person.http.post(f"/api/games/{game}/rematch", json={})
    rematch = (await followed(server, (game, key)))[0]["rematch"]
    assert rematch["id"] == answer.json()["id"]
    (new,) = await followed(server, (rematch["id"], rematch["key"]))
    assert new["status"] == "playing"
