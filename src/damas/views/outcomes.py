"""How a game ended, what is being counted, and what may be claimed."""

from dataclasses import dataclass
from typing import Any

from damas.arbiter.counts import Count, OpenClaim, count_of
from damas.board import Color
from damas.game import Game, Outcome
from damas.views.plain import plain, view_of


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """How a game ended: the winner, the reason and the article."""

    result: str
    """1-0, 0-1, 1/2-1/2 (White's points first), or * where the game has none."""
    winner: str | None
    reason: str
    rulebook: str
    article: str
    article_id: str
    rule: str
    """Id of the draw rule that ended it; empty where none did."""
    platform: bool
    """Whether a rule of the platform ended it, not the rulebook."""
    void: bool
    facts: dict[str, Any]
    message: str
    sentence: str
    """Deprecated: the same as `message`."""


@dataclass(frozen=True, slots=True)
class CountView:
    """How far a draw rule has counted."""

    rule: str
    name: str
    """What players call it: the ending that it limits, or the text's own name."""
    have: int
    """In the unit of the article: moves that each side, or the stronger one, has made; or times."""
    need: int
    since: int
    """Number of the first move counted."""
    rulebook: str
    article: str
    article_id: str
    platform: bool
    message: str


@dataclass(frozen=True, slots=True)
class ClaimView:
    """What a player may claim now, or call attention to."""

    kind: str
    """claim: the limit is complete; attention: counting begins when a player calls attention to it."""
    rule: str
    article: str
    article_id: str
    have: int
    need: int
    message: str


def color_name(color: Color | None) -> str | None:
    """white, black or null."""
    return color.value if color else None


def outcome_view(outcome: Outcome | None, language: str) -> OutcomeView | None:
    """The outcome; None while the game goes on."""
    if outcome is None:
        return None
    message = outcome.sentence(language)
    return view_of(
        OutcomeView,
        outcome,
        winner=color_name(outcome.winner),
        rulebook=outcome.citation.rulebook,
        article=outcome.citation.article,
        article_id=outcome.citation.id,
        facts=plain(outcome.facts),
        message=message,
        sentence=message,
    )


def count_view(count: Count, language: str) -> CountView:
    """A count of a table."""
    return CountView(
        count.rule.id,
        count.name.sentence(language),
        count.have,
        count.need,
        count.since,
        count.citation.rulebook,
        count.citation.article,
        count.citation.id,
        count.rule.platform,
        count.sentence(language),
    )


def game_counts(game: Game, language: str) -> list[CountView]:
    """The counts of a game that is played at no table."""
    record = game.record
    return [
        count_view(count_of(progress, record.rulebook, record.move_number(progress.first)), language)
        for progress in game.progress()
    ]


def claim_view(claim: OpenClaim, language: str) -> ClaimView:
    """An open claim of a table."""
    return ClaimView(
        claim.kind,
        claim.rule.id,
        claim.citation.article,
        claim.citation.id,
        claim.have,
        claim.need,
        claim.sentence(language),
    )
