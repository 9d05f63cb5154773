"""Limits and claims for display, such as "three kings against one: 7 of 13 moves (faraes, Art. 12)"."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damas.errors import Citation
from damas.game import Progress
from damas.game.game import applicable
from damas.game.laws import progress_of
from damas.language import sentence
from damas.rules import DrawRule, Rulebook, cite
from damas.rules.articles import cite_topic
from damas.rules.limits import LimitName

if TYPE_CHECKING:
    from damas.arbiter.table import Table


@dataclass(frozen=True)
class Count:
    """The progress of a limit."""

    progress: Progress
    since: int
    """The number of the first move counted."""
    citation: Citation
    name: LimitName
    called: bool = False
    """Whether it counts because a player called attention to it."""

    @property
    def rule(self) -> DrawRule:
        """The draw rule that counts."""
        return self.progress.rule

    @property
    def have(self) -> int:
        """How far it has counted, in the unit of its article; no further than `need`, though nobody claims it."""
        return min(self.progress.counted, self.need)

    @property
    def need(self) -> int:
        """How far it counts, in the unit of its article."""
        return self.rule.limit

    def sentence(self, language: str) -> str:
        """The progress with its article, in a language."""
        rule = self.rule
        key = rule.rule if rule.rule != "limit" else f"limit_{rule.counts}"
        facts = {"name": self.name, "have": self.have, "need": self.need, "since": self.since}
        text = sentence(f"progress.{key}", language, **facts)
        where = sentence("outcome.platform", language) if rule.platform else self.citation.sentence(language)
        return f"{text} ({where})"


@dataclass(frozen=True)
class OpenClaim:
    """Something that either player may claim now."""

    kind: str
    """claim: the limit is complete | attention: counting starts when a player calls attention to it."""
    rule: DrawRule
    citation: Citation
    name: LimitName
    have: int
    need: int

    def sentence(self, language: str) -> str:
        """What may be claimed, with its article, in a language."""
        where = self.citation.sentence(language)
        if self.rule.platform:
            where = sentence("outcome.platform", language)
        facts = {"name": self.name, "have": self.have, "need": self.need}
        key = "open_offer" if self.kind == "claim" and self.rule.platform else f"open_{self.kind}"
        return f"{sentence(f'progress.{key}', language, **facts)} ({where})"


def counts(table: "Table") -> list[Count]:
    """Every limit that counts at a table, the one nearest to its end first."""
    stretch = table.stretches[-1]
    return [
        count_of(
            progress,
            table.book,
            stretch.move_number(progress.first),
            called=progress.rule.claim == "unrecorded" and not table.game.record.recorded,
        )
        for progress in table.game.progress()
    ]


def count_of(progress: Progress, book: Rulebook, since: int, *, called: bool = False) -> Count:
    """The progress of a rulebook's limit with its article and name; `since` is the number of the first move counted."""
    return Count(progress, since, cite(book, progress.article), _name(progress, book), called)


def _name(progress: Progress, book: Rulebook) -> LimitName:
    return LimitName(book, progress.rule, progress.ending)


def claims_open(table: "Table") -> list[OpenClaim]:
    """What a player may claim or call attention to at a table."""
    if table.outcome or table.suspended:
        return []
    book = table.book
    complete = [
        OpenClaim(
            "claim",
            progress.rule,
            cite(book, progress.article),
            _name(progress, book),
            progress.rule.limit,
            progress.rule.limit,
        )
        for progress in table.game.claimable()
    ]
    uncalled = [
        OpenClaim(
            "attention",
            progress.rule,
            cite_topic(book, "attention") or cite(book, progress.article),
            _name(progress, book),
            0,
            progress.rule.limit,
        )
        for progress in uncounted(table)
    ]
    return complete + uncalled


def uncounted(table: "Table") -> list[Progress]:
    """Limits that would start counting if a player called attention to them now."""
    if table.game.record.recorded:
        return []
    counting = {progress.rule.id for progress in table.game.progress()}
    waiting: list[Progress] = []
    for rule in applicable(table.book, table.regulation.customs):
        if rule.claim == "unrecorded" and rule.id not in counting:
            called = table.game.record.claim(rule.id)
            waiting += progress_of(called, [rule])
    return waiting
