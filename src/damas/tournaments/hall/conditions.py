"""The conditions of a tournament, written with its first event, and a person as entered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from damas.arbiter.control import TimeControl
from damas.errors import NotationError, TournamentRefused
from damas.tournaments.tie_breaks import TIE_BREAKS

SYSTEMS = ("swiss", "round-robin", "knockout", "groups")
"""Systems of play; `groups` is a round robin in groups and then a knock-out."""
ORDERS = ("rating", "entry", "lot")
"""How players are numbered before the first round."""
SCORED_BY = ("match", "game")
"""Whether win, draw and loss are worth their points once an encounter or once a game."""
GAMES = (1, 2, 4)
"""Games of an encounter."""
TEAM_SYSTEMS = ("swiss", "round-robin")
"""Systems in which teams can meet."""
MAX_BOARDS = 30
"""Boards of a match between teams."""
BOARD = re.compile(r"open|(?=.)([1-9]\d?)?([fm])?")
"""Who may sit at a board of a match: a highest age, a sex, or both."""
INDIVIDUAL_TIE_BREAKS = tuple(name for name in TIE_BREAKS if name != "board-points")


@dataclass(frozen=True)
class Person:
    """A player as entered."""

    name: str
    club: str = ""
    federation: str = ""
    rating: int = 0
    """0: none."""
    birth: str = ""
    """A year, or a date as 2014-05-31."""
    sex: str = ""
    """m, f, or empty."""
    series: str = ""
    id: str = ""
    """Number in the federation's list."""

    @property
    def birth_year(self) -> int:
        """The year of birth; 0 if it is not known."""
        return int(self.birth[:4]) if self.birth[:4].isdecimal() else 0


