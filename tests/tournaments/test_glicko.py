"""The example of Glickman's paper is the docstring of `glicko`; here is what must hold besides."""

from random import Random

from damas.tournaments.glicko import Glicko, glicko, glicko_by_round


def test_more_games_make_it_surer():
    one = glicko(Glicko(), [(Glicko(), 1.0)])
    ten = glicko(Glicko(), [(Glicko(), 1.0)] * 10)
    assert one.rating < ten.rating and ten.deviation < one.deviation < 350


def test_no_game_makes_it_less_sure():
    assert glicko(Glicko(1600, 60), []).deviation > 60
    assert glicko(Glicko(), []) == Glicko()


def test_the_order_in_a_round_is_nothing():
    names = ["a", "b", "c"]
    games = [("a", "b", 1.0), ("b", "c", 0.5), ("c", "a", 0.0), ("a", "c", 0.5)]
    shuffled = games[:]
    Random(3).shuffle(shuffled)
    assert glicko_by_round(names, {1: games, 2: games}) == glicko_by_round(names, {2: shuffled, 1: shuffled})


def test_stronger_players_rise():
    rounds = {number: [("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 1.0)] for number in range(10)}
    story = glicko_by_round(["a", "b", "c"], rounds)
    last = story[-1]
    assert last["a"].rating > last["b"].rating > last["c"].rating
    assert len(story) == 10
