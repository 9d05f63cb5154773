"""Websockets whose frames and bytes count, whatever they hold: empty pings, pongs and fragments too."""

from asyncio import Transport
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from damas.server.security.hosts import counted_address
from damas.server.security.token_buckets import TokenBucket
from damas.server.transport.frames import FrameCounter
from damas.server.transport.guard import Guard, bare_answer

POLICY = 1008
"""Close code: too many frames or bytes."""
SENDS_MUCH = 0.1
"""Share of its own limits that a socket has used up if it is among those that make its address send too much."""


class GuardedSocket(Guard, WebSocketsSansIOProtocol):
    """Closes a socket that sends too much with 1008, before the frames are parsed. The game goes on."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        limits, window = self.gate.limits, self.gate.limits.socket_window_s
        self._counter = FrameCounter()
        self._frames = TokenBucket(limits.socket_frames, limits.socket_frames / window)
        self._bytes = TokenBucket(limits.socket_bytes, limits.socket_bytes / window)
        self._shared: tuple[TokenBucket, TokenBucket] | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.gate.admit_socket(self)

    def data_received(self, data: bytes) -> None:
        if self._discard(data):
            return
        if self.handshake_initiated and not self._within_limits(data):
            self._close_for_sending_too_much()
            return
        super().data_received(data)
        if not self.handshake_initiated:  # the head has come and cannot be read: nothing would answer it
            reason = self.conn.handshake_exc and self.conn.handshake_exc.__cause__
            wrong = isinstance(
                reason, ValueError | NotImplementedError
            )  # a body, say; else a line is too long
            status = HTTPStatus.BAD_REQUEST if wrong else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            self.transport.write(bare_answer(status))
            self.transport.close()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if self.initial_response is not None and self.close_sent:
            self.handshake_complete = True  # refused by an answer; uvicorn would log that there was none

    def _within_limits(self, data: bytes) -> bool:
        size, frames = len(data), self._counter.count(data, int(self._frames.capacity))
        if self._bytes.take(size) or self._frames.take(frames):
            return False
        shared_frames, shared_bytes = self._shared or self._share()
        if not shared_frames.take(frames) and not shared_bytes.take(size):
            return True
        # Where an address sends too much, those of its sockets pay that send much.
        return all(
            bucket.left >= (1 - SENDS_MUCH) * bucket.capacity for bucket in (self._frames, self._bytes)
        )

    def _share(self) -> tuple[TokenBucket, TokenBucket]:
        """What the address may send; behind a proxy, the address that the proxy forwards."""
        address = counted_address(self.scope["client"] if self.handshake_complete else self.client)
        shared = self.gate.frames[address], self.gate.bytes[address]
        if self.handshake_complete:
            self._shared = shared
        return shared

    def _close_for_sending_too_much(self) -> None:
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": POLICY, "reason": "RATE"})
        if not self.handshake_complete or self.close_sent or self.transport.is_closing():
            self.transport.abort()
            return
        self.conn.send_close(POLICY, "RATE")
        self.close_sent = True
        self._send_last(b"".join(self.conn.data_to_send()))

    def shutdown(self) -> None:
        if self.handshake_initiated:
            super().shutdown()
        else:  # uvicorn would answer on a connection that has ended
            self.transport.abort()
