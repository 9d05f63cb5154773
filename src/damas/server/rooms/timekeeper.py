"""The timekeeper of one game: when a command counts as given, and what comes due by itself.

It reads the table and never changes it; the room does what is due.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from damas.arbiter import Table
from damas.board import Color
from damas.server.rooms.clockwork import GameTime, Lag, MachineTime, arrival
from damas.server.rooms.outages import is_held, is_moving
from damas.server.rooms.seats import Seats
from damas.server.settings import Limits

FAST_MS = 8 * 60_000
"""Base time plus forty increments below which a game is a blitz."""
MOVING_MS = 3000
"""A game that another node has taken over goes on after so long where the player to move does not come back before."""

DueKind = Literal["flag", "not_begun", "gone", "go_on", "nobody_back"]
"""What can come due by itself."""


class Due(NamedTuple):
    """Something that happens by itself at a monotonic time."""

    moment: int
    what: DueKind
    side: Color = Color.WHITE


@dataclass
class Timekeeper:
    """Follows every table of a room."""

    limits: Limits
    machine: MachineTime
    table: Table
    seats: Seats
    begun: bool
    """Whether the game has started; before that it waits for its second player."""
    watch: GameTime = field(init=False)
    lags: dict[Color, Lag] = field(init=False)
    here: set[Color] = field(default_factory=set)
    """Sides whose player has a socket open."""
    left_at: dict[Color, int] = field(init=False)
    """When each player's last socket was closed."""
    stood_still: int = field(init=False)
    """When a suspended game was suspended or loaded."""

    def __post_init__(self) -> None:
        now = self.stood_still = self.machine.mono_ms()
        self.watch = GameTime(self.table.now, now, standing=not self.playing or self.table.suspended)
        self.lags = {side: Lag.under(self.table.regulation.time_control, self.limits) for side in Color}
        self.left_at = dict.fromkeys(Color, now)

    # What stands

    @property
    def playing(self) -> bool:
        """Whether the game has started and is not over."""
        return self.begun and self.table.outcome is None

    @property
    def timed(self) -> bool:
        """Whether the game has clocks."""
        return self.table.regulation.time_control.budget is not None

    @property
    def now(self) -> int:
        """The game time."""
        return max(self.table.now, self.watch.at_of(self.machine.mono_ms()))

    @property
    def runs_out_at(self) -> int | None:
        """Game time in ms until which the running side is in time; None if no clock runs or time is unlimited."""
        clocks = self.table.clocks
        left = clocks.side(clocks.running).remaining if clocks.running else None
        return None if left is None else max(self.table.now, clocks.since + left)

    @property
    def in_time(self) -> int:
        """The game time, at most the last moment before a flag that has not fallen yet."""
        last = self.runs_out_at
        return self.now if last is None else max(self.table.now, min(self.now, last))

    # When a command counts as made

    def move_at(self, side: Color, received: int) -> int:
        """The game time of a move: lag is credited to the side whose time runs (item 16), a program has a margin (17)."""
        sent = self.watch.at_of(received)
        if not self._runs(side):
            return self.other_at(received)
        credit = 0 if self.table.player(side).bot else self.lags[side].due
        at = arrival(sent, self.table.clocks.since, credit, self.table.now)
        return self._within(at, self._margin(side))

    def other_at(self, received: int) -> int:
        """The game time of any other command; it lets no flag fall while a move may be on its way (item 18)."""
        at = max(self.watch.at_of(received), self.table.now)
        running = self.table.clocks.running
        return self._within(at, self.grace(running)) if self.playing and running else at

    def _runs(self, side: Color) -> bool:
        return self.playing and self.timed and self.table.clocks.running is side

    def _within(self, at: int, late: int) -> int:
        """`at`, or the last moment of the running clock if that is at most `late` earlier."""
        last = self.runs_out_at
        return last if last is not None and last < at <= last + late else at

    def _margin(self, side: Color) -> int:
        seat = self.seats[side]
        if seat.level:
            return self.limits.local_bot_margin_ms
        return self.limits.bot_margin_ms if seat.kind == "bot" else 0

    def grace(self, side: Color) -> int:
        """How long a side's flag waits for a move that may be on its way."""
        return self.lags[side].grace if self.seats[side].kind == "person" else self._margin(side)

    # Following the disk

    def follow(self, table: Table, seats: Seats, committed: int) -> None:
        """Takes over a committed table: a turn starts at the commit (item 15)."""
        before, begins = self.table.clocks, not self.begun
        if table.suspended and not self.table.suspended:
            self.stood_still = committed
        self.table, self.seats, self.begun = table, seats, True
        clocks = table.clocks
        if table.outcome or table.suspended:
            self.watch = GameTime(table.now, committed, standing=True)
        elif begins or clocks.since != before.since or clocks.running is not before.running:
            self.watch = GameTime(table.now, committed)
        if begins:
            self.left_at = dict.fromkeys(Color, committed)

    def pause(self) -> None:
        """The store fails: nobody's time runs."""
        self.watch.stop(self.machine.mono_ms())

    def unpause(self) -> None:
        """The store writes again: time goes on."""
        if self.playing and not self.table.suspended:
            self.watch.go(self.machine.mono_ms())

    # What is due

    def due(self) -> Due | None:
        """The next thing that happens by itself."""
        if not self.playing:
            return None
        due = [*self._absences()]
        if self.table.suspended:
            due += [] if is_held(self.table) else [self._after_outage()]
        elif self.timed and not self.watch.standing:
            due += self._by_the_clock()
        return min(due, key=lambda each: each.moment, default=None)

    def _by_the_clock(self) -> list[Due]:
        last, running = self.runs_out_at, self.table.clocks.running
        due = []
        if last is not None and running:
            due.append(Due(self.watch.moment(last + self.grace(running) + 1), "flag", running))
        if (begin_by := self.begin_by) is not None:
            due.append(Due(begin_by, "not_begun", self.table.to_move))
        return due

    @property
    def begin_by(self) -> int | None:
        """Deadline for the first move of the side to move (item 20), in monotonic time; None if there is none."""
        if (
            not (self.playing and self.timed and self._first_move_due)
            or self.watch.standing
            or self.table.suspended
        ):
            return None
        within = self.limits.first_move_fast_s if self._fast else self.limits.first_move_s
        return self.watch.mono + int(within * 1000)

    @property
    def by_post(self) -> bool:
        """Whether it is a correspondence game: nobody is expected at the board."""
        return self.table.regulation.time_control.kind == "days"

    def _after_outage(self) -> Due:
        """The clock waits for the mover for a while; a game to which nobody returns is aborted (26, 27)."""
        if is_moving(self.table):
            return Due(self.stood_still + MOVING_MS, "go_on")
        if self.here or self.by_post:
            return Due(self.stood_still + int(self.limits.outage_resume_s * 1000), "go_on")
        return Due(self.stood_still + int(self.limits.outage_abort_s * 1000), "nobody_back")

    @property
    def _first_move_due(self) -> bool:
        """Whether a game between two people may still be called off for want of a first move (item 20)."""
        rules = self.table.regulation
        waits = not rules.time_control.by_the_turn and self.table.ply < min(2, rules.abort_before_ply)
        return waits and self.seats.apart

    @property
    def _fast(self) -> bool:
        control = self.table.regulation.time_control
        return control.base + 40 * control.extra < FAST_MS

    def _absences(self) -> list[Due]:
        """People without a socket who are not yet recorded as absent (item 21)."""
        if not self.seats.apart or self.by_post:
            return []
        grace = int(self.limits.gone_closed_s * 1000)
        return [
            Due(self.left_at[side] + grace, "gone", side)
            for side in Color
            if side not in self.here and side not in self.table.absent and self.seats[side].kind == "person"
        ]
