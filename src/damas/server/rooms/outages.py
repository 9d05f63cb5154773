"""Compensation for games that were interrupted by an outage of the server (docs/reference/protocol.md, 23-27).

Time is charged as usual up to the server's last sign of life, and to nobody after it. The player to move gets some extra
time to come back, the other a little less, once for each outage; both are events of the game.
"""

from damas.arbiter import (
    Disconnected,
    Event,
    Reconnected,
    Resumed,
    Suspended,
    Table,
    TimeAdded,
)
from damas.server.settings import Limits
from damas.server.store.rows import Alive, EventRow

STOPPED = "the server stopped"
"""Reason of a suspension by the server, in its event."""
HELD = "held"
"""Reason of a suspension by a teacher, which only a teacher or an arbiter ends."""
MOVED = "the game moves to another server"
"""Reason of a suspension for a moment, while another node takes the game over from one that stops."""
WENT_ON = "the server is back"
"""Reason of the resumption, in its event."""
LET_GO = "the teacher gave the signal"
"""Reason of the resumption of a game that was held, in its event."""
MOVING_S = 15.0
"""A game that has been between two nodes for longer stood still like in any outage: nobody took it over in time. (The clocks of the
two nodes may differ by ten seconds.)"""
NOBODY_BACK = "NOBODY_BACK"
"""Code of the outcome; `damas.language` has its sentence."""


def is_held(table: Table) -> bool:
    """Whether a teacher holds the game."""
    return table.suspended and _suspended_because(table) == HELD


def is_moving(table: Table) -> bool:
    """Whether the game is between two nodes: nobody is given extra time, and it goes on at once."""
    return table.suspended and _suspended_because(table) == MOVED


def _suspended_because(table: Table) -> str | None:
    return next((event.trace for event in reversed(table.events) if isinstance(event, Suspended)), None)


def charged(last: EventRow, beat: Alive | None) -> int:
    """Milliseconds between the last event and the last sign of life, by the lesser of two clocks: after a reboot the
    monotonic clock starts again.
    """
    if beat is None:
        return 0
    return max(0, min(beat.mono_ms - last.mono_ms, beat.wall_ms - last.wall_ms))


def after_move(table: Table, last: EventRow, now_ms: int) -> Table:
    """The table of a game that was to go on at another node: the same, or suspended by an outage if nobody took it over."""
    if not is_moving(table) or now_ms - last.wall_ms <= MOVING_S * 1000:
        return table
    return table.apply(Resumed(table.now, MOVED)).apply(Suspended(table.now, None, STOPPED))


def after_outage(table: Table, spent: int, limits: Limits) -> Table:
    """The suspended table with the extra time given; the same table if the game has no clock or has it already, and
    one that is held or moving: its clocks stood still.
    """
    if table.outcome or is_held(table) or is_moving(table) or table.regulation.time_control.budget is None:
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
    """Whether the extra time of this outage is recorded: nothing else happens while a game is suspended."""
    for event in reversed(events):
        if isinstance(event, TimeAdded):
            return True
        if not isinstance(event, Disconnected | Reconnected):
            return False
    return False
