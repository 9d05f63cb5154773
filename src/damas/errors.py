"""Everything damas refuses, and why.

DamasError
├─ NotationError      the text cannot be read
├─ IllegalMove        it was read, and the rules refuse it
│  ├─ AmbiguousMove   several legal moves fit: name the route
│  ├─ NotYourTurn
│  └─ GameOver
├─ IllegalSetup       the pieces cannot stand so: all the reasons at once
├─ BadRulebook        a rules file with mistakes: all of them at once
├─ UnknownRulebook
├─ BadRegulation      a regulation with mistakes: all of them at once
├─ UnknownRegulation
├─ ProcedureRefused   the arbiter does not allow it (in `damas.arbiter`: it carries the table)
├─ BadEvent           an event of a game that cannot be read
└─ BadRecord          the record of a game that does not hold: the line, and what is wrong with it

Each carries data under a stable code; sentences come from the catalogue, in any of its languages.
"""

from dataclasses import dataclass, field

from damas.language import sentence


@dataclass(frozen=True)
class Citation:
    """Where a rule is written."""

    rulebook: str
    article: str
    """As the text itself is cited: "Art. 7", "Lei da Maioria"; empty where a house file names no article."""
    id: str
    """Our stable id of the statement: "002-7c"."""

    def sentence(self, language: str) -> str:
        if self.id.startswith(
            "regulation."
        ):  # a setting of the regulation, whose name stands in place of a rulebook's
            return sentence("citation.regulation", language, name=self.rulebook)
        if self.article:
            return f"{self.rulebook}, {self.article}"
        if self.id:
            return sentence("citation.reading", language, rulebook=self.rulebook, id=self.id)
        return self.rulebook


@dataclass(frozen=True)
class Refusal:
    """Why a move is refused: the one answer that library, command line, web and referee all give."""

    code: str
    tried: str
    citation: Citation
    facts: dict[str, object] = field(default_factory=dict)
    """What the sentence of this code is filled with: squares, numbers of pieces."""
    legal: tuple[str, ...] = ()
    """What may be played instead: for a broken priority law the captures it asks for, with their routes."""
    also: tuple[str, ...] = ()
    """Codes of further rules the same attempt breaks."""

    def sentence(self, language: str) -> str:
        facts = {key: _told(value, language) for key, value in self.facts.items()}
        text = sentence(f"refusal.{self.code}", language, tried=self.tried, **facts)
        parts = [f"{text} ({self.citation.sentence(language)})."]
        if self.legal:
            shown = ", ".join(self.legal[:8]) + (" …" if len(self.legal) > 8 else "")
            parts.append(sentence("refusal.legal", language, legal=shown))
        return " ".join(parts)

    def as_json(self, language: str) -> dict[str, object]:
        return {
            "code": self.code,
            "rulebook": self.citation.rulebook,
            "article": self.citation.article,
            "article_id": self.citation.id,
            "tried": self.tried,
            **{key: getattr(value, "value", value) for key, value in self.facts.items()},
            "legal": list(self.legal),
            "also": list(self.also),
            "message": self.sentence(language),
            "lang": language,
        }


class DamasError(Exception):
    """Base of everything damas raises on purpose."""

    code = "ERROR"

    def sentence(self, language: str) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sentence("en")


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a text or a setup."""

    code: str
    token: str
    offset: int
    squares: tuple[str, ...] = ()

    def sentence(self, language: str) -> str:
        return sentence(
            f"problem.{self.code}", language, token=self.token, offset=self.offset, most=self.offset
        )


class NotationError(DamasError):
    """The text cannot be read."""

    code = "NOTATION"

    def __init__(self, text: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(text, problems)
        self.text = text
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(problem.sentence(language) for problem in self.problems)
        return sentence("error.notation", language, text=_shown(self.text), reasons=reasons)


class IllegalMove(DamasError):
    """Read, and not allowed: `refusal` says by which article and what is legal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.code = refusal.code

    @property
    def article(self) -> str:
        return self.refusal.citation.article

    @property
    def legal(self) -> tuple[str, ...]:
        return self.refusal.legal

    def sentence(self, language: str) -> str:
        return self.refusal.sentence(language)


