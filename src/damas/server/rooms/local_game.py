"""Games that a browser has played by itself, without the server, and that are stored afterwards.

Nothing in such a record is believed but what the players did: it goes through the same ledger as a live game, event by
event, and the arbiter says what came of it.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs, to_builtins

from damas.arbiter import ProcedureRefused, draw_lots
from damas.arbiter.events import (
    ClaimedAbsence,
    Disconnected,
    PlayerEvent,
    Reconnected,
    from_json,
)
from damas.arbiter.ledger import canonical
from damas.errors import BadEvent, BadRecord, DamasError, Mistake, wanted
from damas.rules.library import edition
from damas.server.rooms.clockwork import MachineTime
from damas.server.rooms.ledger import Ledger
from damas.server.rooms.new_game import AgainstLevel, NewGame, OnOneDevice, game_id_of
from damas.server.rooms.record import opening
from damas.server.security.visitors import Visitor
from damas.server.store.rows import FIRST_EPOCH, EventRow, GameRow
from damas.server.words import Words

BETWEEN_TWO_DEVICES = (Disconnected, Reconnected, ClaimedAbsence)
"""Events that cannot happen where all sit at one device."""

MAX_MS = 2**53
"""Pages hold no greater number exactly, and databases hardly one."""
Moment = Annotated[int, Meta(ge=0, le=MAX_MS)]
"""Milliseconds since 1970."""


class LocalGame(Struct, frozen=True, forbid_unknown_fields=True):
    """A game that a browser has played to its end by itself."""

    rulebook: Annotated[str, Meta(max_length=40)]
    opponent: AgainstLevel | OnOneDevice
    events: Annotated[list[dict[str, Any]], Meta(min_length=1)]
    """What the players did, in the arbiter's own form: `{"kind": "moved", "at": 1500, "by": "white", "move": "c3-d4"}`."""
    begun_ms: Moment
    ended_ms: Moment
    color: Literal["white", "black"] = "white"
    """The side of whoever played against the computer."""
    time: Annotated[str, Meta(max_length=40)] = "none"
    preset: Annotated[str, Meta(max_length=20)] = "casual"
    hash: Annotated[str, Meta(max_length=64)] = ""
    """Hash of the rules it was played by; today's rules where it is empty or no edition has it."""
    fen: Annotated[str, Meta(max_length=400)] | None = None
    """The first position; the rulebook's own where it is left out."""
    lot: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """Where colours are drawn by lot: the seed, which gives `color` to whoever played against the computer."""
    account: Annotated[str, Meta(max_length=64)] = ""
    """Id of the account that was logged in when it was played; empty without one."""

    def game_id(self, local_id: str, person: str = "") -> str:
        """The id under which it is stored. It follows from the browser's id and the content, so that the same game sent
        again is the same game, and another game with the same id is another.
        """
        content = {**to_builtins(self), "account": ""}  # visitors become accounts
        return game_id_of(sha256(canonical(["local game", local_id, person, content])).digest())

    def head(self, game_id: str, visitor: Visitor, words: Words, language: str, now_ms: int) -> GameRow:
        """The game to be stored, before its events. The clock of a browser may be wrong: nothing happens later than now."""
        drawn_for = self.color if isinstance(self.opponent, AgainstLevel) else None
        if self.lot is not None and drawn_for and draw_lots(self.lot).value != drawn_for:
            raise ProcedureRefused("LOT_WRONG", seed=self.lot)
        terms = NewGame(
            self.rulebook, self.opponent, color=self.color, time=self.time, preset=self.preset, fen=self.fen
        )
        begun_ms = min(self.begun_ms, now_ms)
        head = terms.head(visitor, None, words, language, begun_ms, played_as=game_id)
        return structs.replace(
            head,
            rulebook_hash=edition(head.rulebook, self.hash).hash,
            updated_ms=min(max(self.ended_ms, begun_ms), now_ms),
        )


class RecordedTime(MachineTime):
    """The time at which something happened in a game that is stored afterwards."""

    def __init__(self, begun_ms: int, ended_ms: int) -> None:
        self._begun_ms, self._ended_ms = begun_ms, ended_ms
        self.at = 0

    def mono_ms(self) -> int:
        """Time since the game began."""
        return self.at

    def wall_ms(self) -> int:
        """When it happened, by the browser's clock; nothing happened after the end."""
        return min(self._begun_ms + self.at, self._ended_ms)


def replayed(head: GameRow, events: Sequence[object], lot: int | None) -> tuple[GameRow, list[EventRow]]:
    """The summary and the rows of a game that was played by these events. Raises `BadRecord` with the number of the event
    that the arbiter does not allow, or where the game is not over.
    """
    time = RecordedTime(head.created_ms, head.updated_ms)
    nowhere: Any = None  # it is all committed together afterwards
    ledger = Ledger(nowhere, head, opening(head, lot), (), FIRST_EPOCH)
    commit = ledger.prepare(ledger.table, ledger.table.events, time)
    ledger.follow(commit)
    rows = [*commit.rows]
    for number, data in enumerate(events, start=1):
        event = _event(data, number)
        try:
            table, written, refusal = ledger.decide(event)
        except DamasError as error:
            raise BadRecord(number, "REFUSED", {"kind": event.kind}, error) from None
        if not written:
            raise BadRecord(number, "REFUSED", {"kind": event.kind}, refusal)
        if table.suspended:
            raise RuntimeError(f"our mistake in game {head.id}, event {number}: {table.events[-1]}")
        time.at = table.now
        commit = ledger.prepare(table, written, time)
        ledger.follow(commit)
        rows += commit.rows
    if ledger.table.outcome is None:
        raise BadRecord(len(events) + 1, "NOT_OVER", {})
    return structs.replace(ledger.head, updated_ms=head.updated_ms), rows


def _event(data: object, number: int) -> PlayerEvent:
    try:
        event = from_json(data)
    except DamasError as error:
        raise BadRecord(number, "BAD_EVENT", {}, error) from None
    if event.at > MAX_MS:
        too_late = Mistake.of("at", event.at, wanted("whole", least=0, most=MAX_MS))
        raise BadRecord(number, "BAD_EVENT", {}, BadEvent(event.kind, too_late))
    if not isinstance(event, PlayerEvent) or isinstance(event, BETWEEN_TWO_DEVICES):
        raise BadRecord(number, "BAD_EVENT", {}, ProcedureRefused("NOT_FOR_PLAYERS", kind=event.kind))
    return event
