"""A tournament is a folder, and reading it is the only way a tournament is ever loaded.

    tournament.json   the settings, written once
    journal.jsonl     one line for each finished game or decision, appended and on the disk before it counts
    games/ID.pdn      the games
    receipts/ID.json  what a program did that lost it its game, by the id that `damas repro` takes
    pause             while this file is there, no new game begins
    disqualify        lines `NAME: reason` that the next look turns into decisions

A line ends with a checksum of itself. A last line that is torn, as when the machine went down, is dropped: its game was
never told to anybody. Any other damage is an error, and nothing is guessed.
"""

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from io import BufferedRandom
from pathlib import Path
from typing import Any, Self

from damas.errors import DamagedTournament, TournamentBusy
from damas.tournaments.formats import Score
from damas.tournaments.settings import VERSION, Settings

SETTINGS, JOURNAL, GAMES, RECEIPTS = "tournament.json", "journal.jsonl", "games", "receipts"
PAUSE, DISQUALIFY = "pause", "disqualify"


@dataclass(frozen=True)
class Played:
    """A finished game as the journal keeps it."""

    id: str
    white: str
    black: str
    points: float | None
    reason: str
    article: str = ""
    offender: str | None = None
    """The colour of the player who lost by what its program did."""
    plies: int = 0
    seconds: float = 0.0
    tiers: Mapping[str, str] = field(default_factory=dict)
    receipt: str = ""
    """The id of its receipt, where it has one."""

    @property
    def score(self) -> Score:
        return Score(self.points, self.reason)

    @property
    def result(self) -> str:
        return "–" if self.points is None else {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}[self.points]

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        known = {each.name for each in fields(cls)}
        return cls(**{key: value for key, value in told.items() if key in known})


@dataclass(frozen=True)
class Disqualified:
    """The organiser's decision: the player's games from here on are lost."""

    player: str
    reason: str


Entry = Played | Disqualified
KINDS: dict[str, type[Played] | type[Disqualified]] = {"game": Played, "disqualified": Disqualified}


class Journal:
    """The lines of a tournament, open for one process at a time. Use with `with`."""

    def __init__(self, folder: Path, settings: Settings, entries: list[Entry], file: BufferedRandom) -> None:
        self.folder = folder
        self.settings = settings
        self.entries = entries
        self._file = file

    @classmethod
    def create(cls, folder: Path, settings: Settings) -> Self:
        """A new tournament in a folder that is empty or not there; raises FileExistsError where one is."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in (SETTINGS, JOURNAL):  # a journal without its settings is still somebody's results
            if (folder / name).exists() and (name == SETTINGS or (folder / name).stat().st_size):
                raise FileExistsError(17, os.strerror(17), str(folder / name))
        (folder / JOURNAL).touch()
        write_file(folder / SETTINGS, json.dumps(settings.as_json(), ensure_ascii=False, indent=1) + "\n")
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Goes on where the last process stopped; refused while another one is at it."""
        settings = read_settings(folder)
        file = (folder / JOURNAL).open("r+b")
        try:
            _lock(file, folder)
            for name in (
                GAMES,
                RECEIPTS,
            ):  # a copy of a tournament may have left them out, empty as they were
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
        self._file.close()

    def add(self, entry: Entry, pdn: str = "", receipt: Mapping[str, Any] | None = None) -> None:
        """Keeps a game and whatever belongs to it. When this returns, nothing can take it away."""
        if isinstance(entry, Played):
            if pdn:
                write_file(self.folder / GAMES / f"{entry.id}.pdn", pdn)
            if receipt is not None:
                text = json.dumps({**receipt, "game": entry.id}, ensure_ascii=False, indent=1)
                write_file(self.folder / RECEIPTS / f"{entry.receipt}.json", text + "\n")
        self._file.write(_line(entry))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.entries.append(entry)

    def pdn(self, id: str) -> str:
        """A game's text; empty if none was played."""
        return pdn_of(self.folder, id)

    def receipt(self, id: str) -> dict[str, Any] | None:
        return receipt_of(self.folder, id)

    @property
    def paused(self) -> bool:
        return is_paused(self.folder)

    def requested_disqualifications(self) -> list[Disqualified]:
        return list(asked_out(self.folder, self.settings.names))


