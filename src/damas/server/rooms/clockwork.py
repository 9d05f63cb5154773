"""When something happened, in the game's own time.

A game's time (`at`, in the arbiter's events) counts whole milliseconds and stands still whenever nobody is to be
charged: while a move is being stored, while the database is away, while the server is down. It is read off the
monotonic clock of the machine; what the wall clock does changes nothing.
"""

import time
from collections import deque
from dataclasses import dataclass, field

from damas.arbiter import TimeControl
from damas.server.settings import Limits

PINGS_KEPT = 8
MOVES_EXPECTED = 40


class MachineTime:
    """The two clocks of this machine. Tests bring their own."""

    def mono_ms(self) -> int:
        """Never runs back; says nothing about the date."""
        return time.monotonic_ns() // 1_000_000

    def wall_ms(self) -> int:
        """The date, for records only."""
        return time.time_ns() // 1_000_000


@dataclass
class GameTime:
    """A stopwatch that reads the game's time off the monotonic clock.

    >>> watch = GameTime(at=0, mono=5000)
    >>> watch.at_of(5250)
    250
    >>> watch.stop(5400)  # the store is away: nobody's time
    >>> watch.go(6000)
    >>> watch.at_of(6100)
    500
    """

    at: int
    mono: int
    """The moment at which the game's time was `at`."""
    standing: bool = False

    def at_of(self, mono: int) -> int:
        """The game's time at a moment; a moment before the last mark counts as the mark."""
        return self.at if self.standing else self.at + max(0, mono - self.mono)

    def stop(self, mono: int) -> None:
        self.at, self.mono, self.standing = self.at_of(mono), mono, True

    def go(self, mono: int) -> None:
        """Goes on from where it stood; no change if it runs."""
        if self.standing:
            self.mono, self.standing = mono, False

    def moment(self, at: int) -> int:
        """When it will be (or was) that time, if it runs on."""
        return self.mono + at - self.at


@dataclass
class Lag:
    """What one seat is given back for the way its messages take, within a quota that moves refill.

    The round trip is the second shortest of the last eight pings: only who is slow on every ping gains by it, and no
    more than the quota.

    >>> lag = Lag.under(TimeControl.parse("5+3"), Limits())
    >>> lag.gain, lag.quota
    (1000, 3000)
    """

    gain: int
    quota: int
    limits: Limits
    trips: deque[int] = field(default_factory=lambda: deque(maxlen=PINGS_KEPT))

    @classmethod
    def under(cls, control: TimeControl, limits: Limits) -> "Lag":
        extra = control.extra if control.kind in ("fischer", "bronstein") else 0
        whole = control.base + MOVES_EXPECTED * extra
        gain = min(limits.lag_most_ms, limits.lag_base_ms + int(limits.lag_share * whole))
        return cls(gain, limits.lag_first_moves * gain, limits)

    def add_trip(self, trip_ms: int) -> None:
        """Notes the round trip of one ping."""
        self.trips.append(max(0, trip_ms))

    @property
    def trip(self) -> int:
        """The round trip to believe; none until two pings came back."""
        return sorted(self.trips)[1] if len(self.trips) > 1 else 0

    @property
    def due(self) -> int:
        """What a move arriving now would be credited."""
        return min(self.trip, self.quota)

    @property
    def grace(self) -> int:
        """How long after the end of the time a flag waits for a move that may be on its way."""
        return min(self.quota, self.limits.flag_grace_ms)

    def spend(self, credit: int) -> None:
        """A move was credited so much; it brings some quota back."""
        spent = max(0, min(credit, self.quota))
        self.quota = min(self.limits.lag_quota_moves * self.gain, self.quota + self.gain - spent)


def arrival(sent: int, since: int, credit: int, earliest: int) -> int:
    """The time at which a move counts as made: when it came, less the credit, but no move takes less than nothing and
    none happens before what is already written.

    >>> arrival(sent=1000, since=900, credit=300, earliest=0), arrival(1000, 400, 300, 0), arrival(1000, 400, 300, 800)
    (900, 700, 800)
    """
    return max(sent - credit, min(since, sent), earliest)
