"""What happens over the board besides moves: pieces lifted and crowned by hand, conduct, the register, the arbiter."""

from collections.abc import Sequence
from dataclasses import dataclass

from damas.arbiter import Table
from damas.arbiter.conduct import Irregularity, register, reportable, totals
from damas.arbiter.events import Event, Refused
from damas.board import Color
from damas.judging.history import article_words, event_sentence
from damas.judging.register import entry_line, entry_sentence
from damas.language import language_of, word
from damas.views.outcomes import OutcomeView, outcome_view

MAX_SHOWN = 30
"""Entries of the register, and latest events, that a view has."""


SHOWN_WHERE_MANY = 3
"""Latest events of each board that an arbiter of many follows."""


@dataclass(frozen=True, slots=True)
class LiftingView:
    """The second tempo of a capture: whoever captured lifts the pieces, in this order."""

    by: str
    squares: Sequence[int]


@dataclass(frozen=True, slots=True)
class CrowningView:
    """A man that the opponent must crown before playing on."""

    by: str
    """The side that crowns."""
    square: int
    name: str


@dataclass(frozen=True, slots=True)
class ConductView:
    """Something that a player may report of the opponent, with the article that forbids it."""

    conduct: str
    message: str
    article: str


@dataclass(frozen=True, slots=True)
class IrregularityView:
    """An entry of the register."""

    n: int
    by: str
    """Whose irregularity it is."""
    conduct: str
    article: str
    source: str
    """refused: the table did not allow it | made: it did, for the opponent to accept or not | reported: by the opponent |
    arbiter: written down by the arbiter.
    """
    message: str
    """With the number and the side of the move at which it stands."""


@dataclass(frozen=True, slots=True)
class TotalView:
    """How many irregularities a player has by one article."""

    by: str
    article: str
    count: int


@dataclass(frozen=True, slots=True)
class RegisterView:
    """The register of irregularities: the latest entries, and the totals of all."""

    entries: Sequence[IrregularityView]
    totals: Sequence[TotalView]


@dataclass(frozen=True, slots=True)
class NewsView:
    """An event that both players and the arbiter see: a claim, a refusal that counts, an intervention."""

    n: int
    """Number of the event in the game."""
    kind: str
    by: str | None
    message: str


@dataclass(frozen=True, slots=True)
class FollowedView:
    """A board among the many that an arbiter follows."""

    rulebook: str
    preset: str
    awaited: str
    """The side that has to do something."""
    move: int
    """The number of the move to be made."""
    last: str
    """The last move; empty before the first."""
    calls: Sequence[str]
    """Players who have called the arbiter and wait."""
    irregularities: dict[str, int]
    """How many each side has."""
    news: Sequence[NewsView]
    """The latest events at the table besides moves."""
    suspended: bool
    outcome: OutcomeView | None


def followed_view(table: Table, language: str) -> FollowedView:
    """A table as the page of many boards shows it."""
    language = language_of(table.book.id, language)
    entries, record = register(table), table.game.record
    return FollowedView(
        rulebook=table.book.id,
        preset=table.regulation.id,
        awaited=table.awaited.value,
        move=table.move_number,
        last=record.move(record.length).text if record.length else "",
        calls=sorted([side.value for side in table.calls]),
        irregularities={side.value: counts.total() for side, counts in totals(entries).items()},
        news=news_views(entries, table, language)[-SHOWN_WHERE_MANY:],
        suspended=table.suspended,
        outcome=outcome_view(table.outcome, language),
    )


def lifting_view(table: Table) -> LiftingView | None:
    """What is still to be lifted, if anything is."""
    names = table.book.square_names
    squares = [names.index(name) for name in table.lifting]
    return LiftingView(table.to_move.other.value, squares) if squares else None


def crowning_view(table: Table) -> CrowningView | None:
    """The man to be crowned now, if there is one; captured pieces are lifted first."""
    square = table.crowning
    if square is None or table.lifting:
        return None
    return CrowningView(table.to_move.value, table.book.square_names.index(square), table.book.shown(square))


def standing_pieces(table: Table, pieces: dict[str, str]) -> dict[str, str]:
    """The pieces as they stand on the board: with captured ones that are not lifted yet, and without a crown that the
    opponent has not put on.
    """
    if not table.lifting and table.crowning is None:
        return pieces
    names, record = table.book.square_names, table.game.record
    before = record.position_after(record.length - 1).diagram
    standing = dict(pieces)
    for name in table.lifting:
        square = names.index(name)
        standing[str(square)] = before[square]
    if table.crowning is not None:
        crowned = str(names.index(table.crowning))
        standing[crowned] = standing[crowned].lower()
    return standing


def conduct_views(table: Table, language: str) -> list[ConductView]:
    """What a player may report of the opponent."""
    return [
        ConductView(
            conduct,
            word("conduct", conduct, language),
            article_words(citation.article, table, language),
        )
        for conduct, citation in reportable(table)
    ]


def register_view(entries: Sequence[Irregularity], table: Table, language: str) -> RegisterView:
    """The register of irregularities, whose entries are those of `damas.arbiter.conduct.register`."""
    return RegisterView(
        [
            IrregularityView(
                entry.n,
                entry.by.value,
                entry.conduct,
                article_words(entry.article, table, language),
                entry.source,
                entry_line(entry, table, language),
            )
            for entry in entries[-MAX_SHOWN:]
        ],
        [
            TotalView(side.value, article_words(article, table, language), count)
            for side, counts in totals(entries).items()
            for article, count in sorted(counts.items())
        ],
    )


def news_views(entries: Sequence[Irregularity], table: Table, language: str) -> list[NewsView]:
    """The latest events that everybody at the table sees; `entries` as for `register_view`."""
    irregularities = {entry.n: entry for entry in entries}
    return [
        NewsView(
            n,
            table.events[n].kind,
            _by(table.events[n]),
            entry_sentence(irregularities[n], table, language)
            if n in irregularities
            else event_sentence(table.events[n], language, table),
        )
        for n in table.notable[-MAX_SHOWN:]
    ]


def _by(event: Event) -> str | None:
    side: Color | None = event.attempt.by if isinstance(event, Refused) else event.by
    return side.value if side else None
