"""How a game ended: who won, why, and by which article."""

from dataclasses import dataclass, field
from typing import Self

from damas.board import Color
from damas.errors import Citation
from damas.language import sentence

PLATFORM_REASONS = (
    "NOBODY_CAME",
    "FIRST_MOVE_LATE",
    "FIRST_MOVE_LATE_WHITE",
    "FIRST_MOVE_LATE_BLACK",
    "NOBODY_BACK",
)
"""Reasons that the platform itself gives; an arbiter's are in the arbiter's own words."""
RESULTS = {Color.WHITE: "1-0", Color.BLACK: "0-1", None: "1/2-1/2"}
"""The result for each winner."""


@dataclass(frozen=True)
class Outcome:
    """Winner (or none) + reason + article. `void` games have no result at all."""

    winner: Color | None
    reason: str
    """Stable code: NO_PIECES, NO_MOVES, LIMIT, REPETITION, CYCLE, LENGTH, AGREEMENT, RESIGNATION, FLAG …"""
    citation: Citation
    rule: str = ""
    """Id of the limit that ended it, if one did."""
    platform: bool = False
    """Ended by the platform, not by the rulebook."""
    facts: dict[str, object] = field(default_factory=dict)
    void: bool = False

    @classmethod
    def loss(cls, loser: Color, reason: str, citation: Citation, **facts: object) -> Self:
        """The outcome of a game that `loser` has lost."""
        return cls(loser.other, reason, citation, facts={"loser": loser, **facts})

    @property
    def result(self) -> str:
        """White's points first; PDN has its own habits for some games (notation.pdn.result_of)."""
        return "*" if self.void else RESULTS[self.winner]

    def sentence(self, language: str) -> str:
        """One sentence with the article, or saying that it is the platform's own rule."""
        if self.void:
            verdict = sentence("outcome.void", language)
        elif self.winner is None:
            verdict = sentence("outcome.draw", language)
        else:
            verdict = sentence(f"outcome.{self.winner.value}_wins", language)
        facts = {
            key: sentence(f"why.{fact}", language) if fact in PLATFORM_REASONS else fact
            for key, fact in self.facts.items()
        }
        reason = sentence(f"reason.{self.reason}", language, **facts)
        where = self.citation.sentence(language)
        if self.platform:
            where = sentence("outcome.platform", language)
        return f"{verdict}: {reason} ({where})."
