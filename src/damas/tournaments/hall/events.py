"""What can happen in a tournament of people. An event is a typed struct; an entry adds who, when and why."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from damas.tournaments.hall.conditions import Conditions, Person

BYE, REQUESTED, ABSENT = "bye", "requested", "absent"
"""Why a player rests in a round: nobody is left to play, the player asked for it, the player is not there."""


class Place(NamedTuple):
    """A board of a round; in a league of teams `board` is the match and `match_board` its board, from 1."""

    board: int
    match_board: int = 0

    def __str__(self) -> str:
        return f"{self.board}.{self.match_board}" if self.match_board else str(self.board)

    @property
    def first_has_white(self) -> bool:
        """Whether the player named first has White in the first game: in a match, at the odd boards."""
        return self.match_board == 0 or self.match_board % 2 == 1


@dataclass(frozen=True)
class Pair:
    """An encounter of a round; `first` has White in the first game."""

    board: int
    first: str
    second: str


@dataclass(frozen=True)
class Rest:
    """A player who does not play in a round."""

    name: str
    kind: str
    board: int = 0
    """In a knock-out, the place in the bracket."""


@dataclass(frozen=True)
class Created:
    """The tournament: always the first event."""

    conditions: Conditions


@dataclass(frozen=True)
class Entered:
    """Players are entered, one or a whole list; after the first round has begun it is a late entry."""

    players: tuple[Person, ...]


@dataclass(frozen=True)
class SquadNamed:
    """The players of a team in the order of boards; after the first round they can only be added to."""

    team: str
    players: tuple[Person, ...]


@dataclass(frozen=True)
class Rated:
    """A player has this rating in a federation's list; start numbers that are fixed stay."""

    name: str
    rating: int
    id: str = ""
    """Number in the list; empty if the list has none."""


@dataclass(frozen=True)
class CheckedIn:
    """Players are in the hall, or are not any more."""

    names: tuple[str, ...]
    present: bool = True


@dataclass(frozen=True)
class ByeRequested:
    """A player will rest in a round that is not drafted yet."""

    name: str
    round: int


@dataclass(frozen=True)
class Withdrawn:
    """A player leaves the tournament and is not paired any more."""

    name: str


@dataclass(frozen=True)
class Disqualified:
    """A player is excluded, and stands below all others."""

    name: str


@dataclass(frozen=True)
class Forbidden:
    """Two players must not be paired."""

    one: str
    other: str


@dataclass(frozen=True)
class Drafted:
    """The pairings of a round, which the public does not see yet; a new draft replaces one that is not published."""

    round: int
    pairs: tuple[Pair, ...]
    resting: tuple[Rest, ...]
    edition: str
    """By which rules and which edition of them it was paired."""
    ballot: str = ""
    """The opening that every board of the round begins with."""
    by_hand: bool = False
    phase: str = ""
    """`knockout` in rounds of a knock-out, else empty."""


@dataclass(frozen=True)
class LinedUp:
    """Who sits at the boards of a team in a round, from the first board on; an empty name is a board that nobody takes."""

    round: int
    team: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Announced:
    """In a league of teams, everybody sees which teams of a draft meet; its boards stay hidden until it is published."""

    round: int


@dataclass(frozen=True)
class Published:
    """The draft of a round becomes its pairing."""

    round: int


@dataclass(frozen=True)
class Scored:
    """The result of a board. `games` has a sign a game, for the player named first:

    1 won, = drawn, 0 lost, + the opponent did not come, - did not come, n neither came.
    """

    round: int
    board: int
    games: str
    advance: str = ""
    """In a knock-out, who goes on where the games end in a tie."""
    match_board: int = 0
    """In a league of teams `board` is the match and this one its board, from 1; 0: `games` has those of all its boards."""

    @property
    def place(self) -> Place:
        """The board."""
        return Place(self.board, self.match_board)


@dataclass(frozen=True)
class Reported:
    """A player says how the games of the own board ended; it counts when the opponent says the same."""

    round: int
    board: int
    name: str
    """Who says so."""
    games: str
    """A sign a game, for the player named first, as in `Scored`; only games that were played."""
    match_board: int = 0

    @property
    def place(self) -> Place:
        """The board."""
        return Place(self.board, self.match_board)


@dataclass(frozen=True)
class PlayedInApp:
    """The games of a board are played in the app; the result follows from them by itself."""

    round: int
    board: int
    games: tuple[str, ...]
    """Ids of the games; in the first one the player named first has White, as far as `Place.first_has_white` says so."""
    match_board: int = 0

    @property
    def place(self) -> Place:
        """The board."""
        return Place(self.board, self.match_board)


@dataclass(frozen=True)
class Renamed:
    """The name of a player or of a team is corrected: it was written wrongly, and nobody else has come."""

    name: str
    to: str


@dataclass(frozen=True)
class Undone:
    """An earlier entry does not count any more; undoing this one makes it count again."""

    entry: int


Event = (
    Created
    | Entered
    | SquadNamed
    | Rated
    | CheckedIn
    | ByeRequested
    | Withdrawn
    | Disqualified
    | Forbidden
    | Drafted
    | LinedUp
    | Announced
    | Published
    | Scored
    | Reported
    | PlayedInApp
    | Renamed
    | Undone
)
"""Everything that can happen in a tournament."""
KINDS: dict[str, Any] = {
    "created": Created,
    "entered": Entered,
    "squad-named": SquadNamed,
    "rated": Rated,
    "checked-in": CheckedIn,
    "bye-requested": ByeRequested,
    "withdrawn": Withdrawn,
    "disqualified": Disqualified,
    "forbidden": Forbidden,
    "drafted": Drafted,
    "lined-up": LinedUp,
    "announced": Announced,
    "published": Published,
    "scored": Scored,
    "reported": Reported,
    "played-in-app": PlayedInApp,
    "renamed": Renamed,
    "undone": Undone,
}
"""The events by the names they have in files."""
_NAMES = {kind: name for name, kind in KINDS.items()}
_PARTS: dict[str, Any] = {"players": Person, "pairs": Pair, "resting": Rest}


@dataclass(frozen=True)
class Entry:
    """An event, and who entered it, when and why."""

    event: Event
    who: str = ""
    at: str = ""
    """Date and time in UTC, as 2026-11-18T16:00:00Z."""
    why: str = ""


def kind_of(event: Event) -> str:
    """The name of an event in files."""
    return _NAMES[type(event)]


def to_json(entry: Entry) -> dict[str, Any]:
    """An entry as JSON values."""
    return {
        "kind": kind_of(entry.event),
        "who": entry.who,
        "at": entry.at,
        "why": entry.why,
        "event": asdict(entry.event),
    }


def from_json(data: Mapping[str, Any]) -> Entry:
    """An entry of JSON values; raises `KeyError`, `TypeError` or `ValueError` if it is none. Newer keys are ignored."""
    kind = KINDS[data["kind"]]
    event = kind(**{key: _value(key, value) for key, value in _known(kind, data["event"]).items()})
    return Entry(event, str(data["who"]), str(data["at"]), str(data["why"]))


def _known(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {key: value for key, value in data.items() if key in names}


def _value(key: str, value: Any) -> Any:
    if key == "conditions":
        return Conditions.from_json(value)
    if key in _PARTS:
        return tuple(_PARTS[key](**_known(_PARTS[key], part)) for part in value)
    return tuple(value) if isinstance(value, list) else value
