"""A game as JSON lines, one for each event, each chained to the line before by a hash.

A line is canonical JSON (keys sorted, no spaces, UTF-8, one newline): `n` from 0, the event, and `chain`, the SHA-256
in hex of the previous line's chain followed by this line without its own; the first line follows 64 zeros. A changed,
moved or missing line is detected at that line; lines missing at the end are detected with the last chain (`head`).
`load` replays all events.
"""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import Any

from damas.arbiter.arbiter import replay
from damas.arbiter.events import Event, from_json, to_json
from damas.arbiter.table import Table
from damas.errors import BadRecord, DamasError
from damas.rules import Rulebook

FIRST_CHAIN = "0" * 64
"""The chain before the first line."""


def lines(table: Table, since: int = 0) -> Iterator[bytes]:
    """The lines of a game with their newlines, from event number `since` on."""
    for entry in islice(_entries(table), since, None):
        yield canonical(entry) + b"\n"


def dump(table: Table) -> bytes:
    """The whole file."""
    return b"".join(lines(table))


def head(table: Table) -> str:
    """The chain of the last line, a hash of the whole game."""
    return str([*_entries(table)][-1]["chain"])


def _entries(table: Table) -> Iterator[dict[str, Any]]:
    """The content of each line."""
    chain = FIRST_CHAIN
    for n, event in enumerate(table.events):
        entry = {"n": n, **to_json(event)}
        chain = chained(chain, entry)
        yield {**entry, "chain": chain}


def load(
    data: bytes | str, *, drop_unfinished: bool = False, head: str | None = None, book: Rulebook | None = None
) -> Table:
    """The table of a file, checked line by line and replayed. Raises `BadRecord` with the line and the error.

    `drop_unfinished` repairs what a crash leaves: it drops an incomplete last line and adds a missing ruling. With
    `head`, the last chain must be equal to it. House rules need their `book`.
    """
    events, chain = _read(data.encode() if isinstance(data, str) else data, drop_unfinished)
    if head is not None and chain != head:
        raise BadRecord(len(events), "OTHER_HEAD", {"chain": chain, "head": head})
    return replay(events, book, complete=drop_unfinished)


def table_of(events: Iterable[str]) -> Table:
    """The table of events that are stored one by one, each as the JSON text of `to_json`. Raises `BadRecord`."""
    return replay([_event(_parsed(text, number), number) for number, text in enumerate(events, 1)])


def _read(data: bytes, drop_unfinished: bool) -> tuple[list[Event], str]:
    complete = data.split(b"\n")
    rest = complete.pop()
    events: list[Event] = []
    chain = FIRST_CHAIN
    for n, line in enumerate(complete):
        event, chain = _read_line(line, n, chain)
        events.append(event)
    if rest and not drop_unfinished:
        raise BadRecord(len(complete) + 1, "UNFINISHED_LINE", {})
    return events, chain


def _read_line(line: bytes, n: int, chain: str) -> tuple[Event, str]:
    number = n + 1
    try:
        entry = _parsed(line.decode(), number)
    except UnicodeDecodeError as error:
        raise BadRecord(number, "NOT_UTF8", {"place": error.start + 1}) from None
    if not isinstance(entry, dict) or canonical(entry) != line:
        raise BadRecord(number, "NOT_CANONICAL", {})
    if entry.get("n") != n:
        raise BadRecord(number, "OTHER_NUMBER", {"found": str(entry.get("n")), "expected": n})
    written = entry.pop("chain", None)
    chain = chained(chain, entry)
    if written != chain:
        raise BadRecord(number, "BROKEN_CHAIN", {})
    del entry["n"]
    return _event(entry, number), chain


def _parsed(text: str, number: int) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, "NOT_JSON", {"place": getattr(error, "pos", 0) + 1}) from None


def _event(entry: object, number: int) -> Event:
    try:
        return from_json(entry)
    except DamasError as why:
        raise BadRecord(number, "BAD_EVENT", {}, why) from None


def chained(before: str, entry: dict[str, Any]) -> str:
    """The chain of a line: the hash of the chain before it and of the line without its own."""
    return sha256(before.encode() + canonical(entry)).hexdigest()


def canonical(entry: Any) -> bytes:
    """JSON with sorted keys and no spaces, as UTF-8."""
    text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes a JSON escape
