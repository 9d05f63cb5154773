"""What teams of a league do: squads, line-ups, and the results of the boards of a match."""

from dataclasses import replace
from typing import TYPE_CHECKING

from damas.errors import TournamentRefused
from damas.tournaments.hall.bounds import check_person, shown
from damas.tournaments.hall.events import Announced, Entry, LinedUp, Pair, Place, Scored, SquadNamed
from damas.tournaments.hall.rounds import OPPOSITE, PLAYED, Result, Round
from damas.tournaments.hall.squads import check_lineup, usual_lineup

if TYPE_CHECKING:
    from damas.tournaments.hall.state import State


def name_squad(state: "State", event: SquadNamed) -> "State":
    """The state with the squad of a team; raises `TournamentRefused`."""
    conditions, team = state.conditions, state.player(event.team)
    if not conditions.boards:
        raise TournamentRefused("no_league", {})
    if conditions.squad and len(event.players) > conditions.squad:
        raise TournamentRefused("squad_full", {"team": event.team, "max": conditions.squad})
    elsewhere = {
        person.name: name
        for name, other in state.players.items()
        for person in other.squad
        if name != event.team
    }
    for place, person in enumerate(event.players):
        check_person(person)
        if person.name in elsewhere:
            raise TournamentRefused("in_a_team", {"name": person.name, "team": elsewhere[person.name]})
        if person.name in state.former_names or any(
            person.name == other.name for other in event.players[:place]
        ):
            raise TournamentRefused("same_name", {"name": person.name})
    before = [person.name for person in team.squad]
    started = any(each.published for each in state.rounds)
    if started and [person.name for person in event.players[: len(before)]] != before:
        raise TournamentRefused("squad_order", {"team": event.team})
    return _without_old_lineup(state.with_player(replace(team, squad=event.players)), event.team)


def _without_old_lineup(state: "State", team: str) -> "State":
    """The state without the line-up of a team for a draft, if its squad may not sit like this any more."""
    current = state.last
    if current is None or current.published or team not in current.lineups:
        return state
    try:
        check_lineup(state.conditions, team, state.players[team].squad, current.lineups[team])
    except TournamentRefused:
        lineups = {name: names for name, names in current.lineups.items() if name != team}
        return state.with_round(replace(current, lineups=lineups))
    return state


def announce(state: "State", event: Announced) -> "State":
    """The state with the teams of a draft shown to everybody; raises `TournamentRefused`."""
    current = state.last
    if not state.conditions.boards:
        raise TournamentRefused("no_league", {})
    if current is None or current.number != event.round or current.published or current.announced:
        raise TournamentRefused("not_drafted", {"round": event.round})
    return state.with_round(replace(current, announced=True))


def line_up(state: "State", event: LinedUp) -> "State":
    """The state with the line-up of a team for a match without results; raises `TournamentRefused`."""
    conditions = state.conditions
    if not conditions.boards:
        raise TournamentRefused("no_league", {})
    team, current = state.player(event.team), state.round(event.round)
    names = check_lineup(conditions, event.team, team.squad, event.names)
    pair = current.pair_of(event.team)
    if pair is None:
        raise TournamentRefused("no_match", {"team": event.team, "round": event.round})
    if has_begun(state, current, pair):
        raise TournamentRefused("match_begun", {"board": pair.board})
    changed = replace(current, lineups={**current.lineups, event.team: names})
    if current.published:
        reports = {
            place: names
            for place, names in changed.reports.items()
            if changed.seats_at(place) == current.seats_at(place)
        }
        changed = _with_walkovers(state, replace(changed, reports=reports), pair)
    return state.with_round(changed)


def has_begun(state: "State", current: Round, pair: Pair) -> bool:
    """Whether a board of a match was played or is being played in the app: line-ups stay from then on."""
    played = any(set(signs) & set(PLAYED) for signs in current.match_boards.get(pair.board, ()))
    in_app = any(place.board == pair.board for place in current.app_games)
    return played or in_app or current.number < len(state.rounds)


def seated(state: "State", current: Round) -> Round:
    """A round of a league with the line-up of every team, and the boards that are lost because nobody takes them."""
    conditions, lineups = state.conditions, {}
    for name in (name for pair in current.pairs for name in (pair.first, pair.second)):
        squad = state.players[name].squad
        lineups[name] = current.lineups.get(name) or usual_lineup(conditions, squad)
    current = replace(current, lineups=lineups)
    for pair in current.pairs:
        current = _with_walkovers(state, current, pair)
    return current


def _with_walkovers(state: "State", current: Round, pair: Pair) -> Round:
    """The match with its empty boards lost; all of them are for a team that left or has fewer players than it must have."""
    conditions, teams = state.conditions, (pair.first, pair.second)
    seats = [current.lineups[name] for name in teams]
    complete = [
        not state.out(name) and sum(map(bool, names)) >= conditions.min_boards
        for name, names in zip(teams, seats, strict=True)
    ]
    present = [
        [bool(name) and enough for name in names] for names, enough in zip(seats, complete, strict=True)
    ]
    signs = tuple(
        "" if one and other else ("+" if one else "-" if other else "n") * conditions.games
        for one, other in zip(*present, strict=True)
    )
    return _with_match(current, pair.board, signs)


def _with_match(current: Round, match: int, signs: tuple[str, ...]) -> Round:
    """The round with the boards of a match; their results are the match's once the last is known."""
    results = {board: result for board, result in current.results.items() if board != match}
    if all(signs):
        results[match] = Result("".join(signs))
    boards = {**current.match_boards, match: signs}
    reports = {
        place: names
        for place, names in current.reports.items()
        if place.board != match or not signs[place.match_board - 1]
    }
    return replace(current, results=results, match_boards=boards, reports=reports)


def with_board(current: Round, place: Place, signs: str) -> Round:
    """The round with the result of a board of a match."""
    boards = list(current.match_boards[place.board])
    boards[place.match_board - 1] = signs
    return _with_match(current, place.board, tuple(boards))


def score_match(state: "State", event: Scored, entry: Entry, played: Round, pair: Pair) -> "State":
    """The state with the result of a board of a match, or of all its boards; raises `TournamentRefused`."""
    games, boards = state.conditions.games, len(state.conditions.boards)
    expected = games if event.match_board else games * boards
    if set(event.games) - OPPOSITE.keys() or len(event.games) != expected or event.advance:
        raise TournamentRefused("games", {"got": shown(event.games), "games": expected})
    if not 0 <= event.match_board <= boards:
        raise TournamentRefused("no_match_board", {"board": event.match_board, "boards": boards})
    signs = list(played.match_boards[pair.board])
    parts = [event.games[start : start + games] for start in range(0, len(event.games), games)]
    for place, part in enumerate(parts, start=(event.match_board or 1) - 1):
        empty = not all(played.lineups[name][place] for name in (pair.first, pair.second))
        if empty and set(part) & set(PLAYED):
            raise TournamentRefused("empty_board", {"board": pair.board, "place": place + 1})
        if signs[place] and signs[place] != part and not entry.why:
            raise TournamentRefused("scored_already", {"board": f"{pair.board}.{place + 1}"})
        signs[place] = part
    changed = _with_match(played, pair.board, tuple(signs))
    return state.with_round(changed)
