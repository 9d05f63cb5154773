"""Connections are opened and closed as fast as the machine allows. Counts `opened`, `not connected`."""

import asyncio

from hostile.attacker import Target


async def attack(target: Target) -> None:
    async def one() -> None:
        while True:
            try:
                _, writer = await target.connect()
                target.count("opened")
                writer.transport.abort()
            except OSError:
                target.count("not connected")
                await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(20)))
