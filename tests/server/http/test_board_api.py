"""Games over plain HTTP: streams that stay alive, moves that count once, ends that are told with their article."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from secrets import token_hex

import pytest

from damas.board import Color
from damas.judging.certificate import check
from damas.server.messages import Move
from damas.server.security.errors import ApiError
from damas.server.settings import Limits, Settings
from damas.server.store.rows import Filter, GameRow
from damas.server.web import streams
from damas.server.web.board_api import _stored_answer
from server.http.programs import Lines, Program, back, programs
from server.rooms.clients import Server, serving

P3 = "W:Wc3:Bb4,d4,f6"


@pytest.fixture
async def ana(server: Server) -> AsyncIterator[Program]:
    async with programs(server, "Ana") as [program]:
        yield program


@pytest.fixture
async def rui(server: Server) -> AsyncIterator[Program]:
    async with programs(server, "Rui") as [program]:
        yield program


@pytest.fixture
async def eva(server: Server) -> AsyncIterator[Program]:
    async with programs(server, "Eva") as [program]:
        yield program


@pytest.fixture
async def game(ana: Program, rui: Program) -> str:
    """A game of the Brazilian rulebook between Ana, who plays White, and Rui."""
    return await paired(ana, rui)


async def paired(first: Program, second: Program, **terms: object) -> str:
    """A game between two programs, begun: the first plays White."""
    wanted = {"rulebook": "brasileira", "color": "white", **terms}
    game = (await first.do(f"/api/challenge/{second.name}", wanted))["id"]
    await second.do(f"/api/challenge/{game}/accept")
    return str(game)


# Streams


async def test_a_stream_speaks_at_least_every_seven_seconds(
    monkeypatch: pytest.MonkeyPatch, ana: Program
) -> None:
    assert streams.KEEP_ALIVE_S <= 7
    monkeypatch.setattr(streams, "KEEP_ALIVE_S", 0.01)
    async with ana.stream("/api/stream/event") as lines:
        assert lines.answer.headers["content-type"].startswith("application/x-ndjson")
        for _ in range(5):
            assert await lines.raw() == ""


async def test_a_token_has_one_stream(ana: Program) -> None:
    event = "/api/stream/event"
    async with ana.stream(event) as older, ana.stream(event) as newer:
        await older.end()
        game = (await ana.do("/api/challenge/ai", {"rulebook": "faraes"}))["id"]
        assert (await newer.next("gameStart"))["game"]["id"] == game


async def test_who_comes_back_is_told_of_the_games_that_go_on(ana: Program, rui: Program, game: str) -> None:
    for program, color in ((ana, "white"), (rui, "black")):
        async with program.stream("/api/stream/event") as lines:
            reply = (await lines.next("gameStart"))["game"]
            assert (reply["id"], reply["color"], reply["rulebook"]) == (game, color, "brasileira")
            assert reply["isMyTurn"] == (color == "white")
            assert reply["opponent"]["kind"] == "bot"


async def test_the_first_line_of_a_game_is_all_of_it(ana: Program, rui: Program) -> None:
    game = await paired(ana, rui, time="5+3", rulebook="faraes")
    async with ana.stream(f"/api/bot/game/stream/{game}") as lines:
        full = await lines.next()
        assert (full["type"], full["id"], full["color"]) == ("gameFull", game, "white")
        assert (full["rulebook"], full["time"], full["clock"]["initial"]) == ("faraes", "5+3", 300_000)
        assert (full["white"]["name"], full["black"]["name"]) == ("Ana", "Rui")
        state = full["state"]
        assert (state["type"], state["ply"], state["moves"], state["turn"]) == ("gameState", 0, [], "white")
        assert len(state["legal"]) == 7
        assert state["status"] == "started"
        await ana.do(f"/api/bot/game/{game}/move/c3-d4")
        state = await lines.next("gameState")
        assert (state["moves"], state["turn"]) == (["c3-d4"], "black")
        assert state["clocks"]["running"] == "black"
        assert state["wtime"] == state["clocks"]["white"]
        assert state["clocks"]["serverMs"] > 0


async def test_captures_are_told_by_their_whole_path(ana: Program, rui: Program) -> None:
    game = await paired(ana, rui, rulebook="faraes", fen=P3)
    async with ana.stream(f"/api/bot/game/stream/{game}") as lines:
        assert (await lines.next())["state"]["legal"] == ["c3xe5xg7"]


async def test_the_stream_ends_with_the_game_which_says_why(ana: Program, rui: Program) -> None:
    game = await paired(ana, rui, fen="W:We5:Bd4")
    async with (
        rui.stream("/api/stream/event") as events,
        rui.stream(f"/api/bot/game/stream/{game}") as lines,
    ):
        await lines.next("gameFull")
        await ana.do(f"/api/bot/game/{game}/move/e5xc3")
        state = await lines.next("gameState")
        assert (state["status"], state["winner"], state["termination"]) == ("finished", "white", "NO_PIECES")
        assert state["article"] == "O objetivo do jogo"
        assert state["message"]
        await lines.end()
        finish = (await events.next("gameFinish"))["game"]
        assert (finish["winner"], finish["termination"], finish["result"]) == ("white", "NO_PIECES", "1-0")
    certificate = await rui.http.get(finish["certificate"])
    assert check(certificate.content) == []


# Moves


async def test_a_refused_move_is_explained(server: Server) -> None:
    async with programs(server, "Ana", scopes=("board:play",)) as [ana]:
        game = (await ana.do("/api/challenge/ai", {"rulebook": "faraes", "color": "white", "fen": P3}))["id"]
        answer = await ana.post(f"/api/board/game/{game}/move/c3xa5", **{"Accept-Language": "pt-BR"})
        reply = answer.json()["error"]
        assert answer.status_code == 400
        assert (reply["code"], reply["article"], reply["legal"]) == ("MAJORITY", "Art. 7", ["c3xe5xg7"])
        assert "2 peças" in reply["message"]


async def test_a_program_that_breaks_the_rules_of_the_contest_loses(ana: Program, rui: Program) -> None:
    game = await paired(ana, rui, rulebook="concurso", preset="contest", time="5+3")
    async with rui.stream(f"/api/bot/game/stream/{game}") as lines:
        full = await lines.next("gameFull")
        mover = ana if full["color"] == "black" else rui
        answer = await mover.post(f"/api/bot/game/{game}/move/9,9 8,8")
        assert answer.status_code == 400
        state = await lines.next("gameState")
        assert (state["status"], state["winner"]) == ("finished", "black")
        assert state["termination"] == "INVALID_MOVE"


async def test_the_same_request_twice_counts_once(ana: Program, rui: Program, game: str) -> None:
    key = {"Idempotency-Key": "first move"}
    first = await ana.do(f"/api/bot/game/{game}/move/c3-d4", **key)
    await rui.do(f"/api/bot/game/{game}/move/f6-g5")
    assert await ana.do(f"/api/bot/game/{game}/move/c3-d4", **key) == first
    other = await ana.post(f"/api/bot/game/{game}/move/e3-f4", **key)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "ID_REUSED")
    view = (await ana.http.get(f"/api/games/{game}")).json()["view"]
    assert [move["text"] for move in view["moves"]] == ["c3-d4", "f6-g5"]


async def test_a_key_is_of_some_length(ana: Program) -> None:
    game = (await ana.do("/api/challenge/ai", {"rulebook": "brasileira", "color": "white"}))["id"]
    for length, status in ((201, 400), (200, 200)):
        answer = await ana.post(f"/api/bot/game/{game}/move/c3-d4", **{"Idempotency-Key": "k" * length})
        assert answer.status_code == status


async def test_a_move_for_another_ply_is_not_played(ana: Program, rui: Program, game: str) -> None:
    await ana.do(f"/api/bot/game/{game}/move/c3-d4?ply=0")
    late = await ana.post(f"/api/bot/game/{game}/move/c3-d4?ply=0")
    assert late.status_code in (200, 409)  # the same click again: known, or too late
    early = await rui.post(f"/api/bot/game/{game}/move/f6-g5?ply=3")
    assert (early.status_code, early.json()["error"]["code"]) == (409, "BEHIND")
    assert (await ana.post(f"/api/bot/game/{game}/move/e3-f4")).json()["error"]["code"] == "NOT_YOUR_TURN"


async def test_strangers_do_not_move(eva: Program, game: str) -> None:
    answer = await eva.post(f"/api/bot/game/{game}/move/c3-d4")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "NOT_A_PLAYER")
    assert (await eva.post(f"/api/bot/game/{game}/chat", {"text": "oi"})).status_code == 403


@pytest.mark.parametrize("limits", [Limits(bot_margin_ms=0, flag_grace_ms=0, lag_base_ms=0, lag_most_ms=0)])
async def test_a_move_after_the_flag_is_answered_at_once(server: Server, ana: Program, rui: Program) -> None:
    game = await paired(ana, rui, time="1s/move", preset="club")
    server.pass_by(1.3)
    answer = await ana.post(f"/api/bot/game/{game}/move/c3-d4")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] in ("FLAG", "GAME_OVER")


# Everything else


async def test_a_draw_is_offered_declined_and_agreed(ana: Program, rui: Program, game: str) -> None:
    async with rui.stream(f"/api/bot/game/stream/{game}") as lines:
        await lines.next("gameFull")
        await ana.do(f"/api/bot/game/{game}/draw/yes")
        assert (await lines.next("gameState"))["wdraw"]
        await rui.do(f"/api/bot/game/{game}/draw/no")
        assert not (await lines.next("gameState"))["wdraw"]
        await rui.do(f"/api/bot/game/{game}/draw/yes")
        await lines.next("gameState")
        await ana.do(f"/api/bot/game/{game}/draw/yes")
        state = await lines.next("gameState")
        assert (state["status"], state["termination"], state["winner"]) == ("finished", "AGREEMENT", None)


async def test_a_move_is_taken_back(ana: Program, rui: Program, game: str) -> None:
    await ana.do(f"/api/bot/game/{game}/move/c3-d4")
    await ana.do(f"/api/bot/game/{game}/takeback/yes")
    await rui.do(f"/api/bot/game/{game}/takeback/yes")
    assert (await ana.http.get(f"/api/games/{game}")).json()["view"]["ply"] == 0
    assert (await ana.post(f"/api/bot/game/{game}/takeback/maybe")).status_code == 404


async def test_attention_is_called_and_a_limit_claimed(ana: Program, rui: Program) -> None:
    """faraes, Art. 12: where nobody writes the game down, the thirteen moves count from the word."""
    game = await paired(ana, rui, rulebook="faraes", preset="school", fen="W:WKg1,Kc1,Ka3:BKb8")
    async with rui.stream(f"/api/bot/game/stream/{game}") as lines:
        state = (await lines.next("gameFull"))["state"]
        [claim] = state["claimable"]
        assert (claim["kind"], claim["have"], claim["need"]) == ("attention", 0, 13)
        assert "12" in claim["article"]
        await rui.do(f"/api/bot/game/{game}/claim/{claim['rule']}")
        await lines.next("gameState")
        shuttle = ["g1-h2", "b8-a7", "h2-g1", "a7-b8"]
        for ply in range(25):
            await (ana, rui)[ply % 2].do(f"/api/bot/game/{game}/move/{shuttle[ply % 4]}")
            state = await lines.next("gameState")
        if state["claimable"]:
            await rui.do(f"/api/bot/game/{game}/claim/{claim['rule']}")
            state = await lines.next("gameState")
        assert (state["status"], state["winner"], state["article"]) == ("finished", None, "Art. 12")


async def test_people_talk_and_come_and_go(ana: Program, rui: Program, game: str) -> None:
    async with ana.stream(f"/api/bot/game/stream/{game}") as lines:
        await lines.next("gameFull")
        assert (await lines.next("opponentGone"))["gone"]
        async with rui.stream(f"/api/bot/game/stream/{game}") as others:
            await others.next("gameFull")
            assert not (await lines.next("opponentGone"))["gone"]
            await rui.do(f"/api/bot/game/{game}/chat", {"text": "  boa   sorte <b> "})
            said = await lines.next("chatLine")
            assert (said["username"], said["text"]) == ("Rui", "boa sorte <b>")
        assert (await lines.next("opponentGone"))["gone"]


async def test_a_line_of_chat_is_so_long(ana: Program) -> None:
    most = Limits().chat_characters
    game = (await ana.do("/api/challenge/ai", {"rulebook": "brasileira"}))["id"]
    for length, status in ((most, 200), (most + 1, 400), (0, 400)):
        assert (await ana.post(f"/api/bot/game/{game}/chat", {"text": "x" * length})).status_code == status


# Finding a game


async def test_nobody_takes_the_place_of_who_was_challenged(
    server: Server, ana: Program, rui: Program, eva: Program
) -> None:
    game = (await ana.do("/api/challenge/Rui", {"rulebook": "brasileira", "color": "white"}))["id"]
    stranger = await eva.post(f"/api/games/{game}/join", {})
    assert (stranger.status_code, stranger.json()["error"]["code"]) == (403, "INVITED")
    assert (await rui.do(f"/api/challenge/{game}/accept"))["id"] == game
    assert (await server.rooms.room(game)).playing and not server.services.player_events.challenges


async def test_a_challenge_that_nobody_takes_up_is_forgotten(
    server: Server, ana: Program, rui: Program
) -> None:
    game = (await ana.do("/api/challenge/Rui", {"rulebook": "brasileira"}))["id"]
    assert list(server.services.player_events.challenges) == [game]
    now = server.rooms.time.wall_ms
    server.rooms.time.wall_ms = lambda: now() + 2 * 86_400_000
    await server.rooms.call_off_forgotten()
    assert not server.services.player_events.challenges
    assert (await rui.post(f"/api/challenge/{game}/accept")).status_code == 404


async def test_an_answer_is_repeated_to_its_player_only(server: Server, eva: Program, game: str) -> None:
    room = await server.rooms.room(game)
    said = Move(token_hex(16), 0, 1, "c3-d4")
    assert (await room.submit(said, str(room.seats.white.id))).kind == "ack"
    assert await _stored_answer(room, said, frozenset({Color.WHITE})) is not None
    with pytest.raises(ApiError, match="ID_REUSED"):
        await _stored_answer(room, said, frozenset({Color.BLACK}))
    assert (await eva.post(f"/api/bot/game/{game}/move/c3-d4?ply=0", {})).status_code == 403


async def test_what_is_known_of_games_goes_with_them(server: Server, ana: Program, rui: Program) -> None:
    async with ana.stream("/api/stream/event") as lines:
        game = await paired(ana, rui)
        assert (await lines.next("gameStart"))["game"]["id"] == game
        room = await server.rooms.room(game)
        assert room.start_announced
        server.rooms.sweep(idle_s=-1)  # let go, and loaded again: it does not begin once more
        again = await server.rooms.room(game)
        assert again is not room
        server.rooms.services.notify(again)
        await ana.do(f"/api/bot/game/{game}/resign")
        assert (await lines.next("gameStart", "gameFinish"))["type"] == "gameFinish"


async def test_a_challenge_is_told_declined_and_taken_back(ana: Program, rui: Program, eva: Program) -> None:
    async with rui.stream("/api/stream/event") as lines, ana.stream("/api/stream/event") as own:
        wanted = {"rulebook": "portuguesa", "time": "5+3"}
        challenge = (await ana.do("/api/challenge/rui", wanted))["challenge"]
        reply = (await lines.next("challenge"))["challenge"]
        assert reply == challenge
        assert (reply["challenger"]["name"], reply["destUser"]["name"]) == ("Ana", "Rui")
        assert (await eva.post(f"/api/challenge/{reply['id']}/accept")).status_code == 403
        assert (await eva.post(f"/api/challenge/{reply['id']}/cancel")).status_code == 403
        await rui.do(f"/api/challenge/{reply['id']}/decline")
        assert (await own.next("challengeDeclined"))["challenge"]["id"] == reply["id"]
        assert (await rui.post(f"/api/challenge/{reply['id']}/accept")).status_code == 404
        second = (await ana.do("/api/challenge/Rui", wanted))["id"]
        await lines.next("challenge")
        await ana.do(f"/api/challenge/{second}/cancel")
        assert (await lines.next("challengeCanceled"))["challenge"]["id"] == second
    nobody = await ana.post("/api/challenge/nobody", wanted)
    assert (nobody.status_code, nobody.json()["error"]["code"]) == (404, "NO_PLAYER")
    assert (await ana.post("/api/challenge/Ana", wanted)).status_code == 404


async def test_a_challenge_that_comes_while_the_stream_opens_is_told_once(
    server: Server, monkeypatch: pytest.MonkeyPatch, ana: Program, rui: Program
) -> None:
    games = server.services.store.games
    looked = games.search

    async def search(wanted: Filter) -> list[GameRow]:
        monkeypatch.setattr(games, "search", looked)
        rows = await looked(wanted)
        await ana.do("/api/challenge/Rui", {"rulebook": "brasileira"})
        return rows

    monkeypatch.setattr(games, "search", search)
    async with rui.stream("/api/stream/event") as lines:
        first = (await lines.next())["challenge"]["id"]
        second = (await ana.do("/api/challenge/Rui", {"rulebook": "brasileira"}))["id"]
        assert (await lines.next())["challenge"]["id"] == second != first


async def test_a_challenge_may_be_accepted_twice(ana: Program, rui: Program, eva: Program) -> None:
    game = (await ana.do("/api/challenge/Rui", {"rulebook": "brasileira"}))["id"]
    answers = [await rui.do(f"/api/challenge/{game}/accept") for _ in range(2)]
    assert answers == [{"ok": True, "id": game}] * 2
    assert (await eva.post(f"/api/challenge/{game}/accept")).status_code == 404


async def test_a_challenge_outlives_the_server(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", port=0)
    async with serving(settings) as first, programs(first, "Ana", "Rui") as [ana, rui]:
        made = await ana.do("/api/challenge/Rui", {"rulebook": "brasileira", "color": "black", "time": "5+3"})
    async with serving(settings) as second:
        rui = back(second, rui)
        async with rui.stream("/api/stream/event") as lines:
            assert (await lines.next("challenge"))["challenge"] == made["challenge"]
        await rui.do(f"/api/challenge/{made['id']}/accept")
        assert (await second.rooms.room(made["id"])).seats.you(made["challenge"]["destUser"]["id"]) == "white"
        assert not second.services.player_events.challenges
        await rui.http.aclose()


async def test_an_open_challenge_is_joined_by_link(server: Server, ana: Program) -> None:
    async with ana.stream("/api/stream/event") as lines:
        made = await ana.do("/api/challenge/open", {"rulebook": "faraes", "color": "black"})
        friend = await server.person()
        assert (await friend.join(made["id"]))["you"] == "white"
        assert (await lines.next("gameStart"))["game"]["id"] == made["id"]


async def test_two_who_seek_the_same_find_each_other(server: Server) -> None:
    async with programs(server, "Ana", "Rui", scopes=("board:play",)) as [ana, rui]:
        wanted = {"rulebook": "internacional", "time": "10+5"}
        async with ana.http.stream("POST", "/api/board/seek", json=wanted) as answer:
            lines = Lines(answer)
            seek = await lines.next("seek")
            shown = (await rui.http.get("/api/lobby")).json()["seeks"]
            assert [one["id"] for one in shown] == [seek["id"]]
            other = {**wanted, "rulebook": "brasileira"}
            async with rui.http.stream("POST", "/api/board/seek", json=other) as apart:
                assert (await Lines(apart).next("seek"))["id"] != seek["id"]
            assert (await rui.do("/api/board/seek", wanted))["id"] == seek["id"]
            assert (await lines.next("gameStart"))["id"] == seek["id"]


async def test_a_seek_ends_with_its_request(server: Server) -> None:
    async with programs(server, "Ana", scopes=("board:play",)) as [ana]:
        async with ana.http.stream("POST", "/api/board/seek", json={"rulebook": "faraes"}) as answer:
            seek = await Lines(answer).next("seek")
        for _ in range(1200):
            game = (await ana.http.get(f"/api/games/{seek['id']}")).json()
            if game["status"] == "aborted":
                break
            await asyncio.sleep(0.05)
        assert game["status"] == "aborted"


async def test_the_server_stops_without_waiting_for_streams(server: Server, ana: Program) -> None:
    async with ana.stream("/api/stream/event") as lines:
        async with asyncio.timeout(60):
            await server.services.stop_playing()
            await lines.end()
