"""The register of irregularities as data and as text, with totals for each player by article."""

from collections.abc import Iterator
from typing import Any

from damas.arbiter.conduct import Irregularity, register, totals
from damas.arbiter.events import Blew, Claimed, Event, Lifted, Moved, Noted, Refused, StoppedEarly
from damas.arbiter.regulation import SETTINGS
from damas.arbiter.table import Table
from damas.board import Color
from damas.language import sentence, word


def register_data(table: Table) -> dict[str, Any]:
    """The register as JSON values: every entry, and how many each player has by article."""
    entries = register(table)
    return {
        "entries": [
            {
                "n": entry.n,
                "at": entry.event.at,
                "by": entry.by.value,
                "conduct": entry.conduct,
                "article": entry.article,
                "source": entry.source,
            }
            for entry in entries
        ],
        "totals": {side.value: dict(counts) for side, counts in totals(entries).items()},
    }


def entry_sentence(entry: Irregularity, table: Table, language: str) -> str:
    """One entry in a sentence: who, what, by which article, and the move, square or reason."""
    article = article_words(entry.article, table, language)
    detail = _detail(entry.event, table)
    return sentence(
        f"register.{entry.source}",
        language,
        by=entry.by,
        conduct=word("conduct", entry.conduct, language),
        article=f" ({article})" if article else "",
        detail=f": {detail}" if detail else "",
    )


def total_sentence(side: Color, table: Table, language: str) -> str:
    """How many irregularities a player has, in all and by article."""
    counts = totals(register(table))[side]
    listed = ", ".join(
        f"{article_words(article, table, language) or '–'} {count}"
        for article, count in sorted(counts.items())
    )
    total = sentence("register.total", language, side=side, count=counts.total())
    return f"{total} ({listed})" if listed else total


def register_lines(table: Table, language: str) -> Iterator[str]:
    """The register as lines of text: its entries, then the totals of both players."""
    for entry in register(table):
        yield entry_sentence(entry, table, language)
    for side in Color:
        yield total_sentence(side, table, language)


def article_words(article: str, table: Table, language: str) -> str:
    """An article as the rulebook cites it; for a setting of the regulation, the regulation's name."""
    if article not in SETTINGS:
        return article
    name = word("regulation", table.regulation.id, language)
    return sentence("citation.regulation", language, name=name)


def _detail(event: Event, table: Table) -> str:
    """The move, square, limit or reason of an entry; empty where there is none."""
    tried = event.attempt if isinstance(event, Refused) else event
    match tried:
        case Moved() | StoppedEarly():
            return tried.move[:80]
        case Blew() | Lifted():
            return table.book.shown(tried.square)
        case Claimed():
            return tried.rule
        case Noted():
            return tried.reason
    return ""
