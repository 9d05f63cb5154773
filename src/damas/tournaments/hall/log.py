"""The log of a tournament of people: a line for each entry, chained by hashes; here kept in a file, on disk before it counts.

`link` and `entry_of` are the two directions of the chain, whoever keeps the lines. A line is canonical JSON as in the ledger of a game (`damas.arbiter.ledger`): `n` from 1, the entry, and `chain`, the hash of the
chain before it and of the line without its own. A last line that is not complete, as after a power cut, was never
acknowledged and is dropped; any other damage raises `DamagedTournament`. Reading the file is the only way to load a tournament.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from damas.arbiter.ledger import FIRST_CHAIN, canonical, chained
from damas.errors import DamagedTournament, TournamentRefused, naming
from damas.tournaments.hall.conditions import Conditions
from damas.tournaments.hall.events import Created, Entry, Event, from_json, to_json
from damas.tournaments.hall.state import State, decide
from damas.tournaments.journal import sync_folder


def now() -> str:
    """The time as entries have it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def link(state: State, chain: str, entries: Iterable[Entry]) -> tuple[State, list[dict[str, Any]]]:
    """Decides entries that follow others; the state after them, and their lines. Raises `TournamentRefused`."""
    lines = []
    for entry in entries:
        state = decide(state, entry)
        content = {"n": len(state.entries), **to_json(entry)}
        chain = chained(chain, content)
        lines.append({**content, "chain": chain})
    return state, lines


def entry_of(line: Mapping[str, Any], number: int, chain: str) -> tuple[Entry, str]:
    """The entry of a line that was kept, and the chain up to it; raises `DamagedTournament` if it does not follow."""
    try:
        content = dict(line)
        written = content.pop("chain")
        chain = chained(chain, content)
        if written != chain or content.pop("n") != number:
            raise ValueError(number)
        return from_json(content), chain
    except (ValueError, KeyError, TypeError, AttributeError, TournamentRefused):
        raise DamagedTournament("", f"line {number}") from None


class EventLog:
    """A tournament file that is open for writing; others who want to write wait until it is closed."""

    def __init__(self, path: Path, state: State, chain: str, file: Any) -> None:
        self.path = path
        self.state = state
        self.chain = chain
        """The chain of the last line: a hash of the whole file."""
        self._file = file

    @classmethod
    def create(cls, path: Path, conditions: Conditions, *, who: str = "", at: str = "") -> Self:
        """Starts a tournament in a new file; raises `FileExistsError` if there is one."""
        with naming(path):
            file = path.open("x+b", buffering=0)
        _lock(file)
        log = cls(path, State(), FIRST_CHAIN, file)
        try:
            log.add(Created(conditions), who=who, at=at)
        except BaseException:
            file.close()
            path.unlink()
            raise
        sync_folder(path.parent)
        return log

    @classmethod
    def open(cls, path: Path) -> Self:
        """Opens a tournament to go on with it, after whoever is writing to it has finished."""
        with naming(path):
            file = path.open("r+b", buffering=0)
        try:
            _lock(file)
            state, chain, good = read(file.read(), path)
            file.truncate(good)
            file.seek(good)
        except BaseException:
            file.close()
            raise
        return cls(path, state, chain, file)

    def add(self, event: Event, *, who: str = "", at: str = "", why: str = "") -> State:
        """Decides an event and writes it; when this returns, it is on disk. Raises `TournamentRefused`."""
        return self.add_all([event], who=who, at=at, why=why)

    def add_all(self, events: list[Event], *, who: str = "", at: str = "", why: str = "") -> State:
        """Decides several events and writes them together: all of them, or none."""
        entries = [Entry(event, who, at or now(), why) for event in events]
        state, linked = link(self.state, self.chain, entries)
        lines = b"".join(canonical(line) + b"\n" for line in linked)
        with naming(self.path):
            before = self._file.tell()
            try:
                while lines:  # a disk that is nearly full takes a part
                    lines = lines[self._file.write(lines) :]
                os.fsync(self._file.fileno())
            except OSError:
                with suppress(OSError):
                    self._file.truncate(before)
                    self._file.seek(before)
                raise
        self.state, self.chain = state, linked[-1]["chain"] if linked else self.chain
        return state

    def close(self) -> None:
        """Closes and unlocks the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()


def load(path: Path) -> State:
    """The tournament of a file, without locking it: somebody may be writing to it."""
    with naming(path):
        data = path.read_bytes()
    return read(data, path)[0]


def read(data: bytes, path: Path) -> tuple[State, str, int]:
    """The state that the bytes of a file add up to, the last chain, and the number of bytes of complete lines."""
    state, chain, good = State(), FIRST_CHAIN, 0
    *complete, _ = data.split(b"\n")
    for number, line in enumerate(complete, start=1):
        try:
            entry, chain = entry_of(json.loads(line), number, chain)
            state = decide(state, entry)
        except (ValueError, TypeError, DamagedTournament, TournamentRefused):
            raise DamagedTournament(str(path), f"line {number}") from None
        good += len(line) + 1
    if not state.entries:
        raise DamagedTournament(str(path), "line 1")
    return state, chain, good


def _lock(file: Any) -> None:
    """Waits for the file. Windows has no such lock: there one desk writes at a time."""
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
