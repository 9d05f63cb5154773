"""Coming back, coming twice, saying too much: what a socket may do to a game, which is nothing."""

import json
import secrets
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed

from damas.server.settings import Limits
from server.rooms.clients import Board, Person, Server


async def device(server: Server, **terms: object) -> tuple[Person, str, Board]:
    person = await server.person()
    game = await person.create("brasileira", "device", **terms)
    return person, game, await person.sit(game)


MOVES = ("c3-d4", "f6-g5", "g3-h4", "g7-f6", "b2-c3", "b6-a5")


async def played(board: Board, moves: tuple[str, ...] = MOVES) -> None:
    for move in moves:
        assert (await board.move(move))["t"] == "ack", move
        await board.until("moved")


def check_all(server: Server) -> None:
    """Every socket is checked once, as the patrol does group by group."""
    for group in server.rooms.sockets._groups:
        server.rooms.sockets._check(group)


async def closed(board: Board) -> int:
    """The code with which the server closes."""
    with suppress(ConnectionClosed):
        while True:
            await board.receive()
    return board.socket.close_code or 0


async def test_who_comes_back_gets_what_was_missed(server: Server) -> None:
    person, game, board = await device(server)
    await played(board)
    again = await person.sit(game, last=3)
    missed = [await again.next("event") for _ in range(4)]
    assert [event["seq"] for event in missed] == [4, 5, 6, 7]
    assert [event["event"]["move"] for event in missed] == list(MOVES[2:])
    assert missed[-1]["view"]["ply"] == 6 and "view" not in missed[0]
    await again.send(t="resume", last=5)
    assert [(await again.next("event"))["seq"] for _ in range(2)] == [6, 7]


async def test_the_same_id_brings_the_same_answer_and_happens_once(server: Server) -> None:
    person, game, board = await device(server)
    number = secrets.token_hex(16)
    first = await board.move("c3-d4", id=number, ply=0)
    again = await board.move("c3-d4", id=number, ply=0)
    assert first == again and first["t"] == "ack"
    other = await board.move("a3-b4", id=number, ply=0)
    assert (other["t"], other["code"]) == ("nack", "ID_REUSED")
    assert (await person.look(game))["view"]["ply"] == 1
    # And after the room was let go and loaded again, as it was.
    view = (await person.look(game))["view"]
    await board.close()
    await server.at_rest(game)
    assert server.rooms.sweep(idle_s=0) == 1
    assert (await person.look(game))["view"] == view
    board = await person.sit(game)
    assert await board.move("c3-d4", id=number, ply=0) == first
    assert (await board.move("f6-g5"))["t"] == "ack"


async def test_two_tabs_the_newer_plays(server: Server) -> None:
    person, game, old = await device(server)
    new = await person.sit(game)
    await old.next("superseded")
    assert (await old.move("c3-d4"))["code"] == "SUPERSEDED"
    assert (await new.move("c3-d4"))["t"] == "ack"
    assert (await old.until("moved"))["event"]["move"] == "c3-d4"


async def test_a_socket_that_its_page_gave_up_replaces_no_later_one(server: Server) -> None:
    """On a busy server the older of two sockets of one page may be accepted last."""
    person, game, other = await device(server)
    later = await person.sit(game, page="p&attempt=2")
    await other.next("superseded")
    late = await person.sit(game, page="p&attempt=1")
    assert (await late.move("c3-d4"))["code"] == "SUPERSEDED"
    assert (await later.move("c3-d4"))["t"] == "ack"
    await person.sit(game, page="p&attempt=3")
    assert (await later.next("superseded"))["t"] == "superseded"


async def test_another_history_is_noticed_and_everything_is_sent_again(server: Server) -> None:
    _person, _game, board = await device(server)
    await played(board, MOVES[:2])
    await board.send(t="resume", last=2, chain="0" * 64)
    assert [(await board.next("event"))["seq"] for _ in range(3)] == [1, 2, 3]
    right = board.events[-1]["chain"]
    await board.send(t="resume", last=3, chain=right)
    await board.send(t="ping", n=7)
    assert (await board.next("pong", "event"))["t"] == "pong"


async def test_the_chain_is_that_of_the_store(server: Server) -> None:
    person, game, board = await device(server)
    await played(board)
    rows = await server.services.store.games.events(game)
    again = await person.sit(game, last=0)
    events = [await again.next("event") for _ in rows]
    assert [event["chain"] for event in events] == [row.chain for row in rows]
    assert again.hello["chain"] == rows[-1].chain


