"""The arbiter: a live game with its clocks, offers, claims, touched pieces and forfeits.

>>> from damas.arbiter import Offered, Table
>>> from damas.board import Color
>>> table = Table.start("oficial", "casual", ("Ana", "Rui"))
>>> table = table.play("c3-d4", at=1200).play("f6-g5", at=2500)
>>> table.apply(Offered(2600, Color.BLACK)).offer
<Color.BLACK: 'black'>
"""

from damas.arbiter import ledger
from damas.arbiter.arbiter import replay
from damas.arbiter.clock import Clock, ClockFace
from damas.arbiter.control import TimeControl
from damas.arbiter.counts import Count, OpenClaim
from damas.arbiter.events import (
    KINDS,
    Aborted,
    Accepted,
    AcceptedUnfinished,
    Adjusted,
    Adjusting,
    Blew,
    CalledAttention,
    Claimed,
    ClaimedAbsence,
    Corrected,
    Declined,
    DemandedCompletion,
    Disconnected,
    Ended,
    Event,
    Flag,
    Hinted,
    Intervention,
    LeftUncrowned,
    Lot,
    Moved,
    Offered,
    Player,
    PlayerEvent,
    Pressed,
    Reconnected,
    Refused,
    Released,
    Resigned,
    Restored,
    Resumed,
    Ruled,
    Started,
    StoppedEarly,
    Suspended,
    TableEvent,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
    TimeAdded,
    Touched,
    Withdrew,
    from_json,
    to_json,
)
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.regulation import PRESETS, PROCEDURES, Regulation, regulation
from damas.arbiter.table import Table, Unfinished, draw_lots

__all__ = [
    # The table
    "Table",
    "Unfinished",
    "Player",
    "Lot",
    "draw_lots",
    "replay",
    "ledger",
    "ProcedureRefused",
    "Count",
    "OpenClaim",
    # Regulations and clocks
    "PRESETS",
    "PROCEDURES",
    "Regulation",
    "regulation",
    "TimeControl",
    "Clock",
    "ClockFace",
    # Events
    "KINDS",
    "Event",
    "PlayerEvent",
    "TableEvent",
    "Intervention",
    "from_json",
    "to_json",
    "Started",
    "Moved",
    "Touched",
    "Adjusting",
    "Adjusted",
    "Pressed",
    "StoppedEarly",
    "AcceptedUnfinished",
    "DemandedCompletion",
    "Blew",
    "LeftUncrowned",
    "Hinted",
    "Offered",
    "Accepted",
    "Declined",
    "Withdrew",
    "Claimed",
    "CalledAttention",
    "Resigned",
    "Flag",
    "Disconnected",
    "Reconnected",
    "ClaimedAbsence",
    "TakeBackAsked",
    "TakeBackGranted",
    "TakeBackRefused",
    "Aborted",
    "Corrected",
    "Released",
    "TimeAdded",
    "Restored",
    "Resumed",
    "Ended",
    "Refused",
    "Ruled",
    "Suspended",
]
