"""The house: everything the handlers of one running server share."""

import asyncio
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from damas.server.security.visitors import Signature
from damas.server.words import Words

if TYPE_CHECKING:
    from damas.server.analysing import Analysing
    from damas.server.arena.arena import Arena
    from damas.server.calls import Calls
    from damas.server.errands import Errands, Shares
    from damas.server.rooms.lobby import Lobby
    from damas.server.rooms.rooms import Rooms
    from damas.server.security.logins import Logins
    from damas.server.security.rates import Rates
    from damas.server.settings import Settings
    from damas.server.store import Store


@dataclass
class House:
    """Opened by the lifespan of the app, store first, and closed in the reverse order. Until then it has no rooms."""

    settings: "Settings"
    rates: "Rates"
    words: Words = field(default_factory=Words)
    signature: Signature = field(default_factory=lambda: Signature(secrets.token_bytes(32)))
    """Of visitors' cookies; the server's own once it is open."""
    store: "Store" = field(init=False)
    logins: "Logins" = field(init=False)
    analysing: "Analysing" = field(init=False)
    arena: "Arena" = field(init=False)
    rooms: "Rooms" = field(init=False)
    lobby: "Lobby" = field(init=False)
    calls: "Calls" = field(init=False)
    trouble: Exception | None = None
    """Why the house could not be opened."""
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server stops: streams end when they see it."""
    films: "Errands" = field(init=False)
    imports: "Errands" = field(init=False)
    downloads: "Shares" = field(init=False)

    async def say_goodbye(self) -> None:
        """Before the sockets close: rooms tell their players that the server will be back, and stop the clocks."""
        if not self.closing.is_set():
            self.closing.set()
            if hasattr(self, "arena"):
                self.arena.stop()
            if hasattr(self, "rooms"):
                await self.rooms.close()


def house_of(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house
