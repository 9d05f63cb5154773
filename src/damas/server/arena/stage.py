"""What moves in a contest while people watch: the games in play, and a sign for those who wait for a change."""

import asyncio
import secrets
from typing import Any


class Stage:
    """Belongs to one event loop. Nothing here is needed after a restart."""

    def __init__(self) -> None:
        self.games: dict[str, dict[str, Any]] = {}
        """In play, by id."""
        self.has_turn = False
        """Whether it is being played now, and not waiting for others to end."""
        self._boot, self._table = secrets.token_hex(4), 0
        self._changed = asyncio.Event()

    @property
    def version(self) -> str:
        """Of everything that is not in play: entrants, table, receipts."""
        return f"{self._boot}-{self._table}"

    def hear(self, told: dict[str, Any]) -> None:
        """A line of the process that plays."""
        kind, game = told["kind"], told.get("id", "")
        if kind == "begun":
            self.games[game] = {key: told[key] for key in ("id", "white", "black", "round")}
        elif kind == "board" and game in self.games:
            self.games[game] |= {key: told[key] for key in ("fen", "last", "ply")}
        elif kind == "over":
            self.games.pop(game, None)
        self.touch(table=kind != "board")

    def touch(self, *, table: bool = True) -> None:
        self._table += table
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait(self) -> None:
        """For the next change."""
        await self._changed.wait()
