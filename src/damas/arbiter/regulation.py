"""Regulations: what an organiser decides in addition to the rulebook; one TOML file each, without defaults."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Self, get_type_hints

from damas.arbiter.control import PEOPLE_PER_MOVE, TimeControl
from damas.errors import BadRegulation, Citation, Mistake, NotationError, UnknownRegulation, wanted
from damas.game import Customs
from damas.language import Saying
from damas.rules import Clause, Rulebook, cite
from damas.rules.articles import cite_topic
from damas.rules.library import parse_toml, read_text

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
"""The longest time of a setting, in milliseconds."""
MAX_COUNT = 1000
"""The highest number of moves, plies or offences of a setting."""


def _time_control(value: object) -> TimeControl | None:
    try:
        return TimeControl.parse(value) if isinstance(value, str) else None
    except NotationError:
        return None


def _milliseconds(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_MS else None


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_COUNT else None


def _order(value: object) -> tuple[str, ...] | None:
    if not isinstance(value, list) or sorted(map(str, value)) != sorted(PROCEDURES):
        return None
    return tuple(value) if value[0] == "end_on_board" else None


@dataclass(frozen=True)
class Setting:
    """One setting of a regulation: its section and key in the file, and its allowed values."""

    section: str
    key: str
    allowed: tuple[object, ...] | Callable[[object], object | None]
    """The values themselves, or a function that reads a value and gives None for a wrong one."""
    description: Saying | None = None
    """What is expected, if `allowed` does not list it."""
    before: object | None = None
    """What held before there was this setting: records that lack it mean this. Files must answer it."""

    def answer(self, value: object) -> object | None:
        """The value read, or None if it is not allowed."""
        if not isinstance(self.allowed, tuple):
            return self.allowed(value)
        # True == 1 in Python, but not in a regulation.
        fits = any(type(value) is type(choice) and value == choice for choice in self.allowed)
        return value if fits else None

    @property
    def expected(self) -> Saying:
        """What may stand there, for an error."""
        choices = self.allowed if isinstance(self.allowed, tuple) else ()
        return self.description or wanted("one_of", values=", ".join(map(json.dumps, choices)))


YES_NO = (True, False)
"""The values of a setting that is on or off."""
DEMANDED = ("on", "off", "rulebook")
"""The values of a setting that may be left to the rulebook's text."""
MILLISECONDS, OR_NEVER = wanted("milliseconds"), wanted("whole_or_never", most=MAX_COUNT)


