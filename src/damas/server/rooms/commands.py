"""Commands of players as events of the arbiter, and what a sender must have seen to give one."""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import (
    AcceptedUnfinished,
    Advised,
    Corrected,
    Ended,
    Event,
    Moved,
    Noted,
    Offered,
    Released,
    Restored,
    Resumed,
    StoppedEarly,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    TimeAdded,
    TimeSet,
    requests,
)
from damas.arbiter.requests import acting_side, square_name
from damas.board import Color
from damas.server.messages import Act, Command, Intervene, Move
from damas.server.words import Words
from damas.views import plain
from damas.views.errors import ErrorView


class CommandRefused(Exception):
    """Refused by the room itself, before the arbiter is asked. The sentence for `code` is `rooms.<code>`."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def view(self, words: Words, language: str) -> dict[str, Any]:
        """The error object that explains it."""
        message = words.say(f"rooms.{self.code}", language, **self.facts)
        view: dict[str, Any] = plain(
            ErrorView(code=self.code, message=message, lang=language, more=self.facts)
        )
        return view


SET_BACK = (TakeBackGranted, Corrected, Restored)
"""Events after which a ply may be played anew."""


@dataclass
class Milestones:
    """Numbers of the latest events that a sender must have seen."""

    turn: int = 0
    """The last change of turn."""
    take_back: int = 0
    """The last take-back, or position set by the arbiter."""
    proposal: int = 0
    """The last draw offer, take-back request or unfinished capture."""

    def note(self, event: Event, seq: int) -> None:
        """Notes an event by its number."""
        if isinstance(event, SET_BACK):
            self.take_back = seq
        if isinstance(event, (Moved, AcceptedUnfinished, *SET_BACK)):
            self.turn = seq
        if isinstance(event, Offered | TakeBackAsked | StoppedEarly):
            self.proposal = seq


ANY_TIME = ("resign", "withdraw", "absence", "adjust", "press", "call", "give")
"""Commands that hold whatever has happened since."""
ON_THIS_POSITION = ("release", "position", "restore")
"""Interventions that need the position before the arbiter's eyes."""
REPLIES = ("accept", "decline", "grant", "refuse", "demand")
"""Commands that answer a proposal."""


def check_seen(command: Command, table: Table, milestones: Milestones) -> None:
    """Raises `CommandRefused` BEHIND unless the sender of a move saw this position, of a reply the latest proposal, and
    of any other command this turn.
    """
    if isinstance(command, Move):
        if command.ply != table.ply or command.last_seq < milestones.take_back:
            raise CommandRefused("BEHIND", ply=table.ply)
    elif isinstance(command, Intervene):
        if command.do in ON_THIS_POSITION and command.last_seq < milestones.turn:
            raise CommandRefused("BEHIND", ply=table.ply)
    elif command.do in REPLIES:
        if command.last_seq < milestones.proposal:
            raise CommandRefused("BEHIND", ply=table.ply)
    elif command.do not in ANY_TIME and command.last_seq < milestones.turn:
        raise CommandRefused("BEHIND", ply=table.ply)


def side_of(command: Move | Act, sides: frozenset[Color], table: Table) -> Color:
    """The side for which a command is given. A sender who holds both names it, else it is the side that can do it."""
    if not sides:
        raise CommandRefused("NOT_A_PLAYER")
    if len(sides) == 1:
        (side,) = sides
        if command.side not in (None, side.value):
            raise CommandRefused("NOT_YOUR_SEAT")
        return side
    if command.side:
        return Color(command.side)
    if isinstance(command, Move):
        return table.to_move
    return acting_side(command.do, table, table.to_move)


def event_of(command: Move | Act, side: Color, at: int, table: Table) -> Event:
    """The event that a command asks for; whether it is allowed is decided by the arbiter."""
    if isinstance(command, Move):
        return Moved(at, side, command.move)
    if command.do in ("touch", "lift", "crown", "blow"):
        text = square_name(command.square, table)
    elif command.do == "report":
        text = command.conduct
    else:
        text = command.move if command.do == "stop" else command.rule
    return requests.event_of(command.do, side, at, table, text)


def interventions_of(command: Intervene, at: int, table: Table) -> list[Event]:
    """The events of an intervention. A finished game that is set back goes on at once, and its result can be replaced."""
    side, reason = Color(command.side or table.to_move.value), command.reason
    resumed: list[Event] = [Resumed(at, reason)] if table.outcome else []
    match command.do:
        case "release":
            return [Released(at, reason)]
        case "time":
            return [TimeAdded(at, reason, side, command.seconds * 1000)]
        case "clock":
            return [TimeSet(at, reason, side, command.seconds * 1000)]
        case "say":
            return [Advised(at, reason)]
        case "position":
            return [Corrected(at, reason, command.fen), *resumed]
        case "restore":
            return [Restored(at, reason, command.ply), *resumed]
        case "note":
            return [Noted(at, reason, side, command.conduct)]
        case "resume":
            return [Resumed(at, reason)]
        case "result":
            reopened: list[Event] = [Restored(at, reason, table.ply)] if table.outcome else []
            return [*reopened, Ended(at, reason, command.result)]
