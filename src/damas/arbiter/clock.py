"""The clock of a game, in whole milliseconds.

Nothing here reads the time: callers pass it, in milliseconds since the game began, and it never decreases. For each
side at every moment `remaining + charged == budget + given`, and no value is negative.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from damas.arbiter.control import TimeControl
from damas.board import Color


class SideClock(NamedTuple):
    """The time of one player, in milliseconds."""

    remaining: int | None
    """Time left, all byo-yomi periods included; None without a limit."""
    charged: int
    """Time used; never more than the player had."""
    given: int
    """Time added: increments, Bronstein refunds, additions by the arbiter."""
    periods: int
    """Byo-yomi periods left."""

    @classmethod
    def full(cls, control: TimeControl) -> Self:
        """The time with which a player starts a game."""
        return cls(control.budget, 0, 0, control.periods)

    def charge(self, elapsed: int) -> "SideClock":
        """The time after `elapsed` milliseconds were used."""
        if self.remaining is None:
            return SideClock(None, self.charged + elapsed, self.given, self.periods)
        spent = min(elapsed, self.remaining)
        return SideClock(self.remaining - spent, self.charged + spent, self.given, self.periods)

    def give(self, ms: int) -> "SideClock":
        """The time after `ms` milliseconds were added; unchanged without a limit."""
        if self.remaining is None or not ms:
            return self
        return SideClock(self.remaining + ms, self.charged, self.given + ms, self.periods)

    def take(self, ms: int, control: TimeControl) -> "SideClock":
        """The time after `ms` milliseconds were taken away; byo-yomi periods that are not whole any more are lost."""
        after = self.charge(ms)
        if control.kind != "byoyomi" or after.remaining is None:
            return after
        return after._replace(periods=min(after.periods, after.remaining // control.extra))

    def end_turn(self, elapsed: int, control: TimeControl) -> "SideClock":
        """The clock after a move that took `elapsed`."""
        if control.kind == "fischer":
            return self.charge(elapsed).give(control.extra)
        if control.kind == "bronstein":
            return self.charge(elapsed).give(min(elapsed, control.extra))
        return self.break_turn(elapsed, control)

    def break_turn(self, elapsed: int, control: TimeControl) -> "SideClock":
        """The clock after a turn that ended without a move: the time of a single turn is restored, and no more."""
        after = self.charge(elapsed)
        if self.remaining is None or after.remaining is None:
            return after
        if control.by_the_turn:
            return after.give(max(0, control.extra - after.remaining))
        over = elapsed - (self.remaining - self.periods * control.extra)
        if control.kind != "byoyomi" or over <= 0 or elapsed > self.remaining:
            return after
        left = self.periods - (over - 1) // control.extra
        return after.give(left * control.extra - after.remaining)._replace(periods=left)


@dataclass(frozen=True)
class Clock:
    """The times of both players, whose time is running, and since when."""

    control: TimeControl
    white: SideClock
    black: SideClock
    running: Color | None
    since: int

    @classmethod
    def start(cls, control: TimeControl, side: Color, at: int = 0) -> Self:
        """A clock that starts for `side` at the time `at`."""
        full = SideClock.full(control)
        return cls(control, full, full, side, at)

    def side(self, color: Color) -> SideClock:
        """The time of one player."""
        return self.white if color is Color.WHITE else self.black

    def press(self, at: int) -> "Clock":
        """The running side has moved; the other side's time starts."""
        if self.running is None:
            return self
        account = self.side(self.running).end_turn(self._elapsed(at), self.control)
        return self._with(account, self.running.other, at)

    def hand_over(self, at: int) -> "Clock":
        """Starts the other side's time without ending the turn of the running side."""
        if self.running is None:
            return self
        return self._with(self.side(self.running).charge(self._elapsed(at)), self.running.other, at)

    def interrupt(self, side: Color, at: int) -> "Clock":
        """Ends the current turn without a move and starts a turn of `side`."""
        if self.running is None:
            return Clock(self.control, self.white, self.black, side, at)
        account = self.side(self.running).break_turn(self._elapsed(at), self.control)
        return self._with(account, side, at)

    def pause(self, at: int) -> "Clock":
        """Stops the clock; the time up to now is charged."""
        if self.running is None:
            return self
        return self._with(self.side(self.running).charge(self._elapsed(at)), None, at)

    def resume(self, side: Color, at: int) -> "Clock":
        """Starts a stopped clock for `side`."""
        return Clock(self.control, self.white, self.black, side, at)

    def add(self, color: Color, ms: int) -> "Clock":
        """Adds time for one side."""
        return self._with_side(color, self.side(color).give(ms))

    def set(self, color: Color, ms: int, now: int) -> "Clock":
        """Sets what one side has left at the time `now`: added time is given, time taken away counts as used."""
        left = self.remaining(color, now)
        if left is None:
            return self
        account = self.side(color)
        account = account.give(ms - left) if ms > left else account.take(left - ms, self.control)
        return self._with_side(color, account)

    def remaining(self, color: Color, now: int) -> int | None:
        """Time left for a side, at least 0; None without a limit."""
        left = self.side(color).remaining
        if left is None or color is not self.running:
            return left
        return max(0, left - self._elapsed(now))

    def used(self, color: Color, now: int) -> int:
        """Milliseconds that a side has used."""
        account = self.side(color)
        return account.charge(self._elapsed(now) if color is self.running else 0).charged

    def overdue(self, now: int) -> Color | None:
        """The side that has used more time than it had, or None. Using exactly all of it is still in time."""
        if self.running is None:
            return None
        left = self.side(self.running).remaining
        return self.running if left is not None and self._elapsed(now) > left else None

    def face(self, now: int) -> "ClockFace":
        """What the players see at the time `now`."""
        return ClockFace(
            self.remaining(Color.WHITE, now),
            self.remaining(Color.BLACK, now),
            self.running,
            self.overdue(now),
        )

    def _elapsed(self, now: int) -> int:
        if now < self.since:
            raise ValueError(f"time went back: {now} after {self.since}")
        return now - self.since

    def _with_side(self, color: Color, account: SideClock) -> "Clock":
        """The clock with another time for one side, and everything else as it is."""
        return replace(self, white=account) if color is Color.WHITE else replace(self, black=account)

    def _with(self, account: SideClock, running: Color | None, at: int) -> "Clock":
        """The clock with a new time for the running side."""
        if self.running is Color.WHITE:
            return Clock(self.control, account, self.black, running, at)
        return Clock(self.control, self.white, account, running, at)


@dataclass(frozen=True)
class ClockFace:
    """What the players see at one moment, in milliseconds; None without a limit."""

    white: int | None
    black: int | None
    running: Color | None
    overdue: Color | None

    def remaining(self, color: Color) -> int | None:
        """Milliseconds left for a side; None without a limit."""
        return self.white if color is Color.WHITE else self.black
