"""The procedures of the arbiter, one function each; a regulation gives their order."""

from collections.abc import Callable
from typing import TypeAlias

from damas.arbiter.events import Event
from damas.arbiter.procedures import board, draws, hand, intervention, leaving, time
from damas.arbiter.table import Table
from damas.game import Outcome

Procedure: TypeAlias = Callable[[Event, Table], Outcome | None]
"""A rule about events: from an event and the table before it, how the event ends the game, or None.

Raises `ProcedureRefused` if the event is not allowed.
"""

ALL: dict[str, Procedure] = {
    "end_on_board": board.end_on_board,
    "laws": board.laws,
    "flag_fall": time.flag_fall,
    "illegal_move_by_bot": hand.illegal_move_by_bot,
    "illegal_move_by_person": hand.illegal_move_by_person,
    "touch_move": hand.touch_move,
    "unfinished_chain": hand.unfinished_chain,
    "crowning": board.crowning,
    "blowing": board.blowing,
    "clock_press": time.clock_press,
    "draw_offer": draws.draw_offer,
    "draw_claim": draws.draw_claim,
    "attention": draws.attention,
    "hints": hand.hints,
    "resignation": leaving.resignation,
    "take_back": leaving.take_back,
    "abort": leaving.abort,
    "disconnection": leaving.disconnection,
    "arbiter_intervention": intervention.arbiter_intervention,
}
"""Each procedure by the name that regulations give it."""
