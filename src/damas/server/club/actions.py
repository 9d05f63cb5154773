"""What can be done to a tournament: the bodies of requests, and the events that each of them adds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, NamedTuple

from msgspec import Meta, Struct

from damas.errors import TournamentRefused
from damas.server.security.errors import ApiError
from damas.tournaments.hall.bounds import MAX_NAME, shown
from damas.tournaments.hall.conditions import MAX_BOARDS, Person
from damas.tournaments.hall.events import (
    Announced,
    ByeRequested,
    CheckedIn,
    Disqualified,
    Entered,
    Event,
    Forbidden,
    LinedUp,
    Place,
    Published,
    Renamed,
    Reported,
    Scored,
    SquadNamed,
    Undone,
    Withdrawn,
)
from damas.tournaments.hall.league import squad_events
from damas.tournaments.hall.lists import read_date, read_name, read_players
from damas.tournaments.hall.pairing import swapped
from damas.tournaments.hall.results import read_result
from damas.tournaments.hall.rounds import PLAYED, Result, Round
from damas.tournaments.hall.state import State

MAX_REPORTS = 10
"""Reports of one player of one board: the log of a tournament has an end, and nobody may fill it alone."""
MAX_LINEUPS = 20
"""Line-ups that a captain names for one match."""
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Short = Annotated[str, Meta(max_length=60)]
Why = Annotated[str, Meta(max_length=200)]
RoundNumber = Annotated[int, Meta(ge=1, le=99)]
Board = Annotated[int, Meta(ge=1, le=9999)]
MatchBoard = Annotated[int, Meta(ge=0, le=MAX_BOARDS)]
"""A board of a match between teams; 0 where people play for themselves."""
ClientId = Annotated[str, Meta(max_length=40, pattern="^[ -~]*$")]
"""An id that a page gives to what it sends, so that a repetition counts once."""


class Asker(NamedTuple):
    """For whom somebody may speak at a board: a player, or the team of a captain; nobody for all others."""

    player: str = ""
    team: str = ""


class Action(Struct, tag_field="do", forbid_unknown_fields=True, kw_only=True):
    """An action at the desk or by a player."""

    name: ClassVar[str]
    """The action in the table of roles."""
    id: ClientId = ""
    why: Why = ""

    def needed(self, state: State) -> str:  # noqa: ARG002 (one action asks the state)
        """The action in the table of roles that this request needs."""
        return self.name

    def events(self, state: State, asker: Asker) -> Sequence[Event]:
        """The events that follow; `asker` says for whom a player or a captain speaks."""
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

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry; in a league the player is added to the squad of the team that stands as the club."""
        new = self.player
        person = Person(
            read_name(new.name), read_name(new.club), new.federation, new.rating, read_date(new.birth), new.sex,
            new.series, new.number,
        )  # fmt: skip
        return squad_events(state, [person]) if state.conditions.boards else [Entered((person,))]


class Import(Action, tag="import"):
    """The players of a list are entered: CSV, or a name on each line."""

    name: ClassVar[str] = "import"
    text: Annotated[str, Meta(max_length=60_000)]
    team: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    """In a league, the team of those for whom the list names none."""

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """All of them in one request, or none."""
        people, team = read_players(self.text), read_name(self.team)
        if not state.conditions.boards:
            return [Entered(people)]
        return squad_events(state, [replace(each, club=each.club or team) for each in people])


class Squad(Action, tag="squad"):
    """The squad of a team in another order of boards, or without somebody; later rounds need it as it is."""

    name: ClassVar[str] = "squad"
    team: Name
    names: Annotated[list[Name], Meta(max_length=99)]
    before: Annotated[list[Name], Meta(max_length=99)]
    """The squad that was changed: whom another desk has added meanwhile is not lost."""

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the squad already."""
        people = {person.name: person for person in state.player(self.team).squad}
        for name in self.names:
            if name not in people:
                raise TournamentRefused("not_in_squad", {"name": shown(name), "team": self.team})
        if self.names == list(people):
            return []
        if self.before != list(people):
            raise ApiError(409, "CLUB_SQUAD_CHANGED", team=self.team)
        return [SquadNamed(self.team, tuple(people[name] for name in self.names))]


class Rename(Action, tag="rename"):
    """The name of a player or of a team is corrected; needs a reason."""

    name: ClassVar[str] = "rename"
    player: Name
    """The name as it stands: of a player, or of a team."""
    to: Name

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the name already."""
        to = read_name(self.to)
        return [] if to == self.player else [Renamed(self.player, to)]


