"""The table after an event that the procedures have allowed."""

from typing import Any, TypeVar

from damas.arbiter import events
from damas.arbiter.clock import Clock
from damas.arbiter.conduct import whole_capture
from damas.arbiter.events import Event
from damas.arbiter.moves import square_to_crown, squares_to_lift, unfinished_capture
from damas.arbiter.procedures.hand import binds
from damas.arbiter.table import Moment, Stretch, Table, Unfinished

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


Value = TypeVar("Value", Table, Stretch, Unfinished)


def changed(value: Value, **fields: Any) -> Value:
    """As `dataclasses.replace`, three times as quick: every move of every game asks for it."""
    new = object.__new__(type(value))
    old, own = vars(value), vars(new)
    for name in value.__dataclass_fields__:  # not the cached properties beside them
        own[name] = old[name]
    own |= fields
    return new


def after(event: Event, table: Table) -> Table:
    """The table with the event added and applied."""
    applied = _apply(event, table)
    if table.calls and isinstance(event, events.Intervention | events.Ruled):
        applied = changed(applied, calls=frozenset())
    if isinstance(event, events.NOTABLE):
        applied = changed(
            applied,
            notable=(*table.notable, len(table.events)),
            notable_at=(*table.notable_at, _moment(event, table)),
        )
    return changed(applied, events=(*table.events, event))


def _moment(event: Event, table: Table) -> Moment:
    article = ""
    if isinstance(event, events.StoppedEarly) and (
        unfinished := unfinished_capture(table.position, event.move)
    ):
        article = whole_capture(table, unfinished[0][0]).article
    if table.lifting:  # a capture in two tempi is still the move of who captures
        number = table.stretches[-1].move_number(table.game.record.length)
        return Moment(table.to_move.other, number, article)
    return Moment(table.to_move, table.move_number, article)


def _apply(event: Event, table: Table) -> Table:
    match event:
        case events.Moved():
            return _moved(event, table)
        case events.Touched():
            return changed(table, touched=_bound(event, table))
        case events.Adjusting():
            return changed(table, adjusting=table.adjusting | {event.by})
        case events.Adjusted():
            return changed(table, adjusting=table.adjusting - {event.by})
        case events.Lifted():
            lifting = table.lifting[1:]
            return changed(
                table, lifting=lifting, clocks=table.clocks if lifting else _turn_over(event, table)
            )
        case events.Crowned():
            return changed(table, crowning=None)
        case events.Pressed():
            return changed(table, clocks=table.clocks.press(event.at))
        case events.StoppedEarly():
            unfinished = unfinished_capture(table.position, event.move)
            assert unfinished
            chain = Unfinished(event.by, event.move, unfinished[0], demanded=False)
            return changed(table, chain=chain, clocks=_in_turn(event, table).hand_over(event.at))
        case events.DemandedCompletion():
            assert table.chain
            return changed(
                table, chain=changed(table.chain, demanded=True), clocks=table.clocks.hand_over(event.at)
            )
        case events.AcceptedUnfinished():
            return changed(_set_up(event, table), **SETTLED)
        case events.CalledAttention():
            return _with_game(event, table)
        case events.Offered():
            return changed(table, offer=event.by)
        case events.Declined() | events.Withdrew():
            return changed(table, offer=None)
        case events.TakeBackAsked():
            return changed(table, take_back=event.by)
        case events.TakeBackRefused():
            return changed(table, take_back=None)
        case events.TakeBackGranted():
            back = changed(_with_game(event, table), **SETTLED)
            return changed(back, clocks=table.clocks.interrupt(back.to_move, event.at))
        case events.Disconnected():
            return changed(table, absent={**table.absent, event.by: event.at})
        case events.Reconnected():
            return changed(
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
            return changed(table, touched=None, chain=None, lifting=(), crowning=None, clocks=clocks)
        case events.CalledArbiter():
            return changed(table, calls=table.calls | {event.by})
        case events.TimeSet():
            return changed(table, clocks=table.clocks.set(event.to, event.ms, event.at))
        case events.TimeGiven():
            return changed(table, clocks=table.clocks.add(event.by.other, event.ms))
        case events.TimeAdded():
            return changed(table, clocks=table.clocks.add(event.to, event.ms))
        case events.Resumed():
            return changed(table, suspended=False, clocks=table.clocks.resume(table.awaited, event.at))
        case events.Suspended():
            return changed(table, suspended=True, clocks=table.clocks.pause(event.at))
        case events.Refused():
            return _refused(event, table)
        case events.Ruled():
            clocks = table.clocks.pause(event.at)
            return changed(
                table, outcome=event.outcome, suspended=False, lifting=(), crowning=None, clocks=clocks
            )
    return table


def _moved(event: events.Moved, table: Table) -> Table:
    moved = changed(_with_game(event, table), clocks=_in_turn(event, table))
    lifting = squares_to_lift(moved, event.by)
    return changed(
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
    return changed(table, stretches=(*table.stretches[:-1], changed(table.stretches[-1], game=game)))


def _set_up(event: events.AcceptedUnfinished | events.Corrected, table: Table) -> Table:
    """The table with a new stretch that starts from another position."""
    game = table.following(event)
    assert game
    broken_off = table.chain.move if isinstance(event, events.AcceptedUnfinished) and table.chain else ""
    turns = int(bool(broken_off))  # an accepted capture counts as a turn
    number = table.stretches[-1].move_number(table.game.record.length + 1 + turns)
    stretch = Stretch(game, table.ply + turns, number, event, broken_off)
    return changed(table, stretches=(*table.stretches, stretch))


def _restored(event: events.Restored, table: Table) -> Table:
    game, stretch = table.following(event), table.stretch_of(event.ply)
    assert game
    earlier = table.stretches[: table.stretches.index(stretch)]
    return changed(table, stretches=(*earlier, changed(stretch, game=game)))


def _put_right(event: events.Corrected | events.Restored, table: Table) -> Table:
    """Starts a turn of the side to move; a game that was over stays suspended until the arbiter resumes it."""
    table = changed(table, **SETTLED)
    if table.outcome or table.suspended:
        return changed(table, outcome=None, suspended=True, clocks=table.clocks.pause(event.at))
    return changed(table, clocks=table.clocks.interrupt(table.to_move, event.at))


def _refused(event: events.Refused, table: Table) -> Table:
    rules = table.regulation
    if (
        event.code == "WRONG_CLAIM"
        and rules.wrong_claim == "time"
        and isinstance(event.attempt, events.Claimed)
    ):
        return changed(table, clocks=table.clocks.add(event.attempt.by.other, rules.wrong_claim_ms))
    return table
