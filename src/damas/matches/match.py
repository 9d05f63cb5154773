"""A match of two entrants: pairs of games from the same opening with colours changed, and the score of the first."""

from collections.abc import Callable
from dataclasses import dataclass, field

from damas.matches.entrant import Entrant
from damas.matches.players import IdlePlayers
from damas.matches.referee import play
from damas.matches.terms import Start, Terms
from damas.openings import opening
from damas.tournaments.result import GameResult
from damas.tournaments.sprt import Sample, Test

Pair = tuple[GameResult, GameResult]
"""The two games of one opening; the first entrant has White in the first of them."""


@dataclass
class MatchScore:
    """The score of the first player so far."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """How many pairs brought 0, 1/2, 1, 1 1/2 and 2 points."""
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, first: float | None, second: float | None) -> None:
        """Adds a pair by the first player's points in its two games; a pair with a void game is left out."""
        if first is None or second is None:
            return
        points = (first, second)
        self.pairs[round(2 * sum(points))] += 1
        self.wins += points.count(1)
        self.draws += points.count(0.5)
        self.losses += points.count(0)

    @property
    def games(self) -> int:
        """Games of the pairs that count."""
        return 2 * sum(self.pairs)

    @property
    def sample(self) -> Sample:
        """The pairs for a test."""
        return Sample(tuple(self.pairs))


def play_match(
    first: Entrant,
    second: Entrant,
    terms: Terms,
    *,
    pairs: int,
    test: Test | None = None,
    report: Callable[[Pair], None] | None = None,
) -> MatchScore:
    """Plays pairs from the ballot one after the other, until there are enough or the test is decided.

    >>> from damas.arbiter import TimeControl
    >>> terms = Terms("concurso", TimeControl.parse("none"))
    >>> play_match(Entrant.parse("greedy"), Entrant.parse("random"), terms, pairs=2).games
    4
    """
    score = MatchScore()
    with IdlePlayers() as idle:
        for number in range(pairs):
            line = opening("ballot", (), terms.rulebook, number, terms.seed)
            start = Start(number, line.fen, line.moves)
            pair = (
                play(first, second, start, terms, idle=idle),
                play(second, first, start, terms, idle=idle),
            )
            other = pair[1].points
            score.add(pair[0].points, None if other is None else 1 - other)
            if report:
                report(pair)
            if test and test.verdict(score.sample) != "open":
                break
    return score
