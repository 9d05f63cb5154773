"""Regulations: what an organiser decides in addition to the rulebook; one TOML file each, without defaults."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from damas.arbiter.control import TimeControl
from damas.errors import (
    BadRegulation,
    Citation,
    Mistake,
    NotationError,
    UnknownRegulation,
    file_trouble,
    toml_trouble,
    wanted,
)
from damas.game import Customs
from damas.language import Saying
from damas.rules import Clause, Rulebook, cite

PRESETS = ("casual", "school", "club", "contest")
"""A web game among friends, a FARAES school game, a club tournament, a programming contest."""

PROCEDURES = (
    "end_on_board",
    "laws",
    "flag_fall",
    "unfinished_chain",
    "illegal_move_by_bot",
    "illegal_move_by_person",
    "touch_move",
    "crowning",
    "blowing",
    "clock_press",
    "draw_offer",
    "draw_claim",
    "attention",
    "hints",
    "resignation",
    "take_back",
    "abort",
    "disconnection",
    "arbiter_intervention",
)
"""All procedures. A regulation lists each once, in the order in which the arbiter asks them."""

MAX_MS = 10**12


@dataclass(frozen=True, kw_only=True)
class Regulation:
    """The answers of one organiser; `regulation` returns presets."""

    id: str
    time_control: TimeControl
    clock_stopped_by: str
    """move: the clock changes over by itself when a move is made | press: the player presses it."""
    claims: str
    """automatic: limits that a federation words as a claim apply by themselves | player: they wait for a claim."""
    wrong_claim: str
    """Consequence of a wrong claim: nothing | time for the opponent | loses."""
    wrong_claim_ms: int
    people_illegal_moves: str
    """refused: explained only | counted: recorded as well."""
    people_lose_at: int
    """Number of the counted illegal move that loses; 0 = never."""
    bots_illegal_moves: str
    """rulebook: as the rulebook treats an invalid move | refused | loses."""
    touch_move: str
    """on | off | rulebook."""
    unfinished_chain: str
    """A capture stopped too early: refused | opponent: who may accept it or demand its completion."""
    recorded: bool
    """Whether the players write the game down."""
    hints: bool
    """Whether a player may be shown what can be played."""
    take_back: bool
    agreement: str
    """Draws by agreement: rulebook: where its text names them | always | never."""
    offers_from_move: int
    """The first move number at which a draw may be offered."""
    abort_before_ply: int
    """A game may be cancelled before this ply; 0 = never."""
    disconnection_grace_ms: int
    """How long a player may be away before the opponent may claim the game."""
    colours: str
    """Who chooses the colours: rulebook: by lot where its text says so | lot | free."""
    platform_rules: bool
    """Whether platform rules may end a game that the rulebook would never end."""
    procedures: tuple[str, ...]

    # How an answer meets a rulebook

    @property
    def customs(self) -> Customs:
        return Customs(platform_rules=self.platform_rules, claims=self.claims == "player")

    def touch_move_under(self, book: Rulebook) -> bool:
        return book.touch_move.value if self.touch_move == "rulebook" else self.touch_move == "on"

    def agreement_under(self, book: Rulebook) -> bool:
        return book.agreement.value if self.agreement == "rulebook" else self.agreement == "always"

    def bots_lose_under(self, book: Rulebook) -> bool:
        policy = self.bots_illegal_moves
        return (book.invalid_move.value if policy == "rulebook" else policy) == "loses"

    def lot_under(self, book: Rulebook) -> bool:
        return book.colours_by_lot.value if self.colours == "rulebook" else self.colours == "lot"

    def cite(self, setting: str) -> Citation:
        """A citation of a setting of this regulation."""
        return Citation(self.id, setting, f"regulation.{setting}")

    def cite_clause(self, book: Rulebook, clause: Clause[Any], decides: object, setting: str) -> Citation:
        """The article of a clause if the rulebook itself has the value `decides`, otherwise the setting of the regulation."""
        return (
            cite(book, clause.article) if clause.value == decides and clause.article else self.cite(setting)
        )

    # As data

    def data(self) -> dict[str, Any]:
        """The regulation as its file has it: sections of settings."""
        out: dict[str, Any] = {"id": self.id}
        for setting in SETTINGS:
            value = getattr(self, setting.field)
            if isinstance(value, TimeControl):
                value = str(value)
            elif isinstance(value, tuple):
                value = list(value)
            out.setdefault(setting.section, {})[setting.key] = value
        return out

    @classmethod
    def of(cls, data: object, name: str = "regulation") -> "Regulation":
        """Reads what `data` gives; raises `BadRegulation` with everything wrong."""
        return _read(data, name)

    def with_time(self, control: str) -> "Regulation":
        """The same regulation with another time control.

        >>> str(regulation("casual").with_time("5+3").time_control)
        '5+3'
        """
        return replace(self, time_control=TimeControl.parse(control))


# Settings and their values


def _control(value: object) -> TimeControl | None:
    try:
        return TimeControl.parse(value) if isinstance(value, str) else None
    except NotationError:
        return None


def _whole(most: int) -> Callable[[object], int | None]:
    return lambda value: value if type(value) is int and 0 <= value <= most else None


def _order(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or sorted(map(str, value)) != sorted(PROCEDURES):
        return None
    return tuple(value) if value[0] == "end_on_board" else None


@dataclass(frozen=True)
class Setting:
    """One setting of a regulation: its place in the file and its allowed values."""

    section: str
    key: str
    field: str
    allowed: tuple[object, ...] | None = None
    read: Callable[[object], object | None] | None = None
    description: Saying | None = None
    """What is expected, if `allowed` does not list it."""

    def answer(self, value: object) -> object | None:
        """The value read, or None if it is not allowed."""
        if self.read:
            return self.read(value)
        # True == 1 in Python, but not in a regulation.
        assert self.allowed
        fits = any(type(value) is type(choice) and value == choice for choice in self.allowed)
        return value if fits else None

    @property
    def expected(self) -> Saying:
        values = ", ".join(json.dumps(choice) for choice in self.allowed or ())
        return self.description or wanted("one_of", values=values)


YES_NO = (True, False)
SETTINGS = (
    Setting("time", "control", "time_control", None, _control, wanted("time_control")),
    Setting("time", "stopped_by", "clock_stopped_by", ("move", "press")),
    Setting("claims", "limits", "claims", ("automatic", "player")),
    Setting("claims", "wrong_claim", "wrong_claim", ("nothing", "time", "loses")),
    Setting("claims", "wrong_claim_ms", "wrong_claim_ms", None, _whole(MAX_MS), wanted("milliseconds")),
    Setting("illegal_moves", "people", "people_illegal_moves", ("refused", "counted")),
    Setting(
        "illegal_moves",
        "people_lose_at",
        "people_lose_at",
        None,
        _whole(1000),
        wanted("whole_or_never", most=1000),
    ),
    Setting("illegal_moves", "bots", "bots_illegal_moves", ("rulebook", "refused", "loses")),
    Setting("conduct", "touch_move", "touch_move", ("on", "off", "rulebook")),
    Setting("conduct", "unfinished_chain", "unfinished_chain", ("refused", "opponent")),
    Setting("conduct", "recorded", "recorded", YES_NO),
    Setting("conduct", "hints", "hints", YES_NO),
    Setting("conduct", "take_back", "take_back", YES_NO),
    Setting("agreement", "draws", "agreement", ("rulebook", "always", "never")),
    Setting(
        "agreement",
        "offers_from_move",
        "offers_from_move",
        None,
        _whole(1000),
        wanted("whole", least=0, most=1000),
    ),
    Setting(
        "presence",
        "abort_before_ply",
        "abort_before_ply",
        None,
        _whole(1000),
        wanted("whole_or_never", most=1000),
    ),
    Setting(
        "presence",
        "disconnection_grace_ms",
        "disconnection_grace_ms",
        None,
        _whole(MAX_MS),
        wanted("milliseconds"),
    ),
    Setting("presence", "colours", "colours", ("rulebook", "lot", "free")),
    Setting("laws", "platform_rules", "platform_rules", YES_NO),
    Setting(
        "laws",
        "procedures",
        "procedures",
        None,
        _order,
        wanted("procedures", values=", ".join(PROCEDURES)),
    ),
)


def _read(data: object, name: str) -> Regulation:
    problems: list[Mistake] = []

    def add(key: str, got: object, allowed: Saying) -> None:
        shown = None if got is None else json.dumps(got, default=str, ensure_ascii=False)
        problems.append(Mistake(key, shown, allowed))

    table = data if isinstance(data, dict) else {}
    if not isinstance(data, dict):
        add("file", data, wanted("settings"))
    sections: dict[str, set[str]] = {}
    for setting in SETTINGS:
        sections.setdefault(setting.section, set()).add(setting.key)
    for key, value in table.items():
        if key != "id" and key not in sections:
            add(str(key), value, wanted("known_key", known=f"id, {', '.join(sections)}"))
        for inner in value.keys() - sections.get(key, set()) if isinstance(value, dict) else ():
            allowed = ", ".join(sorted(sections.get(key, set())))
            add(f"{key}.{inner}", value[inner], wanted("known_key", known=allowed))
    regulation_id = table.get("id")
    if not isinstance(regulation_id, str) or not regulation_id:
        add("id", regulation_id, wanted("name"))
    answers: dict[str, Any] = {}
    for title in sections:
        if not isinstance(table.get(title), dict):
            add(title, table.get(title), wanted("table", name=title))
    for setting in SETTINGS:
        section = table.get(setting.section)
        if not isinstance(section, dict):
            continue
        value = section.get(setting.key)
        answer = setting.answer(value)
        if answer is None:
            add(f"{setting.section}.{setting.key}", value, setting.expected)
        answers[setting.field] = answer
    if problems:
        raise BadRegulation(name, problems)
    return Regulation(id=str(regulation_id), **answers)


# Reading


def parse(text: str, name: str = "regulation") -> Regulation:
    """A regulation from the text of a TOML file."""
    import tomllib  # only those who read a file pay for it

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # see rules.library
        raise BadRegulation(name, [Mistake("file", name, toml_trouble(error))]) from None
    return _read(data, name)


@cache
def _preset(name: str) -> Regulation:
    return parse((files("damas.regulations") / f"{name}.toml").read_text(encoding="utf-8"), name)


def regulation(name: str) -> Regulation:
    """A preset by its name, or a user's own by the path of its TOML file.

    >>> regulation("school").touch_move
    'on'
    """
    if name.lower() in PRESETS:
        return _preset(name.lower())
    if not name.endswith(".toml"):
        raise UnknownRegulation(name, PRESETS)
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        mistake = Mistake("file", name, wanted("readable", why=file_trouble(error)))
        raise BadRegulation(name, [mistake]) from None
    return parse(text, name)
