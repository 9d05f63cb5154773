"""Responses that go on: the values of an async iterator as JSON lines or as server-sent events, with keep-alives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from damas.server.encoding import encode
from damas.server.waiting import EndedEarly, run_until
from damas.server.web.work import disconnected

KEEP_ALIVE_S = 6.0
"""Longest silence; the protocol promises a line at least every seven seconds."""


class Stream(Response):
    """Sends each value as soon as it comes, and closes the iterator when it ends or the client leaves; bytes are JSON.

    The end of the server or of a login is not handled here: the `Door` cancels the response.
    """

    def __init__(
        self, values: AsyncIterator[Any], media_type: str, *, before: bytes, after: bytes, keep_alive: bytes
    ) -> None:
        super().__init__(
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}, media_type=media_type
        )
        del self.headers["content-length"]
        self._values = values
        self._before, self._after, self._keep_alive = before, after, keep_alive
        self._first = b""

    @classmethod
    def json_lines(cls, values: AsyncIterator[Any]) -> "Stream":
        """A JSON object a line. A blank line comes at once, so that the client sees that it is connected."""
        stream = cls(values, "application/x-ndjson", before=b"", after=b"\n", keep_alive=b"\n")
        stream._first = b"\n"
        return stream

    @classmethod
    def events(cls, values: AsyncIterator[Any], event: str = "") -> "Stream":
        """Server-sent events, all of one type if `event` names it."""
        before = f"event: {event}\ndata: " if event else "data: "
        return cls(values, "text/event-stream", before=before.encode(), after=b"\n\n", keep_alive=b":\n\n")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (ASGI)
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        with suppress(EndedEarly):
            await run_until(self._send_all(send), disconnected(receive))
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, send: Send) -> None:
        async def write(body: bytes) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": True})

        upcoming: asyncio.Future[Any] | None = None
        try:
            if self._first:
                await write(self._first)
            while True:
                upcoming = upcoming or asyncio.ensure_future(anext(self._values))
                done, _ = await asyncio.wait({upcoming}, timeout=KEEP_ALIVE_S)
                if not done:
                    await write(self._keep_alive)
                    continue
                try:
                    value = upcoming.result()
                except StopAsyncIteration:
                    return
                finally:
                    upcoming = None
                data = value if isinstance(value, bytes) else encode(value)
                await write(self._before + data + self._after)
        finally:
            if upcoming:
                upcoming.cancel()
                await asyncio.gather(upcoming, return_exceptions=True)
            if close := getattr(self._values, "aclose", None):
                await close()