@dataclass(frozen=True)
class Conditions:
    """What is settled before the first round: pairings, points and table depend on nothing else but the events."""

    title: str
    rulebook: str
    system: str = "swiss"
    rounds: int = 0
    """Rounds of a Swiss; 0: as many as such a number of players usually plays."""
    games: int = 1
    """Games each time two players meet, with colours changed."""
    cycles: int = 1
    """How often everybody meets everybody in a round robin."""
    groups: int = 2
    advance: int = 2
    """Players of each group who go on to the knock-out."""
    control: str = ""
    """Time for a game, or for all games of an encounter if `control_for` says so, as damas writes it: 20, 5+3."""
    control_for: str = "game"
    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    scored_by: str = "match"
    bye: float = 1.0
    """Points of whoever has no opponent because the number of players is odd."""
    requested_bye: float = 0.5
    """Points of a round that a player asked to rest in."""
    tie_breaks: tuple[str, ...] = ("buchholz", "sonneborn", "wins")
    ballot: str = ""
    """Openings drawn for each round, as `damas.openings` names them; empty: none."""
    seed: int = 1
    order: str = "rating"
    check_in: bool = False
    """Whether only players who are checked in are paired."""
    clubs_apart: bool = False
    """Whether players of one club do not meet while that can be avoided."""
    no_show_limit: int = 0
    """Number of no-shows that eliminates a player; 0: none does."""
    provisional_rating: int = 0
    """Rating of players who have none."""
    rating_floor: int = 0
    """Lower ratings count as this one."""
    elo_k: int = 20
    ages: tuple[int, ...] = ()
    """Age classes: a player belongs to the lowest whose number the age of this year does not exceed."""
    boards: tuple[str, ...] = ()
    """In a league of teams, who may sit at each board: open, f, m, a highest age (11), or both (11f). Empty: no teams."""
    squad: int = 0
    """Players of a team at most, with those who are not at the boards; 0: as many as it likes."""
    min_boards: int = 1
    """A team with fewer players at the boards loses the match."""
    fixed_order: bool = True
    """Whether a team sits in the order of its squad in every round."""
    board_win: float = 1.0
    board_draw: float = 0.5
    board_loss: float = 0.0
    """Points of a board of a match, for each game or each encounter as `scored_by` says; win, draw and loss are match points."""
    bye_boards: float = 0.0
    """Board points of a team that has the bye."""
    team_best: int = 0
    """In an individual tournament, players of a club whose points make the table of clubs; 0: there is none."""
    place: str = ""
    date: str = ""
    arbiter: str = ""
    template: str = ""
    source: str = ""
    """Where the template's conditions come from."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of newer versions."""

    def __post_init__(self) -> None:
        for key, value, allowed in (
            ("system", self.system, SYSTEMS),
            ("order", self.order, ORDERS),
            ("scored_by", self.scored_by, SCORED_BY),
            ("games", self.games, GAMES),
            ("cycles", self.cycles, (1, 2)),
        ):
            if value not in allowed:
                raise TournamentRefused(
                    "condition", {"key": key, "got": str(value), "known": ", ".join(map(str, allowed))}
                )
        for tie_break in self.tie_breaks:
            if tie_break not in TIE_BREAKS:
                raise TournamentRefused(
                    "condition", {"key": "tie_breaks", "got": tie_break, "known": ", ".join(TIE_BREAKS)}
                )
        if "board-points" in self.tie_breaks and not self.boards:
            raise TournamentRefused(
                "condition",
                {"key": "tie_breaks", "got": "board-points", "known": ", ".join(INDIVIDUAL_TIE_BREAKS)},
            )
        for board in self.boards:
            if not BOARD.fullmatch(board):
                raise TournamentRefused(
                    "condition", {"key": "boards", "got": board, "known": "open, f, m, 17, 11f …"}
                )
        if self.boards and self.system not in TEAM_SYSTEMS:
            raise TournamentRefused(
                "condition", {"key": "system", "got": self.system, "known": ", ".join(TEAM_SYSTEMS)}
            )
        if not self.win >= self.draw >= self.loss or min(self.rounds, self.groups - 1, self.advance - 1) < 0:
            raise TournamentRefused(
                "condition", {"key": "win", "got": str(self.win), "known": "win ≥ draw ≥ loss"}
            )

    @property
    def max_points(self) -> float:
        """Points of an encounter won in every game."""
        return self.win * (self.games if self.scored_by == "game" and not self.boards else 1)

    @property
    def max_board_points(self) -> float:
        """Points of a board of a match won in every game."""
        return self.board_win * (self.games if self.scored_by == "game" else 1)

    @property
    def year(self) -> int:
        """The year in which it is played, for ages; 0 if there is no date."""
        return int(self.date[:4]) if self.date[:4].isdecimal() else 0

    @property
    def clock(self) -> TimeControl | None:
        """The time control; None without one, and where a file of another program has words instead."""
        try:
            return TimeControl.parse(self.control) if self.control else None
        except NotationError:
            return None

    @property
    def in_app(self) -> bool:
        """Whether boards can be played in the app: not by a time that no clock has."""
        return not self.control or self.clock is not None

    def rating(self, person: Person) -> int:
        """The rating by which a player is numbered: the own one, or the provisional one."""
        return max(self.rating_floor, person.rating or self.provisional_rating)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Conditions":
        """Reads conditions; keys of newer versions are kept in `extra`."""
        names = {each.name for each in fields(cls)}
        values = {key: value for key, value in data.items() if key in names}
        for key in ("tie_breaks", "ages", "boards"):
            if key in values:
                values[key] = tuple(values[key])
        unknown = {key: value for key, value in data.items() if key not in names}
        if unknown:
            values["extra"] = {**values.get("extra", {}), **unknown}
        return cls(**values)


def read_boards(text: str) -> tuple[str, ...]:
    """The boards of a match: so many open ones, or who may sit at each.

    >>> read_boards("2"), read_boards("open, 11f")
    (('open', 'open'), ('open', '11f'))
    """
    if text.isdecimal() and text.strip("0"):
        return ("open",) * min(int(text), MAX_BOARDS + 1)
    return tuple(part.strip().lower() for part in text.split(","))


def with_readable_time(conditions: Conditions) -> Conditions:
    """The conditions of a new tournament with the time as damas writes it; raises `NotationError` if it is none.

    >>> with_readable_time(Conditions("Open", "faraes", control=" 20m ")).control
    '20'
    """
    control = TimeControl.parse(conditions.control or "none")
    return replace(conditions, control="" if control.kind == "none" else str(control))
