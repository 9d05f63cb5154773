"""Requests to a damas server. Its answers are not trusted: they are bounded in size and time, and no redirect is followed."""

import json
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote

from damas.errors import RemoteTrouble
from damas.matches.remote import TOKEN
from damas.matches.remote.place import Place, find

REQUEST_TIMEOUT_S = 10.0
"""How long a request may take, retries included."""
MAX_BODY_BYTES = 2 * 1024 * 1024
"""The longest answer that is read."""
RETRY_STATUSES = (429, 502, 503, 504)
"""The same request may be sent again later."""
CONNECTION_ERRORS = (OSError, HTTPException, ValueError)
"""What a connection raises if the server is gone or does not speak HTTP."""


def token_for(url: str) -> str:
    """The token for a server; raises `RemoteTrouble` if there is none, or one that cannot be in a header."""
    token = os.environ.get(TOKEN, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise RemoteTrouble(url, "token", TOKEN)
    return token


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    data: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether the request was successful."""
        return self.status in (200, 201)

    def _error(self, field: str) -> str:
        error = self.data.get("error")
        return str(error.get(field) or "") if isinstance(error, dict) else ""

    @property
    def code(self) -> str:
        """The error code; empty for a success."""
        return self._error("code")

    @property
    def error_text(self) -> str:
        """Status, code and message of an error on one line."""
        return printable(f"{self.status} {self.code} {self._error('message')}")


class Wire:
    """A connection, its socket and the answer in progress. http.client drops the first two when an answer ends with its
    connection, and they must still be closed. Certificates are checked as the system does.
    """

    def __init__(self, place: Place, token: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        self._path, self._token = place.path, token
        self._answer: HTTPResponse | None = None
        self._connection = (HTTPSConnection if place.tls else HTTPConnection)(place.host, place.port)
        self._connection.auto_open = 0  # it would look up the name again
        self._socket = place.connected(seconds)
        try:
            if place.tls:
                secure = ssl.create_default_context().wrap_socket(
                    self._socket, server_hostname=place.host, do_handshake_on_connect=False
                )
                self._socket = secure
                with self.cut_after(deadline - time.monotonic()):
                    secure.do_handshake()
        except BaseException:
            self._socket.close()
            raise
        self._connection.sock = self._socket

    @property
    def reusable(self) -> bool:
        """Whether the connection is still open after the last answer."""
        return self._connection.sock is not None

    def answer(self, method: str, path: str, body: object = None, key: str = "") -> HTTPResponse:
        """Sends a request and returns the answer, of which only the head has been read."""
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": "application/json, application/x-ndjson",
            "Accept-Language": "en",
            "User-Agent": "damas-arena",
        }
        if key:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, self._path + path, data, headers)
        self._answer = self._connection.getresponse()
        return self._answer

    def set_timeout(self, seconds: float) -> None:
        """Sets how long each read of an answer may take."""
        self._socket.settimeout(seconds)

    def hang_up(self) -> None:
        """Wakes the thread that reads from it; that thread closes it. May be called from any thread."""
        # Not by the method of an SSL socket, which would take the cipher from the thread that still reads.
        with suppress(OSError):
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def cut_after(self, seconds: float) -> Iterator[None]:
        """Hangs up after so many seconds, however slowly bytes arrive. Raises `TimeoutError` if it did: half an answer
        looks like a whole one that ends with its connection.
        """
        cut = threading.Event()

        def end() -> None:
            cut.set()
            self.hang_up()

        timer = threading.Timer(max(seconds, 0.0), end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        if cut.is_set():
            raise TimeoutError("too slow")

    def close(self) -> None:
        """Closes the connection and the answer in progress."""
        with suppress(OSError):
            if self._answer:
                self._answer.close()
            self._connection.close()
            self._socket.close()


class Api:
    """A client of one server that keeps its connection and renews it when it breaks. For one thread."""

    def __init__(self, url: str, token: str, *, own: bool = False) -> None:
        self.url = url
        self._token, self._own = token, own
        self._place: Place | None = None
        self._wire: Wire | None = None

    def wire(self, seconds: float) -> Wire:
        """A new connection, made within so many seconds. The server's name is looked up only for the first one."""
        deadline = time.monotonic() + seconds
        self._place = self._place or find(self.url, own=self._own, seconds=seconds)
        return Wire(self._place, self._token, deadline - time.monotonic())

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        key: str = "",
        seconds: float = REQUEST_TIMEOUT_S,
    ) -> Answer:
        """Sends a request and returns the answer, errors included; raises `RemoteTrouble` if there is none.

        A GET, or a request with an idempotency `key`, counts once however often it is sent: they are retried.
        """
        deadline, pause = time.monotonic() + seconds, 0.1
        while True:
            try:
                answer, retry_after = self._send(method, path, body, key, deadline - time.monotonic())
            except CONNECTION_ERRORS as error:
                self.close()
                trouble = RemoteTrouble(self.url, "away", printable(str(error)) or type(error).__name__)
                if not (key or method == "GET"):
                    raise trouble from None
                retry_after = pause
            else:
                if retry_after is None:
                    return answer
                trouble = RemoteTrouble(self.url, "refused", answer.error_text)
            if time.monotonic() + retry_after >= deadline:
                raise trouble
            time.sleep(retry_after)
            pause = min(2 * pause, 1.0)

    def _send(
        self, method: str, path: str, body: object, key: str, seconds: float
    ) -> tuple[Answer, float | None]:
        """An answer, and after how many seconds to retry, or None."""
        deadline = time.monotonic() + max(seconds, 0.05)
        if self._wire and not self._wire.reusable:
            self.close()
        self._wire = wire = self._wire or self.wire(deadline - time.monotonic())
        left = max(deadline - time.monotonic(), 0.001)
        wire.set_timeout(left)
        with wire.cut_after(left):
            response = wire.answer(method, path, body, key)
            raw = response.read(MAX_BODY_BYTES + 1)
        if len(raw) > MAX_BODY_BYTES:
            raise HTTPException("an answer without end")
        refuse_redirect(self.url, response)
        retry_after = None
        if response.status in RETRY_STATUSES:
            wait = response.headers.get("Retry-After", "")
            retry_after = float(wait) if wait.isdecimal() and len(wait) < 5 else 0.2
        try:
            data = json.loads(raw or b"{}")
        except RecursionError:
            raise HTTPException("an answer that cannot be read") from None
        except ValueError:
            data = {}
        return Answer(response.status, data if isinstance(data, dict) else {}), retry_after

    def close(self) -> None:
        """Closes the connection, if there is one."""
        if self._wire:
            self._wire.close()
            self._wire = None


