from random import Random

from damas.tournaments.formats import pairings
from damas.tournaments.formats.trial import Trial
from tournaments.results import by_chance, by_strength, entry, play_all, settings


def test_it_stops_at_the_same_pair_whoever_ends_first():
    chosen = settings(2, games=100, sprt=(0, 200))
    plan, results = play_all(chosen, by_strength)
    assert 8 < len(plan) < 60 and len(plan) % 2 == 0
    trial = Trial.over(plan, results, chosen)
    assert trial.verdict == "accepted" and trial.pairs[4] == len(plan) // 2
    for seed in range(3):
        other, more = play_all(chosen, by_strength, Random(seed))
        assert other == plan
        assert more.keys() >= results.keys(), "games ahead of the decision are kept, and not counted"


def test_a_match_of_equals_refuses_the_hypothesis():
    chosen = settings(2, games=4000, sprt=(0, 50))
    results = {game.id: by_chance(2)(game) for game in pairings({}, chosen)}
    trial = Trial.over(pairings(results, chosen), results, chosen)
    assert trial.verdict == "refused" and trial.last < 2000


def test_a_pair_with_a_void_game_is_skipped():
    chosen = settings(2, games=6, sprt=(0, 5))
    plan = pairings({}, chosen)
    results = {game.id: entry(game, None if game is plan[0] else 0.5) for game in plan}
    trial = Trial.of(chosen).judge(plan, results)
    assert trial.last == 6 and sum(trial.pairs) == 2
