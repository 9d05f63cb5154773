"""HTTP connections that are read no faster than they are answered, with limits on size and time of every request."""

from enum import Enum
from http import HTTPStatus
from math import inf

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from damas.server.transport.guard import HttpGuard

PIECE_BYTES = 4096
"""Bytes parsed before limits are checked again."""
TURN_BYTES = 65_536
"""Bytes parsed before others have their turn."""
MAX_WRAPPING_BYTES = 8192
"""Of chunk sizes, their extensions and trailing headers, besides a quarter of the body."""

MAX_BLANK_BYTES = 512
"""Of empty lines between two requests."""


class Phase(Enum):
    """What of a request is being received."""

    NOTHING = 0
    HEAD = 1
    BODY = 2


class GuardedHttp(HttpGuard, HttpToolsProtocol):
    """HTTP by httptools, which parses all it is given: so it is given little at a time."""

    _phase = Phase.NOTHING
    _received = 0
    """Bytes of the head, or of the body with all that surrounds it."""
    _header_bytes = 0
    """Bytes of the headers that have come whole: the last piece of a head may hold more than the head."""
    _body_bytes = 0
    """Bytes of the body alone."""
    _blank_bytes = 0
    """Bytes since the last request that belong to none."""
    _refusal = 0
    """The status to refuse the request with, once the parser returns."""
    _running: RequestResponseCycle | None = None
    """The request that is being handled; `cycle` is the last that has come."""
    _upgraded = False
    """Whether it has become a websocket."""
    _backlog = b""
    """Bytes that wait until earlier requests are answered."""

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # uvicorn tells the last request alone that the client has gone; the one that runs would go on writing.
        if self._running and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        self.pipeline.clear()
        self._backlog = b""

    def data_received(self, data: bytes) -> None:
        if self._discard(data):
            return
        if self._backlog:
            self._backlog += data
            return
        self._parse(data)

    def _parse(self, data: bytes) -> None:
        """Parses piece by piece, until the pipeline is full or others have their turn; the rest waits."""
        if self.deadline == inf and not self._answering:
            self.deadline = self.loop.time() + self.gate.limits.head_s
        for at in range(0, len(data), PIECE_BYTES):
            full = len(self.pipeline) >= self.gate.limits.pipelined_requests
            if full or at >= TURN_BYTES:
                self._backlog = data[at:]
                self.flow.hold()  # type: ignore[attr-defined]
                if not full:
                    self.loop.call_soon(self._parse_backlog)
                return
            piece = data[at : at + PIECE_BYTES]
            super().data_received(piece)
            if self.parser is None or self._upgraded or self._has_ended():
                return
            self._check(len(piece))
            if self._has_ended():
                return

    def _has_ended(self) -> bool:
        """Whether the client is closed or has had its last answer."""
        return self._discarded is not None or self.transport.is_closing()

    def _parse_backlog(self) -> None:
        if not self._backlog or self.parser is None or self.transport.is_closing():
            return
        if len(self.pipeline) >= self.gate.limits.pipelined_requests:
            return
        data, self._backlog = self._backlog, b""
        self.flow.release()  # type: ignore[attr-defined]
        self._parse(data)

    def _check(self, size: int) -> None:
        """Counts what was parsed, and refuses what is too much."""
        limits = self.gate.limits
        self._received += size
        if self._phase is Phase.NOTHING:
            self._blank_bytes += size
            if self._blank_bytes > MAX_BLANK_BYTES:
                self.transport.abort()
                return
        if self._phase is Phase.HEAD and self._received > limits.head_bytes:
            self._refusal = self._refusal or 431
        # Chunks of a few bytes each, their extensions, and headers after the body: more wrapping than content.
        wrapping = self._received - self._body_bytes
        if self._phase is Phase.BODY and wrapping > MAX_WRAPPING_BYTES + self._body_bytes // 4:
            self._refusal = self._refusal or 431
        if self._refusal:
            self._give_up(self._refusal)

    def _give_up(self, status: int) -> None:
        """Refuses the request that is being received."""
        if self._phase is Phase.BODY and not self.pipeline:
            self._refuse_body(status)
        else:
            self._refuse(status)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (uvicorn's)
        """Refuses what cannot be parsed; uvicorn would answer in the place of an earlier request, or within its answer."""
        self._give_up(HTTPStatus.BAD_REQUEST)

    # What the parser calls

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase = Phase.HEAD
        self._blank_bytes = 0
        self._received = self._header_bytes = self._body_bytes = 0
        if self.deadline == inf:
            self.deadline = self.loop.time() + self.gate.limits.head_s

    def on_url(self, url: bytes) -> None:
        if len(self.url) + len(url) > self.gate.limits.url_bytes:
            self._refusal = self._refusal or 414
            return
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        limits = self.gate.limits
        self._header_bytes += len(name) + len(value)
        if len(self.headers) >= limits.headers or self._header_bytes > limits.head_bytes:
            self._refusal = self._refusal or 431
            return
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._refusal:
            return
        super().on_headers_complete()
        if not self.pipeline:
            self._running = self.cycle
        self._phase = Phase.BODY
        self._received = 0
        self.deadline = self._body_deadline()
        self.gate.set_busy(self)

    def on_body(self, body: bytes) -> None:
        if self._refusal:
            return
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        if self._refusal:
            return
        super().on_message_complete()
        self._phase = Phase.NOTHING
        self._blank_bytes = -PIECE_BYTES  # the piece that is being parsed holds more than empty lines
        self.deadline = inf

    def handle_websocket_upgrade(self) -> None:
        if self._answering:  # an earlier request would never learn that its client has gone
            self.transport.abort()
            return
        self._upgraded = True
        self.gate.leave(self)
        super().handle_websocket_upgrade()

    # What happens later

    def on_response_complete(self) -> None:
        following = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()
        self._running = following
        if not self._answering:
            self.gate.set_idle(self)
            if self._phase is Phase.HEAD:
                self.deadline = self.loop.time() + self.gate.limits.head_s
        self._parse_backlog()

    def expire(self) -> None:
        if self._phase is not Phase.BODY and self._answering:
            self.deadline = self.loop.time() + self.gate.limits.head_s
        elif self._phase is Phase.NOTHING and not self._received:
            self.transport.close()  # nothing was sent
        else:
            self._give_up(HTTPStatus.REQUEST_TIMEOUT)
