"""Rows of the store as values."""

import hashlib
import json
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from damas.arbiter.ledger import FIRST_CHAIN, chained

Status = Literal["waiting", "playing", "over", "aborted"]
"""State of a game."""
Side = Literal["white", "black"]
"""A side, as columns and messages name it."""
AGREED: Final = "both"
"""Holder of the arbiter's link of a game whose players have both asked for one."""
LinkHolder = Side | Literal["both"]
"""Who has the arbiter's link."""

FIRST_EPOCH = 1
"""Epoch of the node that creates a game."""
NO_CHAIN = ""
"""Chain before the first event."""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a game. The store sets `seq` and `chain` to those of its last event."""

    id: str
    rulebook: str
    rulebook_hash: str
    preset: str
    time_control: str
    white_id: str | None = None
    """Id of the player; None while the seat is free."""
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
    arbiter_link: str | None = None
    """The side of the player who took the arbiter's link before the other player came, or `AGREED`."""


class EventRow(msgspec.Struct, frozen=True, kw_only=True, rename={"client_id": "client_msg_id"}):
    """One event of a game."""

    seq: int
    epoch: int
    kind: str
    line: int
    """Number of earlier take-backs and positions set by the arbiter."""
    ply: int
    data: str
    """JSON of `arbiter.to_json`."""
    client_id: str | None = None
    """Id of the command that caused it; unique in a game."""
    answer: str | None = None
    """The answer to that command, as JSON."""
    wall_ms: int
    mono_ms: int
    white_ms: int | None = None
    black_ms: int | None = None
    chain: str = NO_CHAIN
    """Hash of this and all earlier events. If empty, the store computes it; otherwise it must be correct."""


