"""How often something may be asked: a bucket for each asker, filled at a steady pace."""

import time
from collections.abc import Callable, Hashable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from damas.server.security.errors import ApiError, refuse
from damas.server.security.hosts import address_of
from damas.server.services import Services
from damas.server.settings import Limits

FREE = ("/static/", "/words/", "/healthz", "/readyz", "/sw.js", "/favicon.ico", "/manifest.webmanifest")
"""Small, kept in memory, and asked for by the dozen when a page opens."""


class Bucket:
    """`most` at once, refilled within `seconds`.

    >>> bucket = Bucket(2, 10, clock=iter([0, 0, 0, 5]).__next__)
    >>> bucket.wait("a"), bucket.wait("a"), bucket.wait("a"), bucket.wait("a")
    (0.0, 0.0, 5.0, 0.0)
    """

    MOST_KNOWN = 20_000

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._pace = most / seconds
        self._clock = clock
        self._left: dict[Hashable, tuple[float, float]] = {}

    def wait(self, who: Hashable) -> float:
        """Takes one out: 0 if there was one, else how many seconds until there is."""
        now = self._clock()
        left, then = self._left.get(who, (float(self._most), now))
        left = min(self._most, left + (now - then) * self._pace)
        if left < 1:
            self._left[who] = left, now
            return (1 - left) / self._pace
        self._left[who] = left - 1, now
        if len(self._left) > self.MOST_KNOWN:
            self._forget(now)
        return 0.0

    def give_back(self, who: Hashable) -> None:
        """What was taken out did not count after all."""
        if who in self._left:
            left, then = self._left[who]
            self._left[who] = min(self._most, left + 1), then

    def _forget(self, now: float) -> None:
        """Whoever would have a full bucket by now need not be remembered; nor, at worst, the oldest half."""
        full = {
            who: (left, then)
            for who, (left, then) in self._left.items()
            if left + (now - then) * self._pace < self._most
        }
        if len(full) > self.MOST_KNOWN:
            newest = sorted(full, key=lambda who: full[who][1])[len(full) // 2 :]
            full = {who: full[who] for who in newest}
        self._left = full


class Rates:
    """Every limit on how often, in one place; the numbers are those of the settings."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = {
            "requests": Bucket(limits.requests_per_minute, 60),
            "login": Bucket(limits.logins_per_minute, 60),
            "import": Bucket(limits.imports_per_hour, 3600),
            "imports of an address": Bucket(limits.imports_per_hour_of_address, 3600),
            "arena": Bucket(limits.arena_changes_per_hour, 3600),
        }

    def spend(self, kind: str, who: Hashable) -> None:
        """Counts one; raises `ApiError` 429 with Retry-After where that is one too many."""
        wait = self._buckets[kind].wait(who)
        if wait > 0:
            raise ApiError(429, "RATE", retry_s=wait, seconds=max(1, round(wait + 0.49)))

    def give_back(self, kind: str, who: Hashable) -> None:
        self._buckets[kind].give_back(who)


class Pace:
    """Middleware: requests of one address."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not scope["path"].startswith(FREE):
            connection = HTTPConnection(scope)
            try:
                self._services.rates.spend("requests", address_of(connection))
            except ApiError as error:
                await refuse(connection, receive, send, error)
                return
        await self._app(scope, receive, send)
