"""Conduct at the board: what a person can report or the arbiter write down, and the register of irregularities."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damas.arbiter.events import Claimed, Event, Noted, PlayerEvent, Refused, Reported, StoppedEarly
from damas.board import Color, Square
from damas.errors import Citation
from damas.rules import Rulebook, cite
from damas.rules.articles import cite_topic

if TYPE_CHECKING:
    from damas.arbiter.table import Moment, Table

TOPICS = {
    "pointing": "aids",
    "hands": "hands",
    "holding": "holding",
    "blowing": "blowing",
    "crowning": "crowning",
    "lifting": "two_tempi",
}
"""Conduct that an article forbids, and the topic of that article."""
CONDUCT = (*TOPICS, "touching", "unfinished", "illegal", "claim", "other")
"""Everything that the register knows, by its key in `conduct.toml` of the catalogue."""
REPORTABLE = ("pointing", "hands", "holding", "touching", "blowing", "crowning", "lifting")
"""What a player may report of the opponent, in this order, where the rulebook has an article on it."""
BY_CODE = {
    "TOUCHED": "touching",
    "NO_BLOWING": "blowing",
    "CROWNING_DUE": "crowning",
    "LIFT_ORDER": "lifting",
    "WRONG_CLAIM": "claim",
}
"""The conduct behind a recorded refusal; any other refused move is an illegal one."""
NO_IRREGULARITY = ("FLAG",)
"""Codes of recorded refusals that break no rule: a move that came too late."""


@dataclass(frozen=True)
class Irregularity:
    """One entry of the register."""

    n: int
    """Number of its event."""
    event: Event
    by: Color
    """Whose irregularity it is."""
    conduct: str
    article: str
    """As the rulebook cites it, or the setting of the regulation; empty where there is neither."""
    source: str
    """refused: the table did not allow it | made: it did, for the opponent to accept or not | reported: by the opponent |
    arbiter: written down by the arbiter.
    """
    to_move: Color
    """The side at whose move it happened: to move, or in the second tempo of its capture."""
    move: int
    """The number of that side's move, as on the score sheet."""


def article_on(conduct: str, table: "Table") -> Citation | None:
    """The article that forbids a conduct at this table; None where the text is silent."""
    if conduct == "touching" and table.touch_move:
        return table.regulation.cite_clause(table.book, table.book.touch_move, True, "touch_move")
    if conduct == "unfinished":
        return whole_capture(table)
    return cite_topic(table.book, TOPICS[conduct]) if conduct in TOPICS else None


def whole_capture(table: "Table", origin: Square | None = None) -> Citation:
    """The article that a capture must be completed, for the kind of piece on `origin`."""
    piece = None if origin is None else table.position.piece_at(origin)
    return whole_capture_article(table.book, king=piece is not None and piece.is_king)


def whole_capture_article(book: Rulebook, *, king: bool) -> Citation:
    """The article that a man or a king must complete its capture.

    Where that is only our reading, it follows from the law of the most pieces: a capture broken off takes fewer.
    """
    article = cite(book, book.statement("whole_chain", king=king))
    laws = book.capture_priority
    if article.article or "most_pieces" not in laws.value:
        return article
    return cite(book, laws.article_of(laws.value.index("most_pieces")))


def reportable(table: "Table") -> list[tuple[str, Citation]]:
    """What a player may report of the opponent, each with its article; nothing where irregularities are not recorded."""
    if not registers(table):
        return []
    cited = ((conduct, article_on(conduct, table)) for conduct in REPORTABLE)
    return [(conduct, citation) for conduct, citation in cited if citation]


def registers(table: "Table") -> bool:
    """Whether the regulation records irregularities of people."""
    return table.regulation.registers


def register(table: "Table") -> list[Irregularity]:
    """Every irregularity of a game, in order."""
    return [
        entry
        for n, at in zip(table.notable, table.notable_at, strict=True)
        if (entry := _entry(n, at, table))
    ]


def _entry(n: int, at: "Moment", table: "Table") -> Irregularity | None:
    event = table.events[n]
    if isinstance(event, Refused) and isinstance(event.attempt, PlayerEvent):
        if event.code in NO_IRREGULARITY:
            return None
        conduct = BY_CODE.get(event.code, "claim" if isinstance(event.attempt, Claimed) else "illegal")
        return Irregularity(n, event, event.attempt.by, conduct, event.article, "refused", at.side, at.move)
    if isinstance(event, Reported | Noted):
        by = event.against if isinstance(event, Noted) else event.by.other
        citation = article_on(event.conduct, table)
        article = citation.article if citation else ""
        source = "arbiter" if isinstance(event, Noted) else "reported"
        return Irregularity(n, event, by, event.conduct, article, source, at.side, at.move)
    if isinstance(event, StoppedEarly) and registers(table):
        return Irregularity(n, event, event.by, "unfinished", at.article, "made", at.side, at.move)
    return None


def totals(entries: Sequence[Irregularity]) -> dict[Color, Counter[str]]:
    """How many irregularities each player has, by article."""
    return {side: Counter(entry.article for entry in entries if entry.by is side) for side in Color}
