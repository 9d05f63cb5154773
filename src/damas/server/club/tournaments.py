"""All tournaments of people of a server: made, found, loaded from the store."""

import asyncio
import secrets
from collections.abc import Callable, Sequence

from damas.arbiter.ledger import FIRST_CHAIN
from damas.server.club.roles import CHIEF, COMPETITORS, Role
from damas.server.club.tournament import Tournament, check_size, competitors, rows_of
from damas.server.rooms.new_game import ID_LETTERS
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Signature
from damas.server.settings import Settings
from damas.server.store import Store
from damas.server.store.rows import TournamentKey, TournamentLine, TournamentRow
from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.events import Created, Entry, Event
from damas.tournaments.hall.log import link, now
from damas.tournaments.hall.state import State

ID_LENGTH = 8
"""Letters of a tournament's id: short enough to be typed from a wall."""
MAX_LOADED = 256
"""Tournaments in memory; the one that was asked for longest ago leaves first."""


class Tournaments:
    """The tournaments of one server. Opened after the store and closed before it."""

    def __init__(self, store: Store, settings: Settings, signature: Signature) -> None:
        self._stored = store.tournaments
        self._signature = signature
        self._limits = settings.limits
        self._is_shared = settings.sqlite_path is None
        """Whether other nodes may write to the same tournaments."""
        self.loaded: list[Callable[[Tournament], None]] = []
        """Called with each tournament that is loaded."""
        self._loaded: dict[str, Tournament] = {}
        self._loading: dict[str, asyncio.Task[Tournament]] = {}

    def __len__(self) -> int:
        return len(self._loaded)

    async def create(
        self,
        conditions: Conditions,
        events: Sequence[Event] = (),
        *,
        owner: str,
        who: str,
        public: bool = True,
        now_ms: int,
    ) -> tuple[Tournament, TournamentKey]:
        """A new tournament that begins with these events, and the chief arbiter's link."""
        entries = [Entry(event, who, now()) for event in (Created(conditions), *events)]
        state, linked = link(State(), FIRST_CHAIN, entries)
        return await self.adopt(state, rows_of(linked), owner=owner, public=public, now_ms=now_ms)

    async def adopt(
        self, state: State, lines: Sequence[TournamentLine], *, owner: str, public: bool = True, now_ms: int
    ) -> tuple[Tournament, TournamentKey]:
        """A tournament with all lines of a log that began elsewhere, and the chief arbiter's link."""
        check_size(state, self._limits)
        head = TournamentRow(
            id="".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH)),
            title=state.conditions.title,
            rulebook=state.conditions.rulebook,
            owner=owner,
            public=public,
            created_ms=now_ms,
            updated_ms=now_ms,
            seq=lines[-1].seq,
            chain=lines[-1].chain,
        )
        chief = new_key(CHIEF, "", now_ms)
        keys = [chief, *competitor_keys(state, {}, now_ms)]
        await self._stored.create(head, lines, keys)
        return await self.find(head.id), chief

    async def find(self, tournament_id: str) -> Tournament:
        """A tournament by its id, as it is now on disk. Raises `ApiError` 404, `DamagedTournament`."""
        loaded = self._loaded.pop(tournament_id, None)
        if loaded is not None:
            self._loaded[tournament_id] = loaded  # the last to leave
            if self._is_shared and (head := await self._stored.head(tournament_id)):
                if (head.chain, head.updated_ms) != (loaded.chain, loaded.head.updated_ms):
                    await loaded.load()
                    loaded.head = head
            return loaded
        loading = self._loading.get(tournament_id)
        if loading is None:
            loading = self._loading[tournament_id] = asyncio.create_task(self._load(tournament_id))
            loading.add_done_callback(lambda _: self._loading.pop(tournament_id, None))
        return await asyncio.shield(loading)

    async def _load(self, tournament_id: str) -> Tournament:
        is_id = len(tournament_id) == ID_LENGTH and all(letter in ID_LETTERS for letter in tournament_id)
        head = await self._stored.head(tournament_id) if is_id else None
        if head is None:
            raise ApiError(404, "NOT_FOUND")
        tournament = Tournament(self._stored, self._signature, self._limits, head)
        await tournament.load()
        while len(self._loaded) >= MAX_LOADED:
            del self._loaded[next(iter(self._loaded))]
        self._loaded[tournament_id] = tournament
        for notice in self.loaded:
            notice(tournament)
        return tournament

    async def latest(self, count: int) -> list[TournamentRow]:
        """The summaries of the tournaments that changed last."""
        return await self._stored.latest(count)


def new_key(role: Role, name: str, now_ms: int) -> TournamentKey:
    """A new link."""
    return TournamentKey(id=secrets.token_hex(6), role=role, name=name, created_ms=now_ms)


def competitor_keys(state: State, keys: dict[str, TournamentKey], now_ms: int) -> list[TournamentKey]:
    """New links of the players and captains who have none."""
    known = {(key.role, state.name_now(key.name)) for key in keys.values() if key.revoked_ms is None}
    return [
        new_key(role, name, now_ms)
        for role in sorted(COMPETITORS)
        for name in competitors(state)[role]
        if (role, name) not in known
    ]
