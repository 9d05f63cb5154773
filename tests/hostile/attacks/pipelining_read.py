"""Twenty connections send requests as fast as they are answered. Counts `answered bytes`."""

import asyncio
from contextlib import suppress

from hostile.attacker import Target
from hostile.attacks.pipelining import BURST, REQUEST

CONNECTIONS = 20


async def attack(target: Target) -> None:
    await asyncio.gather(*(_one(target) for _ in range(CONNECTIONS)))


async def _one(target: Target) -> None:
    reader, writer = await target.connect()

    async def read() -> None:
        while data := await reader.read(65_536):
            target.count("answered bytes", len(data))

    reading = asyncio.create_task(read())
    with suppress(ConnectionError):
        while not reading.done():
            writer.write(REQUEST * BURST)
            await writer.drain()
            await asyncio.sleep(0)
    target.count("closed")
