"""A damas server over plain HTTP. Whatever it sends is a stranger's: bounded in size and time, never followed elsewhere."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import quote, urlsplit

from damas.errors import RemoteTrouble

TOKEN = "DAMAS_ARENA_TOKEN"
"""The environment variable with the token of the arena's account: never an argument, never in a record."""
PATIENCE = 10.0
"""Seconds for one request, with everything that is tried again."""
MOST_BODY = 2 * 1024 * 1024
LATER = (429, 502, 503, 504)
"""Not now: the same may be asked again."""
BROKEN = (OSError, HTTPException, ValueError)
"""What a connection raises when the other end is gone, or speaks something else."""


def token_for(url: str) -> str:
    """Raises `RemoteTrouble` where there is none, or one that cannot be in a header."""
    token = os.environ.get(TOKEN, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        raise RemoteTrouble(url, "token", TOKEN)
    return token


@dataclass(frozen=True)
class Answer:
    status: int
    data: dict[str, Any]

    @property
    def good(self) -> bool:
        return self.status in (200, 201)

    @property
    def code(self) -> str:
        """Of a refusal."""
        error = self.data.get("error")
        return str(error.get("code", "")) if isinstance(error, dict) else ""

    @property
    def told(self) -> str:
        """A refusal as people may read it."""
        error = self.data.get("error")
        message = error.get("message") if isinstance(error, dict) else None
        return printable(f"{self.status} {self.code} {message or ''}")


class Wire:
    """A connection, its socket and the answer under way: http.client lets go of the first two where an answer ends with
    its connection, and they must still be cut and closed. Certificates are checked as the system does.
    """

    def __init__(self, url: str, token: str, timeout: float) -> None:
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._connection = kind(parts.hostname or "", parts.port, timeout=timeout)
        self._path, self._token = parts.path, token
        self._connection.connect()
        self._socket: socket.socket = self._connection.sock
        self._answer: HTTPResponse | None = None

    @property
    def reusable(self) -> bool:
        return self._connection.sock is not None

    def answer(self, method: str, path: str, body: object = None, key: str = "") -> HTTPResponse:
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

    def wait(self, seconds: float) -> None:
        """How long it waits for each bit of an answer."""
        self._socket.settimeout(seconds)

    def hang_up(self) -> None:
        """Wakes whoever reads from it, from any thread; the reader closes it."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def cut_after(self, seconds: float) -> Iterator[None]:
        """However slowly bytes drip. Raises `TimeoutError` where it was cut: half an answer looks like a whole one that
        ends with its connection.
        """
        cut = threading.Event()

        def end() -> None:
            cut.set()
            self.hang_up()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        if cut.is_set():
            raise TimeoutError("too slow")

    def close(self) -> None:
        with suppress(OSError):
            if self._answer:
                self._answer.close()
            self._connection.close()
            self._socket.close()


class Api:
    """One wire, which is kept and drawn anew when it breaks. Used by one thread."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self._token = token
        self._wire: Wire | None = None

    def wire(self, timeout: float) -> Wire:
        """A new one."""
        return Wire(self.url, self._token, timeout)

    def ask(
        self, method: str, path: str, body: object = None, *, key: str = "", seconds: float = PATIENCE
    ) -> Answer:
        """The answer of the server, whatever it says. Raises `RemoteTrouble` where none came.

        A request with a `key` counts once however often it is sent, and so does a GET: they are sent again.
        """
        deadline, pause = time.monotonic() + seconds, 0.1
        while True:
            try:
                answer, later = self._once(method, path, body, key, deadline - time.monotonic())
            except BROKEN as why:
                self.close()
                trouble = RemoteTrouble(self.url, "away", printable(str(why)) or type(why).__name__)
                if not (key or method == "GET"):
                    raise trouble from None
                later = pause
            else:
                if later is None:
                    return answer
                trouble = RemoteTrouble(self.url, "refused", answer.told)
            if time.monotonic() + later >= deadline:
                raise trouble
            time.sleep(later)
            pause = min(2 * pause, 1.0)

    def _once(
        self, method: str, path: str, body: object, key: str, seconds: float
    ) -> tuple[Answer, float | None]:
        """An answer, and after how many seconds to ask again if it says so."""
        seconds = max(seconds, 0.05)
        if self._wire and not self._wire.reusable:
            self.close()
        self._wire = wire = self._wire or self.wire(seconds)
        wire.wait(seconds)
        with wire.cut_after(seconds):
            response = wire.answer(method, path, body, key)
            raw = response.read(MOST_BODY + 1)
        if len(raw) > MOST_BODY:
            raise HTTPException("an answer without end")
        refuse_redirect(self.url, response)
        later = None
        if response.status in LATER:
            wait = response.headers.get("Retry-After", "")
            later = float(wait) if wait.isdecimal() and len(wait) < 5 else 0.2
        try:
            data = json.loads(raw or b"{}")
        except RecursionError:
            raise HTTPException("an answer that cannot be read") from None
        except ValueError:
            data = {}
        return Answer(response.status, data if isinstance(data, dict) else {}), later

    def close(self) -> None:
        if self._wire:
            self._wire.close()
            self._wire = None


def knock(name: str, url: str) -> None:
    """Whether the arena's account may challenge somebody of that name; raises `RemoteTrouble` where not.

    It asks for a game under rules that nobody has: all but the game is checked, and the bot is not disturbed.
    """
    api = Api(url, token_for(url))
    try:
        answer = api.ask("POST", challenge_path(name), {"rulebook": "?"}, key="knock")
    finally:
        api.close()
    if answer.code != "UNKNOWN_RULEBOOK":
        raise refusal(url, name, answer)


def challenge_path(name: str) -> str:
    return f"/api/challenge/{quote(name, safe='')}"


def refusal(url: str, name: str, answer: Answer) -> RemoteTrouble:
    """What a challenge was refused for, as the organiser can mend it."""
    if answer.code == "NO_PLAYER":
        return RemoteTrouble(url, "name", name)
    if answer.status == 401:
        return RemoteTrouble(url, "login", TOKEN)
    if answer.code == "SCOPE":
        return RemoteTrouble(url, "scope", TOKEN)
    return RemoteTrouble(url, "refused", answer.told)


def refuse_redirect(url: str, response: HTTPResponse) -> None:
    """The token is for this server: it goes nowhere else."""
    if 300 <= response.status < 400:
        where = printable(response.headers.get("Location", ""))
        raise RemoteTrouble(url, "redirect", where)


def printable(text: str) -> str:
    """A stranger's text on one short line."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in text[:1000]).split())
    return line if len(line) <= 200 else line[:199] + "…"
