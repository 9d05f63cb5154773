"""Glicko-2 ratings (Glickman, 2013): a strength, how uncertain it is, and how much it varies.

https://www.glicko.net/glicko/glicko2.pdf
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178
"""Rating points of one unit of the paper's inner scale."""
CENTRE = 1500.0
"""Rating that is 0 on that scale."""
TAU = 0.5
"""How much the volatility may change; the paper recommends 0.3 to 1.2."""
MAX_DEVIATION = 350.0
"""The deviation of somebody of whom nothing is known."""
TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Glicko:
    """A rating in points."""

    rating: float
    deviation: float = MAX_DEVIATION
    """Standard deviation: the true strength lies within twice as much, in 95 of 100 cases."""
    volatility: float = 0.06

    def after(self, results: Sequence[tuple["Glicko", float]], periods: float = 1.0) -> "Glicko":
        """The rating after results (opponent, and 1, 0.5 or 0) in a span of so many rating periods.

        >>> after = Glicko(1500, 200).after([(Glicko(1400, 30), 1), (Glicko(1550, 100), 0), (Glicko(1700, 300), 0)])
        >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
        (1464.05, 151.52, 0.06)
        """
        mu, phi = (self.rating - CENTRE) / SCALE, self.deviation / SCALE
        if not results:
            return self._after(mu, sqrt(phi**2 + periods * self.volatility**2), self.volatility)
        information = gain = 0.0
        for opponent, score in results:
            weight = _weight(opponent.deviation / SCALE)
            expected = 1 / (1 + exp(-weight * (mu - (opponent.rating - CENTRE) / SCALE)))
            information += weight**2 * expected * (1 - expected)
            gain += weight * (score - expected)
        variance = 1 / information
        volatility = _volatility(self.volatility, phi, variance, variance * gain)
        before = sqrt(phi**2 + periods * volatility**2)
        after = 1 / sqrt(1 / before**2 + 1 / variance)
        return self._after(mu + after**2 * gain, after, volatility)

    @staticmethod
    def _after(mu: float, phi: float, volatility: float) -> "Glicko":
        return Glicko(CENTRE + SCALE * mu, min(MAX_DEVIATION, SCALE * phi), volatility)


def _weight(phi: float) -> float:
    """How much a result against an opponent of this deviation says: g of the paper."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(sigma: float, phi: float, variance: float, improvement: float) -> float:
    """The new volatility: step 5 of the paper, by the Illinois algorithm."""
    start = log(sigma**2)

    def slope(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (improvement**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    low = start
    if improvement**2 > phi**2 + variance:
        high = log(improvement**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
