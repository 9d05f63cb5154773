"""The tables of a ladder: ratings with the steps between levels, and the meetings."""

from itertools import combinations

import pytest
from training.ladder import GREEDY, rating_rows, ratings

STRENGTH = {GREEDY: -40.0, 1: 0.0, 2: 160.0, 3: 290.0, 4: 520.0}


def meetings(book):
    """Results of 10,000 games that agree with the strengths."""
    results = []
    for (lower, weak), (higher, strong) in combinations(STRENGTH.items(), 2):
        wins = round(10_000 / (1 + 10 ** ((weak - strong) / 400))) - 250
        players = {"book": book, "lower": lower, "higher": higher}
        results.append({**players, "wins": wins, "draws": 500, "losses": 9500 - wins})
    return results


def test_ratings_are_recovered_from_results():
    assert ratings(meetings("faraes")) == pytest.approx(STRENGTH, abs=0.5)


def test_the_lowest_level_is_zero_without_level_1():
    upper = [meeting for meeting in meetings("faraes") if meeting["lower"] >= 2]
    assert ratings(upper) == pytest.approx({2: 0.0, 3: 130.0, 4: 360.0}, abs=0.5)


def test_the_table_has_a_column_for_each_rulebook_and_the_steps_between_levels():
    lines = rating_rows([*meetings("faraes"), *meetings("concurso")])
    assert lines[0] == "| level | faraes | concurso |"
    assert lines[2] == "| greedy | −40 | −40 |"
    assert lines[-1] == "| 4 | 520 (+230) | 520 (+230) |"
