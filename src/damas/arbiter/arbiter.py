"""The arbiter: asks the procedures in the regulation's order, and writes down what happened and what was ruled."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from damas.arbiter.events import (
    Corrected,
    Disconnected,
    Event,
    Intervention,
    Moved,
    PlayerEvent,
    Reconnected,
    Refused,
    Restored,
    Ruled,
    Started,
    Suspended,
    TableEvent,
)
from damas.arbiter.fold import after
from damas.arbiter.moves import allowed
from damas.arbiter.procedures import ALL, Procedure, Ruling
from damas.arbiter.procedures.intervention import unsound
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.regulation import Regulation
from damas.arbiter.table import Table
from damas.errors import BadRecord, DamasError, UnknownRulebook
from damas.rules import Rulebook


@dataclass(frozen=True)
class Arbiter:
    """An ordered tuple of procedures: the first ruling, or the first refusal, stands."""

    procedures: tuple[Procedure, ...]

    def apply(self, event: Event, table: Table) -> Table:
        """See `Table.apply`. An exception of our own suspends the game with the trace kept; nobody loses by it."""
        if not isinstance(event, PlayerEvent | TableEvent):
            raise TypeError(f"{event!r} is no event")
        try:
            return self._apply(event, table)
        except ProcedureRefused as refused:
            refused.table = refused.table or table
            raise
        except Exception:
            if table.outcome:  # a game that is over stays over
                raise
            attempt = None if isinstance(event, Suspended) else event
            return after(Suspended(max(event.at, table.now), attempt, traceback.format_exc()), table)

    def _apply(self, event: Event, table: Table) -> Table:
        gate(event, table)
        try:
            ruling = self.rule_on(event, table)
        except ProcedureRefused as refused:
            return self._refuse(event, table, refused)
        if isinstance(event, Moved) and (move := allowed(event, table)):
            event = canonical(event, move.text, table)
        return ruled(after(event, table), ruling)

    def _refuse(self, event: Event, table: Table, refused: ProcedureRefused) -> Table:
        """Writes a refusal down where the regulation wants it, and rules on that."""
        refused.table = table
        if not refused.written:
            raise refused
        note = Refused(event.at, event, refused.code, refused.article)
        ruling = self.rule_on(note, table)
        refused.table = ruled(after(note, table), ruling)
        if ruling is None:
            raise refused
        return refused.table

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        """The first ruling, asking the procedures in order; raises the first refusal."""
        for procedure in self.procedures:
            ruling = procedure.rule_on(event, table)
            if ruling:
                return ruling
        return None


@cache
def arbiter(regulation: Regulation) -> Arbiter:
    return Arbiter(tuple(ALL[name] for name in regulation.procedures))


def gate(event: Event, table: Table) -> None:
    """What holds for every event, before any procedure is asked."""
    if isinstance(event, Started | Refused | Ruled):
        raise ProcedureRefused("NOT_FOR_PLAYERS", kind=event.kind)
    if event.at < table.now:
        raise ProcedureRefused("TIME_RUNS_BACK", at=event.at, now=table.now)
    if isinstance(event, Intervention) and (why := unsound(event, table)):
        raise why
    if table.outcome and not isinstance(event, Corrected | Restored):
        raise ProcedureRefused("GAME_OVER", table.outcome.citation, reason=table.outcome.reason)
    waits = isinstance(event, Intervention | Disconnected | Reconnected)
    if table.suspended and not waits:
        raise ProcedureRefused("SUSPENDED")


def canonical(event: Moved, text: str, table: Table) -> Moved:
    """The move as the record writes it: in full, in the rulebook's own notation."""
    if event.move == text:
        return event
    written = replace(event, move=text)
    table._games[id(written)] = (written, table.following(event))
    return written


def ruled(table: Table, ruling: Ruling | None) -> Table:
    return after(Ruled(table.now, ruling), table) if ruling else table


def opened(table: Table) -> Table:
    """A table just opened: a game may be over before it begins."""
    return ruled(table, table.game.outcome)


def replay(events: Sequence[Event], book: Rulebook | None = None, *, complete: bool = False) -> Table:
    """The table of a list of events: the only way a game is loaded.

    Each event is applied again and must give exactly what the list has next; raises `BadRecord` at the first that
    does not, its line being the place in the list from 1. `complete` supplies rulings that are missing at the end,
    as after a crash between the event and its ruling.
    """
    if not events or not isinstance(events[0], Started):
        raise BadRecord(1, "NO_START", {})
    table: Table | None = None
    while table is None or len(table.events) < len(events):
        place = 0 if table is None else len(table.events)
        table = _again(events[place], table, book, place + 1)
        for line, (made, given) in enumerate(
            zip(table.events[place:], events[place:], strict=False), place + 1
        ):
            if made != given:
                raise BadRecord(line, "OTHER_EVENT", {"given": given.kind, "made": made.kind})
        if len(table.events) > len(events) and not complete:
            raise BadRecord(len(events) + 1, "MISSING_EVENT", {"made": table.events[len(events)].kind})
    return table


def _again(event: Event, table: Table | None, book: Rulebook | None, line: int) -> Table:
    try:
        if table is None:
            assert isinstance(event, Started)
            return Table.open(event, book)
        if isinstance(event, Refused):
            return table.apply(event.attempt)
        return table.apply(event)
    except ProcedureRefused as refused:
        if isinstance(event, Refused) and refused.written and refused.table:
            return refused.table
        raise BadRecord(line, "REFUSED", {"kind": event.kind}, refused) from None
    except UnknownRulebook:  # the record may well hold: its house rules are wanted
        raise
    except DamasError as why:
        raise BadRecord(line, "REFUSED", {"kind": event.kind}, why) from None
