"""The history of a game: its events in order, and how each changed the limits that were counting."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace

from damas.arbiter.counts import Count
from damas.arbiter.events import (
    AcceptedUnfinished,
    CalledAttention,
    Claimed,
    DemandedCompletion,
    Ended,
    Event,
    Intervention,
    Moved,
    Refused,
    Restored,
    Ruled,
    Started,
    TimeAdded,
    TimeGiven,
    TimeSet,
    Touched,
)
from damas.arbiter.fold import after
from damas.arbiter.regulation import SETTINGS
from damas.arbiter.table import Table
from damas.board import Color
from damas.game.outcome import PLATFORM_REASONS
from damas.language import sentence, word
from damas.rules.limits import LimitName

SHOW_LENGTH_WITHIN = 10
"""The limit on the length of a game is shown when at most this many plies are left."""


@dataclass(frozen=True)
class Step:
    """One event, the tables before and after it, and how it changed the counts."""

    event: Event
    before: Table
    table: Table
    began: tuple[Count, ...] = ()
    """Counts that started with the event."""
    ended: tuple[tuple[Count, str], ...] = ()
    """Counts that ended, as they were before the event, and why: capture, man_move, promotion or material."""
    shown: tuple[Count, ...] = ()
    """Counts to show after the event."""

    @property
    def is_move(self) -> bool:
        """Whether the event is a move."""
        return isinstance(self.event, Moved)

    @property
    def ply(self) -> int:
        """Plies played up to the event, including the event itself if it is a move."""
        return self.table.ply if self.is_move else self.before.ply

    @property
    def heading(self) -> str:
        """The move as on a score sheet: "41. g1-h2", "41... b8-a7"."""
        assert isinstance(self.event, Moved)
        starts = self.event.by is self.table.book.first_to_move
        return f"{self.before.move_number}{'.' if starts else '...'} {self.event.move}"

    def sentence(self, language: str) -> str:
        """A sentence about the event."""
        return event_sentence(self.event, language, self.before)

    def lines(self, language: str) -> Iterator[str]:
        """The step as text: a line for the event, and below it a line for each count that started or ended."""
        counts = ", ".join(short(count, language) for count in self.shown)
        if self.is_move:
            yield f"{self.heading:<24} {counts}".rstrip()
        elif not isinstance(self.event, Started):
            yield f"  * {self.sentence(language)}"
        for count, why in self.ended:
            what = sentence(f"limit.resets.{why}", language)
            yield f"    - {sentence('story.ended', language, what=what, count=short(count, language))}"
        for count in self.began:
            yield f"    + {sentence('story.began', language, count=count.sentence(language))}"


def stages(table: Table) -> Iterator[tuple[Event, Table, Table]]:
    """Each event of a table, the table before it and the table after it."""
    opened = Table.open(table.started, table.book)
    start = replace(opened.stretches[0], move=table.stretches[0].move)
    now = replace(opened, events=opened.events[:1], outcome=None, stretches=(start,))
    yield now.started, now, now
    for event in table.events[1:]:
        following = after(event, now)
        yield event, now, following
        now = following


def history(table: Table) -> Iterator[Step]:
    """The steps of a table in order."""
    earlier_counts: dict[str, Count] = {}
    for event, before, now in stages(table):
        counts = {count.rule.id: count for count in now.progress()}
        began = tuple(
            count for rule, count in counts.items() if _has_started(earlier_counts.get(rule), count)
        )
        ended = tuple(
            (earlier, _why_ended(earlier, now))
            for rule, earlier in earlier_counts.items()
            if isinstance(event, Moved) and _has_ended(earlier, counts.get(rule))
        )
        shown = tuple(count for count in counts.values() if is_shown(count))
        yield Step(event, before, now, () if isinstance(event, Ruled) else began, ended, shown)
        earlier_counts = counts


def short(count: Count, language: str) -> str:
    """A count in short form, such as "7/13 Art. 12"."""
    if count.rule.platform:
        return f"{count.have}/{count.need} {sentence('story.platform', language)}"
    reading = sentence("story.reading", language) if count.citation.id else ""
    return f"{count.have}/{count.need} {count.citation.article or reading}".rstrip()


def event_sentence(event: Event, language: str, table: Table) -> str:
    """A sentence about an event at a table."""
    book = table.book
    if isinstance(event, Ruled):
        return event.outcome.sentence(language)
    facts: dict[str, object] = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, Refused):
        facts["attempt"] = event_sentence(event.attempt, language, table)
        facts["fault"] = word("fault", event.code, language)
        article = article_words(event.article, table, language)
        facts["article"] = f" ({article})" if article else ""
    for key in facts.keys() & {"square", "held_over"}:
        facts[key] = book.shown(str(facts[key]))
    if isinstance(event, Claimed | CalledAttention):
        rule = table.game.draw_rules.get(event.rule)
        facts["rule"] = LimitName(book, rule) if rule else event.rule
    if isinstance(event, AcceptedUnfinished | DemandedCompletion):
        facts["article"] = table.regulation.cite("unfinished_chain")  # no rulebook gives this choice
    if isinstance(event, Intervention):
        facts["reason"] = word("why", event.reason, language)
    if isinstance(event, TimeAdded | TimeGiven | TimeSet):
        facts["time"] = f"{event.ms // 60_000}:{event.ms // 1000 % 60:02}"
    if "conduct" in facts:
        facts["conduct"] = word("conduct", str(facts["conduct"]), language)
    if isinstance(event, Restored):
        facts["move"] = _move_at(event.ply, table)
    return sentence(f"event.{_sentence_key(event, facts)}", language, **facts)


def _move_at(ply: int, table: Table) -> str:
    """The move of a ply as on a score sheet: "41... b8-a7"; empty where the game has none any more."""
    stretch = table.stretch_of(ply)
    at, record = ply - stretch.ply, stretch.game.record
    if not 0 < at <= record.length:
        return ""
    dots = "." if record.mover(at) is table.book.first_to_move else "..."
    return f"{stretch.move_number(at)}{dots} {record.move(at).text}"


def _sentence_key(event: Event, facts: Mapping[str, object]) -> str:
    """The key of an event's sentence: its kind, with few exceptions."""
    if isinstance(event, Restored):
        return "restored_to" if facts["move"] else "restored" if event.ply else "restored_start"
    if isinstance(event, Touched) and event.held_over:
        return "held"
    if isinstance(event, Ended) and event.reason in PLATFORM_REASONS:
        return "called_off"
    return event.kind


