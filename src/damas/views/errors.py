"""Errors and refused moves."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from damas.errors import (
    BadRegulation,
    BadRulebook,
    IllegalMove,
    IllegalSetup,
    NotationError,
    Refusal,
    UnknownRulebook,
    file_trouble,
)
from damas.views.moves import BoardMoveView
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True)
class ProblemView:
    """One thing wrong with a text or a setup."""

    code: str
    token: str
    offset: int
    squares: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class MistakeView:
    """One thing wrong with a file of rules."""

    key: str
    got: str | None
    """What stands there, as JSON; null where nothing does."""
    allowed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorView:
    """Why something is refused: a stable code, a sentence for people, and the facts that go with the code."""

    code: str
    message: str
    lang: str
    rulebook: str | None = None
    article: str | None = None
    """As the rulebook itself is cited; empty where no article speaks."""
    article_id: str | None = None
    regulation: str | None = None
    known: tuple[str, ...] | None = None
    """The names that there are, where one is unknown."""
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextErrorView(ErrorView):
    """A text that cannot be read, or a setup that cannot be."""

    text: str | None = None
    problems: tuple[ProblemView, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileErrorView(ErrorView):
    """A file of rules with mistakes."""

    problems: tuple[MistakeView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalView(TextErrorView):
    """Why a move or another act of a player is refused; of a move also what may be played instead."""

    tried: str | None = None
    legal: tuple[str, ...] | None = None
    """What may be played: for a broken priority law the captures it asks for."""
    also: tuple[str, ...] | None = None
    """Codes of the other rules that the same attempt breaks."""
    article_text: str | None = None
    """What the article says, in our words; empty where no rulebook speaks."""
    alternatives: tuple[BoardMoveView, ...] | None = None
    """The moves of `legal`, for a board."""
    route: tuple[int, ...] | None = None
    """The squares of the attempt, as far as they were read."""
    marks: tuple[int, ...] | None = None
    """Squares that a board marks."""
    best: tuple[str, ...] | None = None
    """Deprecated: the same as `legal`."""
    best_takes: int | None = None
    """Deprecated: the same as `asks`."""


class Speaking(Protocol):
    """Anything refused with a code and a sentence: each `DamasError`, and what the command line adds."""

    code: str

    def sentence(self, language: str) -> str: ...


def error_view(error: Speaking | OSError, language: str) -> ErrorView:
    """An error of the library, the command line or the file system."""
    if isinstance(error, IllegalMove):
        return refusal_view(error.refusal, language)
    if isinstance(error, OSError):
        message = file_trouble(error).sentence(language)
        message = f"{error.filename}: {message}" if error.filename is not None else message
    else:
        message = error.sentence(language)
    code = getattr(error, "code", "FILE")
    common: dict[str, Any] = {"code": code, "message": " ".join(message.split()), "lang": language}
    match error:
        case NotationError() | IllegalSetup():
            problems = tuple(
                view_of(ProblemView, problem, message=problem.sentence(language))
                for problem in error.problems
            )
            return TextErrorView(**common, text=error.text, problems=problems)
        case BadRulebook() | BadRegulation():
            mistakes = tuple(
                view_of(MistakeView, mistake, allowed=mistake.allowed(language)) for mistake in error.problems
            )
            common["rulebook" if isinstance(error, BadRulebook) else "regulation"] = error.name
            return FileErrorView(**common, problems=mistakes)
        case UnknownRulebook():
            return ErrorView(**common, rulebook=error.name, known=error.known)
    return ErrorView(**common)


def refusal_view(why: Refusal, language: str) -> RefusalView:
    """A refused move."""
    return view_of(
        RefusalView,
        why,
        message=why.sentence(language),
        lang=language,
        rulebook=why.citation.rulebook,
        article=why.citation.article,
        article_id=why.citation.id,
        more=why.facts,
    )


def unreadable_view(
    error: NotationError, rulebook: str, legal: tuple[str, ...], language: str
) -> RefusalView:
    """A text that is no move at all, shown as any other refusal: every legal move may be played instead."""
    return view_of(
        RefusalView,
        error_view(error, language),
        rulebook=rulebook,
        article="",
        article_id="",
        tried=error.text,
        legal=legal,
        also=(),
    )
