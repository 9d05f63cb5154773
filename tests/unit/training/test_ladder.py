"""Ratings computed from scores equal the ratings the scores were generated from."""

import pytest
from training.ladder import GREEDY, is_unconnected, rating_rows, ratings

STRENGTH = {GREEDY: -40.0, 1: 0.0, 2: 160.0, 3: 290.0, 4: 520.0}


def meetings(book):
    return [
        {
            "book": book,
            "lower": lower,
            "higher": higher,
            "pairs_played": 50,
            "score": 1 / (1 + 10 ** ((STRENGTH[lower] - STRENGTH[higher]) / 400)),
        }
        for lower in STRENGTH
        for higher in STRENGTH
        if lower < higher
    ]


def test_ratings_are_recovered_from_scores():
    assert ratings(meetings("faraes")) == pytest.approx(STRENGTH, abs=0.5)


def test_the_lowest_level_is_zero_without_level_1():
    upper = [meeting for meeting in meetings("faraes") if meeting["lower"] >= 2]
    assert ratings(upper) == pytest.approx({2: 0.0, 3: 130.0, 4: 360.0}, abs=0.5)


def test_the_table_has_a_column_for_each_rulebook_and_the_steps_between_levels():
    lines = rating_rows([*meetings("faraes"), *meetings("concurso")])
    assert lines[0] == "| level | faraes | concurso |"
    assert lines[2] == "| greedy | −40 | −40 |"
    assert lines[-1] == "| 4 | 520 (+230) | 520 (+230) |"


def meeting(lower, higher, score):
    return {"book": "faraes", "lower": lower, "higher": higher, "pairs_played": 50, "score": score}


def test_a_clean_sweep_rates_slightly_above_one_draw():
    everything, all_but_a_draw = (ratings([meeting(1, 2, score)])[2] for score in (1.0, 0.995))
    assert all_but_a_draw == pytest.approx(920, abs=1)
    assert all_but_a_draw < everything < all_but_a_draw + 10
    assert ratings([meeting(1, 2, 0.0)])[2] == pytest.approx(-everything, abs=0.1)


def test_a_clean_sweep_inside_a_ladder_converges():
    rated = ratings([meeting(1, 2, 0.6), meeting(2, 3, 1.0), meeting(3, 4, 0.6)])
    assert rated[4] - rated[3] == pytest.approx(rated[2] - rated[1], abs=1)
    assert 900 < rated[3] - rated[2] < 950


def test_a_clean_sweep_counts_fully_when_other_results_connect_the_levels():
    chain = [meeting(1, 2, 0.8), meeting(2, 3, 0.8)]
    far = meeting(1, 3, 1.0)
    assert is_unconnected(far, [far]) and not is_unconnected(far, [*chain, far])
    assert ratings([*chain, far])[3] > ratings(chain)[3]
