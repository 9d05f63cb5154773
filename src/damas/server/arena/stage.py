"""The games in progress of a contest, and a signal for spectators who wait for a change."""

import asyncio
import secrets
from typing import Any


class Stage:
    """State for spectators, in one event loop; not kept over a restart."""

    def __init__(self) -> None:
        self.games: dict[str, dict[str, Any]] = {}
        """Games in progress by id."""
        self.has_turn = False
        """Whether it is being played now, rather than waiting for other contests."""
        self._boot, self._revision = secrets.token_hex(4), 0
        self._changed = asyncio.Event()

    @property
    def version(self) -> str:
        """Changes whenever entrants, table or receipts do."""
        return f"{self._boot}-{self._revision}"

    def update(self, message: dict[str, Any]) -> None:
        """Applies a message of the process that plays."""
        kind, game = message["kind"], message.get("id", "")
        if kind == "begun":
            self.games[game] = {key: message[key] for key in ("id", "white", "black", "round")}
        elif kind == "board" and game in self.games:
            self.games[game] |= {key: message[key] for key in ("fen", "last", "ply")}
        elif kind == "over":
            self.games.pop(game, None)
        self.touch(table=kind != "board")

    def touch(self, *, table: bool = True) -> None:
        self._revision += table
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self) -> None:
        """Waits for the next change."""
        await self._changed.wait()