class MemoryJournal(Journal):
    """The journal of a tournament without a folder: it lives as long as its process."""

    paused = False

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.entries = []
        self._games: dict[str, str] = {}
        self._receipts: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        """Holds no file."""

    def add(self, entry: Entry, pdn: str = "", receipt: Mapping[str, Any] | None = None) -> None:
        if isinstance(entry, Played):
            self._games[entry.id] = pdn
            if receipt is not None:
                self._receipts[entry.receipt] = {**receipt, "game": entry.id}
        self.entries.append(entry)

    def pdn(self, id: str) -> str:
        return self._games.get(id, "")

    def receipt(self, id: str) -> dict[str, Any] | None:
        return self._receipts.get(id)

    def requested_disqualifications(self) -> list[Disqualified]:
        return []


def read(folder: Path) -> tuple[Settings, list[Entry]]:
    """A tournament as it stands, while it is played or after, without a claim to it."""
    return read_settings(folder), _read((folder / JOURNAL).read_bytes(), folder)[0]


def read_settings(folder: Path) -> Settings:
    try:
        told = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        if told["version"] != VERSION:
            raise DamagedTournament(str(folder), "version")
        return Settings.from_json(told)
    except (ValueError, TypeError, KeyError):
        raise DamagedTournament(str(folder), "settings") from None


def pdn_of(folder: Path, id: str) -> str:
    """A game's text; nothing where none was played."""
    with suppress(FileNotFoundError):
        return (folder / GAMES / f"{id}.pdn").read_text(encoding="utf-8")
    return ""


def receipt_of(folder: Path, id: str) -> dict[str, Any] | None:
    with suppress(FileNotFoundError):
        receipt: dict[str, Any] = json.loads((folder / RECEIPTS / f"{id}.json").read_text(encoding="utf-8"))
        return receipt
    return None


# --- what the organiser may say while it runs ---------------------------------------------------


def pause(folder: Path) -> None:
    (folder / PAUSE).touch()


def unpause(folder: Path) -> None:
    (folder / PAUSE).unlink(missing_ok=True)


def is_paused(folder: Path) -> bool:
    return (folder / PAUSE).exists()


def disqualify(folder: Path, player: str, reason: str) -> None:
    """Asks whoever runs the tournament to put a player out, now or when it next runs."""
    with (folder / DISQUALIFY).open("a", encoding="utf-8") as file:
        file.write(f"{player}: {' '.join(reason.split())}\n")


def asked_out(folder: Path, names: tuple[str, ...]) -> Iterator[Disqualified]:
    """What the file asks for; lines that name nobody here are passed over."""
    with suppress(FileNotFoundError):
        for line in (folder / DISQUALIFY).read_text(encoding="utf-8", errors="replace").splitlines():
            # A name may have a colon in it, as level:3 has.
            for name in sorted(names, key=len, reverse=True):
                if line.strip() == name or line.startswith(f"{name}:"):
                    yield Disqualified(name, line.removeprefix(name).lstrip(":").strip())
                    break


# --- bytes --------------------------------------------------------------------------------------


def write_file(path: Path, text: str) -> None:
    """All of it or nothing, and on the disk: never half a file under the name."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    with suppress(
        OSError
    ):  # the name is the folder's; where a folder cannot be opened there is no more to be done
        place = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)


def _line(entry: Entry) -> bytes:
    kind = next(name for name, known in KINDS.items() if isinstance(entry, known))
    told = json.dumps({"kind": kind, **asdict(entry)}, ensure_ascii=False)
    text = told.encode("utf-8", "backslashreplace")  # half a character is written as JSON writes it
    return text + f"\t{zlib.crc32(text):08x}\n".encode()


def _read(data: bytes, folder: Path) -> tuple[list[Entry], int]:
    """The entries, and where the good lines end."""
    entries: list[Entry] = []
    seen: set[str] = set()
    good = 0
    for number, line in enumerate(data.split(b"\n"), start=1):
        if good == len(data):
            break
        line += data[good + len(line) : good + len(line) + 1]
        entry = _entry(line)
        if entry is None:
            if good + len(line) == len(data):  # the last one was being written
                break
            raise DamagedTournament(str(folder), f"line {number}")
        good += len(line)
        if isinstance(entry, Played):
            if entry.id in seen:
                raise DamagedTournament(str(folder), f"line {number}")
            seen.add(entry.id)
        entries.append(entry)
    return entries, good


def _entry(line: bytes) -> Entry | None:
    text, _, check = line.rstrip(b"\n").rpartition(b"\t")
    if not line.endswith(b"\n") or check != f"{zlib.crc32(text):08x}".encode():
        return None
    told = json.loads(text)
    if told["kind"] == "disqualified":
        return Disqualified(told["player"], told["reason"])
    return Played.from_json(told)


def _lock(file: BufferedRandom, folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: one's own care
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise TournamentBusy(str(folder)) from None
