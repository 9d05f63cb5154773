"""Conduct at the board: what a person can report or the arbiter write down, and the register of irregularities."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from damas.arbiter.events import Claimed, Event, Noted, PlayerEvent, Refused, Reported
from damas.board import Color
from damas.errors import Citation
from damas.rules.articles import cite_topic

if TYPE_CHECKING:
    from damas.arbiter.table import Table

TOPICS = {
    "pointing": "aids",
    "hands": "hands",
    "holding": "holding",
    "blowing": "blowing",
    "crowning": "crowning",
    "lifting": "two_tempi",
}
"""Conduct that an article forbids, and the topic of that article."""
CONDUCT = (*TOPICS, "touching", "illegal", "claim", "other")
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
    """refused: the table did not allow it | reported: by the opponent | arbiter: written down by the arbiter."""


def article_on(conduct: str, table: "Table") -> Citation | None:
    """The article that forbids a conduct at this table; None where the text is silent."""
    if conduct == "touching" and table.touch_move:
        return table.regulation.cite_clause(table.book, table.book.touch_move, True, "touch_move")
    return cite_topic(table.book, TOPICS[conduct]) if conduct in TOPICS else None


def reportable(table: "Table") -> list[tuple[str, Citation]]:
    """What a player may report of the opponent, each with its article; nothing where irregularities are not recorded."""
    if not registers(table):
        return []
    cited = ((conduct, article_on(conduct, table)) for conduct in REPORTABLE)
    return [(conduct, citation) for conduct, citation in cited if citation]


def registers(table: "Table") -> bool:
    """Whether the regulation records irregularities of people."""
    return table.regulation.people_illegal_moves != "refused"


def register(table: "Table") -> list[Irregularity]:
    """Every irregularity of a game, in order."""
    return [entry for n in table.notable if (entry := _entry(n, table.events[n], table))]


def _entry(n: int, event: Event, table: "Table") -> Irregularity | None:
    if isinstance(event, Refused) and isinstance(event.attempt, PlayerEvent):
        if event.code in NO_IRREGULARITY:
            return None
        conduct = BY_CODE.get(event.code, "claim" if isinstance(event.attempt, Claimed) else "illegal")
        return Irregularity(n, event, event.attempt.by, conduct, event.article, "refused")
    if isinstance(event, Reported | Noted):
        by = event.against if isinstance(event, Noted) else event.by.other
        citation = article_on(event.conduct, table)
        article = citation.article if citation else ""
        source = "arbiter" if isinstance(event, Noted) else "reported"
        return Irregularity(n, event, by, event.conduct, article, source)
    return None


def totals(entries: Sequence[Irregularity]) -> dict[Color, Counter[str]]:
    """How many irregularities each player has, by article."""
    return {side: Counter(entry.article for entry in entries if entry.by is side) for side in Color}
