"""Logins and tokens in use: whose they are, and closing what they opened when they end."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from damas.server.nodes.bus import Bus
from damas.server.security.visitors import Visitor
from damas.server.store.classes import LOGIN
from damas.server.store.errors import StoreError
from damas.server.store.keys import fingerprint

if TYPE_CHECKING:
    from damas.server.store import Store

log = logging.getLogger("damas")

CACHE_S = 15.0
"""How long an answer of the store is cached. A revocation takes effect at once all the same, in other processes as soon as they hear of it."""
CHECK_INTERVAL_S = 60.0
"""How often the logins of open sockets are checked: they may expire, or be revoked by another process."""
MAX_CACHED = 10_000
"""Answers of the store in the cache; beyond them it is emptied."""
TRIES = 3
"""How often the store is asked again when something is revoked meanwhile."""
PERSON = frozenset({"board:play", "tournament:write", "arbiter:write"})
"""Scopes of a person at a page."""


class Logins:
    """Finds the visitor of a token, and tells open connections when their login ends."""

    def __init__(self, store: "Store", bus: Bus) -> None:
        self._people = store.people
        self._classes = store.classes
        self._cache: dict[str, tuple[Visitor | None, float]] = {}
        """Visitor and end of validity, by the hash of the token."""
        self._bus = bus
        self._tasks: set[asyncio.Task[None]] = set()
        bus.subscribe("logins", self._changed_elsewhere)
        bus.when_missed(self._forget)
        self._open: dict[tuple[str, str], set[asyncio.Event]] = {}
        """Events of open connections, by account or pupil, and login."""
        self._changes = 0
        """Number of possible revocations."""
        self._watch: asyncio.Task[None] | None = None

    async def visitor(self, token: str) -> Visitor | None:
        """The visitor to whom a token or login belongs; None if it is not valid."""
        if not 20 <= len(token) <= 100:
            return None
        key = fingerprint(token)
        cached, until = self._cache.get(key, (None, 0.0))
        if until > time.monotonic():
            return cached
        for _ in range(TRIES):
            before = self._changes
            visitor = await self._load(token)
            if self._changes == before:
                break
            # Something was revoked meanwhile, perhaps this token, and perhaps after the store was read.
        else:
            return visitor
        if len(self._cache) >= MAX_CACHED:
            self._cache.clear()
        self._cache[key] = visitor, time.monotonic() + CACHE_S
        return visitor

    async def _load(self, token: str) -> Visitor | None:
        if token.startswith("dam_"):
            program = await self._people.token(token)
            if program is None:
                return None
            owner = program.account
            bot = owner.bot or "bot:play" in program.scopes
            return Visitor(owner.id, owner.name, owner.id, bot, program.scopes, program.id)
        if token.startswith(LOGIN):
            pupil = await self._classes.login(token)
            if pupil is None:
                return None
            return Visitor(pupil.pupil, "", login=pupil.key, school_class=pupil.school_class)
        login = await self._people.login(token)
        if login is None:
            return None
        owner = login.account
        return Visitor(owner.id, owner.name, owner.id, owner.bot, PERSON, login.key)

    # The end of a login

    async def changed(self, account: str) -> None:
        """Logins or tokens of this account or pupil may have ended: closes what the ended ones opened, at all nodes."""
        self._bus.publish("logins", account)
        await self._close_ended(account)

    def _changed_elsewhere(self, account: str) -> None:
        async def close_ended() -> None:
            try:
                await self._close_ended(account)
            except StoreError as trouble:
                log.warning("logins not checked: %s", trouble)

        task = asyncio.create_task(close_ended())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self) -> None:
        self._changes += 1
        self._cache = {}

    async def _close_ended(self, account: str) -> None:
        self._changes += 1
        self._cache = {
            key: (visitor, until)
            for key, (visitor, until) in self._cache.items()
            if visitor is not None and visitor.id != account
        }
        held = [(key, events) for key, events in self._open.items() if key[0] == account]
        if not held:
            return
        valid = {login.key for login in await self._people.logins(account)}
        valid |= {token.id for token in await self._people.tokens(account)}
        valid |= await self._classes.login_keys(account)
        for (_, login), events in held:
            if login not in valid:
                for event in events:
                    event.set()

    @asynccontextmanager
    async def holding(self, visitor: Visitor) -> AsyncIterator[asyncio.Event]:
        """An event that is set when the visitor's login ends."""
        assert visitor.login
        key, ended = (visitor.id, visitor.login), asyncio.Event()
        self._open.setdefault(key, set()).add(ended)
        try:
            yield ended
        finally:
            self._open[key].discard(ended)
            if not self._open[key]:
                del self._open[key]

    def start(self) -> None:
        """Starts the regular check."""
        self._watch = asyncio.create_task(self._check_regularly())

    async def close(self) -> None:
        """Ends the regular check."""
        if self._watch:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch

    async def _check_regularly(self) -> None:
        """Closes what was opened by logins that have expired or were revoked by another process."""
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            for account in {account for account, _ in self._open}:
                try:
                    await self._close_ended(account)
                except StoreError as trouble:
                    log.warning("logins not checked: %s", trouble)
