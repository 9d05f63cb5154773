"""The actions of `damas club` that write to the log of a tournament."""

import argparse
import getpass
import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from secrets import randbelow
from typing import Any

from damas.cli import page
from damas.cli.answers import print_answer
from damas.cli.arguments import BadInput, reading
from damas.cli.club import show
from damas.cli.new_file import replacing
from damas.cli.openings import opening_word
from damas.errors import TournamentRefused
from damas.language import sentence
from damas.openings import opening_moves
from damas.rules import rulebook
from damas.rules.library import is_builtin
from damas.tournaments.hall import (
    ByeRequested,
    CheckedIn,
    Disqualified,
    Entered,
    EventLog,
    Forbidden,
    LinedUp,
    Person,
    Published,
    Renamed,
    Scored,
    State,
    Undone,
    Withdrawn,
    draft,
)
from damas.tournaments.hall.bounds import shown
from damas.tournaments.hall.conditions import Conditions, read_boards, with_readable_time
from damas.tournaments.hall.events import Created, Event
from damas.tournaments.hall.league import squad_events
from damas.tournaments.hall.lists import decoded, read_date, read_name, read_players
from damas.tournaments.hall.log import load
from damas.tournaments.hall.pairing import next_round, swapped
from damas.tournaments.hall.rating_list import RatingList, rated_events
from damas.tournaments.hall.results import read_result, result_text
from damas.tournaments.hall.rounds import PLAYED, boards_without_result, open_boards
from damas.tournaments.hall.state import active_entries
from damas.tournaments.hall.templates import conditions_of, usual_byes
from damas.tournaments.hall.trf import from_trf, to_trf
from damas.views.club import (
    club_view,
    draft_warnings,
    match_board_views,
    player_views,
    rating_views,
    round_view,
)
from damas.views.club_log import event_words

DEMO = (
    "Ana Souza",
    "Bruno Lima",
    "Carla Dias",
    "Davi Rocha",
    "Elisa Melo",
    "Fábio Nunes",
    "Gabi Torres",
    "Hugo Pires",
)
"""Players of the example."""
_SAME_NAME = (
    "title", "system", "rounds", "games", "cycles", "groups", "advance", "control", "scored_by", "ballot", "order",
    "no_show_limit", "provisional_rating", "squad", "min_boards", "team_best", "place", "arbiter",
)  # fmt: skip
"""Options that are named as the condition they set."""


def new_(options: argparse.Namespace) -> int:
    """Begin a tournament."""
    changes: dict[str, Any] = {
        name: value for name in _SAME_NAME if (value := getattr(options, name)) is not None
    }
    if options.rulebook:
        changes["rulebook"] = _rulebook_id(options.rulebook)
    if options.score:
        values = [_points(part) for part in options.score.split("-")]
        if len(values) != 3 or None in values:
            raise BadInput(
                "cli.club.bad_points", option="--score", got=options.score, example="2-1-0, 1-0.5-0"
            )
        changes |= dict(zip(("win", "draw", "loss"), values, strict=True))
    for name in ("bye", "requested_bye"):
        if (text := getattr(options, name)) is not None:
            changes[name] = _points(text)
            if changes[name] is None:
                option = f"--{name.replace('_', '-')}"
                raise BadInput("cli.club.bad_points", option=option, got=text, example="2, 0.5")
    if options.tie_breaks is not None:
        changes["tie_breaks"] = tuple(part.strip() for part in options.tie_breaks.split(",") if part.strip())
    changes |= {name: True for name in ("check_in", "clubs_apart") if getattr(options, name)}
    if options.boards is not None:
        changes["boards"] = read_boards(options.boards)
    if options.free_order:
        changes["fixed_order"] = False
    changes["date"] = options.date or date.today().isoformat()
    changes["seed"] = options.seed if options.seed is not None else randbelow(10**6)
    if options.template:
        conditions = conditions_of(options.template, **changes)
    else:
        conditions = Conditions(**{**_usual(changes), **changes})
    conditions = with_readable_time(conditions)
    _rulebook_id(conditions.rulebook)
    if conditions.ballot:
        opening_word(conditions.ballot, conditions.rulebook)
    return _create(options, conditions)


