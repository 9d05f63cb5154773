"""The processor time that one address may use in worker processes."""

import time
from collections.abc import Callable

from damas.server.security.rates import too_often
from damas.server.security.token_buckets import TokenBuckets


class Budget:
    """So many seconds of processor time a minute for each address, measured when the work is done.

    What costs more than is left is done all the same, and the address then waits until it has something left again. It
    owes at most `max_debt_s`, the longest that one piece of work may take.
    """

    def __init__(
        self, seconds_a_minute: float, max_debt_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = seconds_a_minute
        self._max_debt_s = max_debt_s
        self._buckets = TokenBuckets(seconds_a_minute, seconds_a_minute / 60, clock)

    def check(self, address: str) -> None:
        """Raises `ApiError` 429 with Retry-After while the address has used up its time."""
        bucket = self._buckets[address]
        if bucket.left <= 0:
            raise too_often(bucket.until(0.01 * self._most))

    def charge(self, address: str, seconds: float) -> None:
        """The address has used so much."""
        bucket = self._buckets[address]
        bucket.charge(min(seconds, bucket.left + self._max_debt_s))
