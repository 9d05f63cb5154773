"""Requests whose answer takes long to compute, given up when the client leaves or the server stops."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.types import Receive

from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.shares import Shares
from damas.server.waiting import EndedEarly, run_until
from damas.server.workers import Stop, Workers

T = TypeVar("T")


class LongRequests:
    """One kind of long work: at most `size` pieces at once, and one for each address."""

    def __init__(self, name: str, size: int, closing: asyncio.Event) -> None:
        self._workers = Workers(name, size)
        self._closing = closing
        self.shares = Shares(1)

    async def run(self, request: Request, work: Callable[[Stop], T]) -> T:
        """The result of `work`. Raises `ApiError` 429 while the address has one under way, 503 when the server stops.

        The body of the request must have been read before.
        """
        address = address_of(request)
        self.shares.take(address)  # until the thread has ended, not only until the client has gone
        running = self._workers.run(work, at_end=lambda: self.shares.give_back(address))
        try:
            return await run_until(running, disconnected(request.receive), self._closing.wait())
        except EndedEarly:
            raise ApiError(503, "RESTARTING", retry_s=1) from None


async def disconnected(receive: Receive) -> None:
    """Returns when the client has closed the connection; the request's body must have been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass
