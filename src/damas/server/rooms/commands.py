"""What a player's message asks, as an event of the arbiter; and what the sender must have seen to ask it."""

from dataclasses import dataclass

from damas.arbiter import (
    Aborted,
    Accepted,
    AcceptedUnfinished,
    Adjusted,
    Adjusting,
    CalledAttention,
    Claimed,
    ClaimedAbsence,
    Declined,
    DemandedCompletion,
    Event,
    Moved,
    Offered,
    Pressed,
    Resigned,
    StoppedEarly,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
    Touched,
    Withdrew,
)
from damas.board import Color
from damas.server.messages import Act, Command, Move


class Misplaced(Exception):
    """The room itself does not let a command through; `code` says why, and nobody is charged for it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


@dataclass
class Marks:
    """The numbers of the events that decide whether somebody has seen enough."""

    turn: int = 0
    """The last one that changed whose turn it is."""
    take_back: int = 0
    proposal: int = 0
    """The last draw offer, wish to take back, or unfinished capture."""

    def note(self, event: Event, seq: int) -> None:
        if isinstance(event, TakeBackGranted):
            self.take_back = seq
        if isinstance(event, Moved | TakeBackGranted | AcceptedUnfinished):
            self.turn = seq
        if isinstance(event, Offered | TakeBackAsked | StoppedEarly):
            self.proposal = seq


ANY_TIME = ("resign", "withdraw", "absence", "adjust", "press")
"""Meant whatever has happened since."""
ANSWERS = ("accept", "decline", "grant", "refuse", "demand")


def check_seen(command: Command, table: Table, marks: Marks) -> None:
    """A move fits the position its sender saw; an answer fits the proposal (an offer is void once the game has moved
    on); anything else was meant for this turn.
    """
    if isinstance(command, Move):
        if command.ply != table.ply or command.last_seq < marks.take_back:
            raise Misplaced("BEHIND", ply=table.ply)
    elif command.do in ANSWERS:
        if command.last_seq < marks.proposal:
            raise Misplaced("BEHIND", ply=table.ply)
    elif command.do not in ANY_TIME and command.last_seq < marks.turn:
        raise Misplaced("BEHIND", ply=table.ply)


def side_of(command: Command, sides: frozenset[Color], table: Table) -> Color:
    """For which side somebody speaks who holds these seats. One person with both is taken at their word, or else
    speaks for the side that can do it now.
    """
    if not sides:
        raise Misplaced("NOT_A_PLAYER")
    if len(sides) == 1:
        (side,) = sides
        if command.side not in (None, side.value):
            raise Misplaced("NOT_YOUR_SEAT")
        return side
    if command.side:
        return Color(command.side)
    if isinstance(command, Move):
        return table.to_move
    return _speaker(command.do, table)


def _speaker(do: str, table: Table) -> Color:
    """Who does this at a table where one person plays both sides."""
    chain = table.chain
    if do in ("accept", "decline") and table.offer:
        return table.offer.other
    if do in ("accept", "demand") and chain:
        return chain.by.other
    if do in ("grant", "refuse") and table.take_back:
        return table.take_back.other
    if do == "withdraw" and table.offer:
        return table.offer
    if do == "take_back" and table.game.record.length:
        return table.to_move.other  # whoever has just moved wants the move back
    if do == "press" and table.clocks.running:
        return table.clocks.running
    return table.to_move


def event_of(command: Command, side: Color, at: int, table: Table) -> Event:
    """The event that a command asks for; the arbiter says whether it may happen."""
    if isinstance(command, Move):
        return Moved(at, side, command.move)
    match command.do:
        case "touch":
            return Touched(at, side, square_name(command, table))
        case "adjust":
            return (Adjusted if side in table.adjusting else Adjusting)(at, side)
        case "stop":
            return StoppedEarly(at, side, command.move)
        case "claim":
            return Claimed(at, side, command.rule)
        case "attention":
            return CalledAttention(at, side, command.rule)
        case "accept" if table.chain and not table.chain.demanded and table.offer is not side.other:
            return AcceptedUnfinished(at, side)
        case do:
            return _PLAIN[do](at, side)


_PLAIN = {
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
}


def square_name(act: Act, table: Table) -> str:
    """A square as the rulebook calls it, from its index or from any of its names."""
    names, geometry = table.book.square_names, table.book.geometry
    given = act.square
    if isinstance(given, int):
        return names[given] if given < len(names) else str(given)
    for scheme in (names, table.book.move_names, geometry.algebraic, geometry.numbers, geometry.rows_columns):
        if given in scheme:
            return names[scheme.index(given)]
    return given
