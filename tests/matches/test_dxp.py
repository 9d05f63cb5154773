"""DamExchange: every message there and back, our engine on both ends of a real connection, and peers that misbehave."""

import os
import shlex
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Color, Position
from damas.arbiter import TimeControl
from damas.cli import main
from damas.engine import Limits
from damas.errors import IllegalSetup, NotationError
from damas.game import Game
from damas.matches import Entrant, Start, Terms, play
from damas.matches.dxp.connection import FAULT_CODES, Connection, DxpError
from damas.matches.dxp.server import DxpEngine
from damas.matches.faults import CODES
from damas.matches.match import play_match
from damas.matches.players import IdlePlayers
from damas.notation import dxp
from damas.notation.dxp import Answer, Back, BackAnswer, Chat, End, MoveMessage, Request
from matches.processes import is_running, wait_for
from ports import lasting_port

NO_CLOCK = TimeControl.parse("none")
FIRST = Entrant.parse("level:1")


def terms(book="internacional", control=NO_CLOCK, **options):
    return Terms(book, control, **{"think": Limits(nodes=300), "hash_mb": 1, "tables": False, **options})


def caller(port, host="127.0.0.1"):
    return Entrant.parse(f"dxp:{host}:{port}", name="peer")


@contextmanager
def silent_port():
    """A port at which nobody listens, and which nobody else can take."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


names = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=32)
colors = st.sampled_from(Color)
squares = st.integers(1, 50)
messages = st.one_of(
    st.builds(Request, names, colors, st.integers(0, 999), st.integers(0, 999)),
    st.builds(Answer, names, st.sampled_from("0123")),
    st.builds(MoveMessage, st.integers(0, 9999), squares, squares, st.lists(squares, max_size=20).map(tuple)),
    st.builds(End, st.sampled_from("0123"), st.booleans()),
    st.builds(Back, st.integers(0, 999), colors),
    st.builds(BackAnswer, st.sampled_from("0123")),
)


@given(messages)
def test_a_message_is_read_as_it_is_written(message):
    assert dxp.read(dxp.write(message)) == message


@given(st.text(st.characters(max_codepoint=255), max_size=200))  # bytes are read as Latin-1
def test_what_is_no_message_is_refused_and_nothing_else_happens(text):
    try:
        message = dxp.read(text)
    except NotationError:
        return
    assert message.header == text[0]


@pytest.mark.parametrize(
    "text", ["", "X", "M00011", "M000119080213", "R02", "E9", "A" + " " * 32, "C" + "x" * 200, "K", "B12W"]
)
def test_broken_messages(text):
    with pytest.raises(NotationError):
        dxp.read(text)


def test_messages_as_other_programs_write_them():
    start = Position.start("internacional")
    request = Request("damas", Color.BLACK, 5, 75)
    assert dxp.write(request) == "R01" + "damas".ljust(32) + "Z005075A"
    after = start.play("32-28")
    assert dxp.write(dxp.write_move(start, start.parse("32-28"), 3.4)) == "M0003322800"
    assert dxp.write_position(after) == "Z" + "z" * 20 + "e" * 7 + "w" + "e" * 2 + "we" + "w" * 18
    assert dxp.read_position(dxp.write_position(after), start.rulebook) == after


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "DXP_POSITION"),
        ("B" + "e" * 50, "DXP_POSITION"),
        ("Wb" + "e" * 49, "DXP_POSITION"),
        ("W" + "e" * 49 + "\0", "DXP_POSITION"),
        ("W" + "e" * 49, "HUB_LENGTH"),
        ("Z" + "e" * 51, "HUB_LENGTH"),
    ],
)
def test_a_text_that_is_no_position(text: str, code: str):
    with pytest.raises(NotationError) as caught:
        dxp.read_position(text, Position.start("internacional").rulebook)
    assert [problem.code for problem in caught.value.problems] == [code]
    for language in ("pt-BR", "pt-PT", "es", "en"):
        assert caught.value.sentence(language)
    with pytest.raises(IllegalSetup):
        dxp.read_position("Ww" + "e" * 49, Position.start("internacional").rulebook)


def test_a_capture_names_what_it_takes():
    position = Position.from_fen("W:WK4:B13,32,37,20", "internacional")
    for move in position.legal_moves:
        message = dxp.write_move(position, move)
        assert len(message.taken) == len(move.captured)
        assert dxp.read_move(position, message) == move


@contextmanager
def listening(answer):
    """A program that listens: `answer(line)` is its whole life."""
    server = socket.create_server(("127.0.0.1", 0))

    def life():
        line = Connection(server.accept()[0])
        try:
            answer(line)
        finally:
            line.close()

    thread = Thread(target=life, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.close()
        thread.join(60)
        assert not thread.is_alive()


def engine(book, events=None):
    """Our engine as a program that listens; `events` collects what it reports, and the error that ends it."""
    events = [] if events is None else events

    def life(line):
        ours = DxpEngine(line, book, hash_mb=1, notify=lambda key, _facts: events.append(key))
        try:
            ours.follow()
        except DxpError as error:
            events.append(str(error))
        ours.close()

    return life


@pytest.mark.parametrize("book", ["internacional", "brasileira", "portuguesa"])
def test_two_of_ours_play_whole_games_over_a_connection(book, monkeypatch):
    monkeypatch.setattr("damas.matches.dxp.server._share", lambda *_: Limits(nodes=100))
    events = []
    with listening(engine(book, events)) as port:
        score = play_match(Entrant.parse("damas"), caller(port), terms(book), pairs=1)
    assert score.games == 2
    assert events == ["asked", "over", "asked", "over", "left"], "one connection"


def accepting(*messages, name="peer"):
    """A program that accepts a game and then sends messages, or bytes."""

    def life(line):
        line.receive(None)
        line.send(Answer(name, dxp.ACCEPTED))
        for message in messages:
            line._socket.sendall(message) if isinstance(message, bytes) else line.send(message)
        _until_it_hangs_up(line)

    return life


@pytest.mark.parametrize(
    ("life", "code", "why"),
    [
        (lambda line: line.receive(None), "NOT_READY", "hung up"),
        (
            lambda line: (line.receive(None), line.send(Chat("hello")), line.send(MoveMessage(0, 1, 2))),
            "NOT_READY",
            "does not accept",
        ),
        (lambda line: (line.receive(None), line.send(Answer("x", "0"))), "CRASH", "hung up"),
        (accepting(MoveMessage(0, 31, 5)), "INVALID_MOVE", "illegal move 31-5 (message M0000310500)"),
        (accepting(b"M" * 5000), "TOO_MUCH_OUTPUT", "says more than a message may hold"),
        (accepting(b"?what\0"), "GARBAGE", "DXP"),
        (accepting(End(dxp.LOST)), "CRASH", "ended the game with result 1"),
    ],
)
def test_a_peer_that_misbehaves_forfeits_with_the_reason(life, code, why):
    with listening(life) as port:
        result = play(caller(port), FIRST, Start(), terms())
    assert (result.reason, result.offender) == (code, "white")
    assert why in result.receipt["detail"]


def test_the_codes_of_faults_are_known():
    assert set(FAULT_CODES.values()) <= set(CODES)


def test_a_peer_that_is_silent_is_late(monkeypatch):
    monkeypatch.setattr("damas.matches.dxp.session.GRACE_S", 0.05)
    with listening(accepting()) as port:
        result = play(caller(port), FIRST, Start(), terms(control=TimeControl("sudden", 100)))
    assert (result.reason, result.offender, result.receipt["detail"]) == ("TIMEOUT", "white", "late")
    assert result.receipt["seconds"] >= 0.1


@pytest.mark.parametrize("talks", [False, True])
def test_our_engine_does_not_wait_for_ever_in_a_game(monkeypatch, talks):
    monkeypatch.setattr("damas.matches.dxp.server.GRACE_S", 0.1)
    monkeypatch.setattr("damas.matches.dxp.server.NO_TIME_TIMEOUT_S", 0.2)
    events = []
    with listening(engine("brasileira", events)) as port:
        line = Connection.call("127.0.0.1", port)
        line.send(Request("silent", Color.BLACK, 0, 0))
        assert line.receive(time.monotonic() + 60) == Answer("damas", dxp.ACCEPTED)
        until = time.monotonic() + 60
        while talks and "late" not in events and time.monotonic() < until:
            try:
                line.send(Chat("soon"))
            except DxpError:
                break
        if not talks:
            assert line.receive(until) == End(dxp.WON, leaving=True), "it is told that it has lost"
    assert events == ["asked", "late"]
    line.close()


class FirstMoves:
    """The other end of a connection: plays the first move there is until `is_over(deadline)`."""

    def __init__(self, is_over):
        self.game = Game.start("brasileira")
        self.receive_move = lambda deadline: End(dxp.UNKNOWN) if is_over(deadline) else self.move()

    def move(self):
        position, move = self.game.position, self.game.legal_moves[0]
        self.game = self.game.play(move)
        return dxp.write_move(position, move)

    def send(self, message):
        if isinstance(message, MoveMessage):
            self.game = self.game.play(dxp.read_move(self.game.position, message))

    def close(self):
        pass


@pytest.mark.parametrize(("minutes", "moves", "more"), [(1, 2, True), (1, 0, False)])
def test_the_time_of_a_game_is_given_again_only_if_moves_were_agreed(monkeypatch, minutes, moves, more):
    """Each look at the clock here takes twenty seconds."""
    waits = []
    times = iter(range(0, 10**6, 20))
    monkeypatch.setattr("damas.matches.dxp.server.time", SimpleNamespace(monotonic=lambda: next(times)))
    monkeypatch.setattr("damas.matches.dxp.server._share", lambda *_: Limits(nodes=20))

    def is_over(deadline):
        waits.append(deadline - (next(times) - 20))
        return len(waits) == 5

    ours = DxpEngine(FirstMoves(is_over), "brasileira", hash_mb=1)
    ours._play(Position.start("brasileira"), Color.BLACK, Request("x", Color.BLACK, minutes, moves))
    ours.close()
    assert (waits[2] > waits[1]) is more


@pytest.mark.parametrize("moves", [1, 2, 5])
def test_our_time_is_given_again_after_the_moves_that_were_agreed(monkeypatch, moves):
    """Time here is what our searches are given, each of which uses all of it."""
    now, given = [0.0], []
    monkeypatch.setattr("damas.matches.dxp.server.time", SimpleNamespace(monotonic=lambda: now[0]))

    def search(game, limits):
        soft, _ = limits.times(1)
        given.append(soft)
        now[0] += soft
        return SimpleNamespace(best=game.legal_moves[0])

    ours = DxpEngine(FirstMoves(lambda _: len(given) == 12), "brasileira", hash_mb=1)
    ours.close()
    ours._engine = SimpleNamespace(forget=lambda: None, search=search)
    ours._play(Position.start("brasileira"), Color.WHITE, Request("x", Color.BLACK, 1, moves))
    assert len(given) == 12
    assert min(given) > 0.4 * 60 / moves, "each move has its share, however many were made before"
    assert sum(given) <= 60 * -(-12 // moves), "and no more than was agreed"


def test_an_illegal_move_is_told_to_both(capfd):
    ended = []

    def liar(line):
        line.receive(None)
        line.send(Answer("liar", dxp.ACCEPTED))
        line.receive(time.monotonic() + 60)
        line.send(MoveMessage(0, 17, 5))
        ended.append(line.receive(time.monotonic() + 60))

    with listening(liar) as port:
        ours = ["dxp", "-r", "brasileira", "--lang", "en", "--hash", "1", "--minutes", "1", "--moves", "999"]
        code = main([*ours, "--games", "1", "--call", f"127.0.0.1:{port}"])
    assert code == 2
    error = capfd.readouterr().err
    assert "the other program: illegal move 17-5 (message M0000170500)" in " ".join(error.split())
    assert ended == [End(dxp.WON, leaving=True)]


@pytest.mark.parametrize(
    ("host", "message"),
    [("127.0.0.1", "nobody listens at 127.0.0.1:{port}"), ("no.such.invalid", "there is no computer called")],
)
def test_a_call_that_nobody_answers_says_what_to_do(monkeypatch, capfd, host, message):
    monkeypatch.setattr("damas.cli.dxp.Connection.call", partial(Connection.call, timeout_s=0.1))
    with silent_port() as port:
        assert main(["dxp", "--lang", "en", "--call", f"{host}:{port}"]) == 2
    error = " ".join(capfd.readouterr().err.split())
    assert message.format(port=port) in error and f"damas dxp --listen {port}" in error
    assert "ended" not in error


def test_a_port_that_is_taken_is_told_as_one(capfd):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["dxp", "--lang", "en", "--listen", str(port)]) == 2
    error = " ".join(capfd.readouterr().err.split())
    assert f"--listen: nobody can wait at 127.0.0.1:{port}: another program listens there already" in error


def test_each_game_is_ended_before_the_next_one():
    headers = []

    def life(line):
        for _ in range(2):
            headers.append(line.receive(time.monotonic() + 60).header)
            line.send(Answer("x", dxp.ACCEPTED))
            headers.append(line.receive(time.monotonic() + 60).header)
            line.send(End(dxp.UNKNOWN))

    opponent = Entrant.parse("moves:nothing")  # which loses at once
    with listening(life) as port, IdlePlayers() as idle:
        for _ in range(2):
            result = play(opponent, caller(port), Start(), terms("brasileira"), idle=idle)
            assert result.offender == "white"
    assert headers == ["R", "E", "R", "E"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_program_behind_a_wrapper_ends_with_its_match(tmp_path, monkeypatch):
    log = tmp_path / "pid"
    inner = f"import os, time; open({str(log)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    script = tmp_path / "wrapper.sh"
    script.write_text(f"#!/bin/sh\n{shlex.join([sys.executable, '-c', inner])}\nexit 0\n")
    script.chmod(0o755)

    def call_when_it_runs(*_):
        wait_for(lambda: log.exists() and log.read_text())
        raise DxpError("nobody", {"address": "x"})

    monkeypatch.setattr("damas.matches.dxp.session.Connection.call", call_when_it_runs)
    entrant = Entrant.parse(f"dxp:1:{script}", trusted=True)
    assert play(entrant, FIRST, Start(), terms()).reason == "NOT_READY"
    number = int(log.read_text())
    wait_for(lambda: not is_running(number))


def test_nobody_listens(monkeypatch):
    monkeypatch.setattr("damas.matches.dxp.session.CALL_TIMEOUT_S", 0.1)
    with silent_port() as port:
        with pytest.raises(DxpError, match="nobody listens"):
            Connection.call("127.0.0.1", port, 0.1)
        result = play(caller(port), caller(port), Start(), terms())
    assert (result.reason, result.points) == ("NOT_READY", 0.5)
    assert result.receipt["detail"] == f"nobody listens at 127.0.0.1:{port}"


def test_a_program_that_ends_instead_of_listening_is_not_ready():
    with silent_port() as port:
        entrant = Entrant.parse(f"dxp:{port}:sh -c 'exit 3'", trusted=True)
        result = play(entrant, FIRST, Start(), terms())
    assert (result.reason, result.receipt["detail"]) == ("NOT_READY", "exit code 3")


def refusing(code, name="enemy"):
    return lambda line: (line.receive(None), line.send(Answer(name, code)), _until_it_hangs_up(line))


def _until_it_hangs_up(line):
    with suppress(DxpError):
        while True:
            line.receive(time.monotonic() + 60)


def _chats(line):
    with suppress(DxpError):
        for _ in range(100):
            line.send(Chat("soon"))
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("life", "detail"),
    [
        (lambda line: None, "hung up"),
        (_until_it_hangs_up, "late"),
        (_chats, "late"),
        (refusing(dxp.OTHER_VERSION), "“enemy” does not accept a game: it speaks another version"),
        (refusing(dxp.OTHER_CONDITIONS), "“enemy” does not accept a game under these conditions"),
        (refusing(dxp.REFUSED), "“enemy” does not accept a game and does not say why"),
        (refusing(dxp.REFUSED, ""), "“DXP” does not accept a game and does not say why"),
    ],
)
def test_a_program_that_never_accepts_a_game_is_not_ready(monkeypatch, life, detail):
    monkeypatch.setattr("damas.matches.dxp.connection.ANSWER_TIMEOUT_S", 0.3 if detail == "late" else 60)
    with listening(life) as port:
        result = play(caller(port), FIRST, Start(), terms())
    assert result.reason == "NOT_READY"
    assert result.receipt["detail"].startswith(detail)


def test_a_match_with_a_program_that_never_accepts_a_game_is_refused(tmp_path, capfd):
    path = tmp_path / "games.pdn"
    with listening(refusing(dxp.REFUSED)) as port:
        players = ["damas", f"dxp:127.0.0.1:{port}", "--nodes", "20", "--hash", "1"]
        code = main(["match", *players, "--games", "2", "--lang", "pt-BR", "--save", str(path)])
    out, err = capfd.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"o programa “127.0.0.1:{port}” não começa (“enemy” não aceita a partida e não diz por quê)" in err
    assert not path.exists(), "or it would refuse the next try"


def test_our_engine_refuses_what_it_cannot_play():
    with listening(engine("internacional")) as port:
        line = Connection.call("127.0.0.1", port)
        line.send(Request("new", Color.WHITE, 5, 75, version=2))
        assert line.receive(time.monotonic() + 60) == Answer("damas", dxp.OTHER_VERSION)
        line.send(Request("odd", Color.WHITE, 5, 75, "W" + "e" * 32))
        assert line.receive(time.monotonic() + 60) == Answer("damas", dxp.OTHER_CONDITIONS)
        line.send(End(dxp.UNKNOWN, leaving=True))
        line.close()


def test_the_command_listens_and_calls():
    port = lasting_port()
    damas = [sys.executable, "-m", "damas", "dxp", "--lang", "en", "-r", "brasileira", "--hash", "1"]
    listener = subprocess.Popen([*damas, "--listen", str(port)], stdout=subprocess.PIPE, text=True)
    try:
        assert f"127.0.0.1:{port}" in listener.stdout.readline()
        caller = subprocess.run(
            [*damas, "--call", f"127.0.0.1:{port}", "--games", "1", "--minutes", "1", "--moves", "999"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert caller.returncode == 0, caller.stderr
        assert "A game with damas: 1 min, 999 moves" in caller.stdout
        output, _ = listener.communicate(timeout=60)
        assert listener.returncode == 0
        assert output.splitlines()[1] in caller.stdout, "both see the same end"
    finally:
        listener.kill()
        listener.wait()


PEER = os.environ.get("DAMAS_DXP_PEER", "")


@pytest.mark.skipif(
    not PEER, reason='not proved: no other program here; DAMAS_DXP_PEER="PORT:COMMAND LINE" names one'
)
def test_another_program_plays_a_game():
    """For a peer of 100 squares, such as Scan with its DXP server."""
    peer = Entrant.parse(f"dxp:{PEER}", trusted=True)
    result = play(
        Entrant.parse("damas"), peer, Start(), Terms("internacional", TimeControl("sudden", 60_000))
    )
    assert result.offender is None
