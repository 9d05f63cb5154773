"""The folder of a tournament; reading it is the only way to load a tournament.

    tournament.json   the settings, written once
    journal.jsonl     one line for each finished game or disqualification, on disk before it counts
    games/ID.pdn      the games
    games/ID.jsonl    the arbiter's record of each, where the settings want it
    receipts/ID.json  why a program forfeited its game, by the id that `damas repro` takes
    pause             while this file exists, no new game starts
    disqualify        lines `NAME: reason`: requests of the organiser, read before each new game

Each line of the journal ends with its checksum. An incomplete last line, as after a power cut, is dropped: nobody has
seen its result. Any other damage raises `DamagedTournament`.
"""

import json
import os
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from io import BufferedRandom
from pathlib import Path
from typing import Any, Self

from damas.errors import DamagedTournament, TournamentBusy, naming
from damas.jobs.ledger import checked_line, lock, read_line
from damas.tournaments.result import GameEntry
from damas.tournaments.settings import VERSION, Settings

SETTINGS, JOURNAL, GAMES, RECEIPTS = "tournament.json", "journal.jsonl", "games", "receipts"
"""Names in the folder of a tournament."""
PAUSE, DISQUALIFY = "pause", "disqualify"
"""Files by which the organiser makes requests."""


@dataclass(frozen=True)
class Disqualification:
    """A decision of the organiser: the player loses all games that are not finished."""

    player: str
    reason: str


Entry = GameEntry | Disqualification
"""A line of the journal."""


