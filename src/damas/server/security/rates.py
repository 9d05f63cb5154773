"""Rate limits: a token bucket for each client, refilled at a steady pace."""

import time
from collections.abc import Callable, Hashable

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from damas.server.security.errors import ApiError, refuse
from damas.server.security.hosts import address_of
from damas.server.services import Services
from damas.server.settings import Limits

UNLIMITED = ("/static/", "/words/", "/healthz", "/readyz", "/sw.js", "/favicon.ico", "/manifest.webmanifest")
"""Paths without a limit: small files in memory, requested by the dozen when a page opens."""


class Bucket:
    """`capacity` at once, refilled within `seconds`.

    >>> bucket = Bucket(2, 10, clock=iter([0, 0, 0, 5]).__next__)
    >>> bucket.wait("a"), bucket.wait("a"), bucket.wait("a"), bucket.wait("a")
    (0.0, 0.0, 5.0, 0.0)
    """

    MAX_CLIENTS = 20_000

    def __init__(self, capacity: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._capacity = capacity
        self._pace = capacity / seconds
        self._clock = clock
        self._left: dict[Hashable, tuple[float, float]] = {}

    def wait(self, who: Hashable) -> float:
        """Takes one unit: 0 if there was one, else the seconds until there is."""
        now = self._clock()
        left, then = self._left.get(who, (float(self._capacity), now))
        left = min(self._capacity, left + (now - then) * self._pace)
        if left < 1:
            self._left[who] = left, now
            return (1 - left) / self._pace
        self._left[who] = left - 1, now
        if len(self._left) > self.MAX_CLIENTS:
            self._forget(now)
        return 0.0

    def give_back(self, who: Hashable) -> None:
        """Returns a unit that does not count after all."""
        if who in self._left:
            left, then = self._left[who]
            self._left[who] = min(self._capacity, left + 1), then

    def _forget(self, now: float) -> None:
        """Forgets clients whose bucket is full by now, and if that is not enough the oldest half."""
        used = {
            who: (left, then)
            for who, (left, then) in self._left.items()
            if left + (now - then) * self._pace < self._capacity
        }
        if len(used) > self.MAX_CLIENTS:
            newest = sorted(used, key=lambda who: used[who][1])[len(used) // 2 :]
            used = {who: used[who] for who in newest}
        self._left = used


class Rates:
    """All rate limits of the server, from its settings."""

    def __init__(self, limits: Limits) -> None:
        self._buckets = {
            "requests": Bucket(limits.requests_per_minute, 60),
            "login": Bucket(limits.logins_per_minute, 60),
            "import": Bucket(limits.imports_per_hour, 3600),
            "imports of an address": Bucket(limits.imports_per_hour_of_address, 3600),
            "arena": Bucket(limits.arena_changes_per_hour, 3600),
        }

    def spend(self, kind: str, who: Hashable) -> None:
        """Counts one; raises `ApiError` 429 with Retry-After if the limit is exceeded."""
        wait = self._buckets[kind].wait(who)
        if wait > 0:
            raise ApiError(429, "RATE", retry_s=wait, seconds=max(1, round(wait + 0.49)))

    def give_back(self, kind: str, who: Hashable) -> None:
        """Takes back one that does not count after all."""
        self._buckets[kind].give_back(who)


class RequestRate:
    """Middleware: limits the requests of one address."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and not scope["path"].startswith(UNLIMITED):
            connection = HTTPConnection(scope)
            try:
                self._services.rates.spend("requests", address_of(connection))
            except ApiError as error:
                await refuse(connection, receive, send, error)
                return
        await self._app(scope, receive, send)
