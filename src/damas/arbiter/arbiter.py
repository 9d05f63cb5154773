"""The arbiter: applies an event to a table by asking the procedures in the order of the regulation."""

import traceback
from collections.abc import Sequence
from dataclasses import replace

from damas.arbiter.events import (
    Claimed,
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
from damas.arbiter.fold import after, changed
from damas.arbiter.moves import allowed
from damas.arbiter.procedures import ALL as PROCEDURES
from damas.arbiter.procedures.intervention import intervention_error
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.errors import BadRecord, DamasError, UnknownRulebook
from damas.game import Outcome
from damas.rules import Rulebook


def apply(event: Event, table: Table) -> Table:
    """See `Table.apply`. An unexpected exception suspends the game and keeps the traceback; no player loses."""
    if not isinstance(event, PlayerEvent | TableEvent):
        raise TypeError(f"{event!r} is no event")
    try:
        return _apply(event, table)
    except ProcedureRefused as refused:
        refused.table = refused.table or table
        raise
    except MemoryError:  # the machine's, not the game's: it may be tried again
        raise
    except Exception:
        if table.outcome:  # a game that is over stays over
            raise
        attempt = None if isinstance(event, Suspended) else event
        return after(Suspended(max(event.at, table.now), attempt, traceback.format_exc()), table)


def _apply(event: Event, table: Table) -> Table:
    check_event(event, table)
    if isinstance(event, Moved) and (move := allowed(event, table)):
        event = replace(event, move=move.text)  # in full and in the rulebook's own notation
        table._reading[:] = [(event, move)]
    try:
        ruling = rule_on(event, table)
    except ProcedureRefused as refused:
        return _refuse(event, table, refused)
    return ruled(after(event, table), ruling)


def _refuse(event: Event, table: Table, refused: ProcedureRefused) -> Table:
    """Records a refusal if the regulation asks for it, and rules on it; otherwise raises it."""
    refused.table = table
    if not refused.written:
        raise refused
    note = Refused(event.at, event, refused.code, refused.article)
    ruling = rule_on(note, table)
    refused.table = ruled(after(note, table), ruling)
    if ruling is None:
        raise refused
    return refused.table


def rule_on(event: Event, table: Table) -> Outcome | None:
    """The first ruling of the procedures in the order of the regulation, or None; raises the first refusal."""
    rulings = (PROCEDURES[name](event, table) for name in table.regulation.procedures)
    return next(filter(None, rulings), None)


def check_event(event: Event, table: Table) -> None:
    """Raises `ProcedureRefused` for an event that no procedure may allow."""
    if isinstance(event, Started | Refused | Ruled):
        raise ProcedureRefused("NOT_FOR_PLAYERS", kind=event.kind)
    if event.at < table.now:
        raise ProcedureRefused("TIME_RUNS_BACK", at=event.at, now=table.now)
    if isinstance(event, Intervention) and (why := intervention_error(event, table)):
        raise why
    if table.outcome and not isinstance(event, Corrected | Restored):
        raise ProcedureRefused("GAME_OVER", table.outcome.citation, reason=table.outcome.reason)
    allowed_while_suspended = isinstance(event, Intervention | Disconnected | Reconnected)
    if table.suspended and not allowed_while_suspended:
        raise ProcedureRefused("SUSPENDED")


def ruled(table: Table, ruling: Outcome | None) -> Table:
    """The table with a ruling added; unchanged where there is none."""
    return after(Ruled(table.now, ruling), table) if ruling else table


def replay(events: Sequence[Event], book: Rulebook | None = None, *, complete: bool = False) -> Table:
    """The table of a list of events; the only way to load a game.

    Each event is applied again and must give the next events of the list; otherwise raises `BadRecord` with the place
    in the list, from 1. Articles may be worded as they were when the game was recorded, and stay so. `complete` adds
    rulings that are missing at the end, as after a crash between an event and its ruling.
    """
    if not events or not isinstance(events[0], Started):
        raise BadRecord(1, "NO_START", {})
    table: Table | None = None
    while table is None or len(table.events) < len(events):
        place = 0 if table is None else len(table.events)
        table = _apply_again(events[place], table, book, place + 1)
        table = _as_recorded(table, events, place)
        if len(table.events) > len(events) and not complete:
            raise BadRecord(len(events) + 1, "MISSING_EVENT", {"made": table.events[len(events)].kind})
    return table


def _as_recorded(table: Table, events: Sequence[Event], place: int) -> Table:
    """The table with its events from `place` on worded as in the record; raises `BadRecord` where they are others."""
    for line, (made, given) in enumerate(zip(table.events[place:], events[place:], strict=False), place + 1):
        if made == given:
            continue
        worded = _in_words_of(given, made)
        if worded != given:
            raise BadRecord(line, "OTHER_EVENT", {"given": given.kind, "made": made.kind})
        table = changed(table, events=(*table.events[: line - 1], worded, *table.events[line:]))
        if isinstance(worded, Ruled):
            table = changed(table, outcome=worded.outcome)
    return table


OLDER_CODES = {"NOT_YOUR_PIECE": "NOT_YOUR_TURN"}
"""Codes of refused moves, and what older records have in their place."""


def _in_words_of(recorded: Event, event: Event) -> Event:
    """The event with its article and code as in a recorded one. Wordings change, what was refused or ruled does not."""
    match event, recorded:
        case Refused(), Refused():
            code = recorded.code if recorded.code == OLDER_CODES.get(event.code) else event.code
            return replace(event, article=recorded.article, code=code)
        case Ruled(), Ruled():
            outcome, facts = event.outcome, dict(event.outcome.facts)
            older = recorded.outcome.facts.get("code")
            if older and older == OLDER_CODES.get(str(facts.get("code"))):
                facts["code"] = older
            if (outcome.reason, recorded.outcome.reason) == ("INVALID_MOVE", "ILLEGAL_MOVES"):
                # Older records count the one move that lost, and do not name it.
                outcome = replace(outcome, reason="ILLEGAL_MOVES")
                facts = {"loser": facts["loser"], "count": 1}
            citation = outcome.citation
            if citation.id:  # house rules have no ids: their own words are the article
                citation = replace(citation, article=recorded.outcome.citation.article)
            return replace(event, outcome=replace(outcome, citation=citation, facts=facts))
    return event


def _apply_again(event: Event, table: Table | None, book: Rulebook | None, line: int) -> Table:
    try:
        if table is None:
            assert isinstance(event, Started)
            return Table.open(event, book)
        if isinstance(event, Refused):
            return table.apply(event.attempt)
        if isinstance(event, Claimed) and table.game.claim(event.rule) is None:
            return _offers_never_wait(table).apply(event)
        return table.apply(event)
    except ProcedureRefused as refused:
        if isinstance(event, Refused) and refused.written and refused.table:
            return refused.table
        raise BadRecord(line, "REFUSED", {"kind": event.kind}, refused) from None
    except UnknownRulebook:  # the record may be right: its house rules are needed to check it
        raise
    except DamasError as why:
        raise BadRecord(line, "REFUSED", {"kind": event.kind}, why) from None


def _offers_never_wait(table: Table) -> Table:
    """The table by older customs: the platform's draw could be claimed in endings that the text itself limits."""
    stretch, game = table.stretches[-1], table.game
    older = replace(game, customs=replace(game.customs, offers_wait=False))
    return changed(table, stretches=(*table.stretches[:-1], changed(stretch, game=older)))