def last_move(table: Table) -> tuple[Color, int]:
    """Side and number, as on the score sheet, of the last move of a table."""
    stretch = table.stretches[-1]
    plies = stretch.game.record.length
    return stretch.game.record.mover(plies), stretch.move_number(plies)


def article_words(article: str, table: Table, language: str) -> str:
    """An article as the rulebook cites it; for a setting of the regulation, the regulation's name."""
    return table.regulation.cite(article).sentence(language) if article in SETTINGS else article


def is_shown(count: Count) -> bool:
    """Whether a count is shown: from its first ply, or from 0 if a player called attention to it, until it is complete."""
    if count.rule.rule == "length":
        return count.need - count.have <= SHOW_LENGTH_WITHIN
    return int(not count.called) <= count.have and count.progress.have <= count.progress.need


def _of_an_ending(count: Count) -> bool:
    """Whether the limit applies only to certain material, so that its start is worth showing."""
    rule = count.rule
    return bool(rule.endings or rule.pieces or rule.pieces_a_side is not None)


def _has_started(earlier: Count | None, count: Count) -> bool:
    if count.rule.rule != "limit":
        before = earlier.have if earlier else 1
        return count.rule.rule != "length" and is_shown(count) and count.have > before
    if earlier and count.progress.since == earlier.progress.since:
        return earlier.have == 0 < count.have and not _of_an_ending(count)
    return count.have > 0 or _of_an_ending(count)


def _has_ended(earlier: Count, count: Count | None) -> bool:
    if earlier.rule.rule != "limit" or not (earlier.have or _of_an_ending(earlier)):
        return False
    return count is None or count.progress.since != earlier.progress.since


def _why_ended(count: Count, now: Table) -> str:
    """What ended a count: the kind of the last move, or the change of material."""
    move, resets = now.game.record.move(now.game.record.length), count.rule.resets
    if move.is_capture and "capture" in resets:
        return "capture"
    if move.promotes and "promotion" in resets:
        return "promotion"
    return "man_move" if not move.by_king and "man_move" in resets else "material"
