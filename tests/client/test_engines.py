"""Every engine by the same interface: ours in this process, and ours as a program that speaks Hub."""

import copy
import pickle
import shlex
import time
from pathlib import Path
from threading import Thread

import pytest

from client.programs import OURS
from damas import Color, Game, Position
from damas.client import BadOption, EngineError, Info, Limits, open_engine
from damas.engine.engine import DECIDED
from damas.errors import BadEntrant
from matches.processes import wait_for

START = Game.start("brasileira")
WON = Position.from_fen("W:Wc3:Bd4,f6", "brasileira")


@pytest.fixture(scope="module", params=["damas", "hub"])
def open_one(request):
    """One engine for all tests of this file: each leaves it ready for the next."""
    spec = OURS if request.param == "hub" else "damas"
    with open_engine(spec, "brasileira", options={"tt-size": 1}, timeout=60) as opened:
        yield opened


@pytest.fixture
def engine(open_one):
    """The engine, which remembers nothing of other tests: a line from its hash table may lack the reply it expects."""
    open_one.new_game()
    return open_one


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=3),
        Limits(nodes=500),
        Limits(movetime=0.2),
        Limits(clock=1, increment=0.1),
        Limits(clock=5, moves=40),
    ],
)
def test_it_plays_within_limits_and_tells_its_line(engine, limits):
    result = engine.play(START, limits)
    assert result.move in START.legal_moves and result.info.move == result.move
    assert result.ponder in START.position.play(result.move).legal_moves
    assert result.info.depth and result.info.nodes and result.info.score.color is Color.WHITE


def test_it_knows_the_game_and_not_only_the_position(engine):
    game = START.play("c3-d4").play("b6-a5")
    assert engine.play(game, Limits(nodes=300)).move in game.legal_moves
    assert engine.play(game.record, Limits(nodes=300)).move in game.legal_moves


def test_an_analysis_has_one_report_or_one_for_each_line(engine):
    info = engine.analyse(START, Limits(depth=5))
    assert isinstance(info, Info) and info.depth == 5
    lines = engine.analyse(START, Limits(depth=5), multipv=3)
    assert [line.rank for line in lines] == [1, 2, 3] and len({line.move for line in lines}) == 3
    assert lines[0].score.value >= lines[1].score.value >= lines[2].score.value
    assert len(engine.analyse(START, Limits(depth=5), multipv=1)) == 1


def test_a_score_has_the_view_of_each_side_and_the_length_of_a_win(engine):
    score = engine.analyse(WON, Limits(depth=4)).score
    assert (score.win_in, score.loss_in, score.decided, str(score)) == (1, None, 1, "wins in 1")
    assert (score.black.loss_in, score.black.win_in, score.white) == (1, None, score)
    assert score.value == -score.black.value > DECIDED
    lost = Position.from_fen("B:Wc3,e3:Bd4", "brasileira")
    assert engine.analyse(lost, Limits(depth=8)).score.color is Color.BLACK


def test_reports_stream_until_the_analysis_is_left(engine):
    with engine.analysis(START) as analysis:
        depths = []
        for info in analysis:
            depths.append(info.depth)
            if info.depth >= 5:
                break
        assert not analysis.done
    assert depths == sorted(depths) and analysis.done
    assert analysis.wait().move in START.legal_moves and analysis.info.depth >= 5
    assert list(analysis) == []


def test_the_latest_report_is_there_without_waiting(engine):
    with engine.analysis(START) as analysis:
        until = time.monotonic() + 60
        while not analysis.info.pv and time.monotonic() < until:
            time.sleep(0.005)
        assert analysis.info.pv


def test_any_thread_may_stop_a_search(engine):
    results = []
    waiting = Thread(target=lambda: results.append(engine.play(START, Limits())))
    waiting.start()
    until = time.monotonic() + 60
    while waiting.is_alive() and time.monotonic() < until:
        engine.stop()
        waiting.join(0.02)
    assert results[0].move in START.legal_moves


def test_a_new_search_ends_the_one_in_progress(engine):
    analysis = engine.analysis(START)
    assert engine.play(WON, Limits(depth=4)).move.text == "c3xe5xg7"
    assert analysis.done and analysis.wait().move in START.legal_moves


@pytest.mark.parametrize("expected", [True, False])
def test_it_thinks_on_about_the_reply_that_it_expects(engine, expected):
    first = engine.play(START, Limits(nodes=400), ponder=True)
    pondering = engine._search
    assert not pondering.done
    game = START.play(first.move)
    reply = first.ponder if expected else next(m for m in game.legal_moves if m != first.ponder)
    game = game.play(reply)
    assert engine.play(game, Limits(nodes=400)).move in game.legal_moves
    assert pondering.done and (engine._search is pondering) is expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Limits(depth=4), Limits(nodes=300)),
        (Limits(nodes=300), Limits(depth=4)),
        (Limits(clock=0.5), Limits(clock=0.5)),
    ],
)
def test_pondering_does_not_decide_the_limits_of_the_next_move(engine, before, after):
    first = engine.play(START, before, ponder=True)
    pondering = engine._search
    game = START.play(first.move).play(first.ponder)
    result = engine.play(game, after)
    assert result.move in game.legal_moves and pondering.done
    assert engine._search is not pondering
    assert after.depth is None or result.info.depth == after.depth