def _rulebook_id(text: str) -> str:
    """The id of a rulebook that damas brings: a tournament keeps nothing else of its rules."""
    book = rulebook(text)
    if not is_builtin(book):
        raise BadInput("cli.club.own_rulebook", got=book.id)
    return book.id


def _usual(changes: dict[str, Any]) -> dict[str, Any]:
    """What follows from other options where nothing is said."""
    teams = changes.get("boards", ())
    each = changes.get("games", 1) if changes.get("scored_by") == "game" else 1
    for_teams = {"tie_breaks": ("board-points", "direct", "sonneborn"), "bye_boards": each * len(teams) / 2}
    return {
        **(for_teams if teams else {}),
        "title": Path(changes.get("title", "")).stem or "Damas",
        "rulebook": "brasileira",
        **usual_byes(changes),
    }


def _points(text: str) -> float | None:
    """The number of a text such as 2, 0.5 or 1½; None if it is none."""
    try:
        return float(text.replace("½", "0.5" if text.startswith("½") else ".5").replace(",", "."))
    except ValueError:
        return None


def demo_(options: argparse.Namespace) -> int:
    """Begin the example."""
    return _create(options, conditions_of("escola", date=date.today().isoformat(), seed=1), DEMO)


def _create(options: argparse.Namespace, conditions: Conditions, names: tuple[str, ...] = ()) -> int:
    with EventLog.create(Path(options.file), conditions, who=_who(options)) as log:
        if names:
            log.add(Entered(tuple(Person(name) for name in names)), who=_who(options))
        state = log.state
    facts = {"file": options.file, "title": conditions.title, "seed": conditions.seed}

    def text() -> str:
        lines = [page.paragraph(sentence("cli.club.made", options.language, **facts))]
        if conditions.source:
            lines.append(
                page.paragraph(sentence("cli.club.source", options.language, source=conditions.source))
            )
        return "\n".join([*lines, show.status_text(state, options.language)])

    print_answer(options, lambda: club_view(state, options.language), text)
    return 0


def _who(options: argparse.Namespace) -> str:
    if options.by:
        return str(options.by)
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return str(os.getuid()) if hasattr(os, "getuid") else ""


def _add(options: argparse.Namespace, *make: Any) -> State:
    """Adds the events that functions of the state make, in one write."""
    with EventLog.open(Path(options.file)) as log:
        events: list[Event] = [event for function in make for event in function(log.state)]
        return log.add_all(events, who=_who(options), why=options.why)


def _answer(options: argparse.Namespace, state: State, key: str, **facts: object) -> int:
    """Says what was done, and where the tournament stands."""
    print_answer(
        options,
        lambda: club_view(state, options.language),
        lambda: page.paragraph(sentence(f"cli.club.{key}", options.language, **facts)),
    )
    return 0


# --- players ------------------------------------------------------------------------------------


def enter_(options: argparse.Namespace) -> int:
    """Enter a player."""
    person = Person(
        read_name(options.name), options.club, options.federation, options.rating, read_date(options.birth),
        options.sex, options.series, options.id,
    )  # fmt: skip
    team = options.team or (options.club if load(Path(options.file)).conditions.boards else "")
    if team:
        return _to_squads(options, (replace(person, club=team),), by_part=True)
    return _entered(options, (person,))


def import_(options: argparse.Namespace) -> int:
    """Enter the players of a list."""
    with reading(options.list) as source:
        people = read_players(decoded(source.read()))
    if options.ratings:
        people = _rating_list(options.ratings).applied(people)
    if load(Path(options.file)).conditions.boards:
        return _to_squads(options, people)
    return _entered(options, people)


def _rating_list(file: str) -> RatingList:
    with reading(file) as source:
        return RatingList(read_players(decoded(source.read())))


def ratings_(options: argparse.Namespace) -> int:
    """Performance and Elo, after the ratings of a list were taken over if one is given."""
    if not options.ratings:
        return show.ratings_(options)
    ratings = _rating_list(options.ratings)
    changed, missing = rated_events(load(Path(options.file)), ratings)
    state = (
        _add(options, lambda state: [*rated_events(state, ratings)[0]])
        if changed
        else load(Path(options.file))
    )

    if options.csv and not options.json:
        return show.ratings_(options)

    def text() -> str:
        lines = [sentence("cli.club.rated", options.language, count=len(changed))]
        if missing:
            lines.append(sentence("cli.club.not_in_list", options.language, names=", ".join(missing)))
        return "\n".join(map(page.paragraph, lines))

    print_answer(
        options, lambda: {"changed": len(changed), "missing": missing, "ratings": rating_views(state)}, text
    )
    return 0


