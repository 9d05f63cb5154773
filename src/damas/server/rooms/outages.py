"""What a game is owed that stood still because the server did (docs/reference/protocol.md, 23–27).

Up to the server's last sign of life time is charged as usual, from there on to nobody. Whoever is to move is given a
little time to come back, the other a little less, once for each outage, and both gifts are events of the game.
"""

from damas.arbiter import (
    Disconnected,
    Event,
    Reconnected,
    Suspended,
    Table,
    TimeAdded,
)
from damas.server.settings import Limits
from damas.server.store.rows import Alive, EventRow

STOPPED = "the server stopped"
WENT_ON = "the server is back"
NOBODY_BACK = "NOBODY_BACK"
"""A code, for which `damas.language` has the words."""


def charged(last: EventRow, beat: Alive | None) -> int:
    """How much of the time since the last event the server still lived. Two clocks must agree on it: only one of them
    goes on when a machine is started anew.
    """
    if beat is None:
        return 0
    return max(0, min(beat.mono_ms - last.mono_ms, beat.wall_ms - last.wall_ms))


def after_outage(table: Table, spent: int, limits: Limits) -> Table:
    """The table as the server finds it again: suspended, and what each side is owed given. The same table where
    nothing is owed: games without a limit of time, and those already seen to.
    """
    if table.outcome or table.regulation.time_control.budget is None:
        return table
    if not table.suspended:
        left = table.clocks.remaining(table.awaited, table.now)
        table = table.apply(Suspended(table.now + min(spent, left or 0), None, STOPPED))
    if not _granted(table.events):
        mover = table.awaited
        table = table.apply(TimeAdded(table.now, STOPPED, mover, limits.outage_mover_ms))
        table = table.apply(TimeAdded(table.now, STOPPED, mover.other, limits.outage_other_ms))
    return table


def _granted(events: tuple[Event, ...]) -> bool:
    """Whether the gifts of this outage are written down: nothing else happens while a game is suspended."""
    for event in reversed(events):
        if isinstance(event, TimeAdded):
            return True
        if not isinstance(event, Disconnected | Reconnected):
            return False
    return False
