"""What is said to a search reaches it: limits, stop, the ponder hit, several lines, several threads."""

import threading
import time
from pathlib import Path

import pytest

from damas.engine import Engine, Limits
from damas.engine.signature import POSITIONS, searched
from damas.errors import NotEnoughMemory
from damas.game import Game, Position
from damas.rules import rulebook

SOON = 60.0
"""Seconds within which even a busy machine has answered; the promise is milliseconds."""


def test_an_endless_search_ends_when_told(engine, middle_game):
    deep = threading.Event()
    thinking = engine.think(
        middle_game, Limits(), watcher=lambda result: deep.set() if result.depth > 1 else None
    )
    assert deep.wait(SOON)
    assert not thinking.done
    thinking.stop()
    result = thinking.wait(SOON)
    assert result.best in middle_game.legal_moves
    assert result.depth > 1


def test_a_stop_before_the_search_begins_is_not_lost(engine, middle_game):
    for _ in range(50):
        thinking = engine.think(middle_game, Limits())
        thinking.stop()
        assert thinking.wait(SOON).best in middle_game.legal_moves


def test_an_old_stop_does_not_end_the_next_search(engine, middle_game):
    engine.stop()
    assert engine.search(middle_game, Limits(depth=8)).depth == 8


def test_a_cancelled_engine_ends_every_later_search(middle_game):
    with Engine(middle_game.rulebook, hash_mb=1) as engine:
        engine.cancel()
        for _ in range(3):
            assert engine.think(middle_game, Limits()).wait(SOON).best in middle_game.legal_moves


def test_the_clock_runs_from_the_ponder_hit(engine, middle_game):
    thinking = engine.think(middle_game, Limits(movetime=0.3, ponder=True))
    time.sleep(0.6)
    assert not thinking.done, "pondering takes nothing from the clock"
    hit = time.monotonic()
    thinking.ponder_hit()
    result = thinking.wait(SOON)
    assert time.monotonic() - hit > 0.25, "the time before the hit is not counted"
    assert result.best in middle_game.legal_moves


def test_a_ponder_hit_before_the_search_begins_is_not_lost(engine, middle_game):
    for _ in range(20):
        thinking = engine.think(middle_game, Limits(movetime=0.01, ponder=True))
        thinking.ponder_hit()
        thinking.wait(SOON)


def test_time_limits_are_kept(engine, middle_game):
    """That they come to an end; how much of a clock a move may take is asked below, without a clock."""
    for limits in (Limits(movetime=0.1), Limits(clock=1, increment=0.01)):
        assert engine.search(middle_game, limits).seconds < SOON


def test_a_forced_move_is_played_at_once_on_the_clock(engine):
    forced = Position.from_fen("W:Wc3,a1:Bd4,f8,h8", "brasileira")
    assert forced.count_moves() == 1
    assert engine.search(forced, Limits(clock=1000)).seconds < SOON


@pytest.mark.parametrize("clock", [0.02, 0.1, 1, 60, 3600])
def test_no_more_than_the_clock_is_spent(clock):
    for increment in (0, 0.01, 5):
        for full in (0.1, 0.5, 1):
            for moves in (None, 1, 2, 40):
                soft, hard = Limits(clock=clock, increment=increment, moves=moves).times(full)
                assert 0 < soft <= hard * 1.06 and hard < clock


def test_the_last_move_before_there_is_more_time_leaves_something_for_its_way():
    soft, hard = Limits(clock=0.5, moves=1).times(1)
    assert soft == hard == pytest.approx(0.4)
    soft, _ = Limits(clock=60, moves=300).times(1)
    assert 0.2 < soft < 0.3, "each has its share, however many they are"


def test_nodes_and_depth_are_kept(engine, middle_game):
    assert engine.search(middle_game, Limits(nodes=5000)).nodes <= 5000
    assert engine.search(middle_game, Limits(depth=5)).depth == 5


