"""Limits and claims for display, such as "7 of 13, since move 41 (faraes, Art. 12)"."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from damas.errors import Citation
from damas.game import Progress
from damas.game.game import applicable
from damas.game.laws import progress_of
from damas.language import sentence
from damas.rules import DrawRule, cite
from damas.rules.articles import cite_topic

if TYPE_CHECKING:
    from damas.arbiter.table import Table


@dataclass(frozen=True)
class Count:
    """The progress of a limit."""

    progress: Progress
    since: int
    """The number of the first move counted."""
    citation: Citation
    called: bool = False
    """Whether it counts because a player called attention to it."""

    @property
    def rule(self) -> DrawRule:
        """The draw rule that counts."""
        return self.progress.rule

    @property
    def have(self) -> int:
        """How far it has counted."""
        return self.progress.have

    @property
    def need(self) -> int:
        """How far it counts."""
        return self.progress.need

    def sentence(self, language: str) -> str:
        """The progress with its article, in a language."""
        rule = self.rule
        key = rule.rule if rule.rule != "limit" else f"limit_{rule.counts}"
        have = min(self.have, self.need)  # a limit that nobody claims goes on counting
        text = sentence(f"progress.{key}", language, have=have, need=self.need, since=self.since)
        where = sentence("outcome.platform", language) if rule.platform else self.citation.sentence(language)
        return f"{text} ({where})"


@dataclass(frozen=True)
class OpenClaim:
    """Something that either player may claim now."""

    kind: str
    """claim: the limit is complete | attention: counting starts when a player calls attention to it."""
    rule: DrawRule
    citation: Citation
    have: int
    need: int

    def sentence(self, language: str) -> str:
        """What may be claimed, with its article, in a language."""
        where = self.citation.sentence(language)
        if self.rule.platform:
            where = sentence("outcome.platform", language)
        have = min(self.have, self.need)
        return f"{sentence(f'progress.open_{self.kind}', language, have=have, need=self.need)} ({where})"


def counts(table: "Table") -> list[Count]:
    """Every limit that counts at a table, the one nearest to its end first."""
    stretch = table.stretches[-1]
    return [
        Count(
            progress,
            stretch.move_number(progress.first),
            cite(table.book, progress.article),
            progress.rule.claim == "unrecorded" and not table.game.record.recorded,
        )
        for progress in table.game.progress()
    ]


def claims_open(table: "Table") -> list[OpenClaim]:
    """What a player may claim or call attention to at a table."""
    if table.outcome or table.suspended:
        return []
    complete = [
        OpenClaim("claim", progress.rule, cite(table.book, progress.article), progress.have, progress.need)
        for progress in table.game.claimable()
    ]
    uncalled = [
        OpenClaim(
            "attention", rule, cite_topic(table.book, "attention") or cite(table.book, rule.article), 0, need
        )
        for rule, need in uncounted(table)
    ]
    return complete + uncalled


def uncounted(table: "Table") -> list[tuple[DrawRule, int]]:
    """Limits that would start counting if a player called attention to them now, and their lengths."""
    if table.game.record.recorded:
        return []
    counting = {progress.rule.id for progress in table.game.progress()}
    rules = []
    for rule in applicable(table.book, table.regulation.customs):
        if rule.claim == "unrecorded" and rule.id not in counting:
            called = table.game.record.claim(rule.id)
            rules += [(rule, progress.need) for progress in progress_of(called, [rule])]
    return rules
