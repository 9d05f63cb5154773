"""What guarded connections share: their place at the gate, their end, and clients that do not read."""

import asyncio
from http import HTTPStatus
from math import inf
from typing import Any, ClassVar

from uvicorn.protocols.http.flow_control import FlowControl

from damas.server.security.bodies import BodyBounds
from damas.server.transport.gate import Gate

BODY_GRACE_S = 5.0
"""`Bodies` answers a slow body with 408 first; this ends what no handler reads."""
FAREWELL_S = 2.0
"""How long a last answer may take to arrive at somebody who keeps sending."""
MAX_DISCARDED_BYTES = 128 * 1024
"""Of what somebody sends after the last answer; then nothing more is read."""


class Flow(FlowControl):
    """Reading that handlers cannot resume while requests wait."""

    held = False

    def hold(self) -> None:
        """Reads nothing until `release`."""
        self.held = True
        self.pause_reading()

    def release(self) -> None:
        """Reads again."""
        self.held = False
        self.resume_reading()

    def resume_reading(self) -> None:
        if not self.held:
            super().resume_reading()


class Guard(asyncio.Protocol):
    """Mixed into a protocol of uvicorn: a place at the gate, an end for clients that do not read or send too much."""

    gate: ClassVar[Gate]
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None

    address: str | None = None
    deadline = stalled = inf
    _discarded: int | None = None
    """Bytes that came after the last answer."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has come."""
        super().connection_made(transport)
        self.address = self.gate.address_of_peer(self.client)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        super().connection_lost(exc)
        self.gate.leave(self)

    def pause_writing(self) -> None:
        """The client does not read what we send."""
        super().pause_writing()
        self.stalled = self.loop.time() + self.gate.limits.write_stall_s

    def resume_writing(self) -> None:
        """It has read."""
        super().resume_writing()
        self.stalled = inf

    def _send_last(self, data: bytes) -> None:
        """Sends a last answer and closes the connection when it has had time to arrive.

        What still comes is read and thrown away: a connection with unread data would be reset, and the answer lost.
        """
        self._discarded = 0
        self.deadline = inf
        self.transport.write(data)
        self.transport.write_eof()
        self.transport.resume_reading()
        self.loop.call_later(FAREWELL_S, self.transport.abort)

    def _discard(self, data: bytes) -> bool:
        """Whether the client has had its last answer, so that what it sends does not matter."""
        if self._discarded is None:
            return False
        self._discarded += len(data)
        if self._discarded > MAX_DISCARDED_BYTES:
            self.transport.pause_reading()
        return True

    def expire(self) -> None:
        """The deadline has passed: what it is sending takes too long. (Rooms close silent sockets themselves.)"""


class HttpGuard(Guard):
    """What HTTP connections share, whoever parses them."""

    cycle: Any
    scope: Any
    flow: FlowControl

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = Flow(transport)
        if status := self.gate.admit(self):
            self._discarded = 0
            transport.write(bare_answer(status))
            transport.close()
        else:
            self.deadline = self.loop.time() + self.gate.limits.head_s

    @property
    def _answering(self) -> bool:
        """Whether a request is being handled."""
        return self.cycle is not None and not self.cycle.response_complete

    def _body_deadline(self) -> float:
        """When the body of a request must have come whose head is complete now."""
        method, path = self.scope.get("method", ""), self.scope.get("path", "")
        seconds = BodyBounds.of(method, path, self.gate.limits).seconds
        return self.loop.time() + seconds + BODY_GRACE_S

    def _refuse(self, status: int) -> None:
        """Answers with a status alone and closes. A client whose earlier request is being handled is only cut off."""
        if self._answering or self.transport.is_closing():
            self.transport.abort()
        else:
            self._send_last(bare_answer(status))

    def _refuse_body(self, status: int) -> None:
        """Refuses the request whose body is being received; its handler sees that the client has gone."""
        self.cycle.response_complete = self.cycle.disconnected = True
        self.cycle.message_event.set()
        if self.cycle.response_started:
            self.transport.abort()
        else:
            self._refuse(status)


def bare_answer(status: int) -> bytes:
    """A status and nothing else: it must cost nothing."""
    retry = "retry-after: 5\r\n" if status in (429, 503) else ""
    phrase = HTTPStatus(status).phrase
    return f"HTTP/1.1 {status} {phrase}\r\n{retry}content-length: 0\r\nconnection: close\r\n\r\n".encode()
