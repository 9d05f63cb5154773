"""What can be done to a tournament: the bodies of requests, and the events that each of them adds."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from damas.server.security.errors import ApiError
from damas.tournaments.hall.bounds import MAX_NAME
from damas.tournaments.hall.conditions import Person
from damas.tournaments.hall.events import (
    ByeRequested,
    CheckedIn,
    Disqualified,
    Entered,
    Event,
    Forbidden,
    Published,
    Reported,
    Scored,
    Undone,
    Withdrawn,
)
from damas.tournaments.hall.lists import read_date, read_name, read_players
from damas.tournaments.hall.pairing import swapped
from damas.tournaments.hall.results import read_result
from damas.tournaments.hall.rounds import Result
from damas.tournaments.hall.state import State

MAX_REPORTS = 10
"""Reports of one player of one board: the log of a tournament has an end, and nobody may fill it alone."""
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Short = Annotated[str, Meta(max_length=60)]
Why = Annotated[str, Meta(max_length=200)]
RoundNumber = Annotated[int, Meta(ge=1, le=99)]
Board = Annotated[int, Meta(ge=1, le=9999)]
ClientId = Annotated[str, Meta(max_length=40, pattern="^[ -~]*$")]
"""An id that a page gives to what it sends, so that a repetition counts once."""


class Action(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """An action at the desk or by a player."""

    name: ClassVar[str]
    """The action in the table of roles."""
    id: ClientId = ""
    why: Why = ""

    def needed(self, state: State) -> str:  # noqa: ARG002 (one action asks the state)
        """The action in the table of roles that this request needs."""
        return self.name

    def events(self, state: State, player: str) -> Sequence[Event]:
        """The events that follow; `player` is the name of the player who asks, if it is one."""
        raise NotImplementedError


class NewPlayer(Struct, forbid_unknown_fields=True):
    """A player who is entered."""

    name: Name
    club: Short = ""
    federation: Short = ""
    rating: Annotated[int, Meta(ge=0, le=9999)] = 0
    birth: Annotated[str, Meta(max_length=10)] = ""
    sex: Annotated[str, Meta(pattern="^[fm]?$")] = ""
    series: Short = ""
    number: Short = ""
    """Number in the federation's list."""


class Enter(Action, tag="enter"):
    """Players are entered."""

    name: ClassVar[str] = "enter"
    player: NewPlayer

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        new = self.player
        person = Person(
            read_name(new.name), new.club, new.federation, new.rating, read_date(new.birth), new.sex, new.series, new.number
        )  # fmt: skip
        return [Entered((person,))]


class Import(Action, tag="import"):
    """The players of a list are entered: CSV, or a name on each line."""

    name: ClassVar[str] = "import"
    text: Annotated[str, Meta(max_length=60_000)]

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """All of them in one entry, or none."""
        return [Entered(read_players(self.text))]


class CheckIn(Action, tag="check_in"):
    """Players are in the hall, or are not any more."""

    name: ClassVar[str] = "check_in"
    names: Annotated[list[Name], Meta(min_length=1, max_length=1000)]
    present: bool = True

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry for all."""
        return [CheckedIn(tuple(self.names), self.present)]


class Arrive(Action, tag="arrive"):
    """A player is in the hall, and says so by phone."""

    name: ClassVar[str] = "arrive"

    def events(self, state: State, player: str) -> Sequence[Event]:
        """Nothing more if it is known."""
        return [] if state.player(player).present else [CheckedIn((player,))]


class Bye(Action, tag="bye"):
    """A player will rest in a round."""

    name: ClassVar[str] = "bye"
    player: Name
    round: RoundNumber

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [ByeRequested(self.player, self.round)]


class Withdraw(Action, tag="withdraw"):
    """A player leaves."""

    name: ClassVar[str] = "withdraw"
    player: Name

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Withdrawn(self.player)]


class Disqualify(Action, tag="disqualify"):
    """A player is excluded; needs a reason."""

    name: ClassVar[str] = "disqualify"
    player: Name

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Disqualified(self.player)]


class Forbid(Action, tag="forbid"):
    """Two players must not meet."""

    name: ClassVar[str] = "forbid"
    one: Name
    other: Name

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Forbidden(self.one, self.other)]


class Draft(Action, tag="draft"):
    """The next round is paired; whoever handles this pairs it beforehand, since that may take long."""

    name: ClassVar[str] = "draft"


class Meet(Action, tag="meet"):
    """Two players of the draft are brought to one board by hand; needs a reason."""

    name: ClassVar[str] = "meet"
    one: Name
    other: Name

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [swapped(state, self.one, self.other)]


class Publish(Action, tag="publish"):
    """The draft becomes the round."""

    name: ClassVar[str] = "publish"
    round: RoundNumber

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the round already: two desks, or a button pressed twice."""
        known = self.round <= len(state.rounds) and state.round(self.round).published
        return [] if known else [Published(self.round)]


