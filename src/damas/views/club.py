"""Tournaments of people: rounds, tables, the sums behind them and the log."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from damas.judging.wording import control_words
from damas.language import Saying, sentence
from damas.tournaments.hall import Conditions, State, club_table, table, warnings
from damas.tournaments.hall.events import (
    BYE,
    REQUESTED,
    ByeRequested,
    CheckedIn,
    Created,
    Disqualified,
    Drafted,
    Entered,
    Entry,
    Forbidden,
    LinedUp,
    Pair,
    PlayedInApp,
    Published,
    Rated,
    Reported,
    Scored,
    SquadNamed,
    Undone,
    Withdrawn,
    kind_of,
)
from damas.tournaments.hall.pairing import is_over, next_round, total_rounds
from damas.tournaments.hall.ratings import RatingRow, rating_report
from damas.tournaments.hall.results import board_text, points_text, result_text
from damas.tournaments.hall.rounds import PLAYED, Result, Round, open_boards
from damas.tournaments.hall.state import active_entries
from damas.tournaments.hall.table import Row, categories, category_table, meetings
from damas.tournaments.tie_breaks import Term, TieBreak
from damas.views.plain import view_of

MAX_NAMES = 4
"""Names that a line of the log lists; the others are counted."""


@dataclass(frozen=True, slots=True)
class SquadPlayerView:
    """A player of a team."""

    name: str
    rating: int
    birth: str
    sex: str
    series: str
    id: str


@dataclass(frozen=True, slots=True)
class ClubRowView:
    """A club in the table of clubs: the points of its best players."""

    rank: int
    club: str
    points: float
    places: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player as entered."""

    number: int
    name: str
    club: str
    federation: str
    rating: int
    birth: str
    sex: str
    series: str
    id: str
    present: bool
    out: str
    """withdrawn, disqualified, eliminated, or empty."""
    squad: tuple[SquadPlayerView, ...] = ()
    """In a league the competitor is a team: its players in the order of boards."""


@dataclass(frozen=True, slots=True)
class MatchBoardView:
    """A board of a match between teams; `first` plays for the team named first, and is empty where nobody sits."""

    board: int
    first: str
    second: str
    white: str
    """Whoever has White in the first game."""
    games: str
    result: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """What a player says of the own board."""

    name: str
    games: str
    result: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """An encounter; `first` has White in the first game."""

    board: int
    first: str
    second: str
    games: str
    """A sign a game for the first: 1, =, 0, + and - and n for games not played; empty without a result."""
    result: str
    match_boards: tuple[MatchBoardView, ...] = ()
    """In a league of teams, the boards of the match."""
    reports: tuple[ReportView, ...] = ()
    """What the players say while there is no result; two of them contradict each other."""
    app_games: tuple[str, ...] = ()
    """Ids of the games, where the board is played in the app."""


