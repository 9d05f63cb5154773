"""Tournaments of people: rounds, tables, the sums behind them and the log."""

from dataclasses import dataclass

from damas.judging.wording import control_words
from damas.language import Saying, sentence
from damas.tournaments.hall import Conditions, State, club_table, table, warnings
from damas.tournaments.hall.events import (
    BYE,
    REQUESTED,
    Drafted,
    Pair,
    Place,
)
from damas.tournaments.hall.pairing import is_over, next_round, total_rounds
from damas.tournaments.hall.ratings import RatingRow, rating_report
from damas.tournaments.hall.results import board_text, points_text, result_text
from damas.tournaments.hall.rounds import Result, Round, open_boards
from damas.tournaments.hall.table import Row, category_table, meetings
from damas.tournaments.tie_breaks import Term, TieBreak
from damas.views.plain import view_of


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
class ReportView:
    """What a player says of the own board."""

    name: str
    games: str
    result: str


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
    reports: tuple[ReportView, ...] = ()
    """What the players say while there is no result; two of them contradict each other."""
    app_games: tuple[str, ...] = ()
    """Ids of the games, where the board is played in the app."""


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
    announced: bool = False
    """In a league of teams, whether everybody sees which teams meet while the boards are not published."""
    named: tuple[str, ...] = ()
    """In a league of teams, the teams that have named their line-up."""


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
    tie_breaks: tuple[str, ...] = ()
    """Its columns after the points, by key."""


@dataclass(frozen=True, slots=True)
class ExplanationView:
    """How a player came to a place."""

    name: str
    rank: int
    points: float
    rounds: tuple[str, ...]
    tie_breaks: tuple[TieBreakView, ...]


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
                _report_views(state, played, Place(pair.board)),
                played.app_games.get(Place(pair.board), ()),
            )
            for pair in played.pairs
        ),
        named=() if played.published else tuple(played.lineups),
        resting=tuple(RestView(rest.name, rest.kind, points.get(rest.kind, 0.0)) for rest in played.resting),
        warnings=warnings,
    )


def match_board_views(state: State, played: Round, pair: Pair) -> tuple[MatchBoardView, ...]:
    """The boards of a match; none in an individual tournament and before the round is published."""
    signs = played.match_boards.get(pair.board, ())
    seats = zip(played.lineups.get(pair.first, ()), played.lineups.get(pair.second, ()), signs, strict=False)
    return tuple(
        MatchBoardView(
            board,
            one,
            other,
            one if board % 2 else other,
            games,
            board_text(games, state.conditions),
            _report_views(state, played, Place(pair.board, board)),
            played.app_games.get(Place(pair.board, board), ()),
        )
        for board, (one, other, games) in enumerate(seats, start=1)
    )


def _report_views(state: State, played: Round, place: Place) -> tuple[ReportView, ...]:
    text = board_text if place.match_board else _encounter_text
    reports = played.reports.get(place, {}).items()
    return tuple(ReportView(name, games, text(games, state.conditions)) for name, games in reports)


def _encounter_text(games: str, conditions: Conditions) -> str:
    return result_text(Result(games), conditions)


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
    return TableView(
        state.conditions.title,
        played,
        category,
        tuple(_row(state, row) for row in rows),
        state.conditions.tie_breaks,
    )


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