class CheckIn(Action, tag="check_in"):
    """Players are in the hall, or are not any more."""

    name: ClassVar[str] = "check_in"
    names: Annotated[list[Name], Meta(min_length=1, max_length=1000)]
    present: bool = True

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry for all."""
        return [CheckedIn(tuple(self.names), self.present)]


class Arrive(Action, tag="arrive"):
    """A player is in the hall, and says so by phone."""

    name: ClassVar[str] = "arrive"

    def events(self, state: State, asker: Asker) -> Sequence[Event]:
        """Nothing more if it is known; in a league a team is in the hall, and any of them says so."""
        name = asker.team or state.teams.get(asker.player, asker.player)
        return [] if state.player(name).present else [CheckedIn((name,))]


class Bye(Action, tag="bye"):
    """A player will rest in a round."""

    name: ClassVar[str] = "bye"
    player: Name
    round: RoundNumber

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [ByeRequested(self.player, self.round)]


class Withdraw(Action, tag="withdraw"):
    """A player leaves."""

    name: ClassVar[str] = "withdraw"
    player: Name

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Withdrawn(self.player)]


class Disqualify(Action, tag="disqualify"):
    """A player is excluded; needs a reason."""

    name: ClassVar[str] = "disqualify"
    player: Name

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Disqualified(self.player)]


class Forbid(Action, tag="forbid"):
    """Two players must not meet."""

    name: ClassVar[str] = "forbid"
    one: Name
    other: Name

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
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

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [swapped(state, self.one, self.other)]


class Announce(Action, tag="announce"):
    """In a league, everybody sees which teams meet, and captains name their line-ups."""

    name: ClassVar[str] = "announce"
    round: RoundNumber

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if everybody sees it already."""
        current = state.rounds[self.round - 1] if self.round <= len(state.rounds) else None
        return [] if current and (current.announced or current.published) else [Announced(self.round)]


class LineUp(Action, tag="lineup"):
    """Who sits at the boards of a team; a captain names those of the own team until the boards are published."""

    name: ClassVar[str] = "lineup"
    round: RoundNumber
    team: Name
    names: Annotated[list[Annotated[str, Meta(max_length=MAX_NAME)]], Meta(max_length=MAX_BOARDS)]
    """From the first board on; an empty name is a board that nobody takes."""

    def events(self, state: State, asker: Asker) -> Sequence[Event]:
        """Nothing more if it is the line-up already."""
        if asker.team and asker.team != self.team:
            raise ApiError(403, "CLUB_ROLE")
        current, names = state.round(self.round), tuple(self.names)
        if asker.team:
            self._check_captain(state, current)
        if current.lineups.get(self.team) == names:
            return []
        return [LinedUp(self.round, self.team, names)]

    def _check_captain(self, state: State, current: Round) -> None:
        if current.published:
            raise ApiError(409, "CLUB_LINEUP_LATE")
        if not current.announced:
            raise ApiError(409, "CLUB_LINEUP_EARLY")
        earlier = (entry.event for entry in state.entries if isinstance(entry.event, LinedUp))
        if (
            sum((each.round, state.name_now(each.team)) == (self.round, self.team) for each in earlier)
            >= MAX_LINEUPS
        ):
            raise ApiError(409, "CLUB_LINEUPS", most=MAX_LINEUPS)


