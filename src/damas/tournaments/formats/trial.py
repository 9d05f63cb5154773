"""A sequential test that ends a match of two players early, whichever games finish first.

Pairs are judged in the order of the plan: the match ends at the first pair at which the pairs up to it decide the test.
Games of later pairs that were in play by then are kept but not counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from damas.tournaments.formats.pairing import Pairing, Score
from damas.tournaments.settings import Settings
from damas.tournaments.sprt import Sample, Test


@dataclass
class Trial:
    """The test over the complete pairs so far, for the first player."""

    test: Test
    first: str
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs by their score: 0, 1/2, 1, 1 1/2, 2 points."""
    last: int = 0
    """Games judged."""
    verdict: str = "open"

    @classmethod
    def of(cls, settings: Settings) -> Self:
        assert settings.sprt
        return cls(Test(*settings.sprt), settings.names[0])

    @classmethod
    def over(cls, games: Sequence[Pairing], results: Mapping[str, Score], settings: Settings) -> Self:
        """Judges all complete pairs. `last` is then the number of games of the match: all, or those up to the verdict."""
        trial = cls.of(settings).judge(games, results)
        if trial.verdict == "open":
            trial.last = len(games)
        return trial

    def judge(self, games: Sequence[Pairing], results: Mapping[str, Score]) -> Self:
        """Continues from the last pair judged, as far as results go.

        A pair with a game that is void or was not played is skipped.
        """
        while self.verdict == "open" and self.last < len(games):
            pair = games[self.last : self.last + 2]
            scores = [results.get(game.id) for game in pair]
            if any(score is None for score in scores):
                break
            self.last += len(pair)
            points = [score.rated for score in scores if score and score.rated is not None]
            if len(points) < 2:
                continue
            own = sum(game.points_of(self.first, p) for game, p in zip(pair, points, strict=True))
            self.pairs[round(2 * own)] += 1
            self.verdict = self.test.verdict(self.sample)
        return self

    @property
    def sample(self) -> Sample:
        return Sample(tuple(self.pairs))

    @property
    def llr(self) -> float:
        """Log-likelihood ratio of the two hypotheses."""
        return self.sample.llr(self.test.elo0, self.test.elo1)

    def as_json(self) -> dict[str, object]:
        return {
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "llr": round(self.llr, 2),
            "pairs": list(self.pairs),
            "verdict": self.verdict,
        }
