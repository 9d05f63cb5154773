"""Elo ratings of all players of a tournament together, by maximum likelihood (Bradley-Terry).

Each player also gets one virtual draw against a player of strength 0, so that somebody who has won every game still
has a finite rating with a wide error bar. The average rating is 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt

from damas.tournaments.sprt import Sample, elo_of

SCALE = 400 / log(10)
"""Elo points of one unit of log odds."""
MAX_JOINT_ERRORS = 200
"""Up to this many players, errors come from the joint covariance; above, from each player alone, slightly too small."""
Z_95 = 1.96
"""Standard deviations on each side of a 95 % interval."""


@dataclass(frozen=True)
class Rating:
    """Elo relative to the average of the field."""

    elo: float = 0.0
    error: float = 0.0
    """Half of the 95 % interval."""


def elo(count: int, games: Iterable[tuple[int, int, float]]) -> list[Rating]:
    """Ratings of players 0 to count - 1; a game is two players and the points of the first.

    >>> strong, weak = elo(2, [(0, 1, 1.0)] * 30 + [(1, 0, 1.0)] * 10)
    >>> round(strong.elo), round(weak.elo), strong.error > 50
    (94, -94, True)
    """
    meetings: list[dict[int, int]] = [{} for _ in range(count)]
    points = [0.5] * count
    for first, second, score in sorted(games):
        points[first] += score
        points[second] += 1 - score
        meetings[first][second] = meetings[first].get(second, 0) + 1
        meetings[second][first] = meetings[second].get(first, 0) + 1
    strengths = _most_likely_strengths(points, meetings)
    mean = sum(strengths) / count if count else 0.0
    errors = _standard_errors(strengths, meetings)
    return [
        Rating(SCALE * (strength - mean), Z_95 * SCALE * error)
        for strength, error in zip(strengths, errors, strict=True)
    ]


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _most_likely_strengths(points: Sequence[float], meetings: Sequence[dict[int, int]]) -> list[float]:
    """Newton steps, one player after the other, until no strength changes."""
    strengths = [0.0] * len(points)
    for _ in range(500):
        largest = 0.0
        for player, opponents in enumerate(meetings):
            here = _expected(strengths[player])
            slope, curve = points[player] - here, here * (1 - here)
            for other, count in opponents.items():
                share = _expected(strengths[player] - strengths[other])
                slope -= count * share
                curve += count * share * (1 - share)
            step = max(-1.0, min(1.0, slope / curve))
            strengths[player] += step
            largest = max(largest, abs(step))
        if largest < 1e-9:
            break
    return strengths


def _standard_errors(strengths: Sequence[float], meetings: Sequence[dict[int, int]]) -> list[float]:
    """The standard error of each strength, from the inverse of the Fisher information."""
    count = len(strengths)
    information = [[0.0] * count for _ in range(count)] if count <= MAX_JOINT_ERRORS else []
    alone = []
    for player, opponents in enumerate(meetings):
        here = _expected(strengths[player])
        total = here * (1 - here)
        for other, games in opponents.items():
            share = _expected(strengths[player] - strengths[other])
            total += games * share * (1 - share)
            if information:
                information[player][other] = -games * share * (1 - share)
        alone.append(1 / sqrt(total))
        if information:
            information[player][player] = total
    return _errors_about_mean(information) if information else alone


def _errors_about_mean(matrix: list[list[float]]) -> list[float]:
    """Standard errors relative to the average of all, by the Cholesky factor of the information matrix."""
    count = len(matrix)
    lower = [[0.0] * count for _ in range(count)]
    for row in range(count):
        for column in range(row + 1):
            rest = matrix[row][column] - sum(
                a * b for a, b in zip(lower[row][:column], lower[column][:column], strict=True)
            )
            lower[row][column] = sqrt(rest) if row == column else rest / lower[column][column]
    columns = []
    for player in range(count):
        inverse = [0.0] * count
        for row in range(player, count):
            rest = float(row == player) - sum(lower[row][k] * inverse[k] for k in range(player, row))
            inverse[row] = rest / lower[row][row]
        columns.append(inverse)
    # An error that all players share does not change their differences.
    shared = [sum(values) / count for values in zip(*columns, strict=True)]
    return [sqrt(sum((a - b) ** 2 for a, b in zip(column, shared, strict=True))) for column in columns]


def difference(sample: Sample) -> tuple[float, float, float]:
    """Elo of the first of two players above the second, and the ends of its 95 % interval, from pairs of games.

    Wilson's interval for the number of independent games that have the variance of the pairs. If one player won every
    game the variance is unknown: the finite end is then the Elo at which that happens with a probability of 5 %.

    >>> difference(Sample((0, 0, 0, 0, 10)))[1] > 200
    True
    >>> [round(value) for value in difference(Sample((2, 5, 20, 9, 4)))]
    [35, -17, 87]
    """
    if not sample.count:
        return 0.0, -inf, inf
    score = sample.score
    if score in (0, 1):
        bound = elo_of(sqrt(0.05 ** (1 / sample.count)))
        return (inf, bound, inf) if score else (-inf, -inf, -bound)
    games = 2.0 * sample.count
    if sample.variance:
        games = score * (1 - score) * sample.count / sample.variance
    middle = (score + Z_95**2 / (2 * games)) / (1 + Z_95**2 / games)
    half = Z_95 * sqrt(score * (1 - score) / games + (Z_95 / (2 * games)) ** 2) / (1 + Z_95**2 / games)
    return elo_of(score), elo_of(middle - half), elo_of(middle + half)
