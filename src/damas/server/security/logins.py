"""Logins and tokens in use: who they belong to, and the end of everything they opened when they are revoked."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from damas.server.security.visitors import Visitor
from damas.server.store.errors import StoreError
from damas.server.store.keys import fingerprint

if TYPE_CHECKING:
    from damas.server.store import Store

log = logging.getLogger("damas")

KEPT_S = 15.0
"""How long an answer of the store is believed. A revocation in this process is seen at once all the same."""
CHECKED_EVERY_S = 60.0
"""How often an open socket's login is asked for again: it may have expired, or been revoked by another process."""
MOST_KEPT = 10_000
TRIES = 3
PERSON = frozenset({"board:play", "tournament:write", "arbiter:write"})
"""What somebody at a page may do; a program may do what its token says."""


class Logins:
    """What the door asks."""

    def __init__(self, store: "Store") -> None:
        self._people = store.people
        self._known: dict[str, tuple[Visitor | None, float]] = {}
        self._open: dict[tuple[str, str], set[asyncio.Event]] = {}
        self._changes = 0
        """How often something may have been revoked."""
        self._watch: asyncio.Task[None] | None = None

    async def visitor(self, token: str) -> Visitor | None:
        """Whoever this token or login belongs to; None where it is not, or no longer, valid."""
        if not 20 <= len(token) <= 100:
            return None
        key = fingerprint(token)
        known, until = self._known.get(key, (None, 0.0))
        if until > time.monotonic():
            return known
        for _ in range(TRIES):
            before = self._changes
            found = await self._asked(token)
            if self._changes == before:
                break
            # Something was revoked meanwhile, perhaps this, and perhaps after the store was asked.
        else:
            return found
        if len(self._known) >= MOST_KEPT:
            self._known.clear()
        self._known[key] = found, time.monotonic() + KEPT_S
        return found

    async def _asked(self, token: str) -> Visitor | None:
        if token.startswith("dam_"):
            shown = await self._people.token(token)
            if shown is None:
                return None
            owner = shown.account
            bot = owner.bot or "bot:play" in shown.scopes
            return Visitor(owner.id, owner.name, owner.id, bot, shown.scopes, shown.id)
        login = await self._people.login(token)
        if login is None:
            return None
        owner = login.account
        return Visitor(owner.id, owner.name, owner.id, owner.bot, PERSON, login.key)

    # The end of a login

    async def changed(self, account: str) -> None:
        """Logins or tokens of this account may have ended: what those opened that did is closed."""
        self._changes += 1
        self._known = {
            key: (visitor, until)
            for key, (visitor, until) in self._known.items()
            if visitor is not None and visitor.account != account
        }
        held = [(mark, events) for mark, events in self._open.items() if mark[0] == account]
        if not held:
            return
        valid = {login.key for login in await self._people.logins(account)}
        valid |= {token.id for token in await self._people.tokens(account)}
        for (_, login), events in held:
            if login not in valid:
                for event in events:
                    event.set()

    @asynccontextmanager
    async def holding(self, visitor: Visitor) -> AsyncIterator[asyncio.Event]:
        """An event that is set when the login ends by which something is open."""
        assert visitor.account and visitor.login
        mark, ended = (visitor.account, visitor.login), asyncio.Event()
        self._open.setdefault(mark, set()).add(ended)
        try:
            yield ended
        finally:
            self._open[mark].discard(ended)
            if not self._open[mark]:
                del self._open[mark]

    def start(self) -> None:
        self._watch = asyncio.create_task(self._look_again())

    async def close(self) -> None:
        if self._watch:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch

    async def _look_again(self) -> None:
        """Ends what was opened by a login that has since expired, or was revoked by another process."""
        while True:
            await asyncio.sleep(CHECKED_EVERY_S)
            for account in {account for account, _ in self._open}:
                try:
                    await self.changed(account)
                except StoreError as trouble:
                    log.warning("logins not checked: %s", trouble)
