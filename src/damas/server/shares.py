"""Limits on what one address may hold at once: sockets, streams, searches, bytes of request bodies."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from damas.server.security.errors import ApiError


class Shares:
    """Counts what each holder has of one resource, and refuses more than its share with an `ApiError`.

    `each` is the most one holder may have (429 `code`), `total` the most all may have together (503 BUSY).
    """

    def __init__(
        self, each: int, *, total: int | None = None, code: str = "UNDER_WAY", retry_s: float | None = 2.0
    ) -> None:
        self._each = each
        self._total = total
        self._code = code
        self._retry_s = retry_s
        self._held: Counter[str] = Counter()
        self.held = 0
        """What all holders have together."""

    def take(self, holder: str, amount: int = 1) -> None:
        """Takes an amount for a holder. Raises `ApiError` where that is too much."""
        if self._total is not None and self.held + amount > self._total:
            raise ApiError(503, "BUSY", retry_s=self._retry_s)
        if self._held[holder] + amount > self._each:
            raise ApiError(429, self._code, retry_s=self._retry_s)
        self._held[holder] += amount
        self.held += amount

    def give_back(self, holder: str, amount: int = 1) -> None:
        """Returns what a holder has taken."""
        self._held[holder] -= amount
        self.held -= amount
        if not self._held[holder]:
            del self._held[holder]

    @contextmanager
    def hold(self, holder: str) -> Iterator[None]:
        """One unit for the time of the `with` block."""
        self.take(holder)
        try:
            yield
        finally:
            self.give_back(holder)
