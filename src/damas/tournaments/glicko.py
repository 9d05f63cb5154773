"""Glicko-2 (Glickman, 2012): a rating, how sure it is, how steady the player. A round is a rating period."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

SCALE = 173.7178
TAU = 0.5
"""How much steadiness may change from period to period."""
CLOSE = 1e-6


@dataclass(frozen=True)
class Glicko:
    """A player's rating as everybody begins.

    >>> Glicko().low
    800.0
    """

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def low(self) -> float:
        """The player is better than this, 97.5 % sure."""
        return self.rating - 2 * self.deviation


def glicko(player: Glicko, games: Iterable[tuple[Glicko, float]]) -> Glicko:
    """The player after one period: opponents as they stood before it, and the points against each.

    >>> games = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    >>> after = glicko(Glicko(1500, 200), games)
    >>> round(after.rating, 1), round(after.deviation, 1), round(after.volatility, 5)
    (1464.1, 151.5, 0.06)
    """
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    precision = gain = 0.0
    for other, points in games:
        weight = 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)
        expected = 1 / (1 + exp(-weight * (mu - (other.rating - 1500) / SCALE)))
        precision += weight**2 * expected * (1 - expected)
        gain += weight * (points - expected)
    if not precision:  # no game: only less sure
        rest = min(350.0, SCALE * sqrt(phi**2 + player.volatility**2))
        return replace(player, deviation=rest)
    variance = 1 / precision
    sigma = _volatility(player.volatility, phi, variance, variance * gain)
    wide = sqrt(phi**2 + sigma**2)
    phi = 1 / sqrt(1 / wide**2 + precision)
    return Glicko(1500 + SCALE * (mu + phi**2 * gain), SCALE * phi, sigma)


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: the root of f between two ends that close in (Illinois)."""
    start = log(sigma**2)

    def f(x: float) -> float:
        grown = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

    low = start
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def glicko_by_round(
    names: Sequence[str], rounds: Mapping[int, Iterable[tuple[str, str, float]]]
) -> list[dict[str, Glicko]]:
    """Everybody after each round; games are two players and the points of the first. The order in a round is nothing."""
    standing = dict.fromkeys(names, Glicko())
    story = []
    for _, games in sorted(rounds.items()):
        played: dict[str, list[tuple[str, float]]] = {name: [] for name in names}
        for first, second, points in games:
            played[first].append((second, points))
            played[second].append((first, 1 - points))
        standing = {
            name: glicko(
                standing[name], [(standing[other], points) for other, points in sorted(played[name])]
            )
            for name in names
        }
        story.append(standing)
    return story
