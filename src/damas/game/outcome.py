"""How a game ended: who won, why, and by which article."""

from dataclasses import dataclass, field
from typing import Self

from damas.board import Color
from damas.errors import Citation
from damas.language import language_of, sentence, word
from damas.rules.limits import LimitName

PLATFORM_REASONS = (
    "NOBODY_CAME",
    "FIRST_MOVE_LATE",
    "FIRST_MOVE_LATE_WHITE",
    "FIRST_MOVE_LATE_BLACK",
    "NOBODY_BACK",
    "TIME_USED_UP",
    "ended by the teacher",
    "the pupil has left the class",
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
    facts: dict[str, object] = field(default_factory=dict, hash=False)
    void: bool = False
    limit: LimitName | None = field(default=None, compare=False, repr=False)
    """The name of the limit that ended it; it follows from the game, and records leave it out."""
    occurrences: "Occurrences | None" = field(default=None, compare=False, repr=False)
    """Where the position or cycle that ended it occurred; records leave it out as well."""

    @classmethod
    def loss(cls, loser: Color, reason: str, citation: Citation, **facts: object) -> Self:
        """The outcome of a game that `loser` has lost."""
        return cls(loser.other, reason, citation, facts={"loser": loser, **facts})

    @property
    def result(self) -> str:
        """White's points first; PDN has its own habits for some games (notation.pdn.result_of)."""
        return "*" if self.void else RESULTS[self.winner]

    def sentence(self, language: str) -> str:
        """One sentence with the article, or saying that it is the platform's own rule; in the words of the rulebook."""
        language = language_of(self.citation.rulebook, language)
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
        if self.limit:
            facts["name"] = self.limit
        if self.occurrences:
            facts["occurrences"] = self.occurrences
        if code := self.facts.get("code"):
            facts["fault"] = word("fault", str(code), language)
        reason = sentence(f"reason.{self._reason_key}", language, **facts)
        where = self.citation.sentence(language)
        if self.platform:
            where = sentence("outcome.platform", language)
        return f"{verdict}: {reason} ({where})."

    @property
    def _reason_key(self) -> str:
        """The key of the reason's sentence: a limit whose name is known says it, with what its article counts."""
        if self.reason == "ARBITER" and self.facts.get("why") in PLATFORM_REASONS:
            return "CALLED_OFF"
        if self.reason == "INVALID_MOVE" and "tried" not in self.facts:
            return "INVALID_MOVE_unnamed"
        if self.occurrences:
            return f"{self.reason}_after"
        if self.reason != "LIMIT" or self.limit is None:
            return self.reason
        return f"LIMIT_{self.limit.rule.counts}" if self.limit.rule.limit else "LIMIT_at_once"


@dataclass(frozen=True)
class Occurrences:
    """Moves of one side after which a position stood, or with which a cycle began; 0 is the start of the game.

    >>> Occurrences(Color.BLACK, (0, 2, 4)).sentence("en")
    'at the start and after moves 2 and 4 of Black'
    """

    side: Color
    numbers: tuple[int, ...]
    of_cycle: bool = False

    def sentence(self, language: str) -> str:
        """Where the position stood, as part of a sentence."""
        conjunction = sentence("move.after.and", language)
        moves = [str(number) for number in self.numbers if number]
        listed = conjunction.join(filter(None, (", ".join(moves[:-1]), *moves[-1:])))
        parts = [sentence("move.after.start", language)] if 0 in self.numbers else []
        if moves:
            key = f"move.after.{'from_' if self.of_cycle else ''}{self.side.value}"
            parts.append(sentence(key, language, numbers=listed, count=len(moves)))
        return conjunction.join(parts)
