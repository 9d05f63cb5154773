"""Streams of JSON lines, with a blank line now and then so that both ends know the wire is whole."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.responses import StreamingResponse

from damas.server.security.bodies import encode

KEEP_ALIVE_S = 6.0
"""A blank line at least every seven seconds, promised; six, kept."""


def stream(values: AsyncIterable[Any]) -> StreamingResponse:
    """Each value on a line of its own, at once; ends with the values. (That it ends with the server, the door sees to.)"""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_lines(values), media_type="application/x-ndjson", headers=headers)


async def _lines(values: AsyncIterable[Any]) -> AsyncIterator[bytes]:
    source = aiter(values)
    following: asyncio.Task[Any] | None = None
    try:
        yield b"\n"  # at once: who connects sees that it works
        while True:
            following = following or asyncio.ensure_future(_next(source))
            done, _ = await asyncio.wait({following}, timeout=KEEP_ALIVE_S)
            if not done:
                yield b"\n"
                continue
            try:
                value = following.result()
            except StopAsyncIteration:
                return
            following = None
            yield encode(value) + b"\n"
    finally:
        if following:
            following.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await following
        if hasattr(source, "aclose"):
            await source.aclose()


async def _next(source: AsyncIterator[Any]) -> Any:
    return await anext(source)
