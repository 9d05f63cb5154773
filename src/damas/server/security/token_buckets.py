"""Token buckets: so much at once, and so much again every second. All rate limits count by them."""

import time
from collections.abc import Callable, Hashable


class TokenBucket:
    """`capacity` at once, refilled at `pace` a second.

    >>> bucket = TokenBucket(2, 0.1, clock=iter([0, 0, 0, 0, 10]).__next__)
    >>> [bucket.take() for _ in range(4)]
    [0.0, 0.0, 10.0, 0.0]
    """

    __slots__ = ("_clock", "_left", "_pace", "_then", "capacity")

    def __init__(self, capacity: float, pace: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.capacity = capacity
        self._pace = pace
        self._clock = clock
        self._left = float(capacity)
        self._then = clock()

    @property
    def left(self) -> float:
        """What there is now; less than nothing after a charge that was too large."""
        now = self._clock()
        self._left = min(self.capacity, self._left + (now - self._then) * self._pace)
        self._then = now
        return self._left

    def take(self, amount: float = 1) -> float:
        """Takes an amount and returns 0; where there is less, takes nothing and returns the seconds until there is."""
        if (missing := amount - self.left) > 0:
            return missing / self._pace
        self._left -= amount
        return 0.0

    def charge(self, amount: float) -> None:
        """Takes an amount that was used already, also where there is less; a negative one is given back."""
        self._left = min(self.capacity, self.left - amount)

    def until(self, amount: float) -> float:
        """The seconds until there is so much; 0 if there is."""
        return max(0.0, amount - self.left) / self._pace


class TokenBuckets:
    """A bucket for each client, all of one size. Clients whose bucket is full are forgotten when there are many."""

    MAX_CLIENTS = 20_000

    def __init__(self, capacity: float, pace: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.capacity = capacity
        self._pace = pace
        self._clock = clock
        self._buckets: dict[Hashable, TokenBucket] = {}

    def __getitem__(self, client: Hashable) -> TokenBucket:
        bucket = self._buckets.get(client)
        if bucket is None:
            if len(self._buckets) >= self.MAX_CLIENTS:
                self._forget()
            bucket = self._buckets[client] = TokenBucket(self.capacity, self._pace, self._clock)
        return bucket

    def _forget(self) -> None:
        """Forgets the clients whose bucket is full, and of too many others those who have used least."""
        used = {who: left for who, bucket in self._buckets.items() if (left := bucket.left) < self.capacity}
        kept = sorted(used, key=used.__getitem__)[: self.MAX_CLIENTS // 2]
        self._buckets = {who: self._buckets[who] for who in kept}
