"""Programs that die, keep silent, lie or refuse: each is a clear error, and none is waited for without end."""

import os
import pickle
import signal

import pytest

from client.programs import GREETED, OURS, fake
from damas import Game
from damas.client import BadOption, EngineDied, EngineError, EngineTimeout, HubClient, Limits
from damas.language import LANGUAGES
from matches.processes import is_running, wait_for

START = Game.start("brasileira")
SECOND = Limits(movetime=0.05)


def opened(folder, *, timeout=60, **parts):
    return HubClient(fake(folder, **parts), "brasileira", timeout=timeout)


def error_of(action):
    with pytest.raises(EngineError) as caught:
        action()
    error = caught.value
    assert all(error.sentence(language).startswith(f"{error.name}: ") for language in LANGUAGES)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.reason) == (type(error), str(error), error.reason)
    return type(error), error.reason


@pytest.mark.parametrize(
    ("parts", "kind", "reason"),
    [
        ({"before": "time.sleep(600)"}, EngineTimeout, "silent"),
        ({"before": "sys.exit(3)"}, EngineDied, "died"),
        ({"init": "elif word == 'init': pass"}, EngineTimeout, "silent"),
        ({"hub": "if word == 'hub': say('x' * 100_000)"}, EngineError, "garbage"),
        (
            {
                "hub": GREETED.replace(
                    "level value=1 type=int min=1 max=9", "variant value=a type=enum values=a"
                )
            },
            EngineError,
            "rulebook",
        ),
    ],
)
def test_a_program_that_does_not_get_ready_is_an_error_and_is_ended(tmp_path, parts, kind, reason):
    timeout = 0.2 if kind is EngineTimeout else 60
    assert error_of(lambda: opened(tmp_path, timeout=timeout, **parts)) == (kind, reason)


@pytest.mark.parametrize(
    ("go", "kind", "reason"),
    [
        ("sys.exit(3)", EngineDied, "died"),
        ("say('done move=1-2')", EngineError, "illegal"),
        ("say('done move=perhaps')", EngineError, "illegal"),
        ("say('error message=lost'); say('done')", EngineError, "no_move"),
        ("sys.stdout.write('x' * 100_000); sys.stdout.flush()", EngineError, "garbage"),
    ],
)
def test_a_wrong_answer_is_an_error(tmp_path, go, kind, reason):
    with opened(tmp_path, go=go) as engine:
        assert error_of(lambda: engine.play(START, SECOND)) == (kind, reason)
        with pytest.raises(EngineError):
            engine.play(START, SECOND)


@pytest.mark.parametrize("go", ["pass", "time.sleep(600)", "[say('info depth=1') for _ in iter(int, 1)]"])
def test_an_engine_that_never_answers_stop_is_given_up(tmp_path, go):
    with opened(tmp_path, go=go) as engine:
        engine.timeout = 0.1
        number = engine._program._status.started
        assert error_of(lambda: engine.play(START, SECOND)) == (EngineTimeout, "late")
        assert engine.closed
        wait_for(lambda: not is_running(number))


def test_the_error_inside_an_analysis_is_told_once_and_no_later_call_waits(tmp_path):
    with opened(tmp_path) as engine:
        engine.timeout = 0.1
        analysis = engine.analysis(START)
        analysis.stop()
        assert error_of(analysis.wait) == (EngineTimeout, "late")
        assert error_of(analysis.wait) == (EngineTimeout, "late")
        assert analysis.lines == []
        assert error_of(engine.ping) == (EngineError, "closed")


def test_an_engine_that_thinks_too_long_is_told_to_stop(tmp_path):
    parts = {
        "stop": "say('done move=21-17')",
        "go": "say('info depth=7 score=0.25 pv=\"21-17 9-13 1-1\" who=me')",
    }
    with opened(tmp_path, **parts) as engine:
        result = engine.play(START, SECOND)
        assert result.move in START.legal_moves and result.ponder is None
        assert (result.info.depth, str(result.info.score), result.info.extra) == (7, "+0.25", {"who": "me"})
        assert len(result.info.pv) == 2, "up to what cannot be read"