def test_several_lines_are_different_and_in_order(engine, middle_game):
    result = engine.search(middle_game, Limits(depth=8, lines=4))
    assert len(result.lines) == 4
    assert len({line.moves[0].text for line in result.lines}) == 4
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)


def test_several_lines_are_whole_when_stopped_between_them(engine, middle_game):
    for nodes in range(200, 6000, 137):
        engine.forget()
        result = engine.search(middle_game, Limits(nodes=nodes, lines=5))
        assert len(result.lines) == 5
        assert min(line.score for line in result.lines) > -25_000, nodes


def test_several_lines_are_all_searched_when_stopped_at_once(middle_game):
    with Engine("brasileira", hash_mb=1, tables=False) as engine:
        thinking = engine.think(middle_game, Limits(lines=5))
        thinking.stop()
        stopped = thinking.wait()
        engine.forget()
        whole = engine.search(middle_game, Limits(depth=max(1, stopped.depth), lines=5))
        assert [line.score for line in stopped.lines] == [line.score for line in whole.lines]


def test_more_lines_than_moves_are_all_the_moves(engine, middle_game):
    result = engine.search(middle_game, Limits(depth=3, lines=99))
    assert len(result.lines) == middle_game.count_moves()


@pytest.mark.parametrize("name", ["brasileira", "internacional"])
def test_two_threads_answer_as_one_does(name):
    shot = {"brasileira": "W:Wc3,e3,h2:Bd6,f6,b8", "internacional": "W:W32,37,42:B8,19,23"}[name]
    position = Position.from_fen(shot, name)
    with (
        Engine(name, hash_mb=4, tables=False) as one,
        Engine(name, hash_mb=4, threads=2, tables=False) as two,
    ):
        for _ in range(10):
            many = two.search(position, Limits(depth=11))
            assert many.best in position.legal_moves
        alone = one.search(position, Limits(depth=11))
        assert alone.lines[0].decided == many.lines[0].decided
        thinking = two.think(Position.start(name), Limits())
        thinking.stop()
        thinking.wait(SOON)


def test_only_the_moves_asked_for_are_looked_at(engine, middle_game):
    moves = list(middle_game.legal_moves)
    for move in moves:
        assert engine.search(middle_game, Limits(nodes=500), only=[move]).best == move


def test_a_king_that_must_rest_is_not_moved():
    game = Game.start("frisia", fen="W:W46,K41:B5,K10")
    with Engine("frisia", hash_mb=1) as engine:
        for text in ("41-36", "10-15", "36-41", "15-10", "41-36", "10-15"):
            game = game.play(text)
        assert len(game.legal_moves) < game.position.count_moves()
        for nodes in (50, 500, 5000):
            assert engine.search(game, Limits(nodes=nodes)).best in game.legal_moves


def test_a_game_that_is_over_has_no_best_move(engine):
    over = Game.start("brasileira", fen="W:Wa1:Bb2,c3")
    assert over.outcome
    assert engine.search(over, Limits(depth=3)).best is None


def test_games_of_other_rulebooks_are_refused(engine):
    with pytest.raises(ValueError, match="faraes"):
        engine.search(Position.start("faraes"), Limits(depth=1))


HOUSE_RULES = Path(__file__).parents[2] / "docs/how-to/house_rules.toml"


