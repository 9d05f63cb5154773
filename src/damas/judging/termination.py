"""How PDN says why a game ended: the words of its Termination tag, and which results they can explain."""

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
"""What is written for each reason of ours: the PGN words, and two more that everybody understands."""

DECISIVE, DRAWN, ANY, NONE = "decisive", "drawn", "any", "none"


@dataclass(frozen=True)
class Explanation:
    """Why a game ended without the rules ending it, as its record says."""

    reason: str
    """RESIGNATION, FLAG, AGREEMENT, INFRACTION, ARBITER, OTHER, or UNFINISHED: it did not end."""
    allows: str
    """Which results it explains."""
    text: str
    """As it was written."""

    def explains(self, result: str) -> bool:
        """Whether it fits a result: 1-0, 0-1, 1/2-1/2, 0-0."""
        if self.allows == ANY:
            return True
        return (result in ("1-0", "0-1") and self.allows == DECISIVE) or (
            result == "1/2-1/2" and self.allows == DRAWN
        )


# Portuguese, Spanish and English, as programs and arbiters write it. The first that is found counts.
_KNOWN = (
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
_PATTERNS = [(reason, allows, re.compile(words, re.IGNORECASE)) for reason, allows, words in _KNOWN]


def read(text: str) -> Explanation | None:
    """What a Termination tag explains; None where it only says that the game ended as games do.

    >>> read("Time forfeit").reason, read("normal"), read("abandono").reason
    ('FLAG', None, 'RESIGNATION')
    """
    text = " ".join(text.split())
    if text.lower() in ("", "?", "-", "normal", "*"):
        return None
    return _found(text) or Explanation("OTHER", ANY, text)


def read_comment(text: str) -> Explanation | None:
    """The same for a comment on the last move, which may as well speak of something else."""
    found = _found(" ".join(text.split()))
    return found if found and found.reason in ("FLAG", "AGREEMENT", "RESIGNATION") else None


def _found(text: str) -> Explanation | None:
    return next(
        (Explanation(reason, allows, text) for reason, allows, known in _PATTERNS if known.search(text)), None
    )


def tags(outcome: Outcome) -> dict[str, str]:
    """What a finished game adds to its PDN."""
    said = {"Termination": WORDS[outcome.reason], "Reason": outcome.reason}
    if outcome.rule:
        said["Rule"] = outcome.rule
    said["Article"] = outcome.citation.sentence("en")
    if outcome.citation.id:
        said["ArticleId"] = outcome.citation.id
    if outcome.platform:
        said["PlatformRule"] = "yes"
    return said
