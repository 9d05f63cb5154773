"""The time of a game, and credit for network lag.

Game time (`at` in the arbiter's events) counts whole milliseconds. It stands still while nobody is to be charged: while a
move is being stored, while the database fails, while the server is down. It follows the machine's monotonic clock; the
wall clock has no influence.
"""

import time
from collections import deque
from dataclasses import dataclass, field

from damas.arbiter import TimeControl
from damas.server.settings import Limits

MAX_TRIPS = 8
"""Round trips that are remembered for each player."""
EXPECTED_MOVES = 40
"""Moves of a game by which increments count as base time."""


class MachineTime:
    """The two clocks of this machine; tests replace them."""

    def mono_ms(self) -> int:
        """Monotonic time."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """Time since 1970, for records only."""
        return time.time_ns() // 1_000_000


@dataclass
class GameTime:
    """A stopwatch that converts monotonic time to game time.

    >>> watch = GameTime(at=0, mono=5000)
    >>> watch.at_of(5250)
    250
    >>> watch.stop(5400)  # the store fails: nobody is charged
    >>> watch.go(6000)
    >>> watch.at_of(6100)
    500
    """

    at: int
    mono: int
    """The monotonic time at which the game time was `at`."""
    standing: bool = False

    def at_of(self, mono: int) -> int:
        """The game time at a monotonic time; anything before `mono` counts as `mono`."""
        return self.at if self.standing else self.at + max(0, mono - self.mono)

    def stop(self, mono: int) -> None:
        """Stands still from this monotonic time on."""
        self.at, self.mono, self.standing = self.at_of(mono), mono, True

    def go(self, mono: int) -> None:
        """Goes on if it stands."""
        if self.standing:
            self.mono, self.standing = mono, False

    def moment(self, at: int) -> int:
        """The monotonic time of a game time, if the stopwatch keeps running."""
        return self.mono + at - self.at


@dataclass
class Lag:
    """Time that one player is given back for network lag, within a quota that moves refill.

    The round trip is the second shortest of the last eight pings, so that only a player who is slow on every ping gains by
    it. A pong that comes later than `Limits.lag_late_ms` says nothing, and no round trip is longer than the quickest of the
    last eight replies to an opponent's move: whoever replied in 100 ms has a network that takes no longer.

    >>> lag = Lag.under(TimeControl.parse("5+3"), Limits())
    >>> lag.gain, lag.quota
    (1000, 3000)
    """

    gain: int
    quota: int
    limits: Limits
    trips: deque[int] = field(default_factory=lambda: deque(maxlen=MAX_TRIPS))
    replies: deque[int] = field(default_factory=lambda: deque(maxlen=MAX_TRIPS))
    """Time from the beginning of each of the last turns to the arrival of the move."""

    @classmethod
    def under(cls, control: TimeControl, limits: Limits) -> "Lag":
        """The quota of a game under this time control."""
        extra = control.extra if control.kind in ("fischer", "bronstein") else 0
        whole = control.base + EXPECTED_MOVES * extra
        gain = min(limits.lag_most_ms, limits.lag_base_ms + int(limits.lag_share * whole))
        return cls(gain, limits.lag_first_moves * gain, limits)

    def add_trip(self, trip_ms: int) -> None:
        """Notes the round trip of one ping, unless its pong is late: nobody can tell a slow network from a slow client."""
        if trip_ms <= self.limits.lag_late_ms:
            self.trips.append(max(0, trip_ms))

    @property
    def trip(self) -> int:
        """The round trip that counts; 0 until two pings came back in time."""
        return min([sorted(self.trips)[1], *self.replies]) if len(self.trips) > 1 else 0

    @property
    def due(self) -> int:
        """The credit of a move that arrives now."""
        return min(self.trip, self.quota)

    @property
    def grace(self) -> int:
        """How long a flag waits for a move that may be on its way."""
        return min(self.quota, self.limits.flag_grace_ms)

    def spend(self, credit: int, reply_ms: int) -> None:
        """Takes the credit of a move from the quota, and refills it by `gain`.

        `reply_ms` is the time from the beginning of the turn to the arrival of the move; the round trip is part of it.
        """
        self.replies.append(max(0, reply_ms))
        spent = max(0, min(credit, self.quota))
        self.quota = min(self.limits.lag_quota_moves * self.gain, self.quota + self.gain - spent)


def arrival(sent: int, since: int, credit: int, earliest: int) -> int:
    """The game time at which a move counts as made: its arrival less the credit, but neither before the turn started
    (`since`) nor before the last event (`earliest`).

    >>> arrival(sent=1000, since=900, credit=300, earliest=0), arrival(1000, 400, 300, 0), arrival(1000, 400, 300, 800)
    (900, 700, 800)
    """
    return max(sent - credit, min(since, sent), earliest)
