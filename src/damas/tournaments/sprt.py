"""Telling two players apart from pairs of games: sequential test, Elo and their error bars.

The sample is the pair: one opening, colours changed, so that what the opening gives away it gives to both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log, log10, sqrt

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Points a game in a pair that brought 0, 1/2, 1, 1 1/2 and 2."""


def expected(elo: float) -> float:
    """Points a game for a player so many Elo above the other.

    >>> round(expected(0), 2), round(expected(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo at which a player makes so many points a game.

    >>> round(elo_of(0.75)), elo_of(0.5), elo_of(1)
    (191, 0.0, inf)
    """
    return -inf if score <= 0 else inf if score >= 1 else 400 * log10(score / (1 - score))


@dataclass(frozen=True)
class Sample:
    """Pairs by their score for the first player: 0, 1/2, 1, 1 1/2, 2 points."""

    pairs: Sequence[int]

    @property
    def count(self) -> int:
        return sum(self.pairs)

    @property
    def score(self) -> float:
        return sum(n * s for n, s in zip(self.pairs, SCORES, strict=True)) / self.count if self.count else 0.5

    @property
    def variance(self) -> float:
        """Of one pair's points a game."""
        return _spread(self.pairs)[1] if self.count else 0.0

    def elo(self) -> tuple[float, float, float]:
        """Elo of the first player above the second, with the ends of its 95 % interval; those may be infinite.

        >>> Sample((0, 0, 0, 0, 5)).elo()[1] > 0, Sample((0, 0, 0, 0, 5)).elo()[2]
        (True, inf)
        """
        half = 1.96 * sqrt(self._doubted[1] / self.count) if self.count else 0.5
        return elo_of(self.score), elo_of(self.score - half), elo_of(self.score + half)

    @property
    def _doubted(self) -> tuple[float, float]:
        """Score and variance with half a pair of each kind, so that a run of equal pairs is not taken for certainty."""
        return _spread([n + 0.5 for n in self.pairs])

    def llr(self, elo0: float, elo1: float) -> float:
        """Log-likelihood ratio of elo1 against elo0 (generalised, pentanomial).

        >>> Sample((10, 20, 300, 40, 12)).llr(0, 5) > 0
        True
        """
        if not self.count:
            return 0.0
        mean, variance = self._doubted
        s0, s1 = expected(elo0), expected(elo1)
        return self.count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


def _spread(pairs: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the points a game."""
    count = sum(pairs)
    mean = sum(n * s for n, s in zip(pairs, SCORES, strict=True)) / count
    return mean, sum(n * (s - mean) ** 2 for n, s in zip(pairs, SCORES, strict=True)) / count


@dataclass(frozen=True)
class Test:
    """A sequential test, fixed before the run: is the first player elo1 better rather than elo0?"""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    __test__ = False  # pytest: no test of ours

    def verdict(self, sample: Sample) -> str:
        """`accepted`, `refused` or `open`."""
        llr = sample.llr(self.elo0, self.elo1)
        if llr >= log((1 - self.beta) / self.alpha):
            return "accepted"
        return "refused" if llr <= log(self.beta / (1 - self.alpha)) else "open"