class Score(Action, tag="score"):
    """The result of a board, as an arbiter writes it; to overrule one that is there needs a reason."""

    name: ClassVar[str] = "score"
    round: RoundNumber
    board: Board
    result: Annotated[str, Meta(min_length=1, max_length=20)]
    advance: Annotated[str, Meta(max_length=MAX_NAME)] = ""

    def needed(self, state: State) -> str:
        """Whoever may write results may not correct them."""
        known = self._known(state)
        return "overrule" if known and known != self._meant(state) else "score"

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the result already: two desks write down one slip, or a button is pressed twice."""
        meant = self._meant(state)
        if meant == self._known(state):
            return []
        return [Scored(self.round, self.board, meant.games, meant.advance)]

    def _known(self, state: State) -> Result | None:
        return state.round(self.round).results.get(self.board) if self.round <= len(state.rounds) else None

    def _meant(self, state: State) -> Result:
        return Result(read_result(self.result, state.conditions), self.advance)


class Report(Action, tag="report"):
    """A player says how the own board ended."""

    name: ClassVar[str] = "report"
    round: RoundNumber
    board: Board
    games: Annotated[str, Meta(min_length=1, max_length=4)]
    """A sign a game, for the player named first."""

    def events(self, state: State, player: str) -> Sequence[Event]:
        """Nothing more if the player has said so already, or if both have."""
        check_seat(state, player, self.round, self.board)
        place = self.round, self.board, player
        played = state.round(self.round)
        if played.results.get(self.board) == Result(self.games):
            return []
        if played.reports.get(self.board, {}).get(player) == self.games:
            return []
        earlier = (entry.event for entry in state.entries if isinstance(entry.event, Reported))
        if sum((each.round, each.board, each.name) == place for each in earlier) >= MAX_REPORTS:
            raise ApiError(409, "CLUB_REPORTS", most=MAX_REPORTS)
        return [Reported(self.round, self.board, player, self.games)]


class Play(Action, tag="play"):
    """A player wants to play the own board in the app; the game begins when both do."""

    name: ClassVar[str] = "play"
    round: RoundNumber
    board: Board


class Undo(Action, tag="undo"):
    """An entry does not count any more."""

    name: ClassVar[str] = "undo"
    entry: Annotated[int, Meta(ge=1, le=10**6)]

    def events(self, state: State, player: str) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Undone(self.entry)]


AnyAction = (
    Enter | Import | CheckIn | Arrive | Bye | Withdraw | Disqualify | Forbid | Draft | Meet | Publish | Score | Report
    | Play | Undo
)  # fmt: skip
"""Every action; the field `do` says which."""


def check_seat(state: State, player: str, number: int, board: int) -> None:
    """Raises `ApiError` 403 unless the player sits at a board of a published round."""
    played = state.rounds[number - 1] if number <= len(state.rounds) else None
    pair = played.pair_at(board) if played and played.published else None
    if pair is None or player not in (pair.first, pair.second):
        raise ApiError(403, "FORBIDDEN")
