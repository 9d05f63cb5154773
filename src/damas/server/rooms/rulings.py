"""The arbiter's word on one event, taken apart."""

from collections.abc import Sequence

from damas.arbiter import Event, Moved, ProcedureRefused, Refused, Table
from damas.errors import DamasError


def apply(event: Event, table: Table) -> tuple[Table, ProcedureRefused | None]:
    """The table to go on from, and why the event was refused if it was."""
    try:
        return table.apply(event), None
    except ProcedureRefused as refused:
        return refused.table or table, refused


def written_refusal(events: Sequence[Event], before: Table) -> DamasError | None:
    """Why a move was refused that also ended the game, as late ones do, and invalid ones of programs."""
    first = events[0] if events else None
    if not isinstance(first, Refused):
        return None
    attempt = first.attempt
    if isinstance(attempt, Moved) and first.code != "FLAG":
        why = before.reading(attempt)
        if isinstance(why, DamasError):
            return why
    return ProcedureRefused(first.code, color=before.clocks.running or before.to_move)
