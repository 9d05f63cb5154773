"""Flag fall and pressing the clock."""

from damas.arbiter import events
from damas.arbiter.events import Event
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.game import Outcome
from damas.rules import cite


def flag_fall(event: Event, table: Table) -> Outcome | None:
    """A player who has used more time than available loses (004-4.5), even if nobody called the flag."""
    overdue = table.clocks.overdue(event.at)
    if overdue is None and not isinstance(event, events.Flag):
        return None
    article = cite(table.book, table.book.time_out.article)
    if isinstance(event, events.Flag) and overdue is not event.by:
        left = table.clocks.remaining(event.by, event.at)
        code = "NO_TIME_LIMIT" if left is None else "FLAG_NOT_FALLEN"
        raise ProcedureRefused(code, article, color=event.by, left=_shown(left or 0))
    assert overdue
    if isinstance(event, events.Flag) or (isinstance(event, events.Refused) and event.code == "FLAG"):
        return Outcome.loss(overdue, "FLAG", article)
    if isinstance(event, events.PlayerEvent) and not isinstance(
        event, events.Disconnected | events.Reconnected
    ):
        raise ProcedureRefused("FLAG", article, written=True, color=overdue)
    return None


def _shown(ms: int) -> str:
    """Time left: in milliseconds below one second, else in seconds rounded up."""
    return f"{ms} ms" if ms < 1000 else f"{-(-ms // 1000)} s"


def clock_press(event: Event, table: Table) -> Outcome | None:
    """Only the player who has just moved may press the clock, and only if the regulation uses a clock press."""
    if isinstance(event, events.Pressed):
        moved = table.clocks.running is event.by and table.to_move is not event.by
        if table.regulation.clock_stopped_by != "press" or not moved:
            raise ProcedureRefused("NOTHING_TO_PRESS", table.regulation.cite("clock_stopped_by"))
    return None
