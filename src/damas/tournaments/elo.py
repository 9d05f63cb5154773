"""Elo of everybody at once: the strengths under which the games are likeliest (Bradley and Terry).

Each player also has one imagined draw against a player of strength 0, so that somebody who has won every game still
has a rating, and a wide error bar. The average of the field is 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, inf, log, sqrt

from damas.tournaments.sprt import Sample, elo_of

SCALE = 400 / log(10)
"""Elo points of one unit of log odds."""
LARGEST = 200
"""Players for whom errors are worked out together; for more, each by itself, which makes them a little smaller."""
SURE = 1.96


@dataclass(frozen=True)
class Rating:
    elo: float = 0.0
    error: float = 0.0
    """Half of the 95 % interval."""


def elo(count: int, games: Iterable[tuple[int, int, float]]) -> list[Rating]:
    """Ratings of players 0 to count - 1 from games: two players and the points of the first.

    >>> strong, weak = elo(2, [(0, 1, 1.0)] * 30 + [(1, 0, 1.0)] * 10)
    >>> round(strong.elo), round(weak.elo), strong.error > 50
    (94, -94, True)
    """
    met: list[dict[int, int]] = [{} for _ in range(count)]
    points = [0.5] * count
    for first, second, score in sorted(games):
        points[first] += score
        points[second] += 1 - score
        met[first][second] = met[first].get(second, 0) + 1
        met[second][first] = met[second].get(first, 0) + 1
    strengths = _likeliest(points, met)
    middle = sum(strengths) / count if count else 0.0
    errors = _errors(strengths, met)
    return [
        Rating(SCALE * (strength - middle), SURE * SCALE * error)
        for strength, error in zip(strengths, errors, strict=True)
    ]


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-difference))


def _likeliest(points: Sequence[float], met: Sequence[dict[int, int]]) -> list[float]:
    """One player after the other is moved to where its own games put it, until nobody moves any more."""
    strengths = [0.0] * len(points)
    for _ in range(500):
        largest = 0.0
        for player, opponents in enumerate(met):
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


def _errors(strengths: Sequence[float], met: Sequence[dict[int, int]]) -> list[float]:
    """How far each may be from where it stands among the others: from the inverse of what the games tell."""
    count = len(strengths)
    information = [[0.0] * count for _ in range(count)] if count <= LARGEST else []
    alone = []
    for player, opponents in enumerate(met):
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
    return _roots(information) if information else alone


def _roots(matrix: list[list[float]]) -> list[float]:
    """The matrix is symmetric and positive: Cholesky, and a column of the inverse factor for each player."""
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
        found = [0.0] * count
        for row in range(player, count):
            rest = float(row == player) - sum(lower[row][k] * found[k] for k in range(player, row))
            found[row] = rest / lower[row][row]
        columns.append(found)
    # Against the average of the field: what all have in common is no error of anybody's.
    middle = [sum(values) / count for values in zip(*columns, strict=True)]
    return [sqrt(sum((a - b) ** 2 for a, b in zip(found, middle, strict=True))) for found in columns]


def difference(sample: Sample) -> tuple[float, float, float]:
    """Elo of the first of two players above the second with its 95 % interval, from pairs of games.

    Wilson's interval for as many games as the spread of the pairs is worth: it never leaves what is possible. Where every
    pair went the same way their spread says nothing: the end that is known is then how weak a player could be and still do
    as well with one chance in twenty.

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
    middle = (score + SURE**2 / (2 * games)) / (1 + SURE**2 / games)
    half = SURE * sqrt(score * (1 - score) / games + (SURE / (2 * games)) ** 2) / (1 + SURE**2 / games)
    return elo_of(score), elo_of(middle - half), elo_of(middle + half)
