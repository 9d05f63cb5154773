"""Resignation, take-back, abort and absence."""

from dataclasses import dataclass
from typing import ClassVar

from damas.arbiter.events import (
    Aborted,
    ClaimedAbsence,
    Disconnected,
    Event,
    Reconnected,
    Resigned,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
)
from damas.arbiter.moves import take_back_plies
from damas.arbiter.procedures.procedure import Ruling
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.game import Outcome


@dataclass(frozen=True)
class Resignation:
    """A player may resign at any time, in turn or not."""

    name: ClassVar[str] = "resignation"

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        if not isinstance(event, Resigned):
            return None
        return Outcome(
            event.by.other, "RESIGNATION", table.regulation.cite(self.name), facts={"loser": event.by}
        )


@dataclass(frozen=True)
class TakeBack:
    """A player asks to take back a move; the opponent grants or refuses it, and a new move cancels the request."""

    name: ClassVar[str] = "take_back"

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        match event:
            case TakeBackAsked():
                if not table.regulation.take_back:
                    raise ProcedureRefused("NO_TAKE_BACK", table.regulation.cite(self.name))
                if table.take_back:
                    raise ProcedureRefused("TAKE_BACK_STANDS", color=table.take_back)
                if table.game.record.length < take_back_plies(table, event.by):
                    raise ProcedureRefused("NOTHING_TO_TAKE_BACK")
            case TakeBackGranted() | TakeBackRefused() if table.take_back is not event.by.other:
                raise ProcedureRefused("NO_TAKE_BACK_ASKED")
        return None


@dataclass(frozen=True)
class Abort:
    """Either player may cancel a game during its first plies; it then has no result."""

    name: ClassVar[str] = "abort"

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        if not isinstance(event, Aborted):
            return None
        limit, article = table.regulation.abort_before_ply, table.regulation.cite("abort_before_ply")
        if table.ply >= limit:
            raise ProcedureRefused("TOO_LATE_TO_ABORT", article, limit=limit)
        return Outcome(None, "ABORTED", article, void=True)


@dataclass(frozen=True)
class Disconnection:
    """The opponent of a player who is away longer than the grace time may claim the game; the clock keeps running."""

    name: ClassVar[str] = "disconnection"

    def rule_on(self, event: Event, table: Table) -> Ruling | None:
        match event:
            case Disconnected() if event.by in table.absent:
                raise ProcedureRefused("ALREADY_AWAY", color=event.by)
            case Reconnected() if event.by not in table.absent:
                raise ProcedureRefused("NOT_AWAY", color=event.by)
            case ClaimedAbsence():
                return self._claim(event, table)
        return None

    @staticmethod
    def _claim(event: ClaimedAbsence, table: Table) -> Ruling:
        absent = event.by.other
        article = table.regulation.cite("disconnection_grace_ms")
        if event.by in table.absent or absent not in table.absent:
            raise ProcedureRefused("NOT_AWAY", article, color=absent)
        left = table.absent[absent] + table.regulation.disconnection_grace_ms - event.at
        if left > 0:
            raise ProcedureRefused("GRACE_RUNS", article, color=absent, seconds=-(-left // 1000))
        return Outcome(event.by, "ABANDONED", article, facts={"loser": absent})
