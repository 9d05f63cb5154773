"""The table after an event that the procedures have allowed."""

from dataclasses import replace
from typing import Any

from damas.arbiter import events
from damas.arbiter.clock import Clock
from damas.arbiter.events import Event
from damas.arbiter.moves import square_to_crown, squares_to_lift, unfinished_capture
from damas.arbiter.procedures.hand import binds
from damas.arbiter.table import Stretch, Table, Unfinished

SETTLED: dict[str, Any] = {
    "touched": None,
    "chain": None,
    "lifting": (),
    "crowning": None,
    "take_back": None,
    "offer": None,
    "adjusting": frozenset(),
}
"""Fields to reset after a position was set up by hand."""


def after(event: Event, table: Table) -> Table:
    """The table with the event added and applied."""
    notable = (*table.notable, len(table.events)) if isinstance(event, events.NOTABLE) else table.notable
    return replace(_apply(event, table), events=(*table.events, event), notable=notable)


def _apply(event: Event, table: Table) -> Table:
    match event:
        case events.Moved():
            return _moved(event, table)
        case events.Touched():
            return replace(table, touched=_bound(event, table))
        case events.Adjusting():
            return replace(table, adjusting=table.adjusting | {event.by})
        case events.Adjusted():
            return replace(table, adjusting=table.adjusting - {event.by})
        case events.Lifted():
            lifting = table.lifting[1:]
            return replace(
                table, lifting=lifting, clocks=table.clocks if lifting else _turn_over(event, table)
            )
        case events.Crowned():
            return replace(table, crowning=None)
        case events.Pressed():
            return replace(table, clocks=table.clocks.press(event.at))
        case events.StoppedEarly():
            unfinished = unfinished_capture(table.position, event.move)
            assert unfinished
            chain = Unfinished(event.by, event.move, unfinished[0], demanded=False)
            return replace(table, chain=chain, clocks=_in_turn(event, table).hand_over(event.at))
        case events.DemandedCompletion():
            assert table.chain
            return replace(
                table, chain=replace(table.chain, demanded=True), clocks=table.clocks.hand_over(event.at)
            )
        case events.AcceptedUnfinished():
            return replace(_set_up(event, table), **SETTLED)
        case events.CalledAttention():
            return _with_game(event, table)
        case events.Offered():
            return replace(table, offer=event.by)
        case events.Declined() | events.Withdrew():
            return replace(table, offer=None)
        case events.TakeBackAsked():
            return replace(table, take_back=event.by)
        case events.TakeBackRefused():
            return replace(table, take_back=None)
        case events.TakeBackGranted():
            back = replace(_with_game(event, table), **SETTLED)
            return replace(back, clocks=table.clocks.interrupt(back.to_move, event.at))
        case events.Disconnected():
            return replace(table, absent={**table.absent, event.by: event.at})
        case events.Reconnected():
            return replace(
                table, absent={side: at for side, at in table.absent.items() if side is not event.by}
            )
        case events.Corrected():
            return _put_right(event, _set_up(event, table))
        case events.Restored():
            return _put_right(event, _restored(event, table))
        case events.Released():
            clocks = table.clocks
            if table.chain and not table.suspended:
                clocks = clocks.interrupt(table.to_move, event.at)
            elif table.lifting:
                clocks = _turn_over(event, table)
            return replace(table, touched=None, chain=None, lifting=(), crowning=None, clocks=clocks)
        case events.TimeAdded():
            return replace(table, clocks=table.clocks.add(event.to, event.ms))
        case events.Resumed():
            return replace(table, suspended=False, clocks=table.clocks.resume(table.awaited, event.at))
        case events.Suspended():
            return replace(table, suspended=True, clocks=table.clocks.pause(event.at))
        case events.Refused():
            return _refused(event, table)
        case events.Ruled():
            clocks = table.clocks.pause(event.at)
            return replace(
                table, outcome=event.outcome, suspended=False, lifting=(), crowning=None, clocks=clocks
            )
    return table


def _moved(event: events.Moved, table: Table) -> Table:
    moved = replace(_with_game(event, table), clocks=_in_turn(event, table))
    lifting = squares_to_lift(moved, event.by)
    return replace(
        moved,
        clocks=moved.clocks if lifting else _turn_over(event, moved),
        touched=None,
        chain=None,
        lifting=lifting,
        crowning=square_to_crown(moved, event.by.other),
        take_back=None,
        adjusting=table.adjusting - {event.by},
        offer=table.offer if table.offer is event.by else None,
    )


def _turn_over(event: Event, table: Table) -> Clock:
    """The clock after a move is complete: it changes over by itself, unless the player has to press it."""
    return table.clocks.press(event.at) if table.regulation.clock_stopped_by == "move" else table.clocks


def _in_turn(event: events.Moved | events.StoppedEarly, table: Table) -> Clock:
    """The clock of the player to move; if the opponent forgot to press it, this move presses it."""
    return table.clocks.press(event.at) if table.clocks.running is event.by.other else table.clocks


def _bound(event: events.Touched, table: Table) -> str | None:
    """The square of the piece that the player to move must move after this touch, or None."""
    square = table.book.square_names.index(event.square)
    can_move = any(move.origin == square for move in table.game.legal_moves)
    return event.square if can_move and binds(event, table) else table.touched


def _with_game(event: Event, table: Table) -> Table:
    """The table with the game continued in the same stretch."""
    game = table.following(event)
    assert game
    return replace(table, stretches=(*table.stretches[:-1], replace(table.stretches[-1], game=game)))


def _set_up(event: Event, table: Table) -> Table:
    """The table with a new stretch that starts from another position."""
    game = table.following(event)
    assert game
    ply = table.ply + isinstance(event, events.AcceptedUnfinished)  # which counts as a turn
    number = table.stretches[-1].move_number(
        table.game.record.length + 1 + isinstance(event, events.AcceptedUnfinished)
    )
    return replace(table, stretches=(*table.stretches, Stretch(game, ply, number)))


def _restored(event: events.Restored, table: Table) -> Table:
    game, stretch = table.following(event), table.stretch_of(event.ply)
    assert game
    earlier = table.stretches[: table.stretches.index(stretch)]
    return replace(table, stretches=(*earlier, replace(stretch, game=game)))


def _put_right(event: events.Corrected | events.Restored, table: Table) -> Table:
    """Starts a turn of the side to move; a game that was over stays suspended until the arbiter resumes it."""
    table = replace(table, **SETTLED)
    if table.outcome or table.suspended:
        return replace(table, outcome=None, suspended=True, clocks=table.clocks.pause(event.at))
    return replace(table, clocks=table.clocks.interrupt(table.to_move, event.at))


def _refused(event: events.Refused, table: Table) -> Table:
    rules = table.regulation
    if (
        event.code == "WRONG_CLAIM"
        and rules.wrong_claim == "time"
        and isinstance(event.attempt, events.Claimed)
    ):
        return replace(table, clocks=table.clocks.add(event.attempt.by.other, rules.wrong_claim_ms))
    return table
