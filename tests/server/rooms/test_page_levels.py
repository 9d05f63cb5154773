"""Moves of levels that the opponent's page computes: when it is asked, what is accepted, and who computes otherwise."""

import random
from typing import Any

import msgspec
import pytest

from damas.arbiter import Table
from damas.engine import opponent
from damas.engine.levels import LevelPlayer
from damas.engine.opening_book import book_for
from damas.game import Customs, Game
from damas.server.rooms import metrics
from damas.server.settings import Limits
from server.conftest import PATIENT
from server.rooms.clients import Board, Message, Person, Server

NEVER_LATE = msgspec.structs.replace(PATIENT, level_page_s=3600)


@pytest.fixture
def limits() -> Limits:
    """A page has an hour for its move: whatever the server computes, it computes for another reason."""
    return NEVER_LATE


async def against_level(server: Server, level: int = 1, **terms: Any) -> tuple[Person, str, Board]:
    """White at a board whose page computes, against a level."""
    person = await server.person()
    game = await person.create("brasileira", "level", level=level, color="white", **terms)
    board = await person.sit(game)
    await board.send(t="compute", ready=True)
    return person, game, board


def computed(task: Message) -> str:
    """The move of a level as a page would compute it."""
    asked = task["game"]
    customs = Customs(asked["customs"]["platformRules"], asked["customs"]["claims"])
    game = Game.start(task["rulebook"], fen=asked["fen"], customs=customs)
    for move in asked["moves"]:
        game = game.play(move)
    player = LevelPlayer(task["rulebook"], task["level"], task["seed"], hash_mb=2, customs=customs)
    move = player.choose(game)
    player.close()
    assert move is not None
    return move.text


def moves_by(who: str) -> float:
    return metrics.level_moves.labels(who)._value.get()


async def test_a_whole_game_whose_level_the_page_computes(server: Server) -> None:
    _, game, board = await against_level(server)
    chance, by_server, by_page = random.Random(1), moves_by("server"), moves_by("page")
    while not board.view["outcome"]:
        if board.view["to_move"] == "white":
            move = chance.choice(board.view["legal"])["text"]
            assert (await board.move(move))["t"] == "ack"
            await board.next("event")
        else:
            task = await board.next("think", "event")
            if task["t"] == "event":  # the move has ended the game
                continue
            assert task["ply"] == board.view["ply"] and task["side"] == "black"
            answer = await board.move(computed(task), side="black")
            assert answer["t"] == "ack"
            await board.next("event")
    replies = board.view["ply"] // 2
    assert replies > 5 and moves_by("page") - by_page == replies
    assert moves_by("server") == by_server, "the server has searched nothing"
    rows = await server.services.store.games.events(game)
    moved = [row for row in rows if row.kind == "moved" and '"by":"black"' in row.data]
    assert len(moved) == replies and all(row.client_id for row in moved), "the record says who sent it"


async def test_the_page_gets_the_question_that_the_servers_level_answers(server: Server) -> None:
    """The same game, level and seed: the same move."""
    _, game, board = await against_level(server, level=3)
    assert (await board.move("c3-d4"))["t"] == "ack"
    here = computed(await board.next("think"))
    await board.send(t="compute", ready=False)
    await board.close()  # who is gone computes nothing: the server does
    room = await server.rooms.room(game)
    table: Table = room.table
    await server.at_rest(game)
    assert room.table.ply == 2 and room.table is not table
    assert [move.text for move in room.table.game.record.moves] == ["c3-d4", here]
    rows = await server.services.store.games.events(game)
    assert rows[-1].client_id is None, "the record says that the server computed it"


async def test_a_page_that_does_not_offer_it_is_not_asked(server: Server) -> None:
    person = await server.person()
    board = await person.sit(await person.create(kind="level", level=1, color="white"))
    assert (await board.move("c3-d4"))["t"] == "ack"
    await board.next("event")
    await board.turn("white")
    assert board.view["ply"] == 2 and "think" not in {message["t"] for message in board.heard}


async def test_under_the_contest_regulation_the_server_computes(server: Server) -> None:
    person = await server.person()
    game = await person.create("brasileira", "level", level=1, preset="contest", time="none")
    board = await person.sit(game)
    await board.send(t="compute", ready=True)
    own = board.hello["you"]
    await board.turn(own)
    assert (await board.move(board.view["legal"][0]["text"]))["t"] == "ack"
    await board.next("event")
    await board.turn(own)
    assert "think" not in {message["t"] for message in board.heard}


@pytest.mark.parametrize("limits", [msgspec.structs.replace(PATIENT, level_page_s=0.01)])
async def test_the_server_computes_what_does_not_come_in_time(server: Server, limits: Limits) -> None:
    assert limits.level_page_s
    _, _, board = await against_level(server)
    await board.move("c3-d4")
    task = await board.next("think")
    await board.turn("white")
    assert board.view["ply"] == 2
    late = await board.move(computed(task), ply=task["ply"], side="black")
    assert late["code"] in ("BEHIND", "NOT_YOUR_SEAT")
    await board.move(board.view["legal"][0]["text"])
    await board.next("event")
    await board.turn("white")
    assert [message["t"] for message in board.heard].count("think") == 1, "asked no more"


