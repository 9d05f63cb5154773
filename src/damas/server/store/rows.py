"""Rows as values: what the store takes and gives."""

import hashlib
import json
from collections.abc import Sequence
from typing import Literal

import msgspec

Status = Literal["waiting", "playing", "over", "aborted"]
Side = Literal["white", "black"]

FIRST_EPOCH = 1
"""Of the node that creates a game."""
NO_CHAIN = ""
"""What the first event follows."""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a game. `seq` and `chain` are its last event's: the store writes them."""

    id: str
    rulebook: str
    rulebook_hash: str
    preset: str
    time_control: str
    white_id: str | None = None
    """Who sits there; None while the seat is free."""
    black_id: str | None = None
    white_name: str = ""
    black_name: str = ""
    white_kind: str = "person"
    """person, level:N or bot."""
    black_kind: str = "person"
    created_ms: int
    updated_ms: int
    status: Status = "waiting"
    result: str | None = None
    reason: str | None = None
    article: str | None = None
    plies: int = 0
    fen: str
    previous: str | None = None
    """The game this one is a rematch of."""
    public: bool = True
    seq: int = 0
    chain: str = NO_CHAIN


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a game."""

    seq: int
    epoch: int
    kind: str
    line: int
    """How many take-backs came before."""
    ply: int
    data: str
    """JSON of `arbiter.to_json`."""
    client_id: str | None = None
    """The id the client gave the message that caused it: once per game."""
    answer: str | None = None
    """The ack that was given, to be repeated word for word."""
    wall_ms: int
    mono_ms: int
    white_ms: int | None = None
    black_ms: int | None = None
    chain: str = NO_CHAIN
    """Left empty, the store fills it in; given, it must be what the store finds."""


class HeadUpdate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an append changes in the summary; what is None stays as it is."""

    updated_ms: int | None = None
    status: Status | None = None
    result: str | None = None
    reason: str | None = None
    article: str | None = None
    plies: int | None = None
    fen: str | None = None


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """Which games: every condition that is given must hold. Newest first."""

    person: str | None = None
    """Plays or played in it, on either side."""
    rulebook: str | None = None
    result: str | None = None
    """1-0, 0-1, 1/2-1/2 or *; with `person` also won, lost or drawn."""
    opponent_kind: str | None = None
    """person, bot or level (any), or level:4; the opponent of `person`, or either side without one."""
    status: Status | None = None
    public: bool | None = None
    before: int | None = None
    """Only games last changed before this time; with `before_id` the page goes on exactly after that game."""
    before_id: str | None = None
    limit: int = 50
    """At most 200 are given."""


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    person: str
    name: str
    text: str
    wall_ms: int


class Alive(msgspec.Struct, frozen=True, kw_only=True):
    """The last sign of life of a node. `mono_ms` can be compared only within one `boot`."""

    node: str
    boot: str
    wall_ms: int
    mono_ms: int


class Study(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    owner: str
    title: str
    data: str
    """JSON: the analysis board's move tree."""
    public: bool = False
    created_ms: int
    updated_ms: int


_written = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
"""Made once: `json.dumps` would make one for every event."""


def link(previous: str, event: EventRow) -> str:
    """The hash chain: h(n) of event n, from h(n−1) and all that the event says, its `answer` apart (which may quote h).

    >>> row = EventRow(seq=1, epoch=1, kind="started", line=0, ply=0, data="{}", wall_ms=0, mono_ms=0)
    >>> link(NO_CHAIN, row)[:16], link("0" * 64, row)[:16]
    ('ff564a0fb644eb1b', '2b88f0aed482af19')
    """
    said = [
        *(event.seq, event.epoch, event.kind, event.line, event.ply, event.data, event.client_id),
        *(event.wall_ms, event.mono_ms, event.white_ms, event.black_ms),
    ]
    text = previous + _written(said)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def linked(previous: str, events: Sequence[EventRow]) -> list[EventRow]:
    """The same events, each with its `chain`."""
    rows = []
    for event in events:
        previous = link(previous, event)
        rows.append(msgspec.structs.replace(event, chain=previous))
    return rows
