"""The stream of one game, read by a thread of its own: the latest state is kept, and when each move was first heard of.

Nothing is queued, so that nothing grows: a state has all the moves of the game, and the newest one says it all.
"""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from damas.arena.remote.api import BROKEN, PATIENCE, Api, Wire, printable, refuse_redirect
from damas.errors import RemoteTrouble

MOST_LINE = 512 * 1024
"""Bytes. A game of a thousand plies needs a tenth of it."""
SILENCE = 20.0
"""Seconds without even a blank line: one is promised every seven."""
MOST_OPENED = 50
"""Times that one game's stream is opened."""

State = dict[str, Any]


class Stream:
    """Opened by `start`; comes back by itself when it breaks, for a while."""

    def __init__(self, api: Api, game: str) -> None:
        self.door = "bot"
        """bot or board, as the token allows."""
        self.full: State = {}
        self.state: State = {}
        self.trouble: RemoteTrouble | None = None
        self.opened = 0
        self._api, self._game = api, game
        self._heard: dict[int, float] = {}
        self._here, self._left_at = False, 0.0
        self._open = False
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._wire: Wire | None = None
        self._thread = threading.Thread(target=self._run, name=f"stream of {game}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if wire := self._wire:
            wire.hang_up()
        if self._thread.is_alive():
            self._thread.join(2.0)

    # What is known

    @property
    def status(self) -> str:
        """As the server says it: created, started, finished, aborted; nothing before the first line."""
        return str(self.state.get("status", ""))

    @property
    def over(self) -> bool:
        return self.status in ("finished", "aborted")

    @property
    def moves(self) -> list[str]:
        found: list[str] = self.state.get("moves", [])
        return found

    @property
    def away(self) -> float:
        """Seconds since the bot left the game; 0 while it is there, and for one that never came to look."""
        return 0.0 if self._here or not self._left_at else time.monotonic() - self._left_at

    @property
    def connected(self) -> bool:
        return self._open

    def heard(self, ply: int) -> float:
        """The moment at which so many moves were first known."""
        with self._changed:
            return min((at for plies, at in self._heard.items() if plies >= ply), default=time.monotonic())

    def wait(self, happened: Callable[[], bool], deadline: float) -> bool:
        """Until it has happened, or the deadline. Raises `RemoteTrouble` where the server is gone for good."""
        with self._changed:
            while not happened():
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
            why = "the stream ended"
            try:
                if self._read():
                    since = time.monotonic()
            except RemoteTrouble as trouble:
                self._give_up(trouble)
                return
            except BROKEN as broken:
                why = printable(str(broken)) or type(broken).__name__
                since = time.monotonic() if self._open else since
            finally:
                self._hang_up()
            if self.over:
                return
            if time.monotonic() - since > PATIENCE or self.opened >= MOST_OPENED:
                self._give_up(RemoteTrouble(self._api.url, "away", why))
                return
            self._stop.wait(0.2)

    def _hang_up(self) -> None:
        with self._changed:
            self._open = False
            self._changed.notify_all()
        if self._wire:
            self._wire.close()
            self._wire = None

    def _give_up(self, trouble: RemoteTrouble) -> None:
        with self._changed:
            self.trouble = trouble
            self._changed.notify_all()

    def _read(self) -> bool:
        """Opens the stream and reads it to its end; whether it could be opened."""
        self._wire = wire = self._api.wire(SILENCE)
        if self._stop.is_set():
            return False
        response = wire.answer("GET", f"/api/{self.door}/game/stream/{self._game}")
        refuse_redirect(self._api.url, response)
        if response.status == 403 and self.door == "bot":
            self.door = "board"
            return True
        if response.status != 200:
            if response.status in (401, 403, 404):
                raise RemoteTrouble(self._api.url, "refused", f"{response.status} stream")
            return False
        while not self._stop.is_set():
            line = response.readline(MOST_LINE + 1)
            if len(line) > MOST_LINE:
                raise RemoteTrouble(self._api.url, "garbage", "a line without end")
            if not line:
                break
            if line.strip():
                self._hear(line)
        return True

    def _hear(self, line: bytes) -> None:
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
                self._open = True
            if kind in ("gameFull", "gameState"):
                moves = value.get("moves") if isinstance(value, dict) else None
                if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
                    raise RemoteTrouble(self._api.url, "garbage", "a state without moves")
                self.state = value
                self._heard.setdefault(len(moves), at)
            elif kind == "opponentGone":
                gone = bool(value.get("gone"))
                if gone and self._here:
                    self._left_at = at
                self._here = not gone
            self._changed.notify_all()
