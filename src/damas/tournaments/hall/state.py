"""The state of a tournament: what its events add up to. Pure values; `decide` refuses an event that cannot follow."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from damas.errors import TournamentRefused
from damas.tournaments.formats.swiss import usual_rounds
from damas.tournaments.hall.bounds import (
    MAX_REASON,
    MAX_ROUNDS,
    check_conditions,
    check_entry,
    check_person,
    check_text,
    shown,
)
from damas.tournaments.hall.conditions import Conditions, Person
from damas.tournaments.hall.events import (
    Announced,
    ByeRequested,
    CheckedIn,
    Created,
    Disqualified,
    Drafted,
    Entered,
    Entry,
    Event,
    Forbidden,
    LinedUp,
    Pair,
    Place,
    PlayedInApp,
    Published,
    Rated,
    Renamed,
    Reported,
    Scored,
    SquadNamed,
    Undone,
    Withdrawn,
)
from damas.tournaments.hall.matches import announce, line_up, name_squad, score_match, seated, with_board
from damas.tournaments.hall.names import rename, with_old_names
from damas.tournaments.hall.rounds import (
    NO_SHOW,
    OPPOSITE,
    PLAYED,
    Result,
    Round,
    open_boards,
    winner,
)

WITHDRAWN, DISQUALIFIED, ELIMINATED = "withdrawn", "disqualified", "eliminated"
"""Why a player is out."""


@dataclass(frozen=True)
class Competitor:
    """A player in the tournament."""

    person: Person
    number: int = 0
    """Start number; 0 until the first round is published."""
    starter: bool = True
    """Whether the schedule of a round robin and the bracket of a knock-out have a place for the player."""
    present: bool = False
    out: str = ""
    requested: frozenset[int] = frozenset()
    """Rounds in which the player asked to rest."""
    squad: tuple[Person, ...] = ()
    """In a league the competitor is a team: its players in the order of boards."""


@dataclass(frozen=True)
class State:
    """What the entries so far add up to."""

    entries: tuple[Entry, ...] = ()
    """All entries, also those that were undone."""
    conditions: Conditions = field(default_factory=lambda: Conditions("", ""))
    players: Mapping[str, Competitor] = field(default_factory=dict)
    """By name, in the order of entry."""
    rounds: tuple[Round, ...] = ()
    forbidden: frozenset[frozenset[str]] = frozenset()
    former_names: Mapping[str, str] = field(default_factory=dict)
    """Names that were corrected, and what stands for each of them now."""

    def decide(self, event: Event, *, who: str = "", at: str = "", why: str = "") -> "State":
        """The state after an event; raises `TournamentRefused` if it cannot follow, and nothing has changed then."""
        return decide(self, Entry(event, who, at, why))

    @property
    def last(self) -> Round | None:
        """The last round that is drafted or published."""
        return self.rounds[-1] if self.rounds else None

    def round(self, number: int) -> Round:
        """A round by its number; raises `TournamentRefused` if it is not drafted."""
        if not 1 <= number <= len(self.rounds):
            raise TournamentRefused("no_round", {"round": number, "rounds": len(self.rounds)})
        return self.rounds[number - 1]

    def player(self, name: str) -> Competitor:
        """A player by name; raises `TournamentRefused` if nobody has it."""
        if name not in self.players:
            raise TournamentRefused("no_player", {"name": shown(name)})
        return self.players[name]

    @cached_property
    def teams(self) -> Mapping[str, str]:
        """In a league, the team of everybody in a squad, by the numbers of teams and the order of boards."""
        if not self.conditions.boards:
            return {}
        return {person.name: name for name in self.by_number for person in self.players[name].squad}

    @property
    def people(self) -> Collection[str]:
        """Those who play: the players, in a league those of the squads."""
        return self.teams if self.conditions.boards else self.players

    @property
    def everybody(self) -> set[str]:
        """Every name that means somebody: players, and in a league teams and their players."""
        return {*self.players, *self.teams}

    def name_now(self, name: str) -> str:
        """The name that stands for one that may have been corrected."""
        return name if name in self.players or name in self.teams else self.former_names.get(name, name)

    def find(self, text: str) -> str:
        """The player whom a number, a name or a part of it means; raises `TournamentRefused` if nobody or several."""
        return _found(text, self.players, self.numbers)

    def find_person(self, text: str) -> str:
        """The same among those who play: in a league the players of all squads, numbered team by team."""
        names = list(self.teams)
        if not self.conditions.boards:
            return self.find(text)
        return _found(text, names, {name: number for number, name in enumerate(names, start=1)})

    def find_anybody(self, text: str) -> str:
        """The same among all names: those who play come before teams."""
        if text in self.everybody:
            return text
        try:
            return self.find_person(text)
        except TournamentRefused:
            return self.find(text)

    def find_member(self, team: str, text: str) -> str:
        """The player of a team whom a place in the squad, a name or a part of it means; raises `TournamentRefused`."""
        names = [person.name for person in self.player(team).squad]
        return _found(text, names, {name: place for place, name in enumerate(names, start=1)})

    @property
    def numbers(self) -> dict[str, int]:
        """The start numbers: fixed when the first round is published, until then by rating, entry or lot."""
        if any(player.number for player in self.players.values()):
            return {name: player.number for name, player in self.players.items()}
        names = list(self.players)
        if self.conditions.order == "lot":
            Random(f"{self.conditions.seed}/numbers").shuffle(names)
        elif self.conditions.order == "rating":
            names.sort(key=lambda name: -self._strength(name))
        return {name: number for number, name in enumerate(names, start=1)}

    def _strength(self, name: str) -> float:
        """The rating by which a player is numbered; that of a team is the average of its strongest board by board."""
        conditions, player = self.conditions, self.players[name]
        if not conditions.boards:
            return conditions.rating(player.person)
        ratings = sorted(map(conditions.rating, player.squad), reverse=True)[: len(conditions.boards)]
        return sum(ratings) / len(ratings) if ratings else 0.0

    @property
    def by_number(self) -> list[str]:
        """The names in the order of start numbers."""
        numbers = self.numbers
        return sorted(numbers, key=numbers.__getitem__)

    @property
    def starters(self) -> list[str]:
        """Those for whom a schedule or a bracket has a place, by number: who is not there for the first round has none."""
        begun = any(each.published for each in self.rounds)
        return [
            name
            for name in self.by_number
            if (self.players[name].starter if begun else self.is_there(name) and not self.players[name].out)
        ]

    def is_there(self, name: str) -> bool:
        """Whether a player is checked in, where that is needed to be paired."""
        return self.players[name].present or not self.conditions.check_in

    def no_shows(self, name: str) -> int:
        """Rounds to which a player did not come."""
        count = 0
        for played in self.rounds:
            for pair in played.pairs:
                result = played.results.get(pair.board)
                if result and name in (pair.first, pair.second):
                    count += all(sign in NO_SHOW for sign in result.signs(pair, name))
        return count

    def with_player(self, player: Competitor) -> "State":
        """The state with another fact about a player."""
        return replace(self, players={**self.players, player.person.name: player})

    def with_round(self, changed: Round) -> "State":
        """The state with another fact about a round."""
        number = changed.number
        return replace(self, rounds=(*self.rounds[: number - 1], changed, *self.rounds[number:]))

    def out(self, name: str) -> str:
        """Why a player is not paired any more; empty for one who is."""
        limit = self.conditions.no_show_limit
        reason = self.players[name].out
        return reason or (ELIMINATED if limit and self.no_shows(name) >= limit else "")


def _found(text: str, names: Iterable[str], numbers: Mapping[str, int]) -> str:
    """The name that a number, the name or a part of it means; raises `TournamentRefused` if none or several."""
    known = list(names)
    if text in known:
        return text
    if text.isdecimal():
        for name, number in numbers.items():
            if number == int(text):
                return name
    matching = [name for name in known if folded(text) in folded(name)]
    exact = [name for name in matching if folded(text) == folded(name)]
    matching = exact or matching
    if not text.strip() or not matching:
        raise TournamentRefused("no_player", {"name": shown(text)})
    if len(matching) > 1:
        raise TournamentRefused("many_players", {"name": shown(text), "names": ", ".join(matching[:6])})
    return matching[0]


def folded(text: str) -> str:
    """A name without accents and capitals.

    >>> folded("José") == folded("JOSE")
    True
    """
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def replay(entries: Iterable[Entry | Event]) -> State:
    """The state after some entries."""
    state = State()
    for entry in entries:
        state = decide(state, entry if isinstance(entry, Entry) else Entry(entry))
    return state


def decide(state: State, entry: Entry) -> State:
    """The state after one more entry; raises `TournamentRefused` if it cannot follow."""
    event = entry.event
    entries = (*state.entries, entry)
    check_entry(entry)
    if isinstance(event, Created) != (not state.entries):
        raise TournamentRefused("created_first", {})
    if isinstance(event, Undone):
        return _undo(state, event, entries)
    return replace(_apply(state, event, entry), entries=entries)


def _undone(entries: tuple[Entry, ...]) -> set[int]:
    """Numbers of the entries that do not count; the latest are looked at first, since an undoing can be undone."""
    undone: set[int] = set()
    for number in range(len(entries), 0, -1):
        event = entries[number - 1].event
        if number not in undone and isinstance(event, Undone):
            undone.add(event.entry)
    return undone


def active_entries(entries: tuple[Entry, ...]) -> list[tuple[int, Entry]]:
    """The entries that count, each with its number."""
    undone = _undone(entries)
    return [
        (number, entry)
        for number, entry in enumerate(entries, start=1)
        if number not in undone and not isinstance(entry.event, Undone)
    ]


def _counting(entries: tuple[Entry, ...]) -> Iterator[tuple[int, Entry]]:
    """The entries that count, with the names that count: a correction that was undone is undone in later entries too."""
    undone = _undone(entries)
    corrections = [
        (event.entry, number, corrected)
        for number, entry in enumerate(entries, start=1)
        if number not in undone and isinstance(event := entry.event, Undone)
        if isinstance(corrected := entries[event.entry - 1].event, Renamed)
    ]
    for number, entry in active_entries(entries):
        yield number, with_old_names(entry, number, corrections) if corrections else entry


def restore(entries: tuple[Entry, ...]) -> State:
    """The state after entries that were all decided before: quicker than `replay`, and the same."""
    state = State()
    for _, entry in _counting(entries):
        state = _apply(state, entry.event, entry)
    return replace(state, entries=entries)


def _undo(state: State, event: Undone, entries: tuple[Entry, ...]) -> State:
    if not 1 < event.entry < len(entries):
        raise TournamentRefused("no_entry", {"entry": event.entry, "last": len(state.entries)})
    if event.entry in _undone(state.entries):
        raise TournamentRefused("undone_already", {"entry": event.entry})
    undone = state.entries[event.entry - 1].event
    for number, entry in reversed(active_entries(state.entries)):
        if number > event.entry and _says_again(state, entry.event, undone):
            raise TournamentRefused("undo_later_first", {"entry": event.entry, "later": number})
    rebuilt = State()
    for number, entry in _counting(entries):
        try:
            rebuilt = replace(_apply(rebuilt, entry.event, entry), entries=(*rebuilt.entries, entry))
        except TournamentRefused:
            raise TournamentRefused("undo_later_first", {"entry": event.entry, "later": number}) from None
    drafts = [number for number, each in active_entries(entries) if _drafts_first(each.event)]
    if (
        drafts
        and state.rounds
        and not _corrects_name(state.entries, event)
        and state.rounds[0].order != rebuilt.rounds[0].order
    ):
        raise TournamentRefused("undo_later_first", {"entry": event.entry, "later": drafts[-1]})
    return replace(rebuilt, entries=entries)


def _says_again(state: State, later: Event, event: Event) -> bool:
    """Whether a later squad holds what an event said, so that undoing that event alone would change nothing."""
    if not isinstance(later, SquadNamed):
        return False
    if isinstance(event, Rated):
        return state.name_now(event.name) in [state.name_now(person.name) for person in later.players]
    return isinstance(event, SquadNamed) and state.name_now(event.team) == state.name_now(later.team)


def _corrects_name(entries: tuple[Entry, ...], event: Event) -> bool:
    """Whether undoing an entry brings back another name, and nothing else."""
    while isinstance(event, Undone):
        event = entries[event.entry - 1].event
    return isinstance(event, Renamed)


def _drafts_first(event: Event) -> bool:
    return isinstance(event, Drafted) and event.round == 1


def _apply(state: State, event: Event, entry: Entry) -> State:
    match event:
        case Created():
            check_conditions(event.conditions)
            return State(conditions=event.conditions)
        case Entered():
            return _enter(state, event)
        case SquadNamed():
            return name_squad(state, event)
        case Rated():
            return _rate(state, event)
        case LinedUp():
            return line_up(state, event)
        case CheckedIn():
            players = dict(state.players)
            for name in event.names:
                players[name] = replace(state.player(name), present=event.present)
            return replace(state, players=players)
        case ByeRequested():
            return _request_bye(state, event)
        case Withdrawn() | Disqualified():
            reason = WITHDRAWN if isinstance(event, Withdrawn) else DISQUALIFIED
            player = state.player(event.name)
            if player.out in (DISQUALIFIED, reason):
                raise TournamentRefused("out_already", {"name": event.name})
            if reason == DISQUALIFIED and not entry.why:
                raise TournamentRefused("why", {})
            return state.with_player(replace(player, out=reason))
        case Forbidden():
            pair = frozenset((state.player(event.one).person.name, state.player(event.other).person.name))
            if len(pair) < 2:
                raise TournamentRefused("two_players", {})
            return replace(state, forbidden=state.forbidden | {pair})
        case Drafted():
            return _draft(state, event, entry)
        case Announced():
            return announce(state, event)
        case Published():
            return _publish(state, event)
        case Scored():
            return _score(state, event, entry)
        case Reported():
            return _report(state, event)
        case PlayedInApp():
            return _play_in_app(state, event, entry)
        case Renamed():
            return rename(state, event, entry)
        case Undone():  # handled by `decide`, which knows all entries
            raise AssertionError(event)


def _enter(state: State, event: Entered) -> State:
    started = any(each.published for each in state.rounds)
    if started and state.conditions.system != "swiss":
        raise TournamentRefused("late_entry", {})
    players = dict(state.players)
    for person in event.players:
        check_person(person)
        if person.name in players or person.name in state.former_names:
            raise TournamentRefused("same_name", {"name": person.name})
        number = 1 + max((each.number for each in players.values()), default=0) if started else 0
        players[person.name] = Competitor(person, number)
    return replace(state, players=players)


def _rate(state: State, event: Rated) -> State:
    for competitor in state.players.values():
        people = competitor.squad if state.conditions.boards else (competitor.person,)
        for place, person in enumerate(people):
            if person.name == event.name:
                rated = replace(person, rating=event.rating, id=event.id or person.id)
                check_person(rated)
                if state.conditions.boards:
                    squad = (*people[:place], rated, *people[place + 1 :])
                    return state.with_player(replace(competitor, squad=squad))
                return state.with_player(replace(competitor, person=rated))
    raise TournamentRefused("no_player", {"name": shown(event.name)})


def _request_bye(state: State, event: ByeRequested) -> State:
    player = state.player(event.name)
    if state.conditions.system != "swiss":
        raise TournamentRefused("only_swiss", {})
    begun = sum(each.published for each in state.rounds)
    rounds = state.conditions.rounds or (usual_rounds(len(state.players)) if begun else MAX_ROUNDS)
    if not 1 <= event.round <= rounds:
        raise TournamentRefused("no_such_round", {"round": event.round, "rounds": rounds})
    if event.round <= begun:
        raise TournamentRefused("round_begun", {"round": event.round})
    return state.with_player(replace(player, requested=player.requested | {event.round}))


def _draft(state: State, event: Drafted, entry: Entry) -> State:
    rounds = state.rounds
    if rounds and not rounds[-1].published:
        rounds = rounds[:-1]
    if event.round != len(rounds) + 1:
        raise TournamentRefused("next_round", {"round": event.round, "next": len(rounds) + 1})
    if rounds and not rounds[-1].is_complete:
        raise TournamentRefused("round_open", {"round": len(rounds), "boards": open_boards(rounds[-1])})
    if event.by_hand and not entry.why:
        raise TournamentRefused("why", {})
    for key, text in (("edition", event.edition), ("ballot", event.ballot)):
        check_text(key, text, MAX_REASON)
    named = [name for pair in event.pairs for name in (pair.first, pair.second)]
    named += [rest.name for rest in event.resting]
    for name in named:
        state.player(name)
        if named.count(name) > 1:
            raise TournamentRefused("twice", {"name": name})
    drafted = Round(
        event.round, event.pairs, event.resting, event.edition, event.ballot, event.by_hand, event.phase
    )
    before = state.rounds[-1] if len(rounds) < len(state.rounds) else None
    if event.round == 1:  # a change by hand is one of a draft: it knows no more players than that
        order = before.order if before and event.by_hand else _order(state, named)
        drafted = replace(drafted, order=order)
    if before:  # a new draft keeps the line-ups that teams have named
        drafted = replace(drafted, lineups=before.lineups)
    return replace(state, rounds=(*rounds, drafted))


def _order(state: State, drafted: Collection[str]) -> tuple[str, ...]:
    """The players in the order of numbers; in a schedule or a bracket those who have a place in it.

    Who was drafted keeps it without being checked in: logs from before check-in counted there have such drafts.
    """
    if state.conditions.system == "swiss":
        return tuple(state.by_number)
    staying = (name for name in state.by_number if not state.players[name].out)
    return tuple(name for name in staying if name in drafted or state.is_there(name))


def _publish(state: State, event: Published) -> State:
    current = state.last
    if current is None or current.number != event.round or current.published:
        raise TournamentRefused("not_drafted", {"round": event.round})
    swiss = state.conditions.system == "swiss"
    if event.round == 1 and not swiss and current.order != _order(state, current.order):
        raise TournamentRefused("old_draft", {})
    results = dict(current.results)
    if state.conditions.boards:
        current = seated(state, current)
    for pair in current.pairs:  # the schedule of a round robin or a bracket names players who have left
        out = [bool(state.out(name)) for name in (pair.first, pair.second)]
        if any(out) and not state.conditions.boards:
            results[pair.board] = Result(
                ("n" if all(out) else "-" if out[0] else "+") * state.conditions.games
            )
    players = state.players
    if event.round == 1:
        numbers = state.numbers
        players = {
            name: replace(player, number=numbers[name], starter=swiss or name in current.order)
            for name, player in players.items()
        }
    published = replace(current, published=True, results={**current.results, **results})
    return replace(state, rounds=(*state.rounds[:-1], published), players=players)


def _board(state: State, number: int, board: int) -> tuple[Round, Pair]:
    """A board of a published round; raises `TournamentRefused`."""
    played = state.round(number)
    if not played.published:
        raise TournamentRefused("not_published", {"round": number})
    pair = played.pair_at(board)
    if pair is None:
        raise TournamentRefused("no_board", {"board": board, "boards": len(played.pairs)})
    return played, pair


def _with_result(state: State, played: Round, place: Place, result: Result) -> State:
    if place.match_board:
        return state.with_round(with_board(played, place, result.games))
    reports = {each: by_name for each, by_name in played.reports.items() if each != place}
    results = {**played.results, place.board: result}
    return state.with_round(replace(played, results=results, reports=reports))


def _score(state: State, event: Scored, entry: Entry) -> State:
    played, pair = _board(state, event.round, event.board)
    if state.conditions.boards:
        return score_match(state, event, entry, played, pair)
    if event.match_board:
        raise TournamentRefused("no_league", {})
    knockout = played.phase == "knockout"
    extra = len(event.games) - state.conditions.games
    if set(event.games) - OPPOSITE.keys() or extra < 0 or (extra and not knockout):
        raise TournamentRefused("games", {"got": shown(event.games), "games": state.conditions.games})
    if event.board in played.results and not entry.why:
        raise TournamentRefused("scored_already", {"board": event.board})
    result = Result(event.games, event.advance)
    if event.advance and event.advance not in (pair.first, pair.second):
        raise TournamentRefused("not_at_board", {"name": event.advance, "board": event.board})
    by_games = winner(pair, Result(event.games))
    if event.advance and (not knockout or by_games not in ("", event.advance)):
        raise TournamentRefused("no_tie", {"board": event.board})
    if knockout and not winner(pair, result):
        raise TournamentRefused("tie", {"board": event.board})
    before = played.results.get(event.board)
    if knockout and before and event.round < len(state.rounds):
        if winner(pair, result) != winner(pair, before):
            raise TournamentRefused("went_on", {"next": event.round + 1})
    return _with_result(state, played, event.place, result)


def _seats(state: State, number: int, place: Place) -> tuple[Round, Pair]:
    """A published round and who sits at a board of it; raises `TournamentRefused`."""
    played, _ = _board(state, number, place.board)
    seats = played.seats_at(place)
    if seats is None:
        if not state.conditions.boards:
            raise TournamentRefused("no_league", {})
        raise TournamentRefused(
            "no_match_board", {"board": place.match_board, "boards": len(state.conditions.boards)}
        )
    return played, seats


def _report(state: State, event: Reported) -> State:
    played, seats = _seats(state, event.round, event.place)
    if not event.name or event.name not in (seats.first, seats.second):
        raise TournamentRefused("not_at_board", {"name": event.name, "board": str(event.place)})
    if set(event.games) - set(PLAYED) or len(event.games) != state.conditions.games:
        raise TournamentRefused("games", {"got": event.games, "games": state.conditions.games})
    if played.signs_at(event.place):
        raise TournamentRefused("reported_late", {"board": str(event.place)})
    result = Result(event.games)
    if played.phase == "knockout" and not winner(seats, result):
        raise TournamentRefused("tie", {"board": event.board})
    reports = {**played.reports.get(event.place, {}), event.name: event.games}
    if len(reports) == 2 and len(set(reports.values())) == 1:
        return _with_result(state, played, event.place, result)
    return state.with_round(replace(played, reports={**played.reports, event.place: reports}))


def _play_in_app(state: State, event: PlayedInApp, entry: Entry) -> State:
    played, _ = _seats(state, event.round, event.place)
    if len(event.games) != state.conditions.games:
        raise TournamentRefused("games", {"got": " ".join(event.games), "games": state.conditions.games})
    if played.signs_at(event.place) and not entry.why:
        raise TournamentRefused("scored_already", {"board": str(event.place)})
    if event.place in played.app_games:
        raise TournamentRefused("in_app_already", {"board": str(event.place)})
    return state.with_round(replace(played, app_games={**played.app_games, event.place: event.games}))
