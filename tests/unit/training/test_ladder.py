"""The ratings of the ladder are those that its scores were made from."""

import pytest
from training.ladder import GREEDY, rating_rows, ratings

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
