"""What the rules say about recorded games."""

from collections.abc import Iterator
from dataclasses import dataclass

from damas.errors import IllegalMove
from damas.judging.certificate import Difference
from damas.judging.judge import Judgement, judge_games
from damas.notation import PdnGame, read_games
from damas.rules import Rulebook
from damas.views.errors import RefusalView, refusal_view
from damas.views.outcomes import OutcomeView, outcome_view
from damas.views.plain import view_of


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """Whether the recorded result of a game is what the rules give."""

    game: int
    white: str
    black: str
    verdict: str
    """AS_RULED, EXPLAINED, NOT_DECIDED, OPEN, OTHER_RESULT, PLAYED_ON, ILLEGAL_MOVE …"""
    holds: bool
    rulebook: str
    ply: int
    """After which the rules ended the game, or at which the illegal move stands."""
    plies: int
    recorded: str
    """The recorded result, White's points first."""
    results: tuple[str, str] | None
    """That of the tag and that at the end of the moves, where they differ."""
    rules: OutcomeView | None
    """How the rules end the game."""
    article: str
    explanation: str
    """What the record itself gives as the reason."""
    refusal: RefusalView | None
    line: int | None
    """Of the file, where something is wrong."""
    message: str
    lang: str
    story: tuple[str, ...] | None = None
    """The game move by move, with what is counted."""
    file: str | None = None


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One thing in a certificate that its ledger does not give."""

    where: str
    found: str
    expected: str
    message: str


@dataclass(frozen=True, slots=True)
class BrokenCertificateView:
    """A certificate that does not hold."""

    differences: tuple[DifferenceView, ...]
    lang: str
    file: str
    verdict: str = "BAD_RECORD"
    holds: bool = False


def verdict_view(judgement: Judgement, language: str, *, explain: bool = False) -> VerdictView:
    """One judged game; `explain` adds its story."""
    error = judgement.error
    return view_of(
        VerdictView,
        judgement,
        white=judgement.players[0],
        black=judgement.players[1],
        rules=outcome_view(judgement.outcome, language),
        refusal=refusal_view(error.refusal, language) if isinstance(error, IllegalMove) else None,
        line=judgement.line or None,
        message=judgement.sentence(language),
        lang=language,
        story=tuple(story(judgement, language)) if explain else None,
    )


def verdict_views(
    pdn: str, book: Rulebook | None, language: str, *, letter: bool = False
) -> Iterator[VerdictView]:
    """Each game of a PDN; `book` is for games that name no rulebook."""
    for judgement in judge_games(read_games(pdn, book), letter=letter):
        yield verdict_view(judgement, language)


def broken_certificate_view(differences: list[Difference], file: str, language: str) -> BrokenCertificateView:
    """A certificate in which these things differ."""
    views = tuple(view_of(DifferenceView, each, message=each.sentence(language)) for each in differences)
    return BrokenCertificateView(views, language, file)


def story(judgement: Judgement, language: str) -> Iterator[str]:
    """The game move by move, with what is counted; before it, what the record tells of what came before."""
    if isinstance(judgement.source, PdnGame):
        yield from (f"  * {text}" for text in judgement.source.foreword)
    for chapter in judgement.history():
        yield from chapter.lines(language)
