"""The events of a game, one frozen dataclass for each kind, and their JSON form. A game is a list of events.

Players, the arbiter and the clock make events; only the arbiter makes `Refused` and `Ruled`. `at` is in milliseconds
since the game began and never decreases. Squares, moves and positions are texts in the notation of the rulebook.
"""

import re
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar, TypeAlias, dataclass_transform, get_args, get_type_hints

from damas.arbiter.regulation import Regulation
from damas.board import Color
from damas.errors import BadEvent, Citation, Mistake, wanted
from damas.game import Outcome


@dataclass(frozen=True)
class Player:
    """A player's name, and whether it is a program."""

    name: str = ""
    bot: bool = False


@dataclass(frozen=True)
class Lot:
    """A draw of colours that anybody can repeat with `draw_lots`."""

    seed: int
    first: Color
    """The colour of the player named first."""


KINDS: dict[str, "type[Event]"] = {}
"""The class of each kind of event."""


@dataclass_transform(frozen_default=True)
class _RegisteredEvent:
    """Makes each subclass a frozen dataclass; `kind` is its name in snake case, unless it gives another."""

    kind: ClassVar[str]

    def __init_subclass__(cls, *, abstract: bool = False) -> None:
        dataclass(frozen=True)(cls)
        if not abstract:
            cls.kind = vars(cls).get("kind") or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
            KINDS[cls.kind] = cls  # type: ignore[assignment]


class PlayerEvent(_RegisteredEvent, abstract=True):
    """An event of one player."""

    at: int
    by: Color


class TableEvent(_RegisteredEvent, abstract=True):
    """An event of no player."""

    by: ClassVar[None] = None
    at: int


Event: TypeAlias = PlayerEvent | TableEvent
"""Anything that happens at a table."""


# The game


class Started(TableEvent):
    """The game begins: its rulebook, regulation, first position and players."""

    rulebook: str
    hash: str
    """Hash of the rulebook: the same id may have other rules in another version."""
    regulation: Regulation
    fen: str
    white: Player
    black: Player
    lot: Lot | None
    recorded: bool
    """Whether the players write the game down (faraes, Art. 12)."""


class Moved(PlayerEvent):
    """A complete move, with the piece released. In the record its text has the route that the player took."""

    move: str


class Touched(PlayerEvent):
    """A piece is touched, or held over a square and not released yet (faraes, Art. 16)."""

    square: str
    held_over: str = ""


class Adjusting(PlayerEvent):
    """The player announces that pieces will only be adjusted."""


class Adjusted(PlayerEvent):
    """The player has finished adjusting pieces."""


class Lifted(PlayerEvent):
    """The player lifts a piece that the last move captured (portuguesa, n.º 6)."""

    square: str


class Crowned(PlayerEvent):
    """The player crowns the opponent's man that reached the last row (portuguesa, n.º 11, alínea d)."""

    square: str


class Pressed(PlayerEvent):
    """The player presses the clock after a move."""


class TimeGiven(PlayerEvent):
    """The player gives the opponent time, in milliseconds."""

    ms: int


class StoppedEarly(PlayerEvent):
    """A capture is released before it is complete."""

    kind: ClassVar[str] = "unfinished"
    move: str
    """The part that was played."""


class AcceptedUnfinished(PlayerEvent):
    """The opponent accepts a capture that was stopped early as it stands."""


class DemandedCompletion(PlayerEvent):
    """The opponent demands that a capture stopped early be completed."""


class Blew(PlayerEvent):
    """An attempt to blow (huff) a piece that did not capture."""

    square: str


class LeftUncrowned(PlayerEvent):
    """An attempt to play on without crowning the opponent's man."""

    square: str


class Reported(PlayerEvent):
    """The player reports that the opponent broke a rule of conduct, such as holding a piece while calculating."""

    conduct: str
    """One of `damas.arbiter.conduct.CONDUCT`."""


class CalledArbiter(PlayerEvent):
    """The player calls the arbiter to the table."""