@pytest.mark.parametrize("limits", [Limits(socket_messages=20)])
async def test_twenty_messages_pass_and_one_more_closes(server: Server) -> None:
    _, _, board = await device(server)
    for n in range(20):
        await board.send(t="ping", n=n)
        assert (await board.next("pong"))["n"] == n
    await board.send(t="ping", n=20)
    assert await closed(board) == 1008


async def test_a_frame_of_4096_bytes_passes_and_one_more_closes(server: Server) -> None:
    _, _, board = await device(server)
    frame = json.dumps({"t": "ping", "n": 1})
    await board.socket.send(frame + " " * (4096 - len(frame)))
    assert (await board.next("pong"))["n"] == 1
    await board.socket.send(frame + " " * (4097 - len(frame)))
    assert await closed(board) == 1009


async def test_five_sockets_of_one_person_and_no_more(server: Server) -> None:
    person, game, _board = await device(server)
    for _ in range(4):
        await person.sit(game)
    with pytest.raises(ConnectionClosed) as end:
        await person.sit(game)
    assert end.value.rcvd is not None and end.value.rcvd.code == 1008


@pytest.mark.parametrize(("frame", "code"), [(b"\x00\x01", 1003), ("{", 1007), ("nonsense", 1007)])
async def test_what_is_no_message_closes_the_socket_and_nothing_else(
    server: Server, frame: str | bytes, code: int
) -> None:
    person, game, board = await device(server)
    await board.socket.send(frame)
    assert await closed(board) == code
    again = await person.sit(game)
    assert (await again.move("c3-d4"))["t"] == "ack"


async def test_a_message_that_does_not_fit_is_told_so(server: Server) -> None:
    _, _, board = await device(server)
    for message in (
        {"t": "move", "id": "short", "ply": 0, "last_seq": 0, "move": "c3-d4"},
        {"t": "move", "id": "0" * 32, "ply": -1, "last_seq": 0, "move": "c3-d4"},
        {"t": "act", "id": "0" * 32, "last_seq": 0, "do": "win"},
        {"t": "fly"},
        [],
    ):
        await board.socket.send(json.dumps(message))
        assert (await board.next("nack"))["code"] == "BAD_MESSAGE"
    assert (await board.move("c3-d4"))["t"] == "ack"


@pytest.mark.parametrize("limits", [Limits(silent_s=0.2)])
async def test_who_says_nothing_is_let_go(server: Server) -> None:
    _, _, board = await device(server)
    server.pass_by(1)
    check_all(server)
    assert await closed(board) == 1001


async def test_a_viewer_who_does_not_read_is_let_go_and_holds_nobody_up(server: Server) -> None:
    _person, game, board = await device(server)
    await (await server.person()).sit(game)
    room = await server.rooms.room(game)
    slow = next(w for w in room.audience if not w.sides)
    slow.max_unread = 2
    slow.send("1"), slow.send("2"), slow.send("3")  # the writer has had no turn in between
    assert slow.closing == (1013, "too far behind")
    assert (await board.move("c3-d4"))["t"] == "ack"


async def test_there_is_no_such_game(server: Server) -> None:
    person = await server.person()
    with pytest.raises(ConnectionClosed) as end:
        await person.sit("nosuchgame22")
    assert end.value.rcvd is not None and end.value.rcvd.code == 4404


async def test_a_way_that_is_known_is_measured_less_often(server: Server) -> None:
    [patrol] = [task for task in server.rooms._tasks if task.get_name() == "rooms: patrol"]
    patrol.cancel()  # here the rounds are made by hand, from before there is anybody to look at
    person = await server.person()
    board = await person.sit(await person.create("brasileira", "device", time="5+3"))

    async def asked_in(rounds: int) -> int:
        """How often the page is asked, and answers."""
        for _ in range(rounds):
            check_all(server)
        await board.send(t="ping", n="the end")
        pings = 0
        while (message := await board.next("ping", "pong"))["t"] == "ping":
            pings += 1
            await board.send(t="pong", n=message["n"])
        await board.send(t="ping", n="answered")
        await board.next("pong")
        return pings

    assert await asked_in(4) == 4
    assert await asked_in(8) == 2


async def test_the_patrol_comes_by_every_socket(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas.server.rooms.sockets.CHECK_INTERVAL_S", 0.05)
    boards = [(await device(server))[2] for _ in range(30)]  # more than there are shares
    server.pass_by(60)
    for board in boards:
        assert await closed(board) == 1001
