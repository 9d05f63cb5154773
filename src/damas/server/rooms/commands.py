"""Commands of players as events of the arbiter, and what a sender must have seen to give one."""

from dataclasses import dataclass
from typing import Any

from damas.arbiter import (
    AcceptedUnfinished,
    Event,
    Moved,
    Offered,
    StoppedEarly,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    requests,
)
from damas.arbiter.requests import acting_side, square_name
from damas.board import Color
from damas.server.messages import Command, Move
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


@dataclass
class Milestones:
    """Numbers of the latest events that a sender must have seen."""

    turn: int = 0
    """The last change of turn."""
    take_back: int = 0
    proposal: int = 0
    """The last draw offer, take-back request or unfinished capture."""

    def note(self, event: Event, seq: int) -> None:
        """Notes an event by its number."""
        if isinstance(event, TakeBackGranted):
            self.take_back = seq
        if isinstance(event, Moved | TakeBackGranted | AcceptedUnfinished):
            self.turn = seq
        if isinstance(event, Offered | TakeBackAsked | StoppedEarly):
            self.proposal = seq


ANY_TIME = ("resign", "withdraw", "absence", "adjust", "press")
"""Commands that hold whatever has happened since."""
REPLIES = ("accept", "decline", "grant", "refuse", "demand")
"""Commands that answer a proposal."""


def check_seen(command: Command, table: Table, milestones: Milestones) -> None:
    """Raises `CommandRefused` BEHIND unless the sender of a move saw this position, of a reply the latest proposal, and
    of any other command this turn.
    """
    if isinstance(command, Move):
        if command.ply != table.ply or command.last_seq < milestones.take_back:
            raise CommandRefused("BEHIND", ply=table.ply)
    elif command.do in REPLIES:
        if command.last_seq < milestones.proposal:
            raise CommandRefused("BEHIND", ply=table.ply)
    elif command.do not in ANY_TIME and command.last_seq < milestones.turn:
        raise CommandRefused("BEHIND", ply=table.ply)


def side_of(command: Command, sides: frozenset[Color], table: Table) -> Color:
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


def event_of(command: Command, side: Color, at: int, table: Table) -> Event:
    """The event that a command asks for; whether it is allowed is decided by the arbiter."""
    if isinstance(command, Move):
        return Moved(at, side, command.move)
    if command.do == "touch":
        text = square_name(command.square, table)
    else:
        text = command.move if command.do == "stop" else command.rule
    return requests.event_of(command.do, side, at, table, text)
