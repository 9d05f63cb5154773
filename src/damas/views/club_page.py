"""A tournament of people as its pages show it: everything at once, its tables, and the line-up of a team."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from damas.language import Saying, sentence
from damas.tournaments.hall import Conditions, Person, State, individuals
from damas.tournaments.hall.conditions import BOARD
from damas.tournaments.hall.matches import has_begun
from damas.tournaments.hall.pairing import is_over, total_rounds
from damas.tournaments.hall.results import board_text, result_text
from damas.tournaments.hall.rounds import PLAYED, Result, Round
from damas.tournaments.hall.squads import fits, usual_lineup
from damas.tournaments.hall.table import categories
from damas.views.club import (
    PlayerView,
    RoundView,
    TableView,
    category_words,
    control_text,
    draft_warnings,
    next_step,
    player_views,
    round_view,
    table_view,
)

PLAYERS = "players"
"""The table of the players of a league; `players:sex:f` is that of a category of them."""
MAX_LISTED_RESULTS = 9
"""Results that a menu offers; of encounters with more, each game has a menu of its own."""


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
    """The results of games that were played, by their signs for the player named first; none where they are too many."""
    players: tuple[PlayerView, ...]
    """Personal facts are for the staff alone."""
    played: tuple[RoundView, ...]
    """The rounds; a draft is for the staff alone, or for everybody once a league has announced it."""
    table: TableView
    tie_breaks: tuple[NamedView, ...]
    categories: tuple[NamedView, ...]
    """Other tables, by key."""
    boards: tuple[str, ...] = ()
    """In a league of teams, who may sit at each board of a match, in words; empty where people play for themselves."""


@dataclass(frozen=True, slots=True)
class LineupBoardView:
    """A board of a match, who is named for it, and who of the squad may sit there."""

    board: int
    kind: str
    """Who may sit there, in words."""
    name: str
    fitting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineupView:
    """The line-up of a team for its next match."""

    team: str
    round: int
    """0: the team has no match to name players for."""
    match: int
    opponent: str
    named: bool
    """Whether the team has named it; else these are the first players of the squad."""
    published: bool
    open: bool
    """Whether it may still change: before the boards are published, and at the desk until a board was played."""
    min_boards: int
    boards: tuple[LineupBoardView, ...]


def tournament_view(state: State, id_: str, version: str, language: str, *, staff: bool) -> TournamentView:
    """A tournament for its staff, or for everybody else."""
    conditions = state.conditions
    players = player_views(state)
    if not staff:
        players = tuple(map(_without_personal_facts, players))
    rounds = [each for each in state.rounds if each.published or each.announced or staff]
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
        tuple(
            round_view(state, each, draft_warnings(state, each, language) if staff else ()) for each in rounds
        ),
        table_view(state),
        _tie_break_names(state, language),
        tuple(NamedView(key, key, words) for key, words in _table_names(state, language)),
        tuple(kind_words(board, language) for board in conditions.boards),
    )


def _without_personal_facts(player: PlayerView) -> PlayerView:
    squad = tuple(replace(each, birth="", sex="", id="") for each in player.squad)
    return replace(player, federation="", birth="", sex="", id="", squad=squad)


def _result_names(conditions: Conditions) -> Iterator[NamedView]:
    if len(PLAYED) ** conditions.games > MAX_LISTED_RESULTS:
        return
    for signs in map("".join, product(PLAYED, repeat=conditions.games)):
        text = board_text(signs, conditions) if conditions.boards else result_text(Result(signs), conditions)
        games = " ".join(signs.replace("=", "½"))
        yield NamedView(signs, text, text if conditions.games == 1 else f"{games} · {text}")


def _tie_break_names(state: State, language: str) -> tuple[NamedView, ...]:
    own = state.conditions.tie_breaks
    of_players = individuals(state).conditions.tie_breaks if state.conditions.boards else ()
    return tuple(
        NamedView(
            key,
            sentence(f"club.short_tie_break.{key}", language),
            sentence(f"club.tie_break.{key}", language),
        )
        for key in dict.fromkeys((*own, *of_players))
    )


def desk_step(state: State) -> Saying:
    """What the desk does next, where a page has buttons and the terminal has commands."""
    last = state.last
    if state.conditions.boards:
        if len(state.players) < 2:
            return Saying("club.desk.next_teams", {})
        if last and not last.published:
            return _line_ups_step(last)
    step = next_step(state)
    return Saying(step.key.replace("cli.club.", "club.desk."), step.facts)


def _line_ups_step(draft: Round) -> Saying:
    teams = [name for pair in draft.pairs for name in (pair.first, pair.second)]
    missing = [name for name in teams if name not in draft.lineups]
    if not draft.announced:
        return Saying("club.desk.next_announce", {})
    if missing:
        return Saying("club.desk.next_lineups", {"names": ", ".join(missing)})
    return Saying("club.desk.next_publish", {})


# Tables


def _table_names(state: State, language: str) -> Iterator[tuple[str, str]]:
    for key in categories(state):
        yield key, category_words(key, language)
    if state.conditions.boards:
        yield PLAYERS, sentence("club.players", language)
        for key in categories(individuals(state)):
            yield f"{PLAYERS}:{key}", f"{sentence('club.players', language)}: {category_words(key, language)}"


def table_of(state: State, key: str) -> TableView | None:
    """A table by its key among the categories of a tournament; None if there is none."""
    of_players = bool(state.conditions.boards) and key.split(":", maxsplit=1)[0] == PLAYERS
    if of_players:
        state, key = individuals(state), key.removeprefix(PLAYERS).removeprefix(":")
    if (key and key not in categories(state)) or not (key or of_players):
        return None
    return table_view(state, key)


# Line-ups


def kind_words(board: str, language: str) -> str:
    """Who may sit at a board of a match.

    >>> [kind_words(board, "en") for board in ("open", "f", "11", "11f")]
    ['open', 'women', 'up to 11 years', 'women up to 11 years']
    """
    parts = BOARD.fullmatch(board)
    assert parts, board
    age, sex = parts.groups()
    if not age:
        return sentence(f"club.kind.{sex or 'open'}", language)
    return sentence(f"club.kind.age{f'_{sex}' if sex else ''}", language, age=int(age))


def lineup_view(state: State, team: str, language: str, *, staff: bool) -> LineupView:
    """The line-up of a team for the round that is drafted or played, for the desk or for its captain."""
    conditions, last, squad = state.conditions, state.last, state.player(team).squad
    pair = last.pair_of(team) if last and (staff or last.announced or last.published) else None
    if last is None or pair is None:
        return LineupView(team, 0, 0, "", False, False, False, conditions.min_boards, ())
    names = last.lineups.get(team) or usual_lineup(conditions, squad)
    is_open = not has_begun(state, last, pair) if staff else not last.published
    return LineupView(
        team,
        last.number,
        pair.board,
        pair.second if team == pair.first else pair.first,
        team in last.lineups,
        last.published,
        is_open,
        conditions.min_boards,
        tuple(
            LineupBoardView(place, kind_words(board, language), name, _fitting(board, squad, conditions.year))
            for place, (board, name) in enumerate(zip(conditions.boards, names, strict=True), start=1)
        ),
    )


def _fitting(board: str, squad: tuple[Person, ...], year: int) -> tuple[str, ...]:
    return tuple(person.name for person in squad if fits(board, person, year))