class Hinted(PlayerEvent):
    """The player asks to be shown what can be played."""


# Draws


class Offered(PlayerEvent):
    """The player offers a draw."""


class Accepted(PlayerEvent):
    """The player accepts the opponent's draw offer: the game is drawn."""


class Declined(PlayerEvent):
    """The player declines the opponent's draw offer."""


class Withdrew(PlayerEvent):
    """The player withdraws the own draw offer."""


class Claimed(PlayerEvent):
    """The player claims that a limit is complete."""

    rule: str


class CalledAttention(PlayerEvent):
    """The player calls attention to a limit that nobody is counting yet (faraes, Art. 12, sole paragraph)."""

    rule: str


# Leaving and coming back


class Resigned(PlayerEvent):
    """The player gives the game up."""


class Flag(PlayerEvent):
    """The timer or the opponent claims that the time of `by` is up."""


class Disconnected(PlayerEvent):
    """The player is away from now on."""


class Reconnected(PlayerEvent):
    """The player is back."""


class ClaimedAbsence(PlayerEvent):
    """The player claims the game because the opponent has been away too long."""


class TakeBackAsked(PlayerEvent):
    """The player asks to take back the own last move, and the opponent's reply if there is one."""


class TakeBackGranted(PlayerEvent):
    """The player lets the opponent take the move back."""


class TakeBackRefused(PlayerEvent):
    """The player does not let the opponent take the move back."""


class Aborted(PlayerEvent):
    """The game is cancelled before the first moves."""


# The arbiter


class Intervention(TableEvent, abstract=True):
    """An action of the arbiter, with a reason for the record."""

    reason: str


class Corrected(Intervention):
    """The arbiter sets another position."""

    fen: str


class Released(Intervention):
    """The player to move is released from a touched piece or an unfinished capture."""


class TimeAdded(Intervention):
    """The arbiter gives one player more time, in milliseconds."""

    to: Color
    ms: int


class TimeSet(Intervention):
    """The arbiter sets the clock of one player, in milliseconds."""

    to: Color
    ms: int


class Advised(Intervention):
    """The arbiter tells the players something, such as the answer to a call; `reason` is what."""


class Restored(Intervention):
    """The game goes on from the position after an earlier ply."""

    ply: int


class Noted(Intervention):
    """The arbiter writes an irregularity of a player down."""

    against: Color
    conduct: str
    """One of `damas.arbiter.conduct.CONDUCT`."""


class Resumed(Intervention):
    """A suspended game goes on."""


class Ended(Intervention):
    """The arbiter ends the game with a result."""

    result: str
    """1-0, 0-1, 1/2-1/2, or * for no result."""


# What the table writes itself


class Refused(TableEvent):
    """An event that was not allowed, recorded because the regulation asks for it."""

    attempt: Event
    code: str
    article: str


class Ruled(TableEvent):
    """The game is over."""

    outcome: Outcome


class Suspended(TableEvent):
    """The game is suspended without a player's fault: by an internal error, with its traceback, or a server shutdown."""

    attempt: Event | None
    """The event that was being applied."""
    trace: str


NOTABLE = (
    Adjusting,
    Adjusted,
    CalledAttention,
    CalledArbiter,
    TimeGiven,
    StoppedEarly,
    Reported,
    Refused,
    Intervention,
)
"""Events that everybody at the table sees, besides moves and offers: the register is made of them."""


# JSON


def to_json(event: Event) -> dict[str, Any]:
    """The event as JSON values; `from_json` reads it back.

    >>> to_json(Moved(1500, Color.WHITE, "c3-d4"))
    {'kind': 'moved', 'at': 1500, 'by': 'white', 'move': 'c3-d4'}
    """
    own = {
        field.name: _out(getattr(event, field.name))
        for field in fields(event)
        if field.name not in ("at", "by")
    }
    return {"kind": event.kind, "at": event.at, "by": _out(event.by), **own}


