"""Rate limits of the server: how often a client may do something, and how soon after another request."""

import asyncio
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from damas.server.security.errors import ApiError, refuse
from damas.server.security.hosts import address_of
from damas.server.security.token_buckets import TokenBuckets
from damas.server.services import Services
from damas.server.settings import Limits

UNLIMITED = ("/static/", "/words/", "/healthz", "/readyz", "/sw.js", "/favicon.ico", "/manifest.webmanifest")
"""Paths without a limit a minute: small files in memory, requested by the dozen when a page opens."""
BURST_S = 0.2
"""Requests of so many seconds may come at once."""
SMALL, REQUEST, SOCKET = 0.5, 1.0, 4.0
"""What a small file, a request and the opening of a websocket count, about as the event loop works for each."""


def too_often(wait_s: float) -> ApiError:
    """The refusal of whoever may try again after so long."""
    return ApiError(429, "RATE", retry_s=wait_s, seconds=max(1, round(wait_s + 0.49)))


@dataclass
class Attempt:
    """An attempt that counts only if it fails."""

    failed: bool = False


class Rates:
    """All rate limits of the server, from its settings."""

    def __init__(self, limits: Limits) -> None:
        self.spent: Callable[[str, Hashable, int], None] | None = None
        """Called with everything that is counted here and not by `charge`."""
        minute, hour, day = 60, 3600, 86_400
        kinds: dict[str, tuple[float, float]] = {
            "requests": (limits.requests_per_minute, minute),
            "login": (limits.logins_per_minute, minute),
            "failed logins of an address": (limits.failed_logins_of_address, limits.failed_logins_s),
            "failed pins of a place": (limits.failed_pins_of_place, limits.failed_pins_s),
            "failed pins of an address": (limits.failed_pins_of_address, limits.failed_pins_s),
            "accounts of an address": (limits.accounts_per_hour_of_address, hour),
            "import": (limits.imports_per_hour, hour),
            "imports of an address": (limits.imports_per_hour_of_address, hour),
            "games": (limits.games_per_day, day),
            "games of an address": (limits.games_per_hour_of_address, hour),
            "replays": (limits.replays_per_minute, minute),
            "learning": (limits.learning_writes_per_minute, minute),
            "studies": (limits.study_writes_per_minute, minute),
            "studies of an address": (5 * limits.study_writes_per_minute, minute),
            "tournaments": (limits.tournaments_per_day, day),
            "tournaments of an address": (limits.tournaments_per_hour_of_address, hour),
            "arena": (limits.arena_changes_per_hour, hour),
        }
        self._buckets = {kind: TokenBuckets(most, most / seconds) for kind, (most, seconds) in kinds.items()}

    def spend(self, kind: str, who: Hashable) -> None:
        """Counts one; raises `ApiError` 429 with Retry-After if the limit is exceeded."""
        if (wait := self._buckets[kind][who].take()) > 0:
            raise too_often(wait)
        if self.spent:
            self.spent(kind, who, 1)

    def charge(self, kind: str, who: Hashable, amount: int) -> None:
        """Counts what was spent at another node."""
        if kind in self._buckets:
            self._buckets[kind][who].charge(amount)

    @contextmanager
    def attempt(self, *kinds: tuple[str, Hashable]) -> Iterator[Attempt]:
        """Counts one of each kind, as `spend` does, for as long as the `with` block runs, and longer if it failed."""
        spent: list[tuple[str, Hashable]] = []
        attempt = Attempt()
        try:
            for kind, who in kinds:
                self.spend(kind, who)
                spent.append((kind, who))
            yield attempt
        finally:
            if not attempt.failed:
                for kind, who in spent:
                    self.give_back(kind, who)

    def give_back(self, kind: str, who: Hashable) -> None:
        """Takes back one that does not count after all."""
        self._buckets[kind][who].charge(-1)
        if self.spent:
            self.spent(kind, who, -1)


class RequestRate:
    """Middleware: limits the requests of one address. Those that come too fast wait; those that are too many are refused."""

    def __init__(self, app: ASGIApp, *, services: Services) -> None:
        self._app = app
        self._services = services
        limits = services.settings.limits
        self._longest_s = limits.request_wait_s
        self._buckets = TokenBuckets(BURST_S * limits.requests_per_second, limits.requests_per_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            connection = HTTPConnection(scope)
            address, small = address_of(connection), scope["path"].startswith(UNLIMITED)
            try:
                await self._wait(
                    address, SOCKET if scope["type"] == "websocket" else SMALL if small else REQUEST
                )
                if not small:
                    self._services.rates.spend("requests", address)
            except ApiError as error:
                await refuse(connection, receive, send, error)
                return
        await self._app(scope, receive, send)

    async def _wait(self, address: str, amount: float) -> None:
        """Whoever comes too soon gets a place in the queue: requests that wait have been charged already."""
        bucket = self._buckets[address]
        wait = bucket.until(0)
        if wait > self._longest_s:
            raise too_often(self._longest_s)
        bucket.charge(amount)
        if wait:
            await asyncio.sleep(wait)
