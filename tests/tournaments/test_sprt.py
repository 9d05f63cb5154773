"""Elo with its error bars, and the sequential test, from pairs of games."""

from math import copysign, isfinite

import pytest

from damas.tournaments.sprt import Sample, Test, elo_of


def test_error_bars_hold_the_truth_and_shrink():
    few, many = Sample((1, 2, 10, 3, 1)), Sample((10, 20, 100, 30, 10))
    for sample in (few, many):
        elo, low, high = sample.elo()
        assert low < elo < high
    assert many.elo()[2] - many.elo()[1] < few.elo()[2] - few.elo()[1]
    assert Test().verdict(Sample((0, 0, 0, 0, 0))) == "open"


@pytest.mark.parametrize("pairs", [1, 2, 5, 40])
@pytest.mark.parametrize("kind", range(5))
def test_equal_pairs_are_no_certainty(pairs, kind):
    counts = [0] * 5
    counts[kind] = pairs
    elo, low, high = Sample(counts).elo()
    assert low < high and low <= elo <= high
    assert kind == 0 or pairs < 5 or isfinite(low), "the sure side has an end"
    assert kind == 4 or pairs < 5 or isfinite(high)


def test_error_bars_of_many_pairs_are_those_of_the_sample():
    sample = Sample((5, 30, 70, 35, 10))
    _, low, high = sample.elo()
    half = 1.96 * (sample.variance / sample.count) ** 0.5
    plain = elo_of(sample.score + half) - elo_of(sample.score - half)
    assert plain < high - low < 1.02 * plain


def test_an_even_score_has_no_sign():
    assert [copysign(1, value) for value in Sample((0, 0, 4, 0, 0)).elo()] == [1, -1, 1]