def from_json(data: object) -> Event:
    """Reads an event; raises `BadEvent` for an unknown kind, and for a key that is missing, unknown or wrong."""
    if not isinstance(data, dict):
        raise BadEvent("?", Mistake.of("event", data, wanted("object")))
    kind = data.get("kind")
    event_class = KINDS.get(kind) if isinstance(kind, str) else None
    if event_class is None:
        raise BadEvent(str(kind), Mistake.of("kind", kind, wanted("one_of", values=", ".join(KINDS))))
    hints = _hints(event_class)  # type: ignore[arg-type]  # mypy takes a frozen class for unhashable
    names = {"kind", "by", *hints}
    for key in sorted(data.keys() - names, key=str):
        allowed = wanted("known_key", known=", ".join(sorted(names)))
        raise BadEvent(event_class.kind, Mistake.of(str(key), data[key], allowed))
    for key in sorted(names - data.keys()):
        raise BadEvent(event_class.kind, Mistake.of(key, None, wanted("this_key")))
    if "by" not in hints and data["by"] is not None:
        raise BadEvent(event_class.kind, Mistake.of("by", data["by"], wanted("one_of", values="null")))
    return event_class(**_values(event_class.kind, data, hints))


@cache
def _hints(cls: type) -> dict[str, Any]:
    """The type of each field of a dataclass that is part of its value."""
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.compare}


def _out(value: Any) -> Any:
    if isinstance(value, Color):
        return value.value
    if isinstance(value, Regulation):
        return value.recorded_data()
    if isinstance(value, PlayerEvent | TableEvent):
        return to_json(value)
    if isinstance(value, Outcome | Citation | Player | Lot):
        return {each.name: _out(getattr(value, each.name)) for each in fields(value) if each.compare}
    if isinstance(value, dict):
        return {key: _out(item) for key, item in value.items()}
    return value


class _WrongValue(Exception):
    """A JSON value that does not fit its field; the argument says what would."""


def _values(kind: str, data: dict[str, object], hints: dict[str, Any]) -> dict[str, Any]:
    """The fields of a dataclass, each read by its type; raises `BadEvent` for the first wrong one."""
    values = {}
    for key, hint in hints.items():
        try:
            values[key] = _read(data[key], hint)
        except _WrongValue as wrong:
            raise BadEvent(kind, Mistake.of(key, data[key], wrong.args[0])) from None
    return values


PLAIN_TYPES = {int: wanted("from_zero"), str: wanted("text"), bool: wanted("one_of", values="true, false")}
"""Types that JSON has itself, and what is expected of them."""


def _read(value: Any, hint: Any) -> Any:
    """A JSON value converted to the type of its field; raises `_WrongValue`."""
    choices = get_args(hint)
    if hint == dict[str, object]:
        if not isinstance(value, dict) or not all(type(item) in (int, str) for item in value.values()):
            raise _WrongValue(wanted("facts"))
        return {key: _read(item, Color) if key == "loser" else item for key, item in value.items()}
    if value is None and type(None) in choices:
        return None
    if PlayerEvent in choices:
        return from_json(value)
    cls = choices[0] if choices else hint
    if cls is Regulation:
        return Regulation.of(value, recorded=True)
    if cls is Color:
        if value not in ("white", "black"):
            raise _WrongValue(wanted("one_of", values="white, black"))
        return Color(value)
    if cls in PLAIN_TYPES:
        if type(value) is not cls or (cls is int and value < 0):
            raise _WrongValue(PLAIN_TYPES[cls])
        return value
    hints = _hints(cls)
    if not isinstance(value, dict) or value.keys() != hints.keys():
        raise _WrongValue(wanted("object_with", names=", ".join(sorted(hints))))
    try:
        return cls(**_values("", value, hints))
    except BadEvent as wrong:
        inner = wanted("inside", key=wrong.mistake.key, inner=wrong.mistake.wanted)
        raise _WrongValue(inner) from None
