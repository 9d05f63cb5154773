"""A connection between two nodes that carries one request or socket: ASGI messages, each after its length."""

import asyncio
from typing import Any

import msgspec
from starlette.types import Message

END = "node.end"
"""Type of the message after which the request has been handled; without it the node has gone."""
DISCONNECTED = ("http.disconnect", "websocket.disconnect")
"""Types of the messages after which a client sends nothing."""
MAX_FRAME_BYTES = 64 * 1024 * 1024
"""Longest message: a whole file in one piece."""
_LENGTH_BYTES = 4


class BrokenTunnel(OSError):
    """The other node is gone, or what it sends cannot be read."""


class Tunnel:
    """One end. Sending waits while the other end does not read."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: Any) -> None:
        """Sends one message. Raises `BrokenTunnel`."""
        frame = msgspec.msgpack.encode(message)
        try:
            self._writer.write(len(frame).to_bytes(_LENGTH_BYTES, "big") + frame)
            await self._writer.drain()
        except (OSError, RuntimeError) as error:  # RuntimeError: uvloop's, of a connection that is closed
            raise BrokenTunnel(str(error)) from error

    async def receive(self, max_bytes: int = MAX_FRAME_BYTES) -> Message:
        """The next message. Raises `BrokenTunnel`. A call that is cancelled may lose a part of one."""
        try:
            length = int.from_bytes(await self._reader.readexactly(_LENGTH_BYTES), "big")
            if length > max_bytes:
                raise BrokenTunnel(f"a message of {length} bytes")
            frame = await self._reader.readexactly(length)
            message: Message = msgspec.msgpack.decode(frame, type=dict[str, Any])
        except (EOFError, OSError, msgspec.MsgspecError) as error:
            raise BrokenTunnel(str(error)) from error
        return message

    def close(self) -> None:
        """Closes it at once; never raises."""
        self._writer.close()
