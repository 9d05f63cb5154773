"""A sequential test that ends a match of two players early, whichever games finish first.

Pairs are judged in the order of the plan: the match ends at the first pair at which the pairs up to it decide the test.
Games of later pairs that were in play by then are kept but not counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from damas.tournaments.formats.pairing import Pairing, points_in
from damas.tournaments.result import Results
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
        """A new test as the settings ask for it."""
        assert settings.sprt
        return cls(Test(*settings.sprt), settings.names[0])

    @classmethod
    def over(cls, games: Sequence[Pairing], results: Results, settings: Settings) -> Self:
        """Judges all complete pairs. `last` is then the number of games of the match: all, or those up to the verdict."""
        trial = cls.of(settings).judge(games, results)
        if trial.verdict == "open":
            trial.last = len(games)
        return trial

    def judge(self, games: Sequence[Pairing], results: Results) -> Self:
        """Continues from the last pair judged, as far as results go.

        A pair with a game that is void or was not played is skipped.
        """
        while self.verdict == "open" and self.last < len(games):
            pair = games[self.last : self.last + 2]
            if any(game.id not in results for game in pair):
                break
            self.last += len(pair)
            played = [results[game.id] for game in pair if results[game.id].rated is not None]
            if len(played) == 2:
                self.pairs[round(2 * points_in(self.first, pair, results))] += 1
                self.verdict = self.test.verdict(self.sample)
        return self

    @property
    def sample(self) -> Sample:
        """The pairs so far."""
        return Sample(tuple(self.pairs))

    @property
    def llr(self) -> float:
        """Log-likelihood ratio of the two hypotheses."""
        return self.sample.llr(self.test.elo0, self.test.elo1)

    def as_json(self) -> dict[str, object]:
        """The test as JSON values."""
        return {
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "llr": round(self.llr, 2),
            "pairs": list(self.pairs),
            "verdict": self.verdict,
        }
