"""Opponents over DXP: our engine at the other end of a real connection, and peers that misbehave."""

import time
from contextlib import suppress
from threading import Event, Thread

import pytest

from damas import Game
from damas.client import DxpClient, EngineDied, EngineError, EngineTimeout, Limits, open_engine
from damas.matches.dxp.connection import DxpError
from damas.matches.dxp.server import DxpEngine
from damas.notation import dxp
from damas.notation.dxp import Answer, MoveMessage
from matches.test_dxp import listening, silent_port

START = Game.start("brasileira")
LIMITS = Limits(movetime=1)


def ours(line):
    DxpEngine(line, "brasileira", hash_mb=1).follow()


def accepting(*messages):
    """A peer that accepts a game and sends these messages."""

    def life(line):
        line.receive(time.monotonic() + 60)
        line.send(Answer("fake", dxp.ACCEPTED))
        for message in messages:
            line.send(message)

    return life


def waiting(line):
    """A peer that accepts a game and then waits for us to hang up."""
    accepting()(line)
    with suppress(DxpError):
        line.receive(time.monotonic() + 60)


def test_it_plays_games_and_begins_another_where_it_is_asked(monkeypatch):
    monkeypatch.setattr("damas.matches.dxp.server._share", lambda *_: Limits(nodes=100))
    with listening(ours) as port, open_engine(f"dxp:127.0.0.1:{port}", "brasileira") as engine:
        game = START
        for _ in range(3):
            game = game.play(engine.play(game, LIMITS).move)
            assert engine.name == "damas" and engine.options == {}
            game = game.play(game.legal_moves[0])
        assert engine._session.record.length == 5, "one game"
        other = Game.start("brasileira", fen="W:Wc3:Bd4,f6")
        assert engine.play(other, LIMITS).move.text == "c3xe5xg7"
        with pytest.raises(EngineError) as caught:
            engine.analyse(START, LIMITS)
        assert caught.value.reason == "no_analysis"
        engine.new_game()
        assert engine.play(START, LIMITS).move in START.legal_moves


@pytest.mark.parametrize(
    ("life", "kind", "text"),
    [
        (accepting(), EngineDied, "hung up"),
        (accepting(MoveMessage(0, 1, 2)), EngineError, "illegal move 1-2"),
        (lambda line: line.send(Answer("fake", dxp.REFUSED)), EngineError, "does not accept a game"),
    ],
)
def test_what_the_peer_does_wrong_is_an_error(life, kind, text):
    with listening(life) as port, DxpClient("127.0.0.1", port, "brasileira") as engine:
        with pytest.raises(kind, match=text):
            engine.play(START, LIMITS)
        with pytest.raises(EngineError, match="has been closed"):
            engine.play(START, LIMITS)


def test_a_silent_peer_is_late(monkeypatch):
    monkeypatch.setattr("damas.matches.dxp.session.GRACE_S", 0.0)
    with listening(waiting) as port:
        engine = DxpClient("127.0.0.1", port, "brasileira", timeout=0.1)
        with pytest.raises(EngineTimeout, match="late"):
            engine.play(START, Limits(clock=0.1))


def test_stop_hangs_up():
    accepted = Event()

    def life(line):
        accepting()(line)
        accepted.set()
        with suppress(DxpError):
            line.receive(time.monotonic() + 60)

    with listening(life) as port:
        engine = DxpClient("127.0.0.1", port, "brasileira", timeout=60)
        stopping = Thread(target=lambda: (accepted.wait(60), engine.stop()))
        stopping.start()
        with pytest.raises(EngineError, match="has been closed"):
            engine.play(START, Limits(clock=60))
        stopping.join(60)
        assert engine.closed and not stopping.is_alive()


def test_nobody_listens():
    with silent_port() as port, pytest.raises(EngineError, match="nobody listens"):
        DxpClient("127.0.0.1", port, "brasileira", timeout=0.1)


@pytest.mark.parametrize(
    ("command", "kind", "reason"),
    [("sh -c 'exit 3'", EngineDied, "died"), ("./no-such-program", EngineError, "start")],
)
def test_a_program_that_ends_instead_of_listening_is_not_waited_for(command, kind, reason):
    with silent_port() as port, pytest.raises(kind) as caught:
        open_engine(f"dxp:{port}:{command}", "brasileira", timeout=60)
    assert caught.value.reason == reason
