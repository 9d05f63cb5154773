"""Connections send bytes that are no HTTP, and sockets text that is no UTF-8. Counts `status 400`, `closed CODE`."""

import asyncio

from hostile.attacker import Target
from hostile.attacks.empty_pings import closed

NOT_UTF8 = b"\x81\x82\x00\x00\x00\x00\xff\xff"


async def attack(target: Target) -> None:
    await asyncio.gather(_not_http(target), _not_text(target))


async def _not_http(target: Target) -> None:
    while True:
        reader, writer = await target.connect()
        writer.write(b"\x16\x03\x01 rubbish\r\n\r\n")
        await target.status(reader)
        writer.close()


async def _not_text(target: Target) -> None:
    game, cookie = await target.game()
    async for socket in target.sockets(game, cookie):
        socket.transport.write(NOT_UTF8)
        await closed(target, socket)
