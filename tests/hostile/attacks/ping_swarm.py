"""A hundred sockets send pings, each as many as it may; a closed one is opened again. Counts `closed CODE`, `refused`."""

import asyncio
from contextlib import suppress

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from hostile.attacker import Target
from hostile.attacks.empty_pings import FRAME, closed

SOCKETS, BURST, PAUSE_S = 100, 10, 0.1
"""A hundred frames a second each: more than a socket may, less than the whole machine takes."""


async def attack(target: Target) -> None:
    games = [await target.game() for _ in range(SOCKETS // 4)]
    await asyncio.gather(*(_one(target, *games[number // 4]) for number in range(SOCKETS)))


async def _one(target: Target, game: str, cookie: str) -> None:
    while True:
        try:
            socket = await target.socket(game, cookie)
        except (InvalidHandshake, OSError, ConnectionClosed):
            target.count("refused")
            await asyncio.sleep(1)
            continue
        target.count("opened")
        closing = asyncio.create_task(closed(target, socket))
        with suppress(RuntimeError):  # closed by the server: the library writes no more
            while not closing.done():
                socket.transport.write(FRAME * BURST)
                await asyncio.sleep(PAUSE_S)
        await closing
