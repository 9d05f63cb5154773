"""A scripted game and its printed form: every event, the counts after it, and the outcome."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from damas.arbiter import (
    KINDS,
    Event,
    Player,
    ProcedureRefused,
    Refused,
    Table,
    TableEvent,
    ledger,
    regulation,
)
from damas.arbiter.control import TimeControl
from damas.board import Color
from damas.judging.history import Step, history
from damas.language import LANGUAGES

STEP = 1000


@dataclass(frozen=True)
class Scenario:
    """Moves, and between them events such as `@offered white` or `@flag black +60000`."""

    title: str
    rulebook: str
    play: tuple[str, ...]
    regulation: str = "casual"
    changes: dict[str, Any] = field(default_factory=dict)
    """Changes to the regulation."""
    fen: str = ""
    bots: str = ""
    """Letters of the sides that programs play."""
    recorded: bool | None = None
    lot: int | None = None

    def table(self) -> tuple[Table, list[str]]:
        """The table at the end, and the refusals that were not recorded."""
        rules = regulation(self.regulation)
        changes = dict(self.changes)
        if "time_control" in changes:
            changes["time_control"] = TimeControl.parse(changes["time_control"])
        players = tuple(Player(name, bot=name[0] in self.bots) for name in ("White", "Black"))
        table = Table.start(
            self.rulebook,
            replace(rules, **changes),
            players,
            fen=self.fen or None,
            lot=self.lot,
            recorded=self.recorded,
        )
        refused: list[str] = []
        for word in self.play:
            at, event = _event(word, table)
            try:
                table = table.play(word, at) if event is None else table.apply(event)
            except ProcedureRefused as why:
                table = why.table
                if not isinstance(table.events[-1], Refused):
                    refused.append(f"after ply {table.ply}, {word.removeprefix('@')}: {why.sentence('en')}")
        return table, refused

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        table, refused = self.table()
        assert ledger.load(ledger.dump(table)) == table, "a table must be what its ledger says"
        yield f"=== {self.title}"
        changes = "".join(f", {key} {value}" for key, value in self.changes.items())
        lot = f", lot {self.lot}" if self.lot is not None else ""
        written = "" if table.started.recorded else ", not written down"
        yield f"{self.rulebook}, {self.regulation}{changes}{lot}{written}"
        if self.fen:
            yield table.started.fen
        yield from _game(table)
        yield from (f"refused: {text}" for text in refused)
        if table.ply:
            yield f"now {table.position.fen}"
        outcome = table.outcome
        if outcome is None:
            yield "goes on"
        else:
            rule = f" {outcome.rule}" if outcome.rule else ""
            where = f"{outcome.citation.rulebook}, {outcome.citation.article or '–'}, {outcome.citation.id or '–'}"
            platform = ", platform" if outcome.platform else ""
            yield f"{outcome.result} {outcome.reason}{rule} ({where}{platform}) after ply {table.ply}"
            yield from (f"{language}: {outcome.sentence(language)}" for language in LANGUAGES)
        yield f"chain {ledger.head(table)[:16]}"


def _event(word: str, table: Table) -> tuple[int, Event | None]:
    """The event of a text `@kind side key=value … +ms`, so many milliseconds after the last one."""
    at = table.now + STEP
    if not word.startswith("@"):
        return at, None
    kind, *rest = word[1:].split(" ")
    cls = KINDS[kind]
    facts: dict[str, Any] = {}
    for part in rest:
        if part.startswith("+"):
            at = table.now + int(part[1:])
        elif part in ("white", "black"):
            facts["by"] = Color(part)
        else:
            key, _, value = part.partition("=")
            facts[key] = value.replace("_", " ") if key in ("reason", "move") else value
    for key in ("ms", "ply"):
        if key in facts:
            facts[key] = int(facts[key])
    if "to" in facts:
        facts["to"] = Color(facts["to"])
    if not issubclass(cls, TableEvent):
        facts.setdefault("by", table.to_move)
    if kind == "suspended":
        facts = {"attempt": None, "trace": ""}
    return at, cls(at=at, **facts)


def _game(table: Table) -> Iterator[str]:
    """Two plies on each line with the counts after each in braces; other events on their own lines."""
    line = ""
    for step in history(table):
        if not step.is_move:
            if line:
                yield line
                line = ""
            if step.event.kind not in ("started", "ruled"):
                yield f"  * {step.sentence('en')}"
            continue
        move = step.heading if not line else step.event.move  # type: ignore[attr-defined]
        line = f"{line} {move}{_counts(step)}".strip()
        if "..." in step.heading:
            yield line
            line = ""
    if line:
        yield line


def _counts(step: Step) -> str:
    """Every count that runs, ply by ply, and the length of a game near its end."""
    running = [count for count in step.table.progress() if count.progress.have or count.called]
    shown = [each.progress for each in running if each.rule.rule != "length" or each in step.shown]
    counts = " ".join(f"{each.rule.id} {each.have}/{each.need}" for each in shown if each.have <= each.need)
    return f" {{{counts}}}" if counts else ""