@dataclass(frozen=True, slots=True)
class RestView:
    """A player without an opponent."""

    name: str
    kind: str
    """bye, requested or absent."""
    points: float


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round."""

    round: int
    published: bool
    complete: bool
    edition: str
    ballot: str
    by_hand: bool
    boards: tuple[BoardView, ...]
    resting: tuple[RestView, ...]
    warnings: tuple[str, ...] = ()
    phase: str = ""
    """`knockout` in rounds of a knock-out, where somebody goes on from every board."""


@dataclass(frozen=True, slots=True)
class TermView:
    """A part of a sum: from an opponent or from a round."""

    value: float
    round: int
    cut: bool
    opponent: str | None = None


@dataclass(frozen=True, slots=True)
class TieBreakView:
    """A tie-break of one player and what it is the sum of."""

    name: str
    value: float
    terms: tuple[TermView, ...]
    message: str


@dataclass(frozen=True, slots=True)
class TableRowView:
    """One player of the table."""

    rank: int
    number: int
    name: str
    club: str
    points: float
    wins: int
    draws: int
    losses: int
    tie_breaks: dict[str, float]
    out: str


@dataclass(frozen=True, slots=True)
class TableView:
    """The table of all players or of a category."""

    title: str
    round: int
    """Rounds that count in it."""
    category: str
    rows: tuple[TableRowView, ...]


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """How a player came to a place."""

    name: str
    rank: int
    points: float
    rounds: tuple[str, ...]
    tie_breaks: tuple[TieBreakView, ...]


@dataclass(frozen=True, slots=True)
class LogLineView:
    """An entry of the log."""

    n: int
    at: str
    who: str
    why: str
    kind: str
    message: str
    undone: bool


@dataclass(frozen=True, slots=True)
class RatingView:
    """The ratings of one player before and after."""

    name: str
    rating: int
    provisional: bool
    games: int
    score: float
    expected: float
    change: float
    new: int
    performance: int | None = None


@dataclass(frozen=True, slots=True)
class ClubView:
    """Where a tournament stands."""

    title: str
    rulebook: str
    system: str
    players: int
    round: int
    rounds: int
    seed: int
    over: bool
    next: str
    """What the desk does next, as a sentence."""


@dataclass(frozen=True, slots=True)
class NamedView:
    """A key and its words in the language of whoever asks."""

    key: str
    short: str
    title: str


@dataclass(frozen=True, slots=True)
class TournamentView:
    """A tournament of people as its pages show it."""

    id: str
    version: str
    """Changes with every entry of the log."""
    title: str
    rulebook: str
    system: str
    """In words."""
    control: str
    """The time, in words."""
    games: int
    """Games of an encounter."""
    place: str
    date: str
    arbiter: str
    round: int
    """Rounds that are published."""
    rounds: int
    over: bool
    check_in: bool
    in_app: bool
    """Whether boards can be played in the app: not by a time that no clock has."""
    next: str
    """What the desk does next; empty for everybody else."""
    results: tuple[NamedView, ...]
    """The results of games that were played, by their signs for the player named first."""
    players: tuple[PlayerView, ...]
    """Personal facts are for the staff alone."""
    played: tuple[RoundView, ...]
    """The rounds; a draft is for the staff alone."""
    table: TableView
    tie_breaks: tuple[NamedView, ...]
    categories: tuple[NamedView, ...]


def tournament_view(state: State, id_: str, version: str, language: str, *, staff: bool) -> TournamentView:
    """A tournament for its staff, or for everybody else."""
    conditions = state.conditions
    players = player_views(state)
    if not staff:
        players = tuple(replace(each, federation="", birth="", sex="", id="") for each in players)
    rounds = [each for each in state.rounds if each.published or staff]
    return TournamentView(
        id_,
        version,
        conditions.title,
        conditions.rulebook,
        sentence(f"club.system.{conditions.system}", language),
        control_text(conditions, language),
        conditions.games,
        conditions.place,
        conditions.date,
        conditions.arbiter,
        sum(each.published for each in state.rounds),
        total_rounds(state),
        is_over(state),
        conditions.check_in,
        conditions.in_app,
        desk_step(state).sentence(language) if staff else "",
        tuple(_result_names(conditions)),
        players,
        tuple(round_view(state, each, draft_warnings(state, each, language)) for each in rounds),
        table_view(state),
        tuple(
            NamedView(
                key,
                sentence(f"club.short_tie_break.{key}", language),
                sentence(f"club.tie_break.{key}", language),
            )
            for key in conditions.tie_breaks
        ),
        tuple(NamedView(key, key, category_words(key, language)) for key in categories(state)),
    )


def _result_names(conditions: Conditions) -> Iterator[NamedView]:
    for signs in map("".join, product(PLAYED, repeat=conditions.games)):
        text = result_text(Result(signs), conditions)
        games = " ".join(signs.replace("=", "½"))
        yield NamedView(signs, text, text if conditions.games == 1 else f"{games} · {text}")


def control_text(conditions: Conditions, language: str) -> str:
    """The time for a game or for an encounter, in words; empty without a clock."""
    if not conditions.control:
        return ""
    key = "cli.club.control_game" if conditions.control_for == "game" else "cli.club.control_encounter"
    control = control_words(conditions.control, language)
    return sentence(key, language, control=control, games=conditions.games)


def draft_warnings(state: State, played: Round, language: str) -> tuple[str, ...]:
    """What is unusual about a draft; nothing once it is published."""
    if played.published:
        return ()
    drafted = Drafted(
        played.number,
        played.pairs,
        played.resting,
        played.edition,
        played.ballot,
        played.by_hand,
        played.phase,
    )
    return tuple(note.sentence(language) for note in warnings(state, drafted))


def player_views(state: State) -> tuple[PlayerView, ...]:
    """The players by number."""
    numbers = state.numbers
    return tuple(
        view_of(
            PlayerView,
            state.players[name].person,
            number=numbers[name],
            present=state.players[name].present,
            out=state.out(name),
            squad=tuple(view_of(SquadPlayerView, person) for person in state.players[name].squad),
        )
        for name in state.by_number
    )


def club_row_views(state: State) -> tuple[ClubRowView, ...]:
    """The table of clubs."""
    return tuple(view_of(ClubRowView, row) for row in club_table(state))


def round_view(state: State, played: Round, warnings: tuple[str, ...] = ()) -> RoundView:
    """A round."""
    conditions = state.conditions
    points = {BYE: conditions.bye, REQUESTED: conditions.requested_bye}
    return view_of(
        RoundView,
        played,
        round=played.number,
        complete=played.is_complete,
        boards=tuple(
            BoardView(
                pair.board,
                pair.first,
                pair.second,
                result.games if (result := played.results.get(pair.board)) else "",
                result_text(played.results.get(pair.board), conditions),
                match_board_views(state, played, pair),
                tuple(
                    ReportView(name, games, result_text(Result(games), conditions))
                    for name, games in played.reports.get(pair.board, {}).items()
                ),
                played.app_games.get(pair.board, ()),
            )
            for pair in played.pairs
        ),
        resting=tuple(RestView(rest.name, rest.kind, points.get(rest.kind, 0.0)) for rest in played.resting),
        warnings=warnings,
    )


def match_board_views(state: State, played: Round, pair: Pair) -> tuple[MatchBoardView, ...]:
    """The boards of a match; none in an individual tournament and before the round is published."""
    signs = played.match_boards.get(pair.board, ())
    seats = zip(played.lineups.get(pair.first, ()), played.lineups.get(pair.second, ()), signs, strict=False)
    return tuple(
        MatchBoardView(
            board, one, other, one if board % 2 else other, games, board_text(games, state.conditions)
        )
        for board, (one, other, games) in enumerate(seats, start=1)
    )


def seat_words(name: str, white: str, language: str) -> str:
    """A player at a board of a match, marked where he has White in the first game."""
    return f"{name} ({sentence('club.short_white', language)})" if name and name == white else name or "–"


def edition_words(played: Round, language: str) -> str:
    """By which rules a round was paired."""
    edition = sentence("club.by_hand", language) if played.by_hand else played.edition
    return sentence("club.edition", language, edition=edition)


def category_words(category: str, language: str) -> str:
    """The name of a category."""
    kind, _, value = category.partition(":")
    if kind == "sex":
        return sentence(f"club.sex_{value}", language)
    if kind == "group":
        return sentence("club.group", language, name=value)
    if kind == "series":
        return sentence("club.series", language, name=value)
    return sentence("club.age", language, age=int(value))


def table_view(state: State, category: str = "") -> TableView:
    """The table, whole or of a category."""
    rows = category_table(state, category) if category else table(state)
    played = sum(each.published for each in state.rounds)
    return TableView(state.conditions.title, played, category, tuple(_row(state, row) for row in rows))


def _row(state: State, row: Row) -> TableRowView:
    return view_of(
        TableRowView,
        row,
        number=state.numbers[row.name],
        club=state.players[row.name].person.club,
        points=row.standing.points,
        tie_breaks={name: round(each.value, 3) for name, each in row.standing.tie_breaks.items()},
    )


def explanation_view(state: State, name: str, language: str) -> ExplanationView:
    """How a player came to a place: the rounds, and every tie-break with its sum."""
    rows = table(state)
    row = next(row for row in rows if row.name == name)
    standing = row.standing
    return ExplanationView(
        name,
        row.rank,
        standing.points,
        tuple(_round_lines(state, name, language)),
        tuple(
            TieBreakView(
                key,
                each.value,
                tuple(view_of(TermView, term) for term in each.terms),
                _sum_line(key, each, len(rows), language),
            )
            for key, each in standing.tie_breaks.items()
        ),
    )


def _round_lines(state: State, name: str, language: str) -> list[str]:
    lines = []
    for each in meetings(state)[name]:
        opponent = each.opponent or sentence("cli.club.nobody", language)
        start = sentence("cli.club.round_line", language, round=each.round)
        lines.append(f"{start}: {opponent}, {points_text(each.points)}")
    return lines


def _sum_line(key: str, value: TieBreak, count: int, language: str) -> str:
    name = sentence(f"club.tie_break.{key}", language)
    if key == "lot":
        return sentence("cli.club.lot_line", language, name=name, value=int(value.value), count=count)
    if value.note:
        key = "cli.club.alone" if value.note == "alone" else "cli.club.no_direct"
        return sentence(key, language, name=name)
    parts = (_term(term, key, language) for term in value.terms)
    total = points_text(value.value)
    return sentence("cli.club.sum_line", language, name=name, sum=" + ".join(parts) or "0", value=total)


def _term(term: Term, key: str, language: str) -> str:
    if key in ("progressive", "corrected"):
        shown = points_text(term.value)
    else:
        shown = f"{term.opponent or sentence('cli.club.nobody', language)} {points_text(term.value)}"
    return sentence("cli.club.cut", language, value=shown) if term.cut else shown


def log_views(state: State, language: str) -> tuple[LogLineView, ...]:
    """Every entry, in order."""
    active = {number for number, _ in active_entries(state.entries)}
    undone = {
        number
        for number, entry in enumerate(state.entries, 1)
        if number not in active and not isinstance(entry.event, Undone)
    }
    return tuple(
        LogLineView(
            number,
            entry.at,
            entry.who,
            entry.why,
            kind_of(entry.event),
            event_words(state, number).sentence(language),
            number in undone,
        )
        for number, entry in enumerate(state.entries, start=1)
    )


def event_words(state: State, number: int) -> Saying:
    """What the entry of a number says, in a line."""
    event = state.entries[number - 1].event
    match event:
        case Created():
            return Saying("club.event.created", {"title": event.conditions.title})
        case Entered():
            return Saying("club.event.entered", {"names": _names([each.name for each in event.players])})
        case CheckedIn():
            key = "present" if event.present else "absent"
            return Saying(f"club.event.{key}", {"names": _names(list(event.names))})
        case SquadNamed():
            names = _names([each.name for each in event.players])
            return Saying("club.event.squad-named", {"team": event.team, "names": names})
        case Rated():
            return Saying("club.event.rated", {"name": event.name, "rating": event.rating})
        case LinedUp():
            names = ", ".join(each or "–" for each in event.names)
            return Saying("club.event.lined-up", {"round": event.round, "team": event.team, "names": names})
        case ByeRequested():
            return Saying("club.event.bye-requested", {"name": event.name, "round": event.round})
        case Withdrawn() | Disqualified():
            return Saying(f"club.event.{kind_of(event)}", {"name": event.name})
        case Forbidden():
            return Saying("club.event.forbidden", {"one": event.one, "other": event.other})
        case Drafted():
            return Saying(f"club.event.{'by_hand' if event.by_hand else 'drafted'}", {"round": event.round})
        case Published():
            return Saying("club.event.published", {"round": event.round})
        case Reported():
            facts = _board_facts(state, number, event)
            return Saying("club.event.reported", {**facts, "name": event.name})
        case PlayedInApp():
            facts = {"round": event.round, "board": event.board}
            return Saying("club.event.played-in-app", facts)
        case Undone():
            return Saying("club.event.undone", {"entry": event.entry})
        case Scored():
            facts = _board_facts(state, number, event)
            if event.match_board:
                board = f"{event.board}.{event.match_board}"
                result = board_text(event.games, state.conditions)
                return Saying("club.event.match_board", {**facts, "board": board, "result": result})
            return Saying("club.event.scored", facts)


def _board_facts(state: State, number: int, event: Scored | Reported) -> dict[str, object]:
    first, second = _pair_at(state.entries[: number - 1], event)
    result = result_text(Result(event.games), state.conditions)
    return {"round": event.round, "board": event.board, "first": first, "second": second, "result": result}


def _pair_at(entries: tuple[Entry, ...], event: Scored | Reported) -> tuple[str, str]:
    """Who sat at a board, by the entries before the result."""
    for _, entry in reversed(active_entries(entries)):
        if isinstance(entry.event, Drafted) and entry.event.round == event.round:
            for pair in entry.event.pairs:
                if pair.board == event.board:
                    return pair.first, pair.second
    return "?", "?"


def _names(names: list[str]) -> str:
    shown = ", ".join(names[:MAX_NAMES])
    return f"{shown} … ({len(names)})" if len(names) > MAX_NAMES else shown


def rating_views(state: State) -> tuple[RatingView, ...]:
    """The ratings of all players."""
    return tuple(_rating(row) for row in rating_report(state))


def _rating(row: RatingRow) -> RatingView:
    return view_of(RatingView, row, expected=round(row.expected, 2), change=round(row.change, 1))


def club_view(state: State, language: str) -> ClubView:
    """Where a tournament stands."""
    conditions = state.conditions
    return ClubView(
        conditions.title,
        conditions.rulebook,
        conditions.system,
        len(state.players),
        sum(each.published for each in state.rounds),
        total_rounds(state),
        conditions.seed,
        is_over(state),
        next_step(state).sentence(language),
    )


def next_step(state: State) -> Saying:
    """What the desk does next."""
    last = state.last
    if len(state.players) < 2:
        return Saying("cli.club.next_enter", {})
    if last and not last.published:
        return Saying("cli.club.next_publish", {})
    if last and not last.is_complete:
        return Saying("cli.club.next_results", {"boards": open_boards(last)})
    if is_over(state):
        return Saying("cli.club.over", {})
    return Saying("cli.club.next_pair", {"round": next_round(state)})


def desk_step(state: State) -> Saying:
    """The same for the desk on a page, which has buttons where the terminal has commands."""
    step = next_step(state)
    return Saying(step.key.replace("cli.club.", "club.desk."), step.facts)
