"""Ten connections send bodies in chunks of one byte. Counts `status 431` or `status 413`, or `closed`."""

import asyncio

from hostile.attacker import Target
from hostile.attacks.huge_header import send_without_end

HEAD = (
    b"POST /api/pdn/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-pdn\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
PIECE = b"1\r\n \r\n" * 10_000


async def attack(target: Target) -> None:
    await asyncio.gather(*(send_without_end(target, HEAD, PIECE) for _ in range(10)))
