"""Performance and Elo of a tournament, from the games that were played on the board."""

from dataclasses import dataclass
from math import log10

from damas.tournaments.hall.league import individuals
from damas.tournaments.hall.rounds import PLAYED, SHARES
from damas.tournaments.hall.state import State

MAX_DIFFERENCE = 800
"""Performance above or below the opponents' average of somebody who won or lost every game."""


@dataclass(frozen=True)
class RatingRow:
    """The ratings of one player."""

    name: str
    rating: int
    """The rating before, or the provisional one; 0: none."""
    provisional: bool
    games: int
    """Games against players with a rating."""
    score: float
    expected: float
    change: float
    performance: int | None
    """None without such games."""

    @property
    def new(self) -> int:
        """The rating after the tournament."""
        return round(self.rating + self.change)


def rating_report(state: State) -> list[RatingRow]:
    """The ratings of all players, in the order of numbers; in a league those of the squads."""
    state = individuals(state) if state.conditions.boards else state
    conditions = state.conditions
    ratings = {name: conditions.rating(player.person) for name, player in state.players.items()}
    games: dict[str, list[tuple[str, float]]] = {name: [] for name in state.players}
    for played in state.rounds:
        for pair in played.pairs:
            result = played.results.get(pair.board)
            if result is None:
                continue
            for name, other in ((pair.first, pair.second), (pair.second, pair.first)):
                if ratings[other]:
                    signs = result.signs(pair, name)
                    games[name] += ((other, SHARES[sign]) for sign in signs if sign in PLAYED)
    return [_row(state, name, ratings, games[name]) for name in state.by_number]


def _row(state: State, name: str, ratings: dict[str, int], games: list[tuple[str, float]]) -> RatingRow:
    own = ratings[name]
    score = sum(points for _, points in games)
    expected = sum(expected_score(own - ratings[other]) for other, _ in games) if own else 0.0
    change = state.conditions.elo_k * (score - expected) if own else 0.0
    performance = None
    if games:
        average = sum(ratings[other] for other, _ in games) / len(games)
        performance = round(average + rating_difference(score / len(games)))
    provisional = not state.players[name].person.rating
    return RatingRow(name, own, provisional, len(games), score, expected, change, performance)


def expected_score(difference: float) -> float:
    """The part of the points that Elo expects of a player rated so much higher.

    >>> round(expected_score(200), 2)
    0.76
    """
    return 1 / (1 + 10 ** (-difference / 400))


def rating_difference(score: float) -> float:
    """How much higher a player is rated of whom this part of the points is expected.

    >>> rating_difference(1), round(rating_difference(0.76))
    (800, 200)
    """
    if score in (0, 1):
        return MAX_DIFFERENCE if score else -MAX_DIFFERENCE
    return max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, 400 * log10(score / (1 - score))))
