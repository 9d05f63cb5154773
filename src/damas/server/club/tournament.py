"""One tournament of people in memory: its state, what is on disk, its links, and who waits for changes."""

import asyncio
import json
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import cast

import msgspec

from damas.arbiter.ledger import FIRST_CHAIN, canonical
from damas.errors import DamagedTournament, TournamentRefused
from damas.server.club.roles import COMPETITORS, Role
from damas.server.security.errors import ApiError
from damas.server.security.visitors import Signature
from damas.server.settings import Limits
from damas.server.store.errors import DuplicateRequest, Overtaken, StoreFailed
from damas.server.store.rows import TournamentKey, TournamentLine, TournamentRow
from damas.server.store.tournaments import Tournaments as Stored
from damas.server.waiting import Signal
from damas.tournaments.hall.events import Entered, Entry, Event, Place, SquadNamed
from damas.tournaments.hall.log import entry_of, link, now
from damas.tournaments.hall.state import State, restore

MakeEvents = Callable[[State], Sequence[Event]]
"""The events that follow from a state; called again if the state has changed meanwhile."""


class Tournament:
    """Loaded by `Tournaments`; only `add` writes to its log."""

    def __init__(self, stored: Stored, signature: Signature, limits: Limits, head: TournamentRow) -> None:
        self._stored = stored
        self._limits = limits
        self._signature = signature
        self.head = head
        self.state = State()
        self.chain = FIRST_CHAIN
        self.client_ids: set[str] = set()
        """Ids of requests that have been carried out."""
        self.keys: dict[str, TournamentKey] = {}
        self.changed = Signal()
        """Tells everybody who looks at the tournament about a change."""
        self.wanting: dict[tuple[int, Place], dict[str, str]] = {}
        """Players who want to play their board in the app, by round and board: their visitor ids by name."""
        self.undecided: dict[str, str] = {}
        """Signs of boards whose games in the app are over without a result for the encounter, by their first game: a tie
        in a knock-out, or with `*` for a game that has no result.
        """
        self._lock = asyncio.Lock()
        self._boot, self._changes = secrets.token_hex(3), 0
        self._is_stale = False
        """Whether a write may be on disk that memory does not have."""

    @property
    def id(self) -> str:
        """Its id in addresses."""
        return self.head.id

    @property
    def version(self) -> str:
        """Changes with every entry, every link, and whatever else its pages show."""
        return f"{len(self.state.entries)}-{self._boot}-{self._changes}"

    def touch(self) -> None:
        """Tells everybody who looks at the tournament about a change."""
        self._changes += 1
        self.changed.notify()

    async def load(self) -> None:
        """Reads what is on disk and not yet in memory. Raises `DamagedTournament`."""
        entries, chain = list(self.state.entries), self.chain
        lines = await self._stored.lines(self.id, len(entries))
        self.keys = {key.id: key for key in await self._stored.keys(self.id)}
        try:
            for line in lines:
                content = {**json.loads(line.data), "chain": line.chain}
                entry, chain = entry_of(content, len(entries) + 1, chain)
                entries.append(entry)
            state = restore(tuple(entries))
        except (ValueError, TypeError, DamagedTournament, TournamentRefused):
            raise DamagedTournament(self.id, f"line {len(entries) + 1}") from None
        self.state, self.chain = state, chain
        self.client_ids |= {line.client_id for line in lines if line.client_id}
        self._is_stale = False
        self.touch()

    async def add(
        self,
        make: MakeEvents,
        *,
        who: str,
        why: str = "",
        client_id: str | None = None,
        keys: Callable[[State], Sequence[TournamentKey]] = lambda _: (),
        now_ms: int,
    ) -> bool:
        """Adds the events that follow from the state, all or none; when this returns they are on disk.

        A request whose `client_id` is on disk already adds nothing more: returns False. Raises `TournamentRefused`.
        """
        async with self._lock:
            while True:
                if self._is_stale:
                    await self.load()
                if client_id in self.client_ids:
                    return False
                entries = [Entry(event, who, now(), why) for event in make(self.state)]
                if not entries:
                    return False
                check_coming(entries, self._limits)
                state, linked = link(self.state, self.chain, entries)
                check_size(state, self._limits)
                lines = rows_of(linked, client_id)
                new_keys = keys(state)
                try:
                    await self._stored.append(self.id, self.chain, lines, new_keys, now_ms)
                except DuplicateRequest:
                    self._is_stale = True
                    continue
                except Overtaken:
                    self._is_stale = True
                    continue
                except StoreFailed as failed:
                    self._is_stale = failed.unknown
                    raise
                except BaseException:  # cancelled while the disk was writing
                    self._is_stale = True
                    raise
                self.state, self.chain = state, lines[-1].chain
                self.head = msgspec.structs.replace(self.head, updated_ms=now_ms)
                self.client_ids |= {client_id} if client_id else set()
                self.keys |= {key.id: key for key in new_keys}
                self.touch()
                return True

    # Links

    async def add_key(self, key: TournamentKey) -> None:
        """Makes a link."""
        updated_ms = await self._stored.add_key(self.id, key)
        self.head = msgspec.structs.replace(self.head, updated_ms=updated_ms)
        self.keys[key.id] = key
        self.touch()

    async def revoke_key(self, key_id: str, now_ms: int) -> None:
        """Makes a link open nothing any more."""
        updated_ms = await self._stored.revoke_key(self.id, key_id, now_ms)
        self.head = msgspec.structs.replace(self.head, updated_ms=updated_ms)
        self.keys[key_id] = msgspec.structs.replace(self.keys[key_id], revoked_ms=now_ms)
        self.touch()

    def secret(self, key: TournamentKey) -> str:
        """What stands in a link; it is derived, so nothing secret is stored."""
        return self._signature.tournament_key(self.id, key.id)

    def pin(self, key: TournamentKey) -> str:
        """The digits that open the same as the link; more where any of several PINs opens more than one's own board."""
        return self._signature.tournament_pin(self.id, key.id, 6 if key.role in COMPETITORS else 8)

    def key_of(self, secret: str) -> TournamentKey | None:
        """The link of a secret, if it still opens something."""
        key = self.keys.get(secret.partition(".")[0])
        if key is None or not self.opens(key):
            return None
        return key if self._signature.is_tournament_key(self.id, key.id, secret) else None

    def key_of_pin(self, name: str, pin: str) -> TournamentKey | None:
        """The link of a player or a captain and a PIN, or of a PIN of the staff where there is no name.

        A player is named as at the desk: by the name, its number or a part of it, however it is written. A captain is
        named by the team in the same way.
        """
        named = {
            "player": self._found(self.state.find_person, name),
            "captain": self._found(self.state.find, name),
        }
        for key in self.keys.values():
            fits = self.name_of(key) == named[key.role] if key.role in COMPETITORS else not name
            if fits and self.opens(key) and self.pin(key) == pin:
                return key
        return None

    def _found(self, find: Callable[[str], str], name: str) -> str:
        """Whom a name means; empty for nobody."""
        try:
            return find(name) if name else ""
        except TournamentRefused:
            return ""

    def name_of(self, key: TournamentKey) -> str:
        """Whose link it is, by the name that stands for a corrected one."""
        return self.state.name_now(key.name) if key.role in COMPETITORS else key.name

    def opens(self, key: TournamentKey) -> bool:
        """Whether a link still opens something."""
        if key.revoked_ms is not None:
            return False
        return key.role not in COMPETITORS or self.name_of(key) in competitors(self.state)[key.role]

    def role_of(self, secret: str) -> tuple[Role, str]:
        """The role of a secret, and the player's name or the note on whose link it is."""
        key = self.key_of(secret)
        return (cast("Role", key.role), self.name_of(key)) if key else ("visitor", "")


