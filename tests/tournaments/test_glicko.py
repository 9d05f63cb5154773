"""Glicko-2 against the example of its paper."""

import pytest

from damas.tournaments.glicko import MAX_DEVIATION, Glicko


def test_the_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": tau 0.5, one win and two losses."""
    opponents = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    after = Glicko(1500, 200, 0.06).after(opponents)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_without_results_only_the_deviation_grows() -> None:
    before = Glicko(1300, 60)
    after = before.after([], periods=90)
    assert (after.rating, after.volatility) == (1300, 0.06)
    assert after.deviation == pytest.approx((60**2 + 90 * (0.06 * 173.7178) ** 2) ** 0.5)
    assert before.after([], periods=100_000).deviation == MAX_DEVIATION


def test_a_surprise_moves_more_and_makes_more_volatile() -> None:
    before = Glicko(1500, 50)
    expected, surprise = (before.after([(Glicko(rating, 50), 1.0)] * 8, 1) for rating in (1200, 2100))
    assert 0 < expected.rating - 1500 < surprise.rating - 1500
    assert surprise.volatility > expected.volatility


@pytest.mark.parametrize("score", [0.0, 1.0])
@pytest.mark.parametrize("rating", [400.0, 3200.0])
def test_a_single_result_always_gives_a_number(rating: float, score: float) -> None:
    after = Glicko(1000, 350).after([(Glicko(rating, 150), score)], 0.0)
    assert 0 < after.deviation <= 350 and abs(after.rating - 1000) < 2500