class HeadUpdate(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Changes of the summary; None leaves a field as it is."""

    updated_ms: int | None = None
    status: Status | None = None
    result: str | None = None
    reason: str | None = None
    article: str | None = None
    plies: int | None = None
    fen: str | None = None


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """A search for games, newest first; all given conditions must hold."""

    person: str | None = None
    """Id of a player, on either side."""
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
    """At most `Limits.page_size`."""


class ChatLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of chat."""

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
    address: str | None = None
    """Host and port at which other nodes reach it; None where no other may."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """A person's study without its chapters, or a report, which owns itself."""

    id: str
    owner: str
    title: str
    data: str
    """JSON: the ids of the chapters in their order, or the report."""
    public: bool = False
    """Whether it is listed among its owner's public studies; then anybody may read it."""
    created_ms: int
    updated_ms: int
    """Of its last change, also of a chapter."""
    by_link: bool | None = None
    """Whether anybody who has its address may read it; None for a report."""
    version: int | None = None
    """Number of the last change of title or visibility; None for a report."""


class ReportJobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A report that waits, is being made, or has ended a while ago."""

    id: str
    """The report's key: the same for the same game and the same options."""
    format: int
    """Version of the report's format: only a program that knows it makes the report."""
    person: str | None
    """Who alone has requested it, and may withdraw it; None where several have."""
    holder: str
    """A keyed hash of the address in whose share it counts; empty once it has ended."""
    keep: bool
    """Whether the report is stored for good."""
    task: str
    """JSON of `work.reports.ReportTask`: the game and the options."""
    state: str
    """waiting, working, done or failed."""
    node: str | None
    """The process that makes it."""
    epoch: int
    """Number of times it was taken; who took it earlier may not write."""
    lease_until_ms: int
    attempts: int
    """Times it was taken and not handed back."""
    done: int
    """Plies."""
    total: int
    """Plies, and one for the final position."""
    result: str | None
    """JSON of a finished report that is not stored for good."""
    created_ms: int
    updated_ms: int


class ChapterRow(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter of a study."""

    id: str
    title: str
    rulebook: str
    mode: str
    """read, guess or practice."""
    orientation: Side
    data: str
    """JSON: the game with its variations, as pages read it."""
    version: int = 1
    """Number of its last change."""
    updated_ms: int


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """An item that a person learns by repetition."""

    deck: str
    item: str
    memory: str
    """JSON of `learning.repetition.Memory`."""
    due_ms: int
    updated_ms: int


class PuzzleAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """One try at a puzzle."""

    rulebook: str
    puzzle: str
    solved: bool
    hints: int
    spent_ms: int
    wall_ms: int


class RatingRow(msgspec.Struct, frozen=True, kw_only=True):
    """The Glicko-2 rating of a solver or of a puzzle."""

    rating: float
    deviation: float
    volatility: float
    attempts: int = 0
    """How many results it comes from."""
    updated_ms: int = 0


class PuzzleResult(msgspec.Struct, frozen=True, kw_only=True):
    """The one try at a puzzle by which a person is rated."""

    rulebook: str
    puzzle: str
    attempt: str
    """Id of the try."""
    solved: bool
    rating: int | None
    """The solver's rating afterwards; None where it belongs to another rating than that of today."""
    change: int
    wall_ms: int


class RepertoireLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that a person wants to play, from the first position of its rulebook."""

    id: str
    """Names its moves: the same line is stored once."""
    rulebook: str
    side: Side
    """The side that the person plays."""
    name: str
    """What the person, or the opening's source, calls it; may be empty."""
    moves: str
    """Separated by dots."""
    created_ms: int


class OwnPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle made of a person's own mistake."""

    rulebook: str
    id: str
    data: str
    """JSON of `learning.own_puzzle.Mistake`."""
    created_ms: int


class TournamentRow(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a tournament of people. The store sets `seq` and `chain` to those of its last entry."""

    id: str
    title: str
    rulebook: str
    owner: str
    """Id of the visitor who made it."""
    public: bool = True
    """Whether anybody may look at it."""
    created_ms: int
    updated_ms: int
    seq: int = 0
    chain: str = NO_CHAIN


class TournamentLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log of a tournament of people."""

    seq: int
    data: str
    """The line without its chain, as `damas.arbiter.ledger.canonical` writes it."""
    chain: str
    client_id: str | None = None
    """Id of the request that wrote it; unique in a tournament."""


class TournamentKey(msgspec.Struct, frozen=True, kw_only=True):
    """A link to a tournament of people. Its secret is derived from the server's and not stored."""

    id: str
    role: str
    """chief, arbiter, desk, captain, player or spectator."""
    name: str
    """The player or the captain's team it belongs to, or a note on whose it is."""
    created_ms: int
    revoked_ms: int | None = None


class SchoolClass(msgspec.Struct, frozen=True, kw_only=True):
    """A class of pupils, and what its games are played by unless its teacher says otherwise."""

    id: str
    title: str
    code: str
    """What pupils type to log in."""
    language: str
    """The language of its cards."""
    rulebook: str
    preset: str
    time_control: str
    chat: bool = False
    """Whether pupils may chat in games."""
    link: int = 1
    """Number of the teachers' link: a new one makes the older worthless."""
    held: bool = False
    """Whether the boards of the class are held."""
    notice: str = ""
    """What its pupils are shown while the teacher wants their attention."""
    created_ms: int


class Pupil(msgspec.Struct, frozen=True, kw_only=True):
    """A pupil of a class. `id` is the pupil's id as a player; the name is shown to the class alone."""

    id: str
    number: int
    name: str
    pin: str
    """Its hash."""
    created_ms: int


class Homework(msgspec.Struct, frozen=True, kw_only=True):
    """Something that every pupil of a class is to do."""

    id: str
    kind: Literal["lesson", "puzzles", "game"]
    rulebook: str
    """Of puzzles and games; empty for a lesson."""
    lesson: str
    """Id of the lesson or course; empty for the other kinds."""
    count: int
    """How many puzzles, or the level to play against; 0 for a lesson."""
    due: str
    """The last day, as 2026-11-30."""
    created_ms: int


_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
"""One encoder for all events: `json.dumps` would create one each time."""


def link(previous: str, event: EventRow) -> str:
    """The hash of an event: of the previous hash and all fields but `answer`, which may quote it.

    >>> row = EventRow(seq=1, epoch=1, kind="started", line=0, ply=0, data="{}", wall_ms=0, mono_ms=0)
    >>> link(NO_CHAIN, row)[:16], link("0" * 64, row)[:16]
    ('ff564a0fb644eb1b', '2b88f0aed482af19')
    """
    fields = [
        *(event.seq, event.epoch, event.kind, event.line, event.ply, event.data, event.client_id),
        *(event.wall_ms, event.mono_ms, event.white_ms, event.black_ms),
    ]
    text = previous + _encode(fields)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def broken_link(rows: Sequence[EventRow]) -> int | None:
    """The number of the first event that is damaged or does not follow the one before it; None if all is well."""
    chain = NO_CHAIN
    for number, row in enumerate(rows, start=1):
        try:
            sound = row.seq == number and link(chain, row) == row.chain and is_text(row.answer or "")
        except TypeError:  # a value of another kind
            sound = False
        if not sound:
            return number
        chain = row.chain
    return None


def broken_line(lines: Sequence[TournamentLine], head: TournamentRow) -> int | None:
    """The number of the first line of a tournament that is damaged or does not lead to its summary; None if all is well."""
    chain = FIRST_CHAIN
    for number, line in enumerate(lines, start=1):
        try:
            chain = chained(chain, json.loads(line.data))
            sound = line.seq == number and line.chain == chain
        except (TypeError, ValueError):  # a value of another kind
            sound = False
        if not sound:
            return number
    return None if (len(lines), chain) == (head.seq, head.chain) else len(lines) + 1


def is_text(value: object) -> bool:
    """Whether a value is text that was read whole: a byte that is not UTF-8 is half a character in it.

    >>> is_text("Zé"), is_text("Z" + chr(0xDCE9)), is_text(b"Ze")
    (True, False, False)
    """
    if not isinstance(value, str):
        return False
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def linked(previous: str, events: Sequence[EventRow]) -> list[EventRow]:
    """The same events, each with its `chain`."""
    rows = []
    for event in events:
        previous = link(previous, event)
        rows.append(msgspec.structs.replace(event, chain=previous))
    return rows