def _to_squads(options: argparse.Namespace, people: tuple[Person, ...], *, by_part: bool = False) -> int:
    """Adds players to the squads of the teams that stand as their clubs; a list also enters the teams that are new."""
    state = _add(options, lambda state: squad_events(state, people, by_part=by_part))
    total = sum(len(team.squad) for team in state.players.values())
    print_answer(
        options,
        lambda: {"players": player_views(state)},
        lambda: sentence("cli.club.entered", options.language, count=len(people), total=total),
    )
    return 0


def _entered(options: argparse.Namespace, people: tuple[Person, ...]) -> int:
    state = _add(options, lambda _: [Entered(people)])
    print_answer(
        options,
        lambda: {"players": player_views(state)},
        lambda: sentence("cli.club.entered", options.language, count=len(people), total=len(state.players)),
    )
    return 0


def checkin_(options: argparse.Namespace) -> int:
    """Mark players as present or absent."""
    if not options.names and not options.all:
        raise BadInput("cli.bad.required", names="PLAYER, --all")

    def event(state: State) -> list[Event]:
        everybody = [name for name in state.players if not state.out(name)]
        names = everybody if options.all else [state.find(name) for name in options.names]
        return [CheckedIn(tuple(names), not options.absent)]

    state = _add(options, event)
    present = sum(player.present for player in state.players.values())
    return _answer(options, state, "checked_in", count=present, total=len(state.players))


def bye_(options: argparse.Namespace) -> int:
    """Let a player rest."""
    state = _add(options, lambda state: [ByeRequested(state.find(options.player), options.round)])
    return _answer(options, state, "bye", name=state.find(options.player), round=options.round)


def withdraw_(options: argparse.Namespace) -> int:
    """A player leaves."""
    state = _add(options, lambda state: [Withdrawn(state.find(options.player))])
    return _answer(options, state, "withdrawn", name=state.find(options.player))


def disqualify_(options: argparse.Namespace) -> int:
    """Exclude a player."""
    state = _add(options, lambda state: [Disqualified(state.find(options.player))])
    return _answer(options, state, "disqualified", name=state.find(options.player))


def forbid_(options: argparse.Namespace) -> int:
    """Two players must not meet."""
    state = _add(options, lambda state: [Forbidden(state.find(options.one), state.find(options.other))])
    return _answer(options, state, "forbidden", one=state.find(options.one), other=state.find(options.other))


def rename_(options: argparse.Namespace) -> int:
    """Correct the name of a player or a team."""
    names: list[str] = []
    to = read_name(options.name)

    def event(state: State) -> list[Event]:
        names.append(state.find_anybody(options.player))
        return [Renamed(names[0], to)]

    return _answer(options, _add(options, event), "renamed", name=names[0], to=to)


# --- rounds -------------------------------------------------------------------------------------


def pair_(options: argparse.Namespace) -> int:
    """Draft the next round, or change the draft by hand."""

    def event(state: State) -> list[Event]:
        if options.meet:
            return [swapped(state, *(state.find(name) for name in options.meet))]
        return [draft(state, _ballot(state.conditions, next_round(state)))]

    state = _add(options, event)
    current = state.rounds[-1]
    messages = draft_warnings(state, current, options.language)

    def text() -> str:
        shown = show.round_text(state, current, options.language, messages)
        return "\n".join([shown, show.next_text(state, options.language)])

    print_answer(options, lambda: round_view(state, current, messages), text)
    return 0


def _ballot(conditions: Conditions, number: int) -> str:
    """The opening of a round, as moves; the same for every board."""
    which = conditions.ballot
    return opening_moves(which, conditions.rulebook, number, conditions.seed) if which else ""


def lineup_(options: argparse.Namespace) -> int:
    """Name who sits at the boards of a team."""

    def event(state: State) -> list[Event]:
        team = state.find(options.team)
        names = ("" if text == "-" else state.find_member(team, text) for text in options.players)
        return [LinedUp(options.round or max(1, len(state.rounds)), team, tuple(names))]

    state = _add(options, event)
    played = state.round(options.round or len(state.rounds))
    team = state.find(options.team)
    names = ", ".join(name or "–" for name in played.lineups[team])
    return _answer(options, state, "lined_up", team=team, round=played.number, names=names)