class AmbiguousMove(IllegalMove):
    """Several legal moves fit the text; `legal` names them with their routes."""


class NotYourTurn(IllegalMove):
    pass


class GameOver(IllegalMove):
    pass


class IllegalSetup(DamasError):
    """The pieces cannot stand so; `problems` has every reason."""

    code = "SETUP"

    def __init__(self, text: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(text, problems)
        self.text = text
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(problem.sentence(language) for problem in self.problems)
        return sentence("error.setup", language, text=_shown(self.text), reasons=reasons)


class BadRulebook(DamasError):
    """A rules file with mistakes; `problems` lists key, what was found and what is allowed."""

    code = "RULEBOOK"

    def __init__(self, name: str, problems: list[tuple[str, str, str]]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(
            sentence("error.rulebook_key", language, key=key, got=got, allowed=allowed)
            for key, got, allowed in self.problems
        )
        return sentence("error.rulebook", language, name=self.name, reasons=reasons)


class UnknownRulebook(DamasError):
    code = "UNKNOWN_RULEBOOK"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known

    def sentence(self, language: str) -> str:
        return sentence(
            "error.unknown_rulebook", language, name=_shown(self.name), known=", ".join(self.known)
        )


class BadRegulation(DamasError):
    """A regulation with mistakes; `problems` lists key, what was found and what is allowed."""

    code = "REGULATION"

    def __init__(self, name: str, problems: list[tuple[str, str, str]]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = problems

    def sentence(self, language: str) -> str:
        reasons = "; ".join(
            sentence("error.rulebook_key", language, key=key, got=_shown(got), allowed=allowed)
            for key, got, allowed in self.problems
        )
        return sentence("error.regulation", language, name=_shown(self.name), reasons=reasons)


class UnknownRegulation(DamasError):
    code = "UNKNOWN_REGULATION"

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = known

    def sentence(self, language: str) -> str:
        return sentence(
            "error.unknown_regulation", language, name=_shown(self.name), known=", ".join(self.known)
        )


class BadEvent(DamasError):
    """An event that cannot be read: its key, what was found and what is allowed."""

    code = "EVENT"

    def __init__(self, kind: str, key: str, got: str, allowed: str) -> None:
        super().__init__(kind, key, got, allowed)
        self.kind = kind
        self.key = key
        self.got = got
        self.allowed = allowed

    def sentence(self, language: str) -> str:
        reason = sentence(
            "error.rulebook_key", language, key=self.key, got=_shown(self.got), allowed=self.allowed
        )
        return sentence("error.event", language, kind=_shown(self.kind), reason=reason)


class BadRecord(DamasError):
    """The record of a game does not hold. `line` counts from 1; `reason` is a stable code with its facts."""

    code = "RECORD"

    def __init__(
        self, line: int, reason: str, facts: dict[str, object], cause: DamasError | None = None
    ) -> None:
        super().__init__(line, reason, facts)
        self.line = line
        self.reason = reason
        self.facts = facts
        self.cause = cause

    def sentence(self, language: str) -> str:
        facts = dict(self.facts)
        if self.cause:
            facts["cause"] = self.cause.sentence(language)
        reason = sentence(f"record.{self.reason}", language, **facts)
        return sentence("error.record", language, line=self.line, reason=reason)


def _told(value: object, language: str) -> object:
    """A piece by its name in the language, anything else as it is. (Pieces belong to a later room.)"""
    return sentence(f"piece.{getattr(value, 'value', '')}", language) if hasattr(value, "is_king") else value


def _shown(text: str) -> str:
    """Short enough for one line of an error."""
    line = " ".join(text.split())
    return line if len(line) <= 120 else line[:117] + "…"
