from random import Random

import pytest

from damas.tournaments.elo import difference, elo
from damas.tournaments.sprt import Sample, expected


def games_of(strengths, count, seed=1):
    chance = Random(seed)
    games = []
    for _ in range(count):
        one, other = chance.sample(range(len(strengths)), 2)
        won = chance.random() < expected(strengths[one] - strengths[other])
        games.append((one, other, 1.0 if won else 0.0))
    return games


def test_ratings_are_within_their_error_bars():
    strengths = [200.0, 80.0, 0.0, -80.0, -200.0]
    inside = 0
    for seed in range(20):
        ratings = elo(5, games_of(strengths, 400, seed))
        assert abs(sum(rating.elo for rating in ratings)) < 1e-6, "the average is 0"
        inside += sum(abs(r.elo - s) <= r.error for r, s in zip(ratings, strengths, strict=True))
    assert 88 <= inside <= 100, "95 of 100"


def test_the_order_of_games_does_not_matter():
    games = games_of([50.0, 0.0, -50.0], 60)
    other = games[:]
    Random(9).shuffle(other)
    assert elo(3, games) == elo(3, other)


def test_a_player_who_wins_every_game_has_a_rating_with_a_wide_error():
    ratings = elo(2, [(0, 1, 1.0)] * 20)
    assert 300 < ratings[0].elo < 600 and ratings[0].error > 150


def test_a_player_without_games_is_rated_average():
    ratings = elo(3, [(0, 1, 0.5)] * 4)
    assert [round(rating.elo) for rating in ratings] == [0, 0, 0]
    assert ratings[2].error > ratings[0].error


@pytest.mark.parametrize("pairs", [(0, 0, 0, 0, 12), (12, 0, 0, 0, 0), (0, 0, 30, 0, 0), (1, 2, 3, 4, 5)])
def test_the_interval_contains_the_estimate(pairs):
    middle, low, high = difference(Sample(pairs))
    assert low <= middle <= high and low < high
