"""The settings of a tournament: written once into its folder before the first game and never changed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
"""Formats of tournaments, as users name them."""
COLOURS = ("lot", "alternating")
"""Who has White first: drawn by lot, or the first of the two."""
VERSION = 1
"""Version of the files of a tournament; files of another version are refused."""


@dataclass(frozen=True)
class Entry:
    """A player as entered: a unique name, and a text by which whoever plays the games finds the player."""

    name: str
    spec: str
    trusted: bool = False
    """Whether a program may run without containment."""
    team: str = ""
    """Whom the player belongs to; empty if nobody said."""


@dataclass(frozen=True)
class Settings:
    """Everything that the pairings, the games and so the final table depend on."""

    entries: tuple[Entry, ...]
    rulebook: str
    format: str = "round-robin"
    games: int = 2
    """Games each time two players meet; each pair of games has one opening."""
    rounds: int = 0
    """Rounds of Swiss and ladder; 0: as many as the format usually has."""
    control: str = "1s/move"
    openings: str = "start"
    lines: tuple[str, ...] = ()
    """The openings of a file, as they were when the tournament began."""
    colours: str = "lot"
    seed: int = 1
    legal: bool = True
    """Whether programs are sent the legal moves."""
    tier: str = "auto"
    """How programs are contained."""
    sprt: tuple[float, float] | None = None
    """The two Elo differences of a sequential test between two players; its verdict ends the match."""
    tie_breaks: int = 3
    """Pairs of games that a tied encounter of a knock-out may add; after them a draw by lot decides."""
    longest: int = 400
    """Plies after which a game is drawn."""
    rules: str = ""
    """Hash of the rulebook when the tournament began: later editions, or changes of a user's file, are not for it."""
    title: str = ""
    folder: str = field(default="", compare=False)
    """Working folder of the programs: relative paths in `spec` start here."""
    begun: str = field(default="", compare=False)
    """Date and time of the start."""
    nodes: int = 0
    """Nodes of a move, in games without a clock; 0: no such limit."""
    depth: int = 0
    """Plies that an engine searches, in games without a clock; 0: no such limit."""
    movetime_ms: int = 0
    """Time for each move, in games without a clock; 0: no such limit."""
    grace_ms: int = 500
    """How much longer than `movetime_ms` a program may take before it is late."""
    hash_mb: int = 16
    """Memory of our own engine."""
    tables: bool = True
    """Whether our own engine uses endgame tables."""
    params: tuple[str, ...] = ()
    """Parameters for programs that speak Hub, each as `name=value`."""
    records: bool = field(default=False, compare=False)
    """Whether the arbiter's record of each game is kept beside its PDN, as certificates need it."""
    language: str = field(default="en", compare=False)
    """Language of the sentences about forfeited games."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players in the order of entry."""
        return tuple(entry.name for entry in self.entries)

    def entry(self, name: str) -> Entry:
        """The entry of a player."""
        return next(entry for entry in self.entries if entry.name == name)

    def as_json(self) -> dict[str, Any]:
        """The settings as they are written to the folder."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Reads settings; keys of newer versions are ignored."""
        names = {each.name for each in fields(cls)}
        values = {key: value for key, value in data.items() if key in names}
        values["entries"] = tuple(Entry(**entry) for entry in values["entries"])
        values["lines"] = tuple(values.get("lines", ()))
        values["params"] = tuple(values.get("params", ()))
        values["sprt"] = tuple(values["sprt"]) if values.get("sprt") else None
        return cls(**values)
