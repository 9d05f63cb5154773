"""Requests whose answer is computed in a worker process."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.types import Receive

from damas.errors import DamagedTable
from damas.server.security.bodies import Json
from damas.server.security.errors import ApiError
from damas.server.security.hosts import address_of
from damas.server.security.visitors import visitor_of
from damas.server.services import services_of
from damas.server.shares import Shares
from damas.server.waiting import EndedEarly, run_until
from damas.server.words import language_of
from damas.server.work.lanes import Lane
from damas.server.work.tables import NoPlace
from damas.server.workers import Caller
from damas.tablebase.store import root

log = logging.getLogger("damas")


def caller_of(request: Request) -> Caller:
    """The visitor and the address for whom work is done."""
    return Caller(visitor_of(request).id, address_of(request))


async def ask(request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function of `damas.server.work` returns, as a quick question."""
    questions = services_of(request).work.questions
    return await questions.run(function, *arguments, caller=caller_of(request))


async def answer(request: Request, function: Callable[..., bytes], *arguments: Any) -> Json:
    """The response with the JSON that a function of `damas.server.work` returns."""
    return Json(await ask(request, function, *arguments))


async def answer_slowly(request: Request, function: Callable[..., bytes], *arguments: Any) -> Json:
    """The same for what may take seconds, so that it keeps no question waiting."""
    files = services_of(request).work.files
    return Json(await files.run(function, *arguments, caller=caller_of(request)))


async def answer_from_tables(
    request: Request, function: Callable[..., bytes | None], *arguments: Any
) -> Json:
    """The response with the JSON that a function of `damas.server.work.tables` returns; 404 where it returns None."""
    lane, language = services_of(request).work.tables, language_of(request)
    try:
        reply = await lane.run(function, root(), *arguments, language, caller=caller_of(request))
    except (NoPlace, DamagedTable) as error:
        log.error("a table cannot be built or read: %s", error)
        raise ApiError(503, "NO_PLACE_FOR_TABLES", retry_s=60) from None
    if reply is None:
        raise ApiError(404, "NOT_FOUND")
    return Json(reply)


class LongRequests:
    """One kind of long work, one piece at a time for each address, given up when the client leaves or the server stops."""

    def __init__(self, lane: Lane, closing: asyncio.Event) -> None:
        self._lane = lane
        self._closing = closing
        self.shares = Shares(1)

    async def run(self, request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
        """What a function of `damas.server.work` returns. Raises `ApiError` 429 while the address has one under way, 503
        when the server stops.

        The body of the request must have been read before.
        """
        address = address_of(request)
        self.shares.take(address)  # until the process is free, not only until the client has gone
        running = self._lane.run(
            function,
            *arguments,
            caller=caller_of(request),
            at_end=lambda: self.shares.give_back(address),
        )
        try:
            return await run_until(running, disconnected(request.receive), self._closing.wait())
        except EndedEarly:
            raise ApiError(503, "RESTARTING", retry_s=1) from None


async def disconnected(receive: Receive) -> None:
    """Returns when the client has closed the connection; the request's body must have been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass
