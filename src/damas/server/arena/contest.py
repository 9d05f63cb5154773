"""A contest: its settings and its entrants, kept in `contest.json` in the tournament's folder.

Once it begins, the files of `damas.tournaments.journal` beside it record what was played.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from damas.arbiter import TimeControl
from damas.arena.building.program import command
from damas.rules import rulebook
from damas.tournaments.formats.ladder import reaches
from damas.tournaments.journal import write_file
from damas.tournaments.settings import Entry, Settings

FILE = "contest.json"
"""File of a contest in its folder."""
RUNS = "runs"
"""Folder of a standing ladder with a folder for each run."""
PREPARING = ".preparing-"
"""Beginning of the names of folders in which programs are prepared."""
UPLOADS, SUBMISSIONS = "uploads", "submissions"
"""Folders of a contest: what was sent and is not prepared yet, and how each preparation went."""

Status = Literal["open", "closed", "queued", "running", "paused", "stuck", "finished"]
"""Where a contest stands; `stuck` ones have a `trouble`."""
Kind = Literal["random", "greedy", "level", "program"]
"""Kind of an entrant."""
Mode = Literal["json", "text"]
"""Protocol of an uploaded program: JSON lines or plain text."""
State = Literal["waiting", "compiling", "checking", "refused", "accepted"]
"""Where a version of a program stands; on disk it waits until it is refused or accepted."""


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant of a contest and its owner."""

    id: str
    name: str
    owner: str
    owner_name: str
    kind: Kind
    level: int = 0
    file: str = ""
    """The name of its stored program: its hash and what it is."""
    ending: str = ""
    """The ending of its language; empty for a Linux program."""
    main: str = ""
    """The main class of a program in Java."""
    data: bool = False
    """Whether the program has further files."""
    mode: Mode = "json"
    size: int = 0
    version: int = 1
    entered_ms: int = 0

    @property
    def spec(self) -> str:
        """The text of its entrant, relative to the folder that has `programs`."""
        if self.kind == "level":
            return f"level:{self.level}"
        if self.kind != "program":
            return self.kind
        path = f"programs/{self.file}"
        suffix = Path(self.file).suffix
        ending = self.ending or (suffix if suffix != ".d" else "")
        line = command(path, ending, main=self.main, data=self.data)
        return f"text:{line}" if self.mode == "text" else line


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a program as it was sent."""

    id: str
    name: str
    """The name of its entrant."""
    owner: str
    owner_name: str
    version: int
    file_name: str
    mode: Mode = "json"
    size: int = 0
    sent_ms: int = 0
    state: State = "waiting"
    language: str = ""
    hash: str = ""

    @property
    def pending(self) -> bool:
        """Whether it is neither refused nor accepted."""
        return self.state not in ("refused", "accepted")


class Terms(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The terms of a contest, as its organiser gives them."""

    title: Annotated[str, msgspec.Meta(max_length=60)]
    rulebook: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] = "concurso"
    format: Literal["round-robin", "gauntlet", "swiss", "knockout", "ladder"] = "round-robin"
    games: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2
    rounds: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    time_ms: Annotated[int, msgspec.Meta(ge=20, le=60_000)] = 1000
    legal: bool = True
    openings: Literal["start", "ballot", "random:4"] = "start"
    who: Literal["anybody", "code", "organiser"] = "anybody"
    """Who may enter: `anybody` with an account, whoever has the `code`, or only the `organiser`."""
    most: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 32
    """Maximal number of entrants."""
    each: Annotated[int, msgspec.Meta(ge=1, le=100)] = 2
    """Maximal number of entrants of one person."""
    check: bool = True
    """Whether a program must pass the check before it enters."""
    deadline_ms: Annotated[int, msgspec.Meta(ge=0, le=1 << 53)] | None = None
    """Entries and new versions are taken until then, in milliseconds since 1970."""
    standing: bool = False
    """Whether it is a ladder that plays by itself, again whenever a program or a new version has come."""


class Contest(Terms, forbid_unknown_fields=False, kw_only=True):
    """Everything about a contest except its games."""

    id: str = ""
    organiser: str
    organiser_name: str
    code: str = ""
    """What an entrant must know where only those with the code may enter."""
    language: str
    created_ms: int = 0
    entries: list[Entered] = []
    submissions: list[Submission] = []
    """Every version that was sent, oldest first."""
    out: dict[str, str] = {}
    """Entrants of a standing ladder who are disqualified, and why: later runs are without them."""
    run: int = 0
    """Number of the last run of a standing ladder."""
    run_entries: list[Entered] = []
    """The entrants of that run as they play in it."""
    run_open: bool = False
    """Whether that run is not played to its end yet."""
    renewed: bool = False
    """Whether somebody has come, changed or left since that run began."""
    closed: bool = False
    started_ms: int | None = None
    finished_ms: int | None = None
    trouble: str = ""
    """Why it cannot go on: a stable code."""
    done: int = 0
    total: int = 0

    @property
    def control(self) -> str:
        """The time control, as the settings of tournaments write it."""
        return str(TimeControl("move", extra=self.time_ms))

    @property
    def settings(self) -> Settings:
        """The settings of its tournament, if it begins now. No program is trusted, whoever organises it."""
        entries = self.run_entries if self.standing else self.entries
        return Settings(
            tuple(Entry(entry.name, entry.spec) for entry in entries),
            self.rulebook,
            self.format,
            self.games,
            self.rounds or (len(reaches(len(entries))) if self.standing else 0),
            self.control,
            self.openings,
            legal=self.legal,
            rules=rulebook(self.rulebook).hash,
            title=self.title,
            language=self.language,
            records=True,
        )

    def play_folder(self, folder: Path, run: int = 0) -> Path:
        """The folder of its tournament within its own; of a standing ladder the one of that run, or of the last."""
        return folder / RUNS / f"{run or self.run:04d}" if self.standing else folder

    def takes_entries(self, now_ms: int) -> bool:
        """Whether somebody may enter, leave, or send a new version."""
        begun = self.started_ms is not None and not self.standing
        return not (self.closed or begun or self.finished_ms or self.past_deadline(now_ms))

    def past_deadline(self, now_ms: int) -> bool:
        """Whether the deadline has passed."""
        return self.deadline_ms is not None and now_ms >= self.deadline_ms

    def versions(self, name: str) -> list[Submission]:
        """What was sent under a name, oldest first."""
        return [each for each in self.submissions if each.name.casefold() == name.casefold()]

    def entry(self, id: str) -> Entered | None:
        """The entrant with this id."""
        return next((entry for entry in self.entries if entry.id == id), None)

    def owner_of(self, name: str) -> str | None:
        """The account of an entrant by name, of one who has left too."""
        entered = {entry.name: entry.owner for entry in (*self.run_entries, *self.entries)}
        return entered.get(name) or next((each.owner for each in self.versions(name)), None)

    def of(self, owner: str) -> list[Entered]:
        """The entrants of one account."""
        return [entry for entry in self.entries if entry.owner == owner]

    @property
    def has_programs(self) -> bool:
        """Whether uploaded programs play in it."""
        return any(entry.kind == "program" for entry in self.entries)

    def write(self, folder: Path) -> None:
        """Stores the contest in its folder."""
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / FILE, msgspec.json.format(msgspec.json.encode(self)).decode() + "\n")


def read(folder: Path) -> Contest:
    """Reads a contest; raises `OSError` or `msgspec.DecodeError` if there is none."""
    return msgspec.json.decode((folder / FILE).read_bytes(), type=Contest)
