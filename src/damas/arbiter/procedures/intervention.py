"""Interventions of the arbiter."""

from damas.arbiter import events
from damas.arbiter.conduct import CONDUCT
from damas.arbiter.events import Event
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.board import Color
from damas.errors import DamasError
from damas.game import Outcome, Position

WINNERS = {"1-0": Color.WHITE, "0-1": Color.BLACK, "1/2-1/2": None, "*": None}
"""The winner of each result that an arbiter may give."""


def arbiter_intervention(event: Event, table: Table) -> Outcome | None:
    """The arbiter intervenes: position, time, a touched piece, irregularities, a word to the players, the end. A player calls once."""
    match event:
        case events.Released() if not (table.touched or table.chain or table.lifting or table.crowning):
            raise ProcedureRefused("NOTHING_TO_RELEASE")
        case events.TimeAdded() | events.TimeSet() if table.clocks.control.budget is None:
            raise ProcedureRefused("NO_TIME_LIMIT", color=event.to)
        case events.TimeAdded() | events.TimeSet() if event.ms < 1:
            raise ProcedureRefused("NO_TIME_GIVEN", color=event.to)
        case events.CalledArbiter() if event.by in table.calls:
            raise ProcedureRefused("CALL_STANDS", color=event.by)
        case events.Noted() if event.conduct not in CONDUCT:
            raise ProcedureRefused("NO_SUCH_CONDUCT", conduct=event.conduct, known=CONDUCT)
        case events.Resumed() if not table.suspended:
            raise ProcedureRefused("NOT_SUSPENDED")
        case events.Ended():
            return _end(event, table)
    return None


def _end(event: events.Ended, table: Table) -> Outcome:
    if event.result not in WINNERS:
        raise ProcedureRefused("NO_SUCH_RESULT", result=event.result)
    void = event.result == "*"
    reason = "SUSPENDED" if void and table.suspended else "ARBITER"
    article = table.regulation.cite("arbiter_intervention")
    return Outcome(WINNERS[event.result], reason, article, facts={"why": event.reason}, void=void)


def intervention_error(event: events.Intervention, table: Table) -> ProcedureRefused | None:
    """Why an intervention cannot be applied, whatever the state of the game; None if it can."""
    if not event.reason.strip():
        return ProcedureRefused("NO_REASON")
    if isinstance(event, events.Restored) and event.ply > table.ply:
        return ProcedureRefused("NO_SUCH_PLY", ply=event.ply, most=table.ply)
    if isinstance(event, events.Corrected):
        try:
            Position.from_fen(event.fen, table.book)
        except DamasError as why:
            return ProcedureRefused("BAD_POSITION", cause=why)
    return None