class Publish(Action, tag="publish"):
    """The draft becomes the round."""

    name: ClassVar[str] = "publish"
    round: RoundNumber

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the round already: two desks, or a button pressed twice."""
        known = self.round <= len(state.rounds) and state.round(self.round).published
        return [] if known else [Published(self.round)]


class Score(Action, tag="score"):
    """The result of a board, as an arbiter writes it; to overrule one that is there needs a reason."""

    name: ClassVar[str] = "score"
    round: RoundNumber
    board: Board
    result: Annotated[str, Meta(min_length=1, max_length=20)]
    match_board: MatchBoard = 0
    """In a league, the board of the match; 0: a team did not come, which is the result of all its boards."""
    advance: Annotated[str, Meta(max_length=MAX_NAME)] = ""

    def needed(self, state: State) -> str:
        """Whoever may write results may not correct them."""
        meant = self._meant(state)
        wrong = any(known and known != each for known, each in zip(self._known(state), meant, strict=False))
        return "overrule" if wrong else "score"

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """Nothing more if it is the result already: two desks write down one slip, or a button is pressed twice."""
        meant = self._meant(state)
        if meant == self._known(state):
            return []
        games = "".join(result.games for result in meant)
        return [Scored(self.round, self.board, games, self.advance, self.match_board)]

    def _known(self, state: State) -> list[Result | None]:
        """The results that are there, of the board or of all boards of the match."""
        played = state.rounds[self.round - 1] if self.round <= len(state.rounds) else None
        if played is None:
            return []
        if not state.conditions.boards:
            return [played.results.get(self.board)]
        signs = played.match_boards.get(self.board, ())
        chosen = signs[self.match_board - 1 : self.match_board] if self.match_board else signs
        return [Result(each) if each else None for each in chosen]

    def _meant(self, state: State) -> list[Result]:
        signs = read_result(self.result, state.conditions)
        whole = bool(state.conditions.boards) and not self.match_board
        if whole and set(signs) & set(PLAYED):
            raise TournamentRefused("which_board", {})
        return [Result(signs, self.advance)] * (len(state.conditions.boards) if whole else 1)


class Report(Action, tag="report"):
    """A player says how the own board ended, or a captain how one of the team's did."""

    name: ClassVar[str] = "report"
    round: RoundNumber
    board: Board
    games: Annotated[str, Meta(min_length=1, max_length=4)]
    """A sign a game, for the player named first."""
    match_board: MatchBoard = 0

    def events(self, state: State, asker: Asker) -> Sequence[Event]:
        """Nothing more if the player has said so already, or if both have."""
        place = Place(self.board, self.match_board)
        player = check_seat(state, asker, self.round, place)
        played = state.round(self.round)
        if played.signs_at(place) == self.games:
            return []
        if played.reports.get(place, {}).get(player) == self.games:
            return []
        earlier = (entry.event for entry in state.entries if isinstance(entry.event, Reported))
        same = (self.round, place, player)
        if (
            sum((each.round, each.place, state.name_now(each.name)) == same for each in earlier)
            >= MAX_REPORTS
        ):
            raise ApiError(409, "CLUB_REPORTS", most=MAX_REPORTS)
        return [Reported(self.round, self.board, player, self.games, self.match_board)]


class Play(Action, tag="play"):
    """A player wants to play the own board in the app; the game begins when both do."""

    name: ClassVar[str] = "play"
    round: RoundNumber
    board: Board
    match_board: MatchBoard = 0


class Undo(Action, tag="undo"):
    """An entry does not count any more."""

    name: ClassVar[str] = "undo"
    entry: Annotated[int, Meta(ge=1, le=10**6)]

    def events(self, state: State, asker: Asker) -> Sequence[Event]:  # noqa: ARG002
        """One entry."""
        return [Undone(self.entry)]


AnyAction = (
    Enter | Import | Squad | Rename | CheckIn | Arrive | Bye | Withdraw | Disqualify | Forbid | Draft | Meet | Announce
    | LineUp | Publish | Score | Report | Play | Undo
)  # fmt: skip
"""Every action; the field `do` says which."""


def check_seat(state: State, asker: Asker, number: int, place: Place) -> str:
    """The player at a board of a published round for whom somebody speaks; raises `ApiError` 403 if there is none."""
    played = state.rounds[number - 1] if number <= len(state.rounds) else None
    seats = played.seats_at(place) if played and played.published else None
    pair = played.pair_at(place.board) if played else None
    if seats and pair:
        for team, name in ((pair.first, seats.first), (pair.second, seats.second)):
            if name and (asker.player == name or (place.match_board and asker.team == team)):
                return name
    raise ApiError(403, "FORBIDDEN")