@pytest.mark.parametrize("limits", [msgspec.structs.replace(PATIENT, level_page_s=0.01)])
async def test_a_page_does_not_let_the_time_of_a_level_pass_twice(server: Server, limits: Limits) -> None:
    assert limits.level_page_s
    person, game, board = await against_level(server, time="5+0")
    await board.move("c3-d4")
    await board.next("think")
    await board.turn("white")
    await board.send(t="compute", ready=True)
    await board.move(board.view["legal"][0]["text"])
    await board.next("event")
    await board.turn("white")
    again = await person.sit(game)
    await again.send(t="compute", ready=True)
    await again.move(again.view["legal"][0]["text"])
    await again.next("event")
    await again.turn("white")
    assert again.view["ply"] == 6
    asked = [message for each in (board, again) for message in each.heard if message["t"] == "think"]
    assert len(asked) == 1


async def test_a_game_that_is_over_waits_for_no_page(server: Server) -> None:
    _, game, board = await against_level(server)
    await board.move("c3-d4")
    task = await board.next("think")
    room = await server.rooms.room(game)
    assert room._levels.thinking
    assert (await board.act("resign"))["t"] == "ack"
    late = await board.move(computed(task), ply=task["ply"], side="black")
    assert late["t"] == "nack" and not room._levels.thinking


async def test_an_illegal_move_costs_the_level_nothing(server: Server) -> None:
    _, _, board = await against_level(server)
    await board.move("c3-d4")
    await board.next("think")
    wrong = await board.move("a1-h8", side="black")
    assert wrong["t"] == "nack" and wrong["error"]["message"]
    await board.turn("white")
    assert board.view["ply"] == 2 and not board.view["outcome"] and not board.view["register"]["entries"]


async def test_only_the_page_that_was_asked_moves_for_the_level(server: Server) -> None:
    person, game, board = await against_level(server)
    stranger = await server.person()
    viewer = await stranger.sit(game)
    await viewer.send(t="compute", ready=True)
    out_of_turn = await board.move("f6-g5", side="black")
    assert out_of_turn["code"] == "NOT_YOUR_SEAT"
    await board.move("c3-d4")
    task = await board.next("think")
    move = computed(task)
    await viewer.until("moved")
    refused = await viewer.move(move, side="black")
    assert refused["code"] == "NOT_A_PLAYER"
    by_http = await person.http.post(f"/api/board/game/{game}/move/{move}")
    assert by_http.status_code >= 400
    command = "0" * 32
    assert (await board.move(move, side="black", id=command))["t"] == "ack"
    again = await board.move(move, side="black", id=command, ply=1)
    assert again["t"] == "ack", "the same command has the same answer"
    await board.turn("white")
    assert board.view["ply"] == 2 and "think" not in {message["t"] for message in viewer.heard}


async def test_of_two_windows_one_computes(server: Server) -> None:
    person, game, first = await against_level(server)
    await first.move("c3-d4")
    task = await first.next("think")
    second = await person.sit(game)  # it plays from now on, and has not offered anything: the server computes
    await second.turn("white")
    assert second.view["ply"] == 2
    late = await first.move(computed(task), ply=1, side="black")
    assert late["code"] == "SUPERSEDED"
    await second.send(t="compute", ready=True)
    await second.move(second.view["legal"][0]["text"])
    assert (await second.next("think"))["ply"] == 3
    assert [message["t"] for message in first.heard].count("think") == 1


async def test_offers_and_take_backs_are_the_servers(server: Server) -> None:
    _, _, board = await against_level(server)
    await board.move("c3-d4")
    task = await board.next("think")
    assert (await board.act("offer"))["t"] == "ack"
    await board.until("declined")
    assert (await board.move(computed(task), side="black"))["t"] == "ack", "the question still stands"
    await board.turn("white")
    await board.move(board.view["legal"][0]["text"])
    stale = await board.next("think")
    assert (await board.act("take_back"))["t"] == "ack"
    await board.until("take_back_granted")
    late = await board.move(computed(stale), ply=stale["ply"], side="black")
    assert late["t"] == "nack" and board.view["to_move"] == "white"
    assert (await board.move(board.view["legal"][-1]["text"]))["t"] == "ack"
    assert (await board.next("think"))["ply"] == board.view["ply"]


async def test_the_server_plays_what_its_opening_book_knows(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opponent, "book_for", book_for)
    by_page = moves_by("page")
    _, _, board = await against_level(server, level=4)
    assert (await board.move("c3-d4"))["t"] == "ack"
    while board.view["ply"] < 2:
        await board.next("event")
    assert moves_by("page") == by_page
    assert not [message for message in board.heard if message["t"] == "think"]
