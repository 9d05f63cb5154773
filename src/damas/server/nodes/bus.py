"""Short messages between the nodes of a database: what has changed, so that others look at once and not at the next round.

Nothing depends on a message: whoever subscribes also reads again what it needs when messages may have been missed. While there is
no connection everybody is asked to do so every few seconds.
"""

import asyncio
import logging
import secrets
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from damas.server.nodes.redis import RedisLine
from damas.server.rooms import metrics
from damas.server.settings import Settings
from damas.server.store.database import Database, NotificationLine, message_of

log = logging.getLogger("damas.nodes")

POLL_S = 2.0
"""How often everybody reads again while there is no connection."""
PING_S = 1.0
"""How often the way through the database is measured, and the connection tried."""
ANSWER_S = 3.0
"""A connection that takes longer is given up."""
MAX_BYTES = 7900
"""PostgreSQL carries 8,000 bytes in one message; what is longer is read again instead."""
MAX_WAITING = 10_000
"""Messages that wait to be sent; then the oldest are lost."""
PING = "ping"

Subscriber = Callable[[Any], None]
"""Called with the content of each message of a topic; with None where it was too long."""


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A message as it is sent."""

    sender: str
    topic: str
    content: Any


class Bus:
    """The bus of a process that is alone: nobody hears what is published."""

    is_shared = False
    """Whether other nodes may hear."""

    def publish(self, topic: str, content: object) -> None:
        """Sends a message to all other nodes; never waits, and may be lost."""

    def subscribe(self, topic: str, subscriber: Subscriber) -> None:
        """Calls `subscriber` with the messages of other nodes."""

    def when_missed(self, resync: Callable[[], None]) -> None:
        """Calls `resync` whenever messages may have been missed."""

    def open(self) -> None:
        """Begins."""

    async def close(self) -> None:
        """Ends."""


class NodeBus(Bus):
    """The bus of several nodes, over whatever carries texts: notifications of the database, or Redis."""

    is_shared = True

    def __init__(self, open_line: Callable[[Callable[[str], None]], Awaitable[NotificationLine]]) -> None:
        self._open_line = open_line
        self._heard_s = 0.0
        """When this node last heard itself."""
        self._sender = secrets.token_hex(8)
        self._subscribers: defaultdict[str, list[Subscriber]] = defaultdict(list)
        self._resyncs: list[Callable[[], None]] = []
        self._outgoing: deque[str] = deque(maxlen=MAX_WAITING)
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.is_up = False
        """Whether messages come through."""

    def publish(self, topic: str, content: object) -> None:
        text = self._encode(topic, content)
        self._outgoing.append(text if len(text.encode()) <= MAX_BYTES else self._encode(topic, None))
        self._wake.set()

    def _encode(self, topic: str, content: object) -> str:
        return msgspec.json.encode(Message(self._sender, topic, content)).decode()

    def subscribe(self, topic: str, subscriber: Subscriber) -> None:
        self._subscribers[topic].append(subscriber)

    def when_missed(self, resync: Callable[[], None]) -> None:
        self._resyncs.append(resync)

    def open(self) -> None:
        self._task = asyncio.create_task(self._run(), name="nodes: bus")

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                await self._keep_connected()
            except (SQLAlchemyError, OSError, TimeoutError) as error:
                if self.is_up:
                    log.warning("messages of other nodes do not come: %s", message_of(error))
            except Exception:
                log.exception("our mistake on the bus")
                metrics.alarms.labels("bus").inc()
            self.is_up = False
            metrics.bus_up.set(0)
            self._outgoing.clear()  # whoever missed something reads it again
            self._resync()
            await asyncio.sleep(POLL_S)

    async def _keep_connected(self) -> None:
        async with asyncio.timeout(ANSWER_S):
            line = await self._open_line(self._hear)
        try:
            self._heard_s = time.monotonic()
            self.is_up = True
            metrics.bus_up.set(1)
            self._resync()
            while True:
                self._wake.clear()
                if time.monotonic() - self._heard_s > PING_S + ANSWER_S:
                    raise TimeoutError("nothing that is sent is heard")
                texts = [self._outgoing.popleft() for _ in range(len(self._outgoing))]
                texts.append(self._encode(PING, time.monotonic()))
                async with asyncio.timeout(ANSWER_S):
                    await line.notify(texts)
                with suppress(TimeoutError):  # `wait_for` would miss a cancellation that comes with a message
                    async with asyncio.timeout(PING_S):
                        await self._wake.wait()
        finally:
            await line.drop()

    def _hear(self, text: str) -> None:
        try:
            message = msgspec.json.decode(text, type=Message)
        except msgspec.MsgspecError:
            log.warning("a message on the bus cannot be read")
            return
        if message.sender == self._sender:
            if message.topic == PING:
                self._heard_s = time.monotonic()
                metrics.bus_lag.set(self._heard_s - message.content)
            return
        for subscriber in self._subscribers.get(message.topic, ()):
            try:
                subscriber(message.content)
            except Exception:
                log.exception("a message about %s failed", message.topic)
                metrics.alarms.labels("bus").inc()

    def _resync(self) -> None:
        for resync in self._resyncs:
            try:
                resync()
            except Exception:
                log.exception("what was missed on the bus could not be read")
                metrics.alarms.labels("bus").inc()


def bus_of(settings: Settings, database: Database) -> Bus:
    """What processes of a database tell each other by: nothing for one alone, `DAMAS_BUS`, or notifications."""
    if settings.sqlite_path is not None:
        return Bus()
    if settings.bus:
        return NodeBus(partial(RedisLine.open, settings.bus))
    return NodeBus(database.notifications)
