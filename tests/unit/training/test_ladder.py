"""The ratings of the ladder are those that its scores were made from."""

import pytest
from training.ladder import GREEDY, rating_rows, ratings, unbound

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


def test_scores_give_back_the_ratings_they_came_from():
    assert ratings(meetings("faraes")) == pytest.approx(STRENGTH, abs=0.5)


def test_where_level_1_did_not_play_the_lowest_that_did_is_nought():
    upper = [meeting for meeting in meetings("faraes") if meeting["lower"] >= 2]
    assert ratings(upper) == pytest.approx({2: 0.0, 3: 130.0, 4: 360.0}, abs=0.5)


def test_the_table_has_a_column_for_each_rulebook_and_the_steps_between_levels():
    lines = rating_rows([*meetings("faraes"), *meetings("concurso")])
    assert lines[0] == "| level | faraes | concurso |"
    assert lines[2] == "| greedy | −40 | −40 |"
    assert lines[-1] == "| 4 | 520 (+230) | 520 (+230) |"


def meeting(lower, higher, score):
    return {"book": "faraes", "lower": lower, "higher": higher, "pairs_played": 50, "score": score}


def test_who_won_everything_is_rated_a_little_above_who_drew_once():
    everything, all_but_a_draw = (ratings([meeting(1, 2, score)])[2] for score in (1.0, 0.995))
    assert all_but_a_draw == pytest.approx(920, abs=1)
    assert all_but_a_draw < everything < all_but_a_draw + 10
    assert ratings([meeting(1, 2, 0.0)])[2] == pytest.approx(-everything, abs=0.1)


def test_one_side_of_a_ladder_that_won_everything_ends_it_too():
    found = ratings([meeting(1, 2, 0.6), meeting(2, 3, 1.0), meeting(3, 4, 0.6)])
    assert found[4] - found[3] == pytest.approx(found[2] - found[1], abs=1)
    assert 900 < found[3] - found[2] < 950


def test_who_won_everything_is_not_doubted_where_others_bind_the_two_together():
    chain = [meeting(1, 2, 0.8), meeting(2, 3, 0.8)]
    far = meeting(1, 3, 1.0)
    assert unbound(far, [far]) and not unbound(far, [*chain, far])
    assert ratings([*chain, far])[3] > ratings(chain)[3]
