"""The event stream of one game, read by a thread: keeps the latest state, and when each move first arrived.

Nothing is queued: a state has all the moves of the game, so the newest one is enough.
"""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from damas.errors import RemoteTrouble
from damas.matches.remote.api import (
    CONNECTION_ERRORS,
    REQUEST_TIMEOUT_S,
    Api,
    Wire,
    printable,
    refuse_redirect,
)

MAX_LINE_BYTES = 512 * 1024
"""A game of a thousand plies needs a tenth of it."""
MAX_STREAM_BYTES = 64 * 1024 * 1024
"""All lines of a stream together."""
SILENCE_TIMEOUT_S = 20.0
"""How long nothing may arrive: the server promises a blank line every seven seconds."""
MAX_OPENINGS = 50
"""How often the stream of one game is opened."""

State = dict[str, Any]
"""The server's view of a game."""


class Stream:
    """A stream that `start` opens and that reopens itself for a while when it breaks."""

    def __init__(self, api: Api, game: str) -> None:
        self.door = "bot"
        """The API that the token allows: bot or board."""
        self.full: State = {}
        self.state: State = {}
        self.trouble: RemoteTrouble | None = None
        self.opened = 0
        self._api, self._game = api, game
        self._arrivals: dict[int, float] = {}
        self._present, self._away_since = True, 0.0
        self.connected = False
        """Whether the stream is open now."""
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._wire: Wire | None = None
        self._thread = threading.Thread(target=self._run, name=f"stream of {game}", daemon=True)

    def start(self) -> None:
        """Begins to read."""
        self._thread.start()

    def stop(self) -> None:
        """Stops reading and waits for the thread."""
        self._stop.set()
        if wire := self._wire:
            wire.hang_up()
        if self._thread.is_alive():
            self._thread.join(2.0)

    # The state

    @property
    def status(self) -> str:
        """The server's word: created, started, finished or aborted; empty before the first line."""
        return str(self.state.get("status", ""))

    @property
    def over(self) -> bool:
        """Whether the game has ended on the server."""
        return self.status in ("finished", "aborted")

    @property
    def moves(self) -> list[str]:
        """The moves played on the server."""
        moves: list[str] = self.state.get("moves", [])
        return moves

    @property
    def away(self) -> float:
        """Seconds that the bot has been away from the game since it left or the state last changed; 0 while it is there."""
        return 0.0 if self._present else time.monotonic() - self._away_since

    def arrival(self, ply: int) -> float:
        """When the state first had so many moves."""
        with self._changed:
            return min((at for plies, at in self._arrivals.items() if plies >= ply), default=time.monotonic())

    def wait(self, condition: Callable[[], bool], deadline: float) -> bool:
        """Waits until the condition holds or the deadline; raises `RemoteTrouble` if the server is gone for good."""
        with self._changed:
            while not condition():
                if self.trouble:
                    raise self.trouble
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
            return True

    # The thread

    def _run(self) -> None:
        since = time.monotonic()
        while not self._stop.is_set():
            reason = "the stream ended"
            try:
                if self._read():
                    since = time.monotonic()
            except RemoteTrouble as trouble:
                self._give_up(trouble)
                return
            except CONNECTION_ERRORS as error:
                reason = printable(str(error)) or type(error).__name__
                since = time.monotonic() if self.connected else since
            finally:
                self._hang_up()
            if self.over:
                return
            if time.monotonic() - since > REQUEST_TIMEOUT_S or self.opened >= MAX_OPENINGS:
                self._give_up(RemoteTrouble(self._api.url, "away", reason))
                return
            self._stop.wait(0.2)

    def _hang_up(self) -> None:
        with self._changed:
            self.connected = False
            self._changed.notify_all()
        if self._wire:
            self._wire.close()
            self._wire = None

    def _give_up(self, trouble: RemoteTrouble) -> None:
        with self._changed:
            self.trouble = trouble
            self._changed.notify_all()

    def _read(self) -> bool:
        """Opens the stream and reads it to its end; returns whether it could be opened."""
        self._wire = wire = self._api.wire(REQUEST_TIMEOUT_S)
        if self._stop.is_set():
            return False
        with wire.cut_after(REQUEST_TIMEOUT_S):
            response = wire.answer("GET", f"/api/{self.door}/game/stream/{self._game}")
        wire.set_timeout(SILENCE_TIMEOUT_S)
        refuse_redirect(self._api.url, response)
        if response.status == 403 and self.door == "bot":
            self.door = "board"
            return True
        if response.status != 200:
            if response.status in (401, 403, 404):
                raise RemoteTrouble(self._api.url, "refused", f"{response.status} stream")
            return False
        total = 0
        while not self._stop.is_set():
            line = response.readline(MAX_LINE_BYTES + 1)
            total += len(line)
            if len(line) > MAX_LINE_BYTES or total > MAX_STREAM_BYTES:
                raise RemoteTrouble(self._api.url, "garbage", "a line or a stream without end")
            if not line:
                break
            if line.strip():
                self._update(line)
        return True

    def _update(self, line: bytes) -> None:
        at = time.monotonic()
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RemoteTrouble(
                self._api.url, "garbage", printable(line[:80].decode("utf-8", "replace"))
            ) from None
        kind = value.get("type") if isinstance(value, dict) else None
        with self._changed:
            if kind == "gameFull":
                self.full, value = value, value.get("state")
                self.opened += 1
                self.connected = self._present = True  # the server says at once if the bot is not there
            if kind in ("gameFull", "gameState"):
                moves = value.get("moves") if isinstance(value, dict) else None
                if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
                    raise RemoteTrouble(self._api.url, "garbage", "a state without moves")
                self.state, self._away_since = value, at
                self._arrivals.setdefault(len(moves), at)
            elif kind == "opponentGone":
                gone = bool(value.get("gone"))
                if gone and self._present:
                    self._away_since = at
                self._present = not gone
            self._changed.notify_all()
