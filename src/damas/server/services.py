"""Everything the request handlers of one running server share."""

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from damas.server.security.visitors import Signature
from damas.server.words import Words

if TYPE_CHECKING:
    from damas.server.analysing.analysing import Analysing
    from damas.server.arena.arena import Arena
    from damas.server.classes.boards import Boards
    from damas.server.classes.live import Live
    from damas.server.classes.report import Reports
    from damas.server.club.app_boards import AppBoards
    from damas.server.club.tournaments import Tournaments
    from damas.server.nodes.bus import Bus
    from damas.server.nodes.passing import Passing
    from damas.server.player_events import PlayerEvents
    from damas.server.rooms.lobby import Lobby
    from damas.server.rooms.rooms import Rooms
    from damas.server.security.logins import Logins
    from damas.server.security.rates import Rates
    from damas.server.settings import Settings
    from damas.server.shares import Shares
    from damas.server.store import Store
    from damas.server.web.work import LongRequests
    from damas.server.work.lanes import Work


@dataclass
class Services:
    """Opened by the app's lifespan, the store first, and closed in reverse order."""

    settings: "Settings"
    rates: "Rates"
    words: Words = field(default_factory=Words)
    signature: Signature = field(default_factory=lambda: Signature(secrets.token_bytes(32)))
    """Signs visitors' cookies; replaced by the stored secret's signature when the server opens."""
    store: "Store" = field(init=False)
    bus: "Bus" = field(init=False)
    logins: "Logins" = field(init=False)
    analysing: "Analysing" = field(init=False)
    arena: "Arena" = field(init=False)
    rooms: "Rooms" = field(init=False)
    passing: "Passing" = field(init=False)
    lobby: "Lobby" = field(init=False)
    player_events: "PlayerEvents" = field(init=False)
    tournaments: "Tournaments" = field(init=False)
    app_boards: "AppBoards" = field(init=False)
    boards: "Boards" = field(init=False)
    live: "Live" = field(init=False)
    reports: "Reports" = field(init=False)
    trouble: Exception | None = None
    """Why the server could not start."""
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server stops; streams end when they see it."""
    work: "Work" = field(init=False)
    films: "LongRequests" = field(init=False)
    imports: "LongRequests" = field(init=False)
    proofs: "LongRequests" = field(init=False)
    downloads: "Shares" = field(init=False)

    async def stop_playing(self) -> None:
        """Announces the restart to all players and suspends their games; call it before sockets are closed."""
        if not self.closing.is_set():
            self.closing.set()
            if hasattr(self, "work"):
                self.work.close()
            if hasattr(self, "arena"):
                self.arena.stop()
            if hasattr(self, "rooms"):
                await self.rooms.close()


def services_of(connection: HTTPConnection) -> Services:
    """The services of the app that handles this request or socket."""
    services: Services = connection.app.state.services
    return services