def test_a_search_that_was_stopped_is_not_followed_by_pondering(engine):
    results = []
    last = engine._search
    waiting = Thread(target=lambda: results.append(engine.play(START, Limits(), ponder=True)))
    waiting.start()
    wait_for(lambda: engine._search not in (None, last) and len(engine._search.info.pv) > 1)
    engine.stop()
    waiting.join(60)
    assert results[0].ponder and engine._search.done and engine._pondered is None


def test_pondering_that_was_stopped_does_not_give_the_next_move(engine):
    first = engine.play(START, Limits(depth=4), ponder=True)
    pondering = engine._search
    engine.stop()
    game = START.play(first.move).play(first.ponder)
    assert engine.play(game, Limits(depth=4)).info.depth == 4
    assert engine._search is not pondering


def test_options_have_types_and_bounds_and_are_checked(engine):
    option = engine.options["threads"]
    assert (option.type, option.default, option.minimum, option.maximum) == ("int", 1, 1, 256)
    engine.configure({"threads": 2})
    engine.configure({"threads": 1})
    for options, reason in (
        ({"threads": 0}, "option_value"),
        ({"threads": "x"}, "option_value"),
        ({"no": 1}, "option"),
    ):
        with pytest.raises(BadOption) as caught:
            engine.configure(options)
        assert caught.value.reason == reason


def test_what_cannot_be_searched_is_refused_before_the_engine_is_asked(engine):
    over = Game.start("brasileira", fen="W:Wc3:Bd4").play("c3xe5")
    with pytest.raises(ValueError, match="the game is over"):
        engine.play(over, Limits(nodes=1))
    with pytest.raises(ValueError, match="plays brasileira, not turca"):
        engine.play(Game.start("turca"), Limits(nodes=1))
    with pytest.raises(ValueError, match="needs a limit"):
        engine.analyse(START, Limits())
    with pytest.raises(ValueError, match="multipv="):
        engine.play(START, Limits(nodes=1, lines=2))
    with pytest.raises(ValueError, match="multipv must be from 1"):
        engine.analyse(START, Limits(nodes=1), multipv=0)
    for place in ("x", None):
        with pytest.raises(TypeError, match="a game, a record or a position is needed"):
            engine.play(place, Limits(nodes=1))
    engine.new_game()
    engine.ping()
    assert engine.play(START, Limits(nodes=100)).move


@pytest.mark.parametrize("spec", ["damas", OURS])
def test_a_closed_engine_says_so(spec):
    opened = open_engine(spec, "portuguesa", options={"tt-size": 1}, timeout=60)
    opened.analysis(Game.start("portuguesa"))
    opened.close()
    opened.close()
    with pytest.raises(EngineError) as caught:
        opened.play(Game.start("portuguesa"), Limits(nodes=1))
    assert caught.value.reason == "closed" and opened.closed


@pytest.mark.parametrize("spec", [["./scan", "hub"], "hub:./scan hub"])
def test_a_program_of_the_folder_in_which_it_runs(spec, tmp_path, monkeypatch):
    program = tmp_path / "scan" / "scan"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntest -f scan && exec {shlex.join(OURS[:-3])} $1 --hash 1\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with open_engine(spec, "internacional", cwd="scan", timeout=60) as engine:
        assert engine.name == "damas"
    with pytest.raises(BadEntrant):
        open_engine(spec, "internacional")


@pytest.mark.parametrize("spec", ["damas", "dxp:127.0.0.1:1"])
def test_an_engine_that_is_no_hub_program_has_no_folder(spec, tmp_path):
    with pytest.raises(ValueError, match="only a Hub program runs in a folder"):
        open_engine(spec, "brasileira", cwd=tmp_path)


@pytest.mark.parametrize(
    ("spec", "reason"), [("level:4", "engine"), ("random", "engine"), (["no-such"], "unknown")]
)
def test_what_is_no_engine_is_named(spec, reason):
    with pytest.raises(BadEntrant) as caught:
        open_engine(spec, "brasileira")
    assert caught.value.reason == reason


def test_an_engine_stays_in_its_process(engine):
    for action in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="open one there"):
            action(engine)


def test_an_engine_names_itself():
    with open_engine("damas", "brasileira", options={"tt-size": 1}) as opened:
        assert repr(opened) == "<LocalClient damas, brasileira>"
    assert repr(opened) == "<LocalClient damas, brasileira, closed>"


@pytest.mark.parametrize("spec", [None, 3, Path("scan"), [Path("scan"), "hub"], b"scan"])
def test_what_names_no_engine_is_a_type_error(spec):
    with pytest.raises(TypeError, match="list of words"):
        open_engine(spec, "brasileira")
