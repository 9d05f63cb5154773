"""A connection to another program."""

import socket
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Self

from damas.errors import DamasError
from damas.game import Move, Position
from damas.language import Saying
from damas.notation import dxp
from damas.notation.dxp import Answer, Back, BackAnswer, Chat, End, Message, MoveMessage, Request

CALL_TIMEOUT_S = 10.0
"""How long a program that was started may take until it listens."""
ANSWER_TIMEOUT_S = 20.0
"""How long an answer may take that needs no thinking."""
GRACE_S = 2.0
"""How much longer than its time a program is waited for."""
RECEIVE_BYTES = 4096
"""Bytes that are read at a time."""
REFUSALS = {
    dxp.OTHER_VERSION: "refused_version",
    dxp.OTHER_CONDITIONS: "refused_conditions",
    dxp.REFUSED: "refused",
}
"""The key of the sentence for each code of a refused game."""
FAULT_CODES = {
    "late": "TIMEOUT",
    "illegal_message": "INVALID_MOVE",
    "no_message": "GARBAGE",
    "long_message": "TOO_MUCH_OUTPUT",
}
"""The fault of a player by the key of its error; CRASH for any other."""


class DxpError(Exception):
    """The other program broke the protocol, was late or hung up; `key` names the sentence under `forfeit`."""

    def __init__(self, key: str, facts: Mapping[str, object] | None = None, raw: bytes = b"") -> None:
        super().__init__(key, facts, raw)
        self.key = key
        self.raw = raw
        """The move that was refused, as it was sent; empty for any other error."""
        self.saying = Saying(f"forfeit.{key}", facts or {})

    @property
    def fault_code(self) -> str:
        """The code of the fault that a player commits by this."""
        return FAULT_CODES.get(self.key, "CRASH")

    def __str__(self) -> str:
        return self.saying.sentence("en")


class Connection:
    """Sends and receives messages, each of which ends with a zero byte."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._buffer = b""

    @classmethod
    def call(
        cls,
        host: str,
        port: int,
        timeout_s: float = CALL_TIMEOUT_S,
        check: Callable[[], None] | None = None,
    ) -> Self:
        """Tries until a program listens there; raises `DxpError` if none does. `check` is called before each new attempt,
        and raises an exception if it is in vain.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                return cls(socket.create_connection((host, port), timeout=1.0))
            except OSError as error:
                if time.monotonic() > deadline:
                    if isinstance(error, socket.gaierror):
                        raise DxpError("no_host", {"host": host}) from None
                    raise DxpError("nobody", {"address": f"{host}:{port}"}) from None
                if check:
                    check()
                time.sleep(0.05)

    def send(self, message: Message) -> None:
        """Sends a message; raises `DxpError` if the other program has hung up."""
        try:
            self._socket.settimeout(ANSWER_TIMEOUT_S)
            self._socket.sendall(dxp.write(message).encode("latin-1", "replace") + b"\0")
        except OSError:
            raise DxpError("hung_up") from None

    def receive(self, deadline: float | None) -> Message:
        """The next message; raises `DxpError` if it is late or unreadable, or if the connection is closed."""
        while b"\0" not in self._buffer:
            if len(self._buffer) > dxp.MAX_MESSAGE_CHARS:
                raise DxpError("long_message")
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise DxpError("late")  # whatever else it sends: talking is not answering
            try:
                self._socket.settimeout(left)
                chunk = self._socket.recv(RECEIVE_BYTES)
            except TimeoutError:
                raise DxpError("late") from None
            except OSError:
                chunk = b""
            if not chunk:
                raise DxpError("hung_up")
            self._buffer += chunk
        data, _, self._buffer = self._buffer.partition(b"\0")
        text = data.decode("latin-1")
        try:
            return dxp.read(text)
        except DamasError:
            raise DxpError("no_message", {"said": text[: dxp.MAX_MESSAGE_CHARS]}) from None

    def receive_move(self, deadline: float) -> MoveMessage | End:
        """Waits for a move or the end of the game; moves are not taken back, and no other message moves the deadline."""
        while not isinstance(message := self.receive(deadline), MoveMessage | End):
            if isinstance(message, Back):
                self.send(BackAnswer(dxp.REFUSED))
        return message

    def receive_end(self) -> End:
        """Waits until the other program says that the game is over."""
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while not isinstance(message := self.receive(deadline), End):
            pass
        return message

    def request_game(self, request: Request) -> Answer:
        """Requests a game; raises `DxpError` if the other program does not accept it."""
        self.send(request)
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        answer = self.receive(deadline)
        while isinstance(answer, Chat | End):  # of the game before
            answer = self.receive(deadline)
        if not isinstance(answer, Answer):
            raise DxpError("no_game", {"said": dxp.write(answer)})
        if answer.code != dxp.ACCEPTED:
            raise DxpError(REFUSALS[answer.code], {"name": answer.name or "DXP"})
        return answer

    def close(self) -> None:
        """Closes the connection; a thread that waits for a message gets `DxpError`."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with suppress(OSError):
            self._socket.close()


def read_move(position: Position, message: MoveMessage) -> Move:
    """The move of a message; raises `DxpError` if it is not legal."""
    try:
        return dxp.read_move(position, message)
    except DamasError:
        squares = f"{message.origin}{'x' if message.taken else '-'}{message.destination}"
        text = dxp.write(message)
        raw = text.encode("latin-1", "replace")
        raise DxpError("illegal_message", {"move": squares, "said": text}, raw) from None
