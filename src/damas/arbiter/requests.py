"""What players ask for at a table, in the words of the socket protocol, as events of the arbiter."""

from collections.abc import Callable

from damas.arbiter.events import (
    Aborted,
    Accepted,
    AcceptedUnfinished,
    Adjusted,
    Adjusting,
    Blew,
    CalledArbiter,
    CalledAttention,
    Claimed,
    ClaimedAbsence,
    Crowned,
    Declined,
    DemandedCompletion,
    Event,
    Lifted,
    Offered,
    PlayerEvent,
    Pressed,
    Reported,
    Resigned,
    StoppedEarly,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
    TimeGiven,
    Touched,
    Withdrew,
)
from damas.arbiter.procedures.time import GIFT_MS
from damas.arbiter.table import Table
from damas.board import Color

_EVENTS: dict[str, type[PlayerEvent]] = {
    "resign": Resigned,
    "offer": Offered,
    "accept": Accepted,
    "decline": Declined,
    "withdraw": Withdrew,
    "take_back": TakeBackAsked,
    "grant": TakeBackGranted,
    "refuse": TakeBackRefused,
    "abort": Aborted,
    "absence": ClaimedAbsence,
    "press": Pressed,
    "demand": DemandedCompletion,
    "call": CalledArbiter,
}
_EVENTS_WITH_TEXT: dict[str, Callable[[int, Color, str], Event]] = {
    "touch": Touched,
    "lift": Lifted,
    "crown": Crowned,
    "blow": Blew,
    "report": Reported,
    "stop": StoppedEarly,
    "claim": Claimed,
    "attention": CalledAttention,
}


def acting_side(request: str, table: Table, default: Color) -> Color:
    """The side that can make a request at a table where one person plays both; `default` where either can."""
    chain = table.chain
    if request in ("accept", "decline") and table.offer:
        return table.offer.other
    if request in ("accept", "demand") and chain:
        return chain.by.other
    if request in ("grant", "refuse") and table.take_back:
        return table.take_back.other
    if request == "withdraw" and table.offer:
        return table.offer
    if request == "take_back" and table.game.record.length:
        return table.to_move.other  # the side that has just moved
    if request == "lift" and table.lifting:
        return table.to_move.other
    if request == "crown":
        return table.to_move
    if request == "press" and table.clocks.running:
        return table.clocks.running
    return default


def event_of(request: str, side: Color, at: int, table: Table, text: str = "") -> Event:
    """The event that a request asks for; whether it is allowed is decided by the arbiter.

    `text` is the square of `touch`, `lift`, `crown` and `blow`, the capture so far of `stop`, the limit of `claim` and
    `attention`, the conduct of `report`.
    """
    if request == "adjust":
        return (Adjusted if side in table.adjusting else Adjusting)(at, side)
    if request in _EVENTS_WITH_TEXT:
        return _EVENTS_WITH_TEXT[request](at, side, text)
    if request == "give":
        return TimeGiven(at, side, GIFT_MS)
    chain = table.chain
    if request == "accept" and chain and not chain.demanded and table.offer is not side.other:
        return AcceptedUnfinished(at, side)
    return _EVENTS[request](at, side)


def square_name(given: int | str, table: Table) -> str:
    """The rulebook's name of a square, given by its index or by a name in any numbering; another text is unchanged."""
    try:
        return table.book.square_names[table.book.geometry.square(given)]
    except ValueError:
        return str(given)
