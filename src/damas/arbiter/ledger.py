"""A game on disk: its events as JSON lines, each chained to the one before.

A line is canonical JSON (keys sorted, no spaces, UTF-8, one newline): `n` from 0, the event, and `chain`, the SHA-256
in hex of the previous line's chain followed by this line without its own; before the first stand 64 zeros. Whoever
changes, moves or drops a line is found out at that line; whoever keeps the last chain (`head`) also notices lines
cut off at the end. The only way back is `load`, which plays everything again.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from damas.arbiter.arbiter import replay
from damas.arbiter.events import Event, from_json, to_json
from damas.arbiter.table import Table
from damas.errors import BadRecord, DamasError
from damas.rules import Rulebook

BEFORE_THE_FIRST = "0" * 64


def lines(table: Table, since: int = 0) -> Iterator[bytes]:
    """The lines of a game, newline included, from event number `since` on."""
    chain = BEFORE_THE_FIRST
    for n, event in enumerate(table.events):
        entry = {"n": n, **to_json(event)}
        chain = _chain(chain, entry)
        if n >= since:
            yield canonical({**entry, "chain": chain}) + b"\n"


def dump(table: Table) -> bytes:
    """The whole file."""
    return b"".join(lines(table))


def head(table: Table) -> str:
    """The chain of the last line: the game in one hash."""
    chain = BEFORE_THE_FIRST
    for n, event in enumerate(table.events):
        chain = _chain(chain, {"n": n, **to_json(event)})
    return chain


def load(
    data: bytes | str, *, drop_unfinished: bool = False, head: str | None = None, book: Rulebook | None = None
) -> Table:
    """Checks every line and plays the game again. Raises `BadRecord` with the line and what is wrong with it.

    `drop_unfinished` leaves out a last line that was not written to its end, and supplies a ruling that was not
    written at all: what a crash leaves behind. With `head` the last chain must be that one. House rules need their
    `book`.
    """
    events, chain = _read(data.encode() if isinstance(data, str) else data, drop_unfinished)
    if head is not None and chain != head:
        raise BadRecord(len(events), "OTHER_HEAD", {"chain": chain, "head": head})
    return replay(events, book, complete=drop_unfinished)


def _read(data: bytes, drop_unfinished: bool) -> tuple[list[Event], str]:
    whole = data.split(b"\n")
    rest = whole.pop()
    events: list[Event] = []
    chain = BEFORE_THE_FIRST
    for n, line in enumerate(whole):
        event, chain = _read_line(line, n, chain)
        events.append(event)
    if rest and not drop_unfinished:
        raise BadRecord(len(whole) + 1, "UNFINISHED_LINE", {})
    return events, chain


def _read_line(line: bytes, n: int, chain: str) -> tuple[Event, str]:
    number = n + 1
    try:
        entry = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise BadRecord(number, "NOT_UTF8", {"place": error.start + 1}) from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, "NOT_JSON", {"place": getattr(error, "pos", 0) + 1}) from None
    if not isinstance(entry, dict) or canonical(entry) != line:
        raise BadRecord(number, "NOT_CANONICAL", {})
    if entry.get("n") != n:
        raise BadRecord(number, "OTHER_NUMBER", {"found": str(entry.get("n")), "expected": n})
    written = entry.pop("chain", None)
    chain = _chain(chain, entry)
    if written != chain:
        raise BadRecord(number, "BROKEN_CHAIN", {})
    del entry["n"]
    try:
        return from_json(entry), chain
    except DamasError as why:
        raise BadRecord(number, "BAD_EVENT", {}, why) from None


def _chain(before: str, entry: dict[str, Any]) -> str:
    return sha256(before.encode() + canonical(entry)).hexdigest()


def canonical(entry: Any) -> bytes:
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")  # half a surrogate pair, as JSON would escape it
