"""A contest: its settings and its entrants, kept in `contest.json` in the tournament's folder.

Once it begins, the files of `damas.tournaments.journal` beside it record what was played.
"""

import shlex
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from damas.arbiter import TimeControl
from damas.rules import rulebook
from damas.tournaments.journal import write_file
from damas.tournaments.settings import Entry, Settings

FILE = "contest.json"
"""File of a contest in its folder."""

Status = Literal["open", "closed", "queued", "running", "paused", "stuck", "finished"]
"""Where a contest stands; `stuck` ones have a `trouble`."""
Kind = Literal["random", "greedy", "level", "program"]
"""Kind of an entrant."""
Mode = Literal["json", "text"]
"""Protocol of an uploaded program: JSON lines or plain text."""


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """An entrant of a contest and its owner."""

    id: str
    name: str
    owner: str
    owner_name: str
    kind: Kind
    level: int = 0
    file: str = ""
    """The name of its stored program: its hash and how it is run."""
    mode: Mode = "json"
    size: int = 0
    entered_ms: int = 0

    @property
    def spec(self) -> str:
        """The text of its entrant, relative to the folder that has `programs`."""
        if self.kind == "level":
            return f"level:{self.level}"
        if self.kind != "program":
            return self.kind
        path = shlex.quote(f"programs/{self.file}")
        command = f"node {path}" if self.file.endswith(".js") else path
        return f"text:{command}" if self.mode == "text" else command


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
        return Settings(
            tuple(Entry(entry.name, entry.spec) for entry in self.entries),
            self.rulebook,
            self.format,
            self.games,
            self.rounds,
            self.control,
            self.openings,
            legal=self.legal,
            rules=rulebook(self.rulebook).hash,
            title=self.title,
            language=self.language,
        )

    def entry(self, id: str) -> Entered | None:
        """The entrant with this id."""
        return next((entry for entry in self.entries if entry.id == id), None)

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