def test_house_rules_read_twice_are_the_same_rules():
    game = Game.start(str(HOUSE_RULES))
    with Engine(str(HOUSE_RULES), hash_mb=1) as engine:
        assert game.record.rulebook is not engine.book
        assert engine.search(game, Limits(nodes=100)).best in game.legal_moves
        assert engine.search(game, Limits(nodes=100), only=game.legal_moves[:1]).best == game.legal_moves[0]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        *((name, 0, ValueError) for name in ("depth", "nodes", "movetime", "lines")),
        *((name, -1, ValueError) for name in ("depth", "nodes", "movetime", "clock", "increment", "lines")),
        *((name, 10**30, ValueError) for name in ("depth", "nodes", "movetime", "clock", "increment")),
        ("lines", 10**12, ValueError),
        *(
            (name, float(bad), ValueError)
            for name in ("movetime", "clock", "increment")
            for bad in ("nan", "inf")
        ),
        *((name, 2.0, TypeError) for name in ("depth", "nodes", "lines")),
        *((name, "2", TypeError) for name in ("depth", "nodes", "movetime", "clock", "increment", "lines")),
        ("increment", None, TypeError),
        ("lines", None, TypeError),
    ],
)
def test_limits_that_make_no_sense_are_refused_at_once(name, value, error):
    with pytest.raises(error, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize("depth", [121, 10**9])
def test_any_depth_may_be_asked_for(engine, depth):
    assert engine.search(Position.from_fen("W:Wc3:Bd4,f6", "brasileira"), Limits(depth=depth, nodes=500)).best


@pytest.mark.parametrize("seconds", [1e-9, 1e-7, 5e-324])
def test_the_shortest_time_is_short(engine, middle_game, seconds):
    thinking = engine.think(middle_game, Limits(movetime=seconds))
    assert thinking.wait(SOON).best in middle_game.legal_moves


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"threads": 0}, ValueError),
        ({"threads": 100_000}, ValueError),
        ({"threads": 1.5}, TypeError),
        ({"hash_mb": 0}, ValueError),
        ({"hash_mb": 10**9}, ValueError),
        ({"hash_mb": 0.5}, TypeError),
    ],
)
def test_an_engine_that_nobody_could_have_is_refused(options, error):
    with pytest.raises(error, match=next(iter(options))):
        Engine("brasileira", **options)


def test_an_engine_for_which_there_is_no_memory_is_refused(monkeypatch):
    def refused(*_, **__):
        raise MemoryError

    monkeypatch.setattr("damas.engine.engine._core.Engine", refused)
    with pytest.raises(NotEnoughMemory, match="65536 MB") as error:
        Engine("brasileira", hash_mb=65536)
    assert isinstance(error.value, MemoryError) and error.value.code == "NO_MEMORY"


def test_questions_that_make_no_sense_are_refused_at_once(engine, middle_game):
    def ask(place=middle_game, limits=Limits(depth=1), **more):  # noqa: B008 (a value)
        for how in (engine.search, engine.think):
            how(place, limits, **more)

    with pytest.raises(TypeError, match="a game, a record or a position"):
        ask("W:Wc3:Bd4")
    with pytest.raises(TypeError, match="limits"):
        ask(limits=3)
    with pytest.raises(TypeError, match="'c3-b4'"):
        ask(only=["c3-b4"])
    with pytest.raises(ValueError, match="no legal move"):
        ask(only=[Position.start("brasileira").parse("g3-f4")])


def test_a_watcher_hears_of_each_depth_and_may_raise(engine, middle_game):
    depths = []
    engine.search(middle_game, Limits(depth=6), watcher=lambda result: depths.append(result.depth))
    assert depths == [1, 2, 3, 4, 5, 6]

    def tired(result):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        engine.search(middle_game, Limits(depth=6), watcher=tired)


def test_the_signature_is_that_of_the_committed_search():
    # Changes with the search, the rules and the networks: then say so in the commit, and write the new ones here.
    assert [(result.rulebook, result.nodes) for result in searched()] == SIGNATURE
    assert {name for name, _ in POSITIONS} >= {"brasileira", "faraes", "portuguesa", "oficial", "concurso"}
    assert all(rulebook(name) for name, _ in POSITIONS)


SIGNATURE = [
    ("brasileira", 159_958),
    ("brasileira", 92_522),
    ("faraes", 23_674),
    ("faraes", 7_222),
    ("portuguesa", 101_613),
    ("portuguesa", 53_702),
    ("oficial", 78_576),
    ("oficial", 28_890),
    ("concurso", 196_483),
    ("concurso", 35_899),
    ("internacional", 295_295),
    ("internacional", 71_855),
]
