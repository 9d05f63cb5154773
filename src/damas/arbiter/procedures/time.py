"""Flag fall, pressing the clock, and time that a player gives the opponent."""

from damas.arbiter import events
from damas.arbiter.events import Event
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.board import Color
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


GIFT_MS = 15_000
"""How much time a player gives the opponent at once."""
MAX_GIFTS = 20
"""Gifts of time of one player in a game."""


def gives_time(table: Table) -> bool:
    """Whether players may give each other time here: two people, each with a clock for the whole game, under a regulation
    that lets them take moves back as well.
    """
    control = table.clocks.control
    people = not (table.white.bot or table.black.bot)
    return people and table.regulation.take_back and control.budget is not None and not control.by_the_turn


def gifts_left(side: Color, table: Table) -> int:
    """How often a player may still give the opponent time."""
    notable = (table.events[n] for n in table.notable)
    return MAX_GIFTS - sum(isinstance(event, events.TimeGiven) and event.by is side for event in notable)


def _give_time(event: events.TimeGiven, table: Table) -> None:
    if not gives_time(table) or event.ms != GIFT_MS:
        raise ProcedureRefused("NO_TIME_GIFT")
    if gifts_left(event.by, table) < 1:
        raise ProcedureRefused("GIFTS_SPENT", most=MAX_GIFTS)


def clock_press(event: Event, table: Table) -> Outcome | None:
    """Only the player who has just moved may press the clock, and only if the regulation uses a clock press.

    A gift of time stands here too: older records name the procedures, and have none for it.
    """
    if isinstance(event, events.TimeGiven):
        _give_time(event, table)
    if isinstance(event, events.Pressed):
        moved = table.clocks.running is event.by and table.to_move is not event.by
        if table.regulation.clock_stopped_by != "press" or not moved:
            raise ProcedureRefused("NOTHING_TO_PRESS", table.regulation.cite("clock_stopped_by"))
    return None