def competitors(state: State) -> dict[str, Collection[str]]:
    """Who has a link by entering, for each role of such links."""
    teams = state.players if state.conditions.boards else ()
    return {"player": state.people, "captain": teams}


def check_coming(entries: Sequence[Entry], limits: Limits) -> None:
    """Raises `ApiError` if entries alone name more players than a tournament may have, before each is decided."""
    for kind in (Entered, SquadNamed):
        counts = (len(each.event.players) for each in entries if isinstance(each.event, kind))
        if sum(counts) > limits.tournament_players:
            raise full(limits)


def check_size(state: State, limits: Limits) -> None:
    """Raises `ApiError` if a tournament is larger than one may be."""
    count = max(len(state.players), len(state.people))
    if count > limits.tournament_players or len(state.entries) > limits.tournament_entries:
        raise full(limits)


def full(limits: Limits) -> ApiError:
    """The refusal of more players or entries than a tournament may have."""
    most = {"players": limits.tournament_players, "entries": limits.tournament_entries}
    return ApiError(400, "TOURNAMENT_FULL", **most)


def rows_of(linked: Sequence[dict[str, object]], client_id: str | None = None) -> list[TournamentLine]:
    """Lines of a log as rows; the first of them has the id of the request."""
    rows = []
    for place, line in enumerate(linked):
        content = {key: value for key, value in line.items() if key != "chain"}
        number, chain = line["n"], line["chain"]
        assert isinstance(number, int) and isinstance(chain, str)
        data = canonical(content).decode()
        rows.append(
            TournamentLine(seq=number, data=data, chain=chain, client_id=None if place else client_id)
        )
    return rows


def rows_of_file(data: bytes) -> list[TournamentLine]:
    """The lines of a tournament file, which has been checked, as rows."""
    return rows_of([json.loads(line) for line in data.splitlines()])
