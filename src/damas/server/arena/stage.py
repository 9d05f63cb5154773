"""What a running server knows about one contest beside its files."""

import asyncio
import secrets
from typing import Any

from damas.server.waiting import Signal
from damas.tournaments.settings import Settings
from damas.tournaments.standings import Standings

Table = tuple[tuple[int, int, int], Settings, Standings]
"""A table, behind the run and the sizes of the files it was built from."""
MAX_TABLES = 8
"""Tables that are kept of a contest."""


class Stage:
    """The process, games in progress and table of one contest, in one event loop; not kept over a restart."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held while the contest is changed."""
        self.writing = asyncio.Lock()
        """Held while its file is written: whoever plays it writes it too."""
        self.task: asyncio.Task[None] | None = None
        """Plays the contest."""
        self.has_turn = False
        """Whether it is being played now, rather than waiting for other contests."""
        self.preparing: dict[str, str] = {}
        """What happens to versions that are being prepared: `compiling` or `checking`, by id."""
        self.games: dict[str, dict[str, Any]] = {}
        """Games in progress by id."""
        self.changed = Signal()
        """Tells spectators about a change."""
        self.table_lock = asyncio.Lock()
        """Held while the table is built: many spectators cost as much as one."""
        self.tables: dict[int, Table] = {}
        """The last tables by run, 0 where there are none."""
        self.rebuild_at = 0.0
        """When the table may be built again, on the monotonic clock."""
        self._boot, self._revision = secrets.token_hex(4), 0

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

    def keep_table(self, run: int, table: Table) -> None:
        """Keeps a table; the one that was built first makes room."""
        self.tables.pop(run, None)
        self.tables[run] = table
        if len(self.tables) > MAX_TABLES:
            del self.tables[next(iter(self.tables))]

    def touch(self, *, table: bool = True) -> None:
        """Tells spectators about a change, of the table too unless `table` is false."""
        self._revision += table
        self.changed.notify()