def knock(name: str, url: str, *, own: bool = False) -> None:
    """Checks that the arena's account may challenge this bot; raises `RemoteTrouble` if not.

    It requests a game under an unknown rulebook: everything else is checked first, and the bot is not disturbed.
    """
    api = Api(url, token_for(url), own=own)
    try:
        answer = api.ask("POST", challenge_path(name), {"rulebook": "?"}, key="knock")
    finally:
        api.close()
    if answer.code != "UNKNOWN_RULEBOOK":
        raise refusal(url, name, answer)


def challenge_path(name: str) -> str:
    """The path at which a player is challenged."""
    return f"/api/challenge/{quote(name, safe='')}"


def refusal(url: str, name: str, answer: Answer) -> RemoteTrouble:
    """The error for a refused challenge, in terms of what the organiser can change."""
    if answer.code == "NO_PLAYER":
        return RemoteTrouble(url, "name", name)
    if answer.status == 401:
        return RemoteTrouble(url, "login", TOKEN)
    if answer.code == "SCOPE":
        return RemoteTrouble(url, "scope", TOKEN)
    return RemoteTrouble(url, "refused", answer.error_text)


def refuse_redirect(url: str, response: HTTPResponse) -> None:
    """Raises `RemoteTrouble` for a redirect: the token is for this server only."""
    if 300 <= response.status < 400:
        where = printable(response.headers.get("Location", ""))
        raise RemoteTrouble(url, "redirect", where)


def printable(text: str) -> str:
    """Any text as one short printable line."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[:1000]).split())
    return line if len(line) <= 200 else line[:199] + "…"