@dataclass(frozen=True, kw_only=True)
class Regulation:
    """The answers of one organiser; `regulation` returns presets."""

    id: str
    time_control: Annotated[TimeControl, Setting("time", "control", _time_control, wanted("time_control"))]
    clock_stopped_by: Annotated[str, Setting("time", "stopped_by", ("move", "press"))]
    """move: the clock changes over by itself when a move is made | press: the player presses it."""
    claims: Annotated[str, Setting("claims", "limits", ("automatic", "player"))]
    """automatic: limits that a federation words as a claim apply by themselves | player: they wait for a claim."""
    wrong_claim: Annotated[str, Setting("claims", "wrong_claim", ("nothing", "time", "loses"))]
    """Consequence of a wrong claim: nothing | time for the opponent | loses."""
    wrong_claim_ms: Annotated[int, Setting("claims", "wrong_claim_ms", _milliseconds, MILLISECONDS)]
    people_illegal_moves: Annotated[
        str, Setting("illegal_moves", "people", ("refused", "counted", "rulebook"))
    ]
    """refused: explained only | counted: recorded as well | rulebook: loses where the rulebook says so, else counted."""
    people_lose_at: Annotated[int, Setting("illegal_moves", "people_lose_at", _count, OR_NEVER)]
    """Number of the counted illegal move that loses; 0 = never."""
    bots_illegal_moves: Annotated[str, Setting("illegal_moves", "bots", ("rulebook", "refused", "loses"))]
    """rulebook: as the rulebook treats an invalid move | refused | loses."""
    touch_move: Annotated[str, Setting("conduct", "touch_move", DEMANDED)]
    """on | off | rulebook."""
    unfinished_chain: Annotated[str, Setting("conduct", "unfinished_chain", ("refused", "opponent"))]
    """A capture stopped too early: refused | opponent: who may accept it or demand its completion."""
    two_tempi: Annotated[str, Setting("conduct", "two_tempi", DEMANDED, before="off")]
    """Whether a player lifts the captured pieces by hand, in order, after the capturing piece has moved."""
    crowning_by_hand: Annotated[str, Setting("conduct", "crowning_by_hand", DEMANDED, before="off")]
    """Whether a player crowns the opponent's man by hand before playing on."""
    recorded: Annotated[bool, Setting("conduct", "recorded", YES_NO)]
    """Whether the players write the game down."""
    hints: Annotated[bool, Setting("conduct", "hints", YES_NO)]
    """Whether a player may be shown what can be played."""
    take_back: Annotated[bool, Setting("conduct", "take_back", YES_NO)]
    chat: Annotated[bool, Setting("conduct", "chat", YES_NO, before=True)]
    """Whether the players may write to each other."""
    agreement: Annotated[str, Setting("agreement", "draws", ("rulebook", "always", "never"))]
    """Draws by agreement: rulebook: where its text names them | always | never."""
    offers_from_move: Annotated[
        int, Setting("agreement", "offers_from_move", _count, wanted("whole", least=0, most=MAX_COUNT))
    ]
    """The first move number at which a draw may be offered."""
    abort_before_ply: Annotated[int, Setting("presence", "abort_before_ply", _count, OR_NEVER)]
    """A game may be cancelled before this ply; 0 = never."""
    disconnection_grace_ms: Annotated[
        int, Setting("presence", "disconnection_grace_ms", _milliseconds, MILLISECONDS)
    ]
    """How long a player may be away before the opponent may claim the game."""
    colours: Annotated[str, Setting("presence", "colours", ("rulebook", "lot", "free"))]
    """Who chooses the colours: rulebook: by lot where its text says so | lot | free."""
    platform_rules: Annotated[bool, Setting("laws", "platform_rules", YES_NO)]
    """Whether platform rules may end a game that the rulebook would never end."""
    procedures: Annotated[
        tuple[str, ...],
        Setting("laws", "procedures", _order, wanted("procedures", values=", ".join(PROCEDURES))),
    ]

    # How an answer meets a rulebook

    @property
    def customs(self) -> Customs:
        """What the regulation says about draw rules of the platform, claims and the platform's offers."""
        return Customs(self.platform_rules, self.claims == "player", offers=self.agreement == "always")

    @property
    def registers(self) -> bool:
        """Whether irregularities of people are recorded."""
        return self.people_illegal_moves != "refused"

    def touch_move_under(self, book: Rulebook) -> bool:
        """Whether a touched piece must be moved under a rulebook."""
        return book.touch_move.value if self.touch_move == "rulebook" else self.touch_move == "on"

    def two_tempi_under(self, book: Rulebook) -> bool:
        """Whether captured pieces are lifted by hand under a rulebook."""
        return _demanded(self.two_tempi, book, "two_tempi")

    def crowning_by_hand_under(self, book: Rulebook) -> bool:
        """Whether the opponent's man is crowned by hand under a rulebook."""
        return _demanded(self.crowning_by_hand, book, "crowning")

    def agreement_under(self, book: Rulebook) -> bool:
        """Whether players may agree to a draw under a rulebook."""
        return book.agreement.value if self.agreement == "rulebook" else self.agreement == "always"

    def bots_lose_under(self, book: Rulebook) -> bool:
        """Whether an invalid move of a program loses under a rulebook."""
        policy = self.bots_illegal_moves
        return (book.invalid_move.value if policy == "rulebook" else policy) == "loses"

    def people_lose_under(self, book: Rulebook) -> bool:
        """Whether the first invalid move of a person loses by the rulebook's own text (004-4.4)."""
        counted = self.people_illegal_moves == "counted" and self.people_lose_at == 1
        return (counted or self.people_illegal_moves == "rulebook") and book.invalid_move.value == "loses"

    def first_invalid_loses_under(self, book: Rulebook) -> bool:
        """Whether the first invalid move of a person loses, by the text or by this regulation."""
        by_regulation = self.people_illegal_moves != "refused" and self.people_lose_at == 1
        return by_regulation or self.people_lose_under(book)

    def opponent_judges_chain_under(self, book: Rulebook) -> bool:
        """Whether the opponent may accept a capture released too early: never where it is an invalid move that loses."""
        return self.unfinished_chain == "opponent" and not self.people_lose_under(book)

    def lot_under(self, book: Rulebook) -> bool:
        """Whether colours are drawn by lot under a rulebook."""
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
        return self._data(SETTINGS)

    def recorded_data(self) -> dict[str, Any]:
        """The regulation as records have it: without settings that mean what held before there were such settings."""
        return self._data(
            {
                name: setting
                for name, setting in SETTINGS.items()
                if setting.before is None or getattr(self, name) != setting.before
            }
        )

    def _data(self, settings: "dict[str, Setting]") -> dict[str, Any]:
        out: dict[str, Any] = {"id": self.id}
        for name, setting in settings.items():
            value = getattr(self, name)
            if isinstance(value, TimeControl):
                value = str(value)
            elif isinstance(value, tuple):
                value = list(value)
            out.setdefault(setting.section, {})[setting.key] = value
        return out

    @classmethod
    def of(cls, data: object, name: str = "regulation", *, recorded: bool = False) -> Self:
        """Reads what `data` gives; raises `BadRegulation` with everything wrong.

        A `recorded` regulation may lack settings that are younger than its record.
        """
        problems: list[Mistake] = []

        def add(key: str, got: object, allowed: Saying) -> None:
            problems.append(Mistake.of(key, got, allowed))

        table = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            add("file", data, wanted("settings"))
        sections: dict[str, set[str]] = {}
        for setting in SETTINGS.values():
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
        for field, setting in SETTINGS.items():
            section = table.get(setting.section)
            if not isinstance(section, dict):
                continue
            value = section.get(setting.key, setting.before if recorded else None)
            answer = setting.answer(value)
            if answer is None:
                add(f"{setting.section}.{setting.key}", value, setting.expected)
            answers[field] = answer
        if problems:
            raise BadRegulation(name, problems)
        return cls(id=str(regulation_id), **answers)

    def with_time(self, control: str) -> "Regulation":
        """The same regulation with another time control.

        >>> str(regulation("casual").with_time("5+3").time_control)
        '5+3'
        """
        return replace(self, time_control=TimeControl.parse(control))


def _demanded(answer: str, book: Rulebook, topic: str) -> bool:
    """Whether something is demanded: by the regulation, or by an article on the topic where it leaves that to the text."""
    return answer == "on" or (answer == "rulebook" and cite_topic(book, topic) is not None)


SETTINGS: dict[str, Setting] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Regulation, include_extras=True).items()
    if name != "id"
}
"""The setting behind each field of a regulation but its id."""


def parse(text: str, name: str = "regulation") -> Regulation:
    """A regulation from the text of a TOML file."""
    return Regulation.of(parse_toml(text, name, BadRegulation), name)


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
    return parse(read_text(name, BadRegulation), name)


def usual_time(preset: str) -> str:
    """The time control of people who choose none under a preset; its limit of single moves is for programs.

    >>> usual_time("club"), usual_time("contest")
    ('20', '30s/move')
    """
    control = regulation(preset).time_control
    return PEOPLE_PER_MOVE if control.kind == "move" else str(control)
