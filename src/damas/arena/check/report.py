"""The report of a check: stable names, and what each of them found."""

from dataclasses import dataclass, field
from typing import Any

from damas.language import sentence

CHECKS = (
    "start",
    "answers",
    "nonce",
    "quiet",
    "unknown",
    "stays",
    "speed",
    "notation",
    "colours",
    "own-pieces",
    "men",
    "kings",
    "promotions",
    "captures",
    "chains",
    "capture-laws",
    "draws",
    "long-history",
    "leaves",
    "closed-input",
)
"""Stable, never translated; in the order of the report. What each asks stands in the catalogue under `check.title`."""

PASS, FAIL, NOT_TRIED = "pass", "fail", "not tried"


@dataclass(frozen=True)
class Trouble:
    """What a program did wrong, the first time it did."""

    code: str
    """A verdict of the arena, or the refusal of an illegal move."""
    fen: str
    detail: str
    said: str = ""
    stderr: str = ""
    again: bool | None = None
    """Whether it did the same when asked about the same position in a new process; None where nobody asked."""


@dataclass(frozen=True)
class Check:
    name: str
    tried: int
    """Positions, or times, in which it could have failed."""
    trouble: Trouble | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """Pass | fail | not tried."""
        if self.trouble:
            return FAIL
        return PASS if self.tried else NOT_TRIED

    def title(self, language: str) -> str:
        return sentence(f"check.title.{self.name}", language)

    def advice(self, language: str, rulebook: str) -> str:
        """What to do about it."""
        ended = self.trouble and self.trouble.detail.startswith(("exit code", "SIG", "signal"))
        kind = "ended" if self.name == "start" and ended else "advice"
        return sentence(f"check.{kind}.{self.name}", language, rulebook=rulebook)

    def as_json(self, language: str, rulebook: str) -> dict[str, Any]:
        told: dict[str, Any] = {
            "name": self.name,
            "status": self.status,
            "title": self.title(language),
            "tried": self.tried,
            **({"facts": self.facts} if self.facts else {}),
        }
        if self.trouble:
            told |= {"advice": self.advice(language, rulebook), "trouble": vars(self.trouble)}
        return told


@dataclass(frozen=True)
class Report:
    bot: str
    rulebook: str
    tier: str
    """What contained the program, as in a game of the arena."""
    positions: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return not any(check.trouble for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def failed(self) -> list[str]:
        return [check.name for check in self.checks if check.trouble]

    def as_json(self, language: str) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "rulebook": self.rulebook,
            "tier": self.tier,
            "passed": self.passed,
            "positions": self.positions,
            "checks": [check.as_json(language, self.rulebook) for check in self.checks],
        }
