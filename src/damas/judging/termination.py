"""The Termination tag of PDN: why a game ended, and which results that explains."""

import re
from dataclasses import dataclass

from damas.game import Outcome

WORDS = {
    "NO_PIECES": "normal",
    "NO_MOVES": "normal",
    "LIMIT": "normal",
    "REPETITION": "normal",
    "CYCLE": "normal",
    "LENGTH": "normal",
    "AGREEMENT": "agreement",
    "RESIGNATION": "resignation",
    "FLAG": "time forfeit",
    "INVALID_MOVE": "rules infraction",
    "ILLEGAL_MOVES": "rules infraction",
    "WRONG_CLAIM": "rules infraction",
    "ABANDONED": "abandoned",
    "ARBITER": "adjudication",
    "ABORTED": "unterminated",
    "SUSPENDED": "emergency",
}
"""The tag written for each reason of an outcome: the PGN words, and two more."""

DECISIVE, DRAWN, ANY, NONE = "decisive", "drawn", "any", "none"


@dataclass(frozen=True)
class Explanation:
    """Why a game ended, as its record says, where the rules did not end it."""

    reason: str
    """RESIGNATION, FLAG, AGREEMENT, INFRACTION, ARBITER, OTHER, or UNFINISHED: it did not end."""
    allows: str
    """Which results it explains: decisive, drawn, any or none."""
    text: str
    """The text as written."""

    def explains(self, result: str) -> bool:
        """Whether it fits a result: 1-0, 0-1, 1/2-1/2, 0-0."""
        if self.allows == ANY:
            return True
        return (result in ("1-0", "0-1") and self.allows == DECISIVE) or (
            result == "1/2-1/2" and self.allows == DRAWN
        )


# Portuguese, Spanish and English, as programs and arbiters write it. The first match counts.
_WORDS = (
    (
        "UNFINISHED",
        NONE,
        r"unterminated|unfinished|in progress|inacabad|em andamento|en curso|aborted|cancelad",
    ),
    ("FLAG", DECISIVE, r"time|flag|clock|tempo|tiempo|bandeira|bandera"),
    ("AGREEMENT", DRAWN, r"agree|mutual|acordo|acuerdo|de com[úu]n"),
    ("INFRACTION", DECISIVE, r"infra|illegal|invalid|irregular|ilegal|inv[áa]lid"),
    ("RESIGNATION", DECISIVE, r"resign|abandon|desist|gave up|give up|rindi|rendi"),
    (
        "ARBITER",
        ANY,
        r"adjudic|arbit|[áa]rbitr|forfeit|walkover|w\.?o\.?\b|death|emergency|falecim|fallec|default",
    ),
)
_PATTERNS = [(reason, allows, re.compile(words, re.IGNORECASE)) for reason, allows, words in _WORDS]


def read(text: str) -> Explanation | None:
    """What a Termination tag explains; None if it says only that the game ended normally.

    >>> read("Time forfeit").reason, read("normal"), read("abandono").reason
    ('FLAG', None, 'RESIGNATION')
    """
    text = " ".join(text.split())
    if text.lower() in ("", "?", "-", "normal", "*"):
        return None
    return _match(text) or Explanation("OTHER", ANY, text)


def read_comment(text: str) -> Explanation | None:
    """What a comment on the last move explains; None if it is about something else."""
    explanation = _match(" ".join(text.split()))
    return explanation if explanation and explanation.reason in ("FLAG", "AGREEMENT", "RESIGNATION") else None


def _match(text: str) -> Explanation | None:
    return next(
        (Explanation(reason, allows, text) for reason, allows, words in _PATTERNS if words.search(text)), None
    )


def tags(outcome: Outcome) -> dict[str, str]:
    """The PDN tags about the end of a finished game."""
    tags = {"Termination": WORDS[outcome.reason], "Reason": outcome.reason}
    if outcome.rule:
        tags["Rule"] = outcome.rule
    tags["Article"] = outcome.citation.record
    if outcome.citation.id:
        tags["ArticleId"] = outcome.citation.id
    if outcome.platform:
        tags["PlatformRule"] = "yes"
    return tags