def test_an_engine_that_was_told_to_stop_is_waited_for_and_not_polled(tmp_path, monkeypatch):
    waits = []
    with opened(tmp_path, stop="say('done move=21-17')") as engine:
        receive = engine.receive
        monkeypatch.setattr(engine, "receive", lambda seconds: (waits.append(seconds), receive(seconds))[1])
        assert engine.play(START, SECOND).move in START.legal_moves
    assert waits and min(waits) > 0


def test_what_went_wrong_while_it_pondered_is_no_error_of_the_next_move(tmp_path):
    go = "say('done move=1-2' if 'ponder' in line else 'done move=21-17 ponder=9-13')"
    with opened(tmp_path, go=go) as engine:
        first = engine.play(START, SECOND, ponder=True)
        pondering = engine._search
        assert engine.play(START, SECOND) == first
        assert error_of(pondering.wait) == (EngineError, "illegal")


def test_an_error_that_it_reported_before_is_not_about_its_options(tmp_path):
    with opened(tmp_path, go="say('done move=21-17\\nerror message=old\\n')") as engine:
        engine.play(START, SECOND)
        engine.configure({"level": 2})


def test_a_killed_program_is_noticed_while_it_thinks():
    engine = HubClient(OURS, "brasileira", timeout=60)
    with engine.analysis(START) as analysis:
        next(analysis)
        os.kill(engine._program._status.started, signal.SIGKILL)
        with pytest.raises(EngineDied, match="SIGKILL"):
            for _ in analysis:
                pass
        assert analysis.done
    assert engine.closed


def test_an_engine_that_has_answered_is_not_told_to_stop(tmp_path, monkeypatch):
    sent = []
    with opened(tmp_path, go="say('done move=21-17')") as engine:
        monkeypatch.setattr(engine, "interrupt", sent.append)
        analysis = engine.analysis(START, Limits(depth=1))
        wait_for(lambda: (engine._program.read_now(), b"\n" in engine._program.pending)[1])
        analysis.stop()
        assert analysis.wait().move in START.legal_moves and sent == []


def test_a_killed_keeper_is_the_end_of_the_engine(tmp_path):
    with opened(tmp_path) as engine:
        os.kill(engine._program._keeper.pid, signal.SIGKILL)
        assert error_of(lambda: engine.play(START, Limits())) == (EngineDied, "died")
        assert engine.closed


def test_options_that_the_engine_refuses_are_told_in_its_words(tmp_path):
    refusing = (
        "elif word == 'init': say('ready')\n    elif word == 'set-param': say('error message=\"not today\"')"
    )
    with opened(tmp_path, init=refusing) as engine:
        assert engine.options["level"].default == 1
        with pytest.raises(BadOption, match="not today"):
            engine.configure({"level": 9})
        assert error_of(lambda: engine.configure({"level": 10})) == (BadOption, "option_value")


def test_an_engine_without_the_option_shows_one_line(tmp_path):
    with opened(tmp_path, go="say('done move=21-17')") as engine:
        assert error_of(lambda: engine.analyse(START, SECOND, multipv=2)) == (EngineError, "multipv")
        assert engine.play(START, SECOND).move in START.legal_moves, "it can still be used"


def test_what_it_wrote_to_its_standard_error_can_be_read(tmp_path):
    with opened(tmp_path, go="sys.exit('out of memory')") as engine:
        with pytest.raises(EngineDied, match=r"\(exit code 1: out of memory\)") as caught:
            engine.play(START, SECOND)
        assert caught.value.__suppress_context__, "how we noticed is of no interest"
        assert "out of memory" in engine.stderr()


def test_the_reason_of_a_program_that_cannot_begin_is_told(tmp_path):
    with pytest.raises(EngineDied, match="no file eval"):
        opened(tmp_path, before="sys.exit('no file eval')")
