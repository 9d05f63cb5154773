"""Resignation, take-back, abort and absence."""

from damas.arbiter import events
from damas.arbiter.events import Event
from damas.arbiter.moves import take_back_plies
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.game import Outcome


def resignation(event: Event, table: Table) -> Outcome | None:
    """A player may resign at any time, in turn or not."""
    if not isinstance(event, events.Resigned):
        return None
    return Outcome.loss(event.by, "RESIGNATION", table.regulation.cite("resignation"))


def take_back(event: Event, table: Table) -> Outcome | None:
    """A player asks to take back a move; the opponent grants or refuses it, and a new move cancels the request."""
    match event:
        case events.TakeBackAsked():
            if not table.regulation.take_back:
                raise ProcedureRefused("NO_TAKE_BACK", table.regulation.cite("take_back"))
            if table.take_back:
                raise ProcedureRefused("TAKE_BACK_STANDS", color=table.take_back)
            if table.game.record.length < take_back_plies(table, event.by):
                raise ProcedureRefused("NOTHING_TO_TAKE_BACK")
        case events.TakeBackGranted() | events.TakeBackRefused() if table.take_back is not event.by.other:
            raise ProcedureRefused("NO_TAKE_BACK_ASKED")
    return None


def abort(event: Event, table: Table) -> Outcome | None:
    """Either player may cancel a game during its first plies; it then has no result."""
    if not isinstance(event, events.Aborted):
        return None
    limit, article = table.regulation.abort_before_ply, table.regulation.cite("abort_before_ply")
    if table.ply >= limit:
        raise ProcedureRefused("TOO_LATE_TO_ABORT", article, limit=limit)
    return Outcome(None, "ABORTED", article, void=True)


def disconnection(event: Event, table: Table) -> Outcome | None:
    """The opponent of a player who is away longer than the grace time may claim the game; the clock keeps running."""
    match event:
        case events.Disconnected() if event.by in table.absent:
            raise ProcedureRefused("ALREADY_AWAY", color=event.by)
        case events.Reconnected() if event.by not in table.absent:
            raise ProcedureRefused("NOT_AWAY", color=event.by)
        case events.ClaimedAbsence():
            return _claim(event, table)
    return None


def _claim(event: events.ClaimedAbsence, table: Table) -> Outcome:
    absent = event.by.other
    article = table.regulation.cite("disconnection_grace_ms")
    if event.by in table.absent or absent not in table.absent:
        raise ProcedureRefused("NOT_AWAY", article, color=absent)
    left = table.absent[absent] + table.regulation.disconnection_grace_ms - event.at
    if left > 0:
        raise ProcedureRefused("GRACE_RUNS", article, color=absent, seconds=-(-left // 1000))
    return Outcome.loss(absent, "ABANDONED", article)
