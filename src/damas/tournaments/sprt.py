"""Sequential probability ratio test and Elo difference of two players, from pairs of games.

Both games of a pair have one opening, with colours changed, so that an unbalanced opening favours neither player.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points per game of a pair with 0, 1/2, 1, 1 1/2 and 2 points."""


def expected(elo: float) -> float:
    """Expected points per game of a player with this Elo above the opponent.

    >>> round(expected(0), 2), round(expected(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo above the opponent at which a player expects this many points per game.

    >>> round(elo_of(0.75)), elo_of(0.5), elo_of(1)
    (191, 0.0, inf)
    """
    return -inf if score <= 0 else inf if score >= 1 else 400 * log10(score / (1 - score))


@dataclass(frozen=True)
class Sample:
    """Numbers of pairs by their score for the first player: 0, 1/2, 1, 1 1/2, 2 points."""

    pairs: Sequence[int]

    @property
    def count(self) -> int:
        """Number of pairs."""
        return sum(self.pairs)

    @property
    def score(self) -> float:
        """Points per game of the first player."""
        return sum(n * s for n, s in zip(self.pairs, SCORES, strict=True)) / self.count if self.count else 0.5

    @property
    def variance(self) -> float:
        """Variance of the points per game of one pair."""
        return _mean_and_variance(self.pairs)[1] if self.count else 0.0

    def elo(self) -> tuple[float, float, float]:
        """Elo of the first player above the second and the ends of its 95 % interval, which may be infinite.

        >>> Sample((0, 0, 0, 0, 5)).elo()[1] > 0, Sample((0, 0, 0, 0, 5)).elo()[2]
        (True, inf)
        """
        half = 1.96 * sqrt(self._smoothed[1] / self.count) if self.count else 0.5
        return elo_of(self.score), elo_of(self.score - half), elo_of(self.score + half)

    @property
    def _smoothed(self) -> tuple[float, float]:
        """Mean and variance with half a pair of each score added, so that equal pairs do not give a variance of 0."""
        return _mean_and_variance([n + 0.5 for n in self.pairs])

    def llr(self, elo0: float, elo1: float) -> float:
        """Log-likelihood ratio of elo1 against elo0 (generalised, pentanomial).

        >>> Sample((10, 20, 300, 40, 12)).llr(0, 5) > 0
        True
        """
        if not self.count:
            return 0.0
        mean, variance = self._smoothed
        s0, s1 = expected(elo0), expected(elo1)
        return self.count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


def _mean_and_variance(pairs: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the points per game."""
    count = sum(pairs)
    mean = sum(n * s for n, s in zip(pairs, SCORES, strict=True)) / count
    return mean, sum(n * (s - mean) ** 2 for n, s in zip(pairs, SCORES, strict=True)) / count


@dataclass(frozen=True)
class Test:
    """A sequential test, fixed before the run: is the first player elo1 rather than elo0 stronger?"""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    __test__ = False  # not a test for pytest

    def verdict(self, sample: Sample) -> str:
        """`accepted`, `refused` or `open`."""
        llr = sample.llr(self.elo0, self.elo1)
        if llr >= log((1 - self.beta) / self.alpha):
            return "accepted"
        return "refused" if llr <= log(self.beta / (1 - self.alpha)) else "open"
