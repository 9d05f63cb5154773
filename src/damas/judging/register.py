"""The register of irregularities as data and as text, with totals for each player by article."""

from collections.abc import Iterator, Sequence
from typing import Any

from damas.arbiter.conduct import Irregularity, register, totals
from damas.arbiter.events import Blew, Claimed, Event, Lifted, Moved, Noted, Refused, StoppedEarly
from damas.arbiter.procedures.hand import illegal_move_of
from damas.arbiter.table import Table
from damas.board import Color
from damas.judging.history import article_words
from damas.language import sentence, word
from damas.rules.limits import LimitName


def register_data(entries: Sequence[Irregularity]) -> dict[str, Any]:
    """The register as JSON values: every entry, and how many each player has by article."""
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


def entry_sentence(entry: Irregularity, table: Table, language: str, *, names_side: bool = True) -> str:
    """One entry in a sentence: who (if `names_side`), what, by which article, and the move, square or reason."""
    article = article_words(entry.article, table, language)
    detail = _detail(entry.event, table, language)
    detail += counted_words(entry.n, table, language)
    return sentence(
        f"register.{'' if names_side else 'own.'}{entry.source}",
        language,
        by=entry.by,
        conduct=word("conduct", entry.conduct, language),
        article=f" ({article})" if article else "",
        detail=f": {detail}" if detail else "",
    )


def entry_line(entry: Irregularity, table: Table, language: str) -> str:
    """One entry with the move at which it stands."""
    move = sentence(f"move.{entry.to_move.value}", language, number=entry.move)
    is_own = entry.by is entry.to_move  # then the side is named already
    text = entry_sentence(entry, table, language, names_side=not is_own)
    return f"{move[0].upper()}{move[1:]}{':' if is_own else ' –'} {text}"


def counted_words(n: int, table: Table, language: str) -> str:
    """Which illegal move of its player an event is, and which one loses; empty for other events and where none does."""
    rules, by = table.regulation, illegal_move_of(table.events[n])
    loses_at_once = rules.first_invalid_loses_under(table.book)
    if by is None or not rules.people_lose_at or loses_at_once or table.player(by).bot:
        return ""
    count, limit = _illegal_moves(by, n, table), rules.people_lose_at
    return sentence("register.counted", language, count=count, limit=limit)


def _illegal_moves(by: Color, until: int, table: Table) -> int:
    """How many illegal moves of a player were written down, up to an event."""
    return sum(illegal_move_of(table.events[n]) is by for n in table.notable if n <= until)


def total_sentence(side: Color, table: Table, language: str) -> str:
    """How many irregularities a player has, in all and by article."""
    counts = totals(register(table))[side]
    listed = ", ".join(
        f"{article_words(article, table, language) or '–'}: {count}"
        for article, count in sorted(counts.items())
    )
    total = sentence("register.total", language, side=side, count=counts.total())
    return f"{total} ({listed})" if listed else total


def register_lines(table: Table, language: str) -> Iterator[str]:
    """The register as lines of text: its entries with the move at which each stands, then the totals of both players."""
    for entry in register(table):
        yield entry_line(entry, table, language)
    for side in Color:
        yield total_sentence(side, table, language)


def _detail(event: Event, table: Table, language: str) -> str:
    """The move, square, limit or reason of an entry; empty where there is none."""
    tried = event.attempt if isinstance(event, Refused) else event
    match tried:
        case Moved() | StoppedEarly():
            return tried.move[:80]
        case Blew() | Lifted():
            return table.book.shown(tried.square)
        case Claimed():
            rule = table.game.draw_rules.get(tried.rule)
            return LimitName(table.book, rule).sentence(language) if rule else tried.rule
        case Noted():
            return tried.reason
    return ""