def publish_(options: argparse.Namespace) -> int:
    """Publish the draft."""
    messages: tuple[str, ...] = ()

    def event(state: State) -> list[Event]:
        nonlocal messages
        if state.last:  # what happened since the draft was looked at
            messages = draft_warnings(state, state.last, options.language)
        return [Published(len(state.rounds) or 1)]

    state = _add(options, event)
    current = state.rounds[-1]

    def text() -> str:
        done = sentence("cli.club.published", options.language, round=current.number)
        return "\n".join([show.round_text(state, current, options.language, messages), done])

    print_answer(options, lambda: round_view(state, current, messages), text)
    return 0


def result_(options: argparse.Namespace) -> int:
    """Enter a result."""
    board, match_board = _board(options.board)

    def event(state: State) -> list[Event]:
        number = options.round or max(1, sum(each.published for each in state.rounds))
        signs = read_result(options.result, state.conditions)
        boards = len(state.conditions.boards)
        if boards and not match_board:
            if set(signs) & set(PLAYED):
                raise TournamentRefused("which_board", {})
            signs *= boards
        advance = state.find(options.advance) if options.advance else ""
        return [Scored(number, board, signs, advance, match_board)]

    state = _add(options, event)
    number = options.round or sum(each.published for each in state.rounds)
    played = state.round(number)
    pair = played.pair_at(board)
    assert pair

    def text() -> str:
        if match_board:
            seat = match_board_views(state, played, pair)[match_board - 1]
            facts = {"board": options.board, "first": seat.first or "–", "second": seat.second or "–"}
            shown = seat.result
        else:
            facts = {"board": board, "first": pair.first, "second": pair.second}
            shown = result_text(played.results[board], state.conditions)
        lines = [sentence("cli.club.scored", options.language, **facts, result=shown)]
        if played.is_complete:
            lines.append(sentence("cli.club.complete", options.language, round=number))
        else:
            left = len(boards_without_result(played))
            lines.append(sentence("cli.club.left", options.language, count=left, boards=open_boards(played)))
        return "\n".join(map(page.paragraph, lines))

    print_answer(options, lambda: round_view(state, played), text)
    return 0


def _board(text: str) -> tuple[int, int]:
    """The board, and in a league the board of the match: 3, or 1.2."""
    match, dot, place = text.partition(".")
    if not match.isdecimal() or (dot and not place.isdecimal()) or len(text) > 9:
        raise BadInput("cli.club.bad_board", text=shown(text))
    return int(match), int(place or 0)


def undo_(options: argparse.Namespace) -> int:
    """Undo an entry."""
    numbers: list[int] = []

    def event(state: State) -> list[Event]:
        active = [
            number for number, entry in active_entries(state.entries) if not isinstance(entry.event, Created)
        ]
        if options.entry is None and not active:
            raise BadInput("cli.club.nothing_to_undo")
        numbers.append(options.entry or active[-1])
        return [Undone(numbers[0])]

    state = _add(options, event)
    words = event_words(state, numbers[0])
    return _answer(options, state, "undone", text=words)


# --- TRF ----------------------------------------------------------------------------------------


def trf_(options: argparse.Namespace) -> int:
    """Write the tournament as TRF, or begin one from TRF."""
    if options.read:
        with reading(options.read) as source:
            first, *events = from_trf(decoded(source.read()), _rulebook_id(options.rulebook))
        assert isinstance(first, Created)
        why, state = options.why or "TRF", State()
        for event in (first, *events):  # what is refused leaves no file behind
            state = state.decide(event, why=why)
        with EventLog.create(Path(options.file), first.conditions, who=_who(options)) as log:
            state = log.add_all(events, who=_who(options), why=why)
        facts = {"file": options.file, "title": state.conditions.title, "seed": state.conditions.seed}
        return _answer(options, state, "made", **facts)
    text = to_trf(load(Path(options.file)))
    if options.output:
        with replacing(Path(options.output), force=options.force) as write:
            write(text)
        return _answer(options, load(Path(options.file)), "written", file=options.output)
    print_answer(options, lambda: {"trf": text}, lambda: text.rstrip("\n"))
    return 0
