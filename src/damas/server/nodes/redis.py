"""Messages between nodes over Redis or Valkey, by the three commands of their protocol that this takes."""

import asyncio
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import unquote, urlsplit

CHANNEL = b"damas"
"""Name of the messages."""
ENCRYPTED = ("rediss", "valkeys")
"""Schemes of addresses over TLS."""
PORT = 6379
MAX_REPLY_BYTES = 1024 * 1024

Reply = bytes | int | list["Reply"] | None


class RedisError(OSError):
    """The server refuses a command, or what it sends cannot be read."""


class RedisLine:
    """A connection that sends, and one that listens: a server sends nothing else to one that listens."""

    def __init__(self, sender: "_Connection", listener: "_Connection") -> None:
        self._sender = sender
        self._listener = listener
        self._listening: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, url: str, hear: Callable[[str], None]) -> "RedisLine":
        """Connects; `hear` is called with each message that comes, those of this process too. Raises `OSError`."""
        line = cls(await _Connection.open(url), await _Connection.open(url))
        try:
            await line._listener.ask(b"SUBSCRIBE", CHANNEL)
        except BaseException:
            await line.drop()
            raise
        line._listening = asyncio.create_task(line._listen(hear), name="nodes: redis")
        return line

    async def _listen(self, hear: Callable[[str], None]) -> None:
        with suppress(OSError, EOFError):
            while True:
                match await self._listener.read():
                    case [b"message", _, bytes(text)]:
                        hear(text.decode("utf-8", "replace"))

    async def notify(self, texts: Sequence[str]) -> None:
        """Sends messages, in their order. Raises `OSError`, also where nothing is heard any more."""
        if self._listening is None or self._listening.done():
            raise RedisError("the connection that listens is closed")
        for text in texts:
            await self._sender.ask(b"PUBLISH", CHANNEL, text.encode())

    async def drop(self) -> None:
        """Closes both."""
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        self._sender.close()
        self._listener.close()


class _Connection:
    """One connection, one command at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, url: str) -> "_Connection":
        parts = urlsplit(url)
        context = ssl.create_default_context() if parts.scheme in ENCRYPTED else None
        opened = await asyncio.open_connection(parts.hostname or "127.0.0.1", parts.port or PORT, ssl=context)
        connection = cls(*opened)
        try:
            if parts.password:
                user = [unquote(parts.username).encode()] if parts.username else []
                await connection.ask(b"AUTH", *user, unquote(parts.password).encode())
        except BaseException:
            connection.close()
            raise
        return connection

    async def ask(self, *words: bytes) -> Reply:
        """The reply to a command. Raises `OSError`."""
        parts = b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words)
        self._writer.write(b"*%d\r\n%s" % (len(words), parts))
        await self._writer.drain()
        return await self.read()

    async def read(self) -> Reply:
        """The next reply. Raises `OSError`."""
        try:
            line = await self._reader.readuntil(b"\r\n")
            kind, rest = line[:1], line[1:-2]
            if kind == b"+":
                return rest
            if kind == b"-":
                raise RedisError(rest.decode("utf-8", "replace"))
            number = int(rest)
            if kind == b":":
                return number
            if number > MAX_REPLY_BYTES:
                raise RedisError(f"a reply of {number}")
            if kind == b"*":
                return [await self.read() for _ in range(number)]
            if kind == b"$":
                return None if number < 0 else (await self._reader.readexactly(number + 2))[:-2]
        except (EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise RedisError(f"the connection ended: {error!r}") from error
        raise RedisError(f"cannot read {line!r}")

    def close(self) -> None:
        self._writer.close()