class Journal:
    """The journal of a tournament, open for writing in one process at a time; a context manager."""

    def __init__(self, folder: Path, settings: Settings, entries: list[Entry], file: BufferedRandom) -> None:
        self.folder = folder
        self.settings = settings
        self.entries = entries
        self._file = file

    @classmethod
    def create(cls, folder: Path, settings: Settings) -> Self:
        """Starts a tournament in an empty or new folder; raises FileExistsError if the folder has one."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in (SETTINGS, JOURNAL):  # a journal without settings may still hold results
            if (folder / name).exists() and (name == SETTINGS or (folder / name).stat().st_size):
                raise FileExistsError(17, os.strerror(17), str(folder / name))
        (folder / JOURNAL).touch()
        write_file(folder / SETTINGS, json.dumps(settings.as_json(), ensure_ascii=False, indent=1) + "\n")
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Opens a tournament to continue it; raises `TournamentBusy` while another process has it open."""
        settings = read_settings(folder)
        file = (folder / JOURNAL).open("r+b")
        try:
            _lock(file, folder)
            for name in (GAMES, RECEIPTS):  # a copy of a tournament may lack folders that were empty
                (folder / name).mkdir(exist_ok=True)
            entries, good = _read(file.read(), folder)
            file.truncate(good)
            file.seek(good)
        except BaseException:
            file.close()
            raise
        return cls(folder, settings, entries, file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes and unlocks the journal."""
        with suppress(OSError):  # raised by `add` already, for the line that could not be written
            self._file.close()

    def add(
        self,
        entry: Entry,
        pdn: str = "",
        receipt: Mapping[str, Any] | None = None,
        record: Sequence[str] = (),
    ) -> None:
        """Writes an entry and the files of its game; when this returns, they are on disk."""
        if isinstance(entry, GameEntry):
            if record:
                write_file(self.folder / GAMES / f"{entry.id}.jsonl", "".join(f"{line}\n" for line in record))
            if pdn:
                write_file(self.folder / GAMES / f"{entry.id}.pdn", pdn)
            if receipt is not None:
                text = json.dumps({**receipt, "game": entry.id}, ensure_ascii=False, indent=1)
                write_file(self.folder / RECEIPTS / f"{entry.receipt}.json", text + "\n")
        with naming(self.folder / JOURNAL):
            self._file.write(_line(entry))
            self._file.flush()
            os.fsync(self._file.fileno())
        self.entries.append(entry)

    def pdn(self, id: str) -> str:
        """The PDN of a game; empty if it was not played."""
        return pdn_of(self.folder, id)

    def receipt(self, id: str) -> dict[str, Any] | None:
        """The receipt of that id; None if there is none."""
        return receipt_of(self.folder, id)

    @property
    def paused(self) -> bool:
        """Whether the organiser has asked for a pause."""
        return is_paused(self.folder)

    def disqualification_requests(self) -> list[Disqualification]:
        """The requests of the organiser so far."""
        return list(disqualification_requests(self.folder, self.settings.names))


class MemoryJournal(Journal):
    """The journal of a tournament without a folder: it ends with its process."""

    paused = False

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.entries = []
        self._games: dict[str, str] = {}
        self._receipts: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        """Does nothing: there is no file."""

    def add(
        self,
        entry: Entry,
        pdn: str = "",
        receipt: Mapping[str, Any] | None = None,
        record: Sequence[str] = (),  # noqa: ARG002 (it would only take memory)
    ) -> None:
        if isinstance(entry, GameEntry):
            self._games[entry.id] = pdn
            if receipt is not None:
                self._receipts[entry.receipt] = {**receipt, "game": entry.id}
        self.entries.append(entry)

    def pdn(self, id: str) -> str:
        return self._games.get(id, "")

    def receipt(self, id: str) -> dict[str, Any] | None:
        return self._receipts.get(id)

    def disqualification_requests(self) -> list[Disqualification]:
        return []


def read(folder: Path) -> tuple[Settings, list[Entry]]:
    """The settings and entries of a tournament, without locking it: another process may be playing it."""
    return read_settings(folder), _read((folder / JOURNAL).read_bytes(), folder)[0]


def read_settings(folder: Path) -> Settings:
    """The settings of a tournament; raises `DamagedTournament` if they cannot be read."""
    try:
        data = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise DamagedTournament(str(folder), "version")
        return Settings.from_json(data)
    except (ValueError, TypeError, KeyError):
        raise DamagedTournament(str(folder), "settings") from None


def pdn_of(folder: Path, id: str) -> str:
    """The PDN of a game; empty if it was not played."""
    with suppress(FileNotFoundError):
        return (folder / GAMES / f"{id}.pdn").read_text(encoding="utf-8")
    return ""


def record_of(folder: Path, id: str) -> str:
    """The arbiter's record of a game, as `damas.arbiter.ledger` reads it; empty if none is kept."""
    with suppress(FileNotFoundError):
        return (folder / GAMES / f"{id}.jsonl").read_text(encoding="utf-8")
    return ""


def receipt_of(folder: Path, id: str) -> dict[str, Any] | None:
    """The receipt of that id; None if there is none."""
    with suppress(FileNotFoundError):
        receipt: dict[str, Any] = json.loads((folder / RECEIPTS / f"{id}.json").read_text(encoding="utf-8"))
        return receipt
    return None


def begin(folder: Path, settings: Settings) -> None:
    """Writes the settings of a tournament that nobody has played yet. The seed is drawn now, when nobody can choose a
    place by it any more.
    """
    # A file that is there was written when the server went down, and nothing was played.
    (folder / SETTINGS).unlink(missing_ok=True)
    begun = time.strftime("%Y-%m-%d %H:%M", time.gmtime())
    Journal.create(folder, replace(settings, seed=secrets.randbelow(10**6), begun=begun)).close()


# --- requests of the organiser while it runs ----------------------------------------------------


def pause(folder: Path) -> None:
    """Asks that no new game begins."""
    (folder / PAUSE).touch()


def unpause(folder: Path) -> None:
    """Takes the request for a pause back."""
    (folder / PAUSE).unlink(missing_ok=True)


def is_paused(folder: Path) -> bool:
    """Whether a pause is requested."""
    return (folder / PAUSE).exists()


def disqualify(folder: Path, player: str, reason: str) -> None:
    """Requests a disqualification; the process that plays the tournament reads it, now or when it next runs."""
    with (folder / DISQUALIFY).open("a", encoding="utf-8") as file:
        file.write(f"{player}: {' '.join(reason.split())}\n")


def disqualification_requests(folder: Path, names: tuple[str, ...]) -> Iterator[Disqualification]:
    """The requests in the folder; lines without the name of a player are `unknown_requests`."""
    for line in _request_lines(folder):
        if (name := _named(line, names)) is not None:
            yield Disqualification(name, line.removeprefix(name).lstrip(":").strip())


def unknown_requests(folder: Path, names: tuple[str, ...]) -> list[str]:
    """The requests in the folder that name no player: nothing follows from them."""
    return [line.strip() for line in _request_lines(folder) if line.strip() and _named(line, names) is None]


def _request_lines(folder: Path) -> list[str]:
    with suppress(FileNotFoundError):
        return (folder / DISQUALIFY).read_text(encoding="utf-8", errors="replace").splitlines()
    return []


def _named(line: str, names: tuple[str, ...]) -> str | None:
    """The player that a request begins with. A name may contain a colon, as level:3 does."""
    names_longest_first = sorted(names, key=len, reverse=True)
    return next((n for n in names_longest_first if line.strip() == n or line.startswith(f"{n}:")), None)


# --- files --------------------------------------------------------------------------------------


def write_file(path: Path, text: str) -> None:
    """Writes a whole file atomically and flushes it to disk. After an `OSError`, which names it, nothing is changed."""
    temporary = path.with_name(f".{path.name}.new")
    with naming(path):
        try:
            with temporary.open("w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flushes the names in a folder to disk, where the system can."""
    with suppress(OSError):
        parent = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(parent)
        finally:
            os.close(parent)


def _line(entry: Entry) -> bytes:
    kind = "game" if isinstance(entry, GameEntry) else "disqualified"
    return checked_line({"kind": kind, **asdict(entry)})


def _read(data: bytes, folder: Path) -> tuple[list[Entry], int]:
    """The entries, and the number of bytes of complete lines."""
    entries: dict[str, Entry] = {}
    good = 0
    lines = re.findall(rb"[^\n]*\n|[^\n]+$", data)
    for number, line in enumerate(lines, start=1):
        entry = _entry(line)
        if entry is None and number == len(lines):  # the process ended while writing it
            break
        key = entry.id if isinstance(entry, GameEntry) else f"line {number}"
        if entry is None or key in entries:
            raise DamagedTournament(str(folder), f"line {number}")
        entries[key] = entry
        good += len(line)
    return list(entries.values()), good


def _entry(line: bytes) -> Entry | None:
    data = read_line(line)
    if data is None:
        return None
    if data["kind"] == "disqualified":
        return Disqualification(data["player"], data["reason"])
    names = {each.name for each in fields(GameEntry)}  # keys of newer versions are ignored
    return GameEntry(**{key: value for key, value in data.items() if key in names})


def _lock(file: BufferedRandom, folder: Path) -> None:
    if not lock(file):
        raise TournamentBusy(str(folder))
