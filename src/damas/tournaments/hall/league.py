"""Teams and their players: the games of a league as those of individuals, and the clubs of an individual tournament."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from damas.errors import TournamentRefused
from damas.tournaments.hall.bounds import shown
from damas.tournaments.hall.conditions import Person
from damas.tournaments.hall.events import ABSENT, BYE, Entered, Event, Pair, Rest, SquadNamed
from damas.tournaments.hall.rounds import Result, Round, reversed_signs
from damas.tournaments.hall.state import Competitor, State, folded
from damas.tournaments.hall.table import table

INDIVIDUAL_TIE_BREAKS = ("wins", "sonneborn")
"""How the players of a league are ranked who have equal points."""


def individuals(state: State) -> State:
    """A league as its players see it: each board of a match is an encounter of theirs, with the team as their club.

    The players are numbered team by team in the order of the squads. A board that the other team left empty gives its
    points as a bye does.
    """
    conditions = state.conditions
    players: dict[str, Competitor] = {}
    for team in state.by_number:
        for person in state.players[team].squad:
            players[person.name] = Competitor(replace(person, club=team), len(players) + 1)
    return State(
        (),
        replace(
            conditions,
            boards=(),
            squad=0,
            min_boards=1,
            system="swiss",
            rounds=len(state.rounds),
            win=conditions.board_win,
            draw=conditions.board_draw,
            loss=conditions.board_loss,
            bye=conditions.max_board_points,
            requested_bye=0.0,
            tie_breaks=INDIVIDUAL_TIE_BREAKS,
            no_show_limit=0,
            order="entry",
        ),
        players,
        tuple(_round(played, list(players)) for played in state.rounds if played.published),
    )


def _round(played: Round, names: list[str]) -> Round:
    pairs: list[Pair] = []
    results: dict[int, Result] = {}
    byes: set[str] = set()
    for match in played.pairs:
        seats = zip(
            played.lineups[match.first],
            played.lineups[match.second],
            played.match_boards[match.board],
            strict=True,
        )
        for place, (one, other, signs) in enumerate(seats):
            if one and other:
                board = len(pairs) + 1
                white_first = place % 2 == 0
                pairs.append(Pair(board, one, other) if white_first else Pair(board, other, one))
                if signs:
                    results[board] = Result(signs if white_first else reversed_signs(signs))
            elif signs and set(signs if one else reversed_signs(signs)) == {"+"}:
                byes.add(one or other)
    paired = {name for pair in pairs for name in (pair.first, pair.second)}
    resting = tuple(Rest(name, BYE if name in byes else ABSENT) for name in names if name not in paired)
    return Round(played.number, tuple(pairs), resting, played.edition, published=True, results=results)


def squad_events(state: State, people: Iterable[Person], *, by_part: bool = False) -> list[Event]:
    """The events that add players to the squads of the teams that stand as their clubs, and enter teams that are new.

    With `by_part`, teams are known already and named by a number or a part of the name. Raises `TournamentRefused`.
    """
    squads: dict[str, list[Person]] = {}
    teams = {folded(name): name for name in state.players}
    for person in people:
        club = " ".join(person.club.split())
        if not club:
            raise TournamentRefused("no_team", {"name": person.name})
        team = state.find(club) if by_part else teams.setdefault(folded(club), club)
        squads.setdefault(team, []).append(replace(person, club=team))
    new = tuple(Person(team) for team in squads if team not in state.players)
    names = {person.name for added in squads.values() for person in added}
    both = names & {*squads, *state.players} | {team.name for team in new} & state.teams.keys()
    if both:  # a correction of such a name would be of the team and of the player
        raise TournamentRefused("same_name", {"name": shown(min(both))})
    named = [
        SquadNamed(team, (*(state.players[team].squad if team in state.players else ()), *added))
        for team, added in squads.items()
    ]
    return [*([Entered(new)] if new else []), *named]


@dataclass(frozen=True)
class ClubRow:
    """A club in the table of clubs: the points of its best players."""

    rank: int
    club: str
    points: float
    places: int
    """Sum of the ranks of those players, which decides between equal points: the lower the better."""
    members: tuple[str, ...]


def club_table(state: State) -> list[ClubRow]:
    """The clubs of an individual tournament by the points of their best players, as many as the conditions say.

    A missing player counts as one who is ranked below everybody. Clubs with equal points and places share a rank.
    """
    best, rows = state.conditions.team_best, table(state)
    clubs: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        club = state.players[row.name].person.club
        if club:
            clubs.setdefault(club, []).append(index)
    entries = []
    for club, indexes in clubs.items():
        kept = [rows[index] for index in indexes[:best]]
        points = sum(row.standing.points for row in kept)
        places = sum(row.rank for row in kept) + (len(rows) + 1) * (best - len(kept))
        entries.append((-points, places, club, tuple(row.name for row in kept)))
    ordered: list[ClubRow] = []
    for place, (points, places, club, members) in enumerate(sorted(entries), start=1):
        last = ordered[-1] if ordered else None
        tied = last and (last.points, last.places) == (-points, places)
        ordered.append(ClubRow(last.rank if last and tied else place, club, -points, places, members))
    return ordered
