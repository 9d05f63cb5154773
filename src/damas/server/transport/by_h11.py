"""The same limits where httptools is not installed. h11 itself stops at a second request, and limits the head's bytes."""

from http import HTTPStatus
from math import inf
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from damas.server.transport.guard import HttpGuard


class GuardedH11(HttpGuard, H11Protocol):
    """HTTP by h11."""

    _silent = True
    """Whether nothing has come yet."""
    _receiving: Any = None
    """The last request whose body did not come with its head."""

    def data_received(self, data: bytes) -> None:
        if self._discard(data):
            return
        self._silent = False
        if self.deadline == inf and not self._answering:
            self.deadline = self.loop.time() + self.gate.limits.head_s
        super().data_received(data)
        self._request_came()

    def _request_came(self) -> None:
        """Sets the time for what is still to come of a request whose head is complete."""
        if self._answering:
            self.gate.set_busy(self)
        if self.conn.their_state is not h11.SEND_BODY:
            self.deadline = inf if self._answering else self.deadline
        elif self._receiving is not self.cycle:
            self._receiving = self.cycle
            self.deadline = self._body_deadline()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self.gate.leave(self)
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._answering:  # the next request had come already
            self._request_came()
        else:
            self.gate.set_idle(self)

    def expire(self) -> None:
        if self._silent:
            self.transport.close()
        elif self.conn.their_state is h11.SEND_BODY:
            self._refuse_body(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
