"""Server-sent events: a message at a time, and an end as soon as the listener has gone."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from damas.server.security.bodies import encode

STILL_HERE = 7.0
"""Seconds of silence after which an empty line says that the connection lives."""


class EventStream(Response):
    """Sends what an iterator gives, as JSON; closes the iterator when it ends, the listener goes or the server stops."""

    media_type = "text/event-stream"

    def __init__(self, messages: AsyncIterator[object], closing: asyncio.Event) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._messages = messages
        self._closing = closing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 (ASGI)
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        talking = asyncio.create_task(self._talk(send))
        leaving = asyncio.create_task(_gone(receive))
        stopping = asyncio.create_task(self._closing.wait())
        tasks = (talking, leaving, stopping)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if talking.done():
                talking.result()
        finally:
            gone = leaving.done()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _talk(self, send: Send) -> None:
        coming: asyncio.Task[object] | None = None
        try:
            while True:
                coming = coming or asyncio.ensure_future(anext(self._messages))
                done, _ = await asyncio.wait((coming,), timeout=STILL_HERE)
                if not done:
                    await _say(send, b":\n\n")
                    continue
                try:
                    message = coming.result()
                except StopAsyncIteration:
                    return
                finally:
                    coming = None
                await _say(send, b"data: " + encode(message) + b"\n\n")
        finally:
            if coming is not None:
                coming.cancel()
                await asyncio.gather(coming, return_exceptions=True)
            if close := getattr(self._messages, "aclose", None):
                await close()


async def _say(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
