"""The report of a check: named checks and their results."""

from dataclasses import dataclass, field, replace
from typing import Any

from damas.arbiter import Moved, Table
from damas.errors import DamasError
from damas.game import Position, refusal
from damas.language import entries, sentence, word

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
"""Stable names, never translated, in the order of the report; the catalogue describes them under `check.title`."""

PASS, FAIL, NOT_TRIED = "pass", "fail", "not tried"
"""The statuses of a check."""


@dataclass(frozen=True)
class Trouble:
    """The first failure of a check."""

    code: str
    """A fault code, or the refusal code of an illegal move."""
    fen: str
    detail: str
    said: str = ""
    stderr: str = ""
    again: bool | None = None
    """Whether it failed again about the same position in a new process; None if that was not tried."""

    def article(self, rulebook: str, language: str) -> str:
        """The article by which a game with this answer would be lost; empty where no move was refused."""
        if not self.fen or self.code in entries("verdict") or self.code in entries("check.detail"):
            return ""
        try:
            table = Table.start(rulebook, "contest", fen=self.fen)
            outcome = table.apply(Moved(0, table.to_move, self.detail)).outcome
        except DamasError:
            return ""
        return outcome.citation.sentence(language) if outcome and outcome.reason == "INVALID_MOVE" else ""

    def message(self, rulebook: str, language: str) -> str:
        """What went wrong, in words: the fault and its detail, or why the move is refused, with the article."""
        detail = word("check.detail", self.detail, language)
        if detail.startswith("exit code "):
            detail = sentence("check.detail.exit", language, code=detail.rpartition(" ")[2])
        if self.code in entries("verdict"):
            fault = sentence(f"verdict.{self.code}", language)
            return fault if detail in ("", fault) else f"{fault}: {detail}"
        if self.code in entries("check.detail"):
            return word("check.detail", self.code, language)
        try:
            why = refusal(Position.from_fen(self.fen, rulebook), self.detail)
        except DamasError as error:
            return error.sentence(language)
        return replace(why, legal=()).sentence(language) if why else detail


@dataclass(frozen=True)
class Check:
    """One thing that was checked."""

    name: str
    tried: int
    """How often it could have failed."""
    trouble: Trouble | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """One of pass, fail and not tried."""
        if self.trouble:
            return FAIL
        return PASS if self.tried else NOT_TRIED

    def title(self, language: str) -> str:
        """What is checked, in words."""
        return sentence(f"check.title.{self.name}", language)

    def advice(self, language: str, rulebook: str) -> str:
        """What the author of the program should do."""
        ended = self.trouble and self.trouble.detail.startswith(("exit code", "SIG", "signal"))
        kind = "ended" if self.name == "start" and ended else "advice"
        return sentence(f"check.{kind}.{self.name}", language, rulebook=rulebook)

    def as_json(self, language: str, rulebook: str) -> dict[str, Any]:
        """The check as JSON values, with advice if it failed."""
        view: dict[str, Any] = {
            "name": self.name,
            "status": self.status,
            "title": self.title(language),
            "tried": self.tried,
            **({"facts": self.facts} if self.facts else {}),
        }
        if self.trouble:
            view |= {"advice": self.advice(language, rulebook), "trouble": vars(self.trouble)}
        return view


@dataclass(frozen=True)
class Report:
    """All checks of one program."""

    bot: str
    rulebook: str
    tier: str
    """What contained the program."""
    positions: int
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return not any(check.trouble for check in self.checks)

    def __getitem__(self, name: str) -> Check:
        return next(check for check in self.checks if check.name == name)

    def failed(self) -> list[str]:
        """The names of the checks that failed."""
        return [check.name for check in self.checks if check.trouble]

    def as_json(self, language: str) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "bot": self.bot,
            "rulebook": self.rulebook,
            "tier": self.tier,
            "passed": self.passed,
            "positions": self.positions,
            "checks": [check.as_json(language, self.rulebook) for check in self.checks],
        }
