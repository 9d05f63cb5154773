"""One connection after another sends a header without an end. Counts `status 431`, or `closed`."""

import asyncio

from hostile.attacker import Target

HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: "
PIECE = b"a" * 65_536


async def attack(target: Target) -> None:
    await send_without_end(target, HEAD, PIECE)


async def send_without_end(target: Target, head: bytes, piece: bytes) -> None:
    """Over one connection after another sends a head, and then a piece again and again; counts the answers."""
    while True:
        await _send_until_closed(target, head, piece)
        await asyncio.sleep(0.01)


async def _send_until_closed(target: Target, head: bytes, piece: bytes) -> None:
    reader, writer = await target.connect()
    answer = asyncio.create_task(target.status(reader))
    try:
        writer.write(head)
        while not answer.done():
            writer.write(piece)
            target.count("sent kB", len(piece) // 1024)
            await writer.drain()
            await asyncio.sleep(0)
    except ConnectionError:
        pass
    await answer
    writer.close()
