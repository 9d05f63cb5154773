"""What a tournament has settled before its first game. Written once into its folder and never changed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
COLOURS = ("lot", "alternating")
VERSION = 1
"""Of the files of a tournament. Another number is another way to write them."""


@dataclass(frozen=True)
class Entry:
    """A player as it was entered: a name of its own, and how the arena finds the program."""

    name: str
    spec: str
    trusted: bool = False


@dataclass(frozen=True)
class Settings:
    """Everything that the pairings, the games and so the final table depend on."""

    entries: tuple[Entry, ...]
    rulebook: str
    format: str = "round-robin"
    games: int = 2
    """Of one encounter: two players who meet, on as many openings as there are pairs of games."""
    rounds: int = 0
    """Of Swiss and ladder; 0: as many as the format usually has."""
    control: str = "1s/move"
    openings: str = "start"
    lines: tuple[str, ...] = ()
    """The openings of a file, as they were when the tournament began."""
    colours: str = "lot"
    seed: int = 1
    legal: bool = True
    """Whether programs are told the legal moves."""
    tier: str = "auto"
    sprt: tuple[float, float] | None = None
    """The two Elo differences that a test between two players tells apart; it ends the match."""
    tie_breaks: int = 3
    """Pairs of games a tied encounter of a knock-out may add; after them the lot decides."""
    longest: int = 400
    """Plies after which a game is given up as drawn."""
    rules: str = ""
    """The hash of the rulebook when the tournament began: rules of one's own are a file, and a file can change."""
    title: str = ""
    folder: str = field(default="", compare=False)
    """Where the commands of the entries are to be understood."""
    begun: str = field(default="", compare=False)
    nodes: int = 0
    """Nodes of a move, in games without a clock; 0: no such limit."""
    depth: int = 0
    """Plies that an engine looks ahead, in games without a clock; 0: no such limit."""
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
    language: str = field(default="en", compare=False)
    """Of what is said about lost games."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.entries)

    def entry(self, name: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == name)

    def as_json(self) -> dict[str, Any]:
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        known = {each.name for each in fields(cls)}
        facts = {key: value for key, value in told.items() if key in known}
        facts["entries"] = tuple(Entry(**entry) for entry in facts["entries"])
        facts["lines"] = tuple(facts.get("lines", ()))
        facts["params"] = tuple(facts.get("params", ()))
        facts["sprt"] = tuple(facts["sprt"]) if facts.get("sprt") else None
        return cls(**facts)
