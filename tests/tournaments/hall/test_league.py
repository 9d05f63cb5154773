"""A whole league of teams that was computed by hand, and what a team may and may not do."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from py4swiss.trf import TrfParser

from damas.errors import TournamentRefused
from damas.language import LANGUAGES
from damas.tournaments.hall import (
    Announced,
    Conditions,
    Created,
    Entered,
    Event,
    EventLog,
    LinedUp,
    Person,
    PlayedInApp,
    Published,
    Rated,
    Reported,
    Scored,
    SquadNamed,
    State,
    Undone,
    Withdrawn,
    club_table,
    draft,
    individuals,
    replay,
    table,
    warnings,
)
from damas.tournaments.hall.league import ClubRow, squad_events
from damas.tournaments.hall.lists import read_players, write_players
from damas.tournaments.hall.log import load
from damas.tournaments.hall.ratings import rating_report
from damas.tournaments.hall.results import result_text
from damas.tournaments.hall.squads import check_lineup, usual_lineup
from damas.tournaments.hall.table import categories, category_table
from damas.tournaments.hall.templates import conditions_of
from damas.tournaments.hall.trf import from_trf, to_trf
from damas.views.club import player_views, round_view
from damas.views.club_log import log_views
from tournaments.hall.simulate import entered, play_all

CONDITIONS = Conditions(
    "League",
    "brasileira",
    system="round-robin",
    order="entry",
    win=2.0,
    draw=1.0,
    boards=("open", "open", "11"),
    squad=4,
    min_boards=2,
    tie_breaks=("board-points", "direct", "sonneborn"),
    date="2026-11-18",
)
SQUADS = {"A": ("A1", "A2", "A3", "A4"), "B": ("B1", "B2", "B3"), "C": ("C1", "C2", "C3"), "D": ("D1", "D2")}
"""The third of each is under 11; D has nobody."""

# Berger for four: A-D B-C, then D-C A-B, then B-D C-A. The boards of each match from the first on, for the team named first:
# A-D 1 = +  2½-½      B-C 0 1 =  1½-1½       D has nobody under 11 and loses that board in every round
# D-C = 1 -  1½-1½     A-B 0 1 0  1-2         A plays A4 for A2 in round 2
# B-D = 0 +  1½-1½     C-A - - -  0-3         C comes with one player; two are needed, so the whole match is lost
LINE_UPS = {(2, "A"): ("A1", "A4", "A3"), (3, "C"): ("C1",)}
RESULTS = {
    (1, 1): ("1", "=", ""),
    (1, 2): ("0", "1", "="),
    (2, 1): ("=", "1", ""),
    (2, 2): ("0", "1", "0"),
    (3, 1): ("=", "0", ""),
    (3, 2): ("", "", ""),
}


def begun(**changes: object) -> State:
    state = replay([Created(replace(CONDITIONS, **changes))])  # type: ignore[arg-type]
    state = state.decide(Entered(tuple(map(Person, SQUADS))))
    for team, names in SQUADS.items():
        births = ("1990", "1980", "2016", "1970")
        people = (Person(name, birth=birth) for name, birth in zip(names, births, strict=False))
        state = state.decide(SquadNamed(team, tuple(people)))
    return state


def next_round(state: State) -> State:
    number = len(state.rounds) + 1
    state = state.decide(draft(state))
    for (round_, team), names in LINE_UPS.items():
        if round_ == number:
            state = state.decide(LinedUp(number, team, names))
    return state.decide(Published(number))


def played(**changes: object) -> State:
    state = begun(**changes)
    for number in (1, 2, 3):
        state = next_round(state)
        for (round_, match), signs in RESULTS.items():
            for place, sign in enumerate(signs, start=1):
                if round_ == number and sign:
                    state = state.decide(Scored(number, match, sign, match_board=place))
        assert state.rounds[-1].is_complete
    return state


def test_what_a_later_squad_holds_is_not_undone_before_it() -> None:
    """A squad is written whole: without this, somebody entered by mistake would stay in it after the undoing."""
    state = begun().decide(Rated("D1", 1800))
    for name in ("Mistake", "Right"):
        state = state.decide(SquadNamed("D", (*state.players["D"].squad, Person(name))))
    last = len(state.entries)
    assert refused(state, Undone(last - 1)) == "undo_later_first"
    assert refused(state, Undone(last - 2)) == "undo_later_first"  # the rating
    state = state.decide(Undone(last)).decide(Undone(last - 1)).decide(Undone(last - 2))
    assert state.players == begun().players


def test_nobody_keeps_a_board_that_another_needs() -> None:
    """A girl of ten may sit at both boards, a boy of ten and a woman only at one: no board stays empty."""
    conditions = replace(CONDITIONS, boards=("f", "11"))
    girl, boy = Person("Girl", birth="2016", sex="f"), Person("Boy", birth="2016", sex="m")
    woman = Person("Woman", birth="1990", sex="f")
    assert usual_lineup(conditions, (girl, boy)) == ("Girl", "Boy")
    assert usual_lineup(conditions, (girl, woman)) == ("Woman", "Girl")
    assert usual_lineup(conditions, (girl, woman, boy)) == ("Woman", "Girl")  # the first of the squad


def test_the_table_of_teams() -> None:
    """SB: A won against D (2), and C did not come; B drew with C and D (2 each) and beat A (4): 1 + 1 + 4, and so on."""
    rows = [
        (row.rank, row.name, row.standing.points, (row.wins, row.draws, row.losses))
        for row in table(played())
    ]
    assert rows == [
        (1, "A", 4, (1, 0, 1)),
        (2, "B", 4, (1, 2, 0)),
        (3, "D", 2, (0, 2, 1)),
        (4, "C", 2, (0, 2, 0)),
    ]
    values = {
        row.name: tuple(each.value for each in row.standing.tie_breaks.values()) for row in table(played())
    }
    assert values == {"A": (6.5, 0, 2), "B": (5, 0, 6), "D": (3.5, 0, 3), "C": (3, 0, 3)}


def test_the_direct_encounter_of_teams_counts_match_points() -> None:
    """B beat A; C and D drew, and board points put D first."""
    state = played(tie_breaks=("direct", "board-points"))
    assert [row.name for row in table(state)] == ["B", "A", "D", "C"]
    assert [row.standing.tie_breaks["direct"].value for row in table(state)] == [2, 0, 1, 1]


def test_the_table_of_players() -> None:
    """Points of boards, those that the other team left empty too; the points of a team's players add up to its own."""
    single = individuals(played())
    points = {row.name: row.standing.points for row in table(single)}
    assert points == {
        "A1": 2, "A2": 1.5, "A3": 2, "A4": 1, "B1": 1.5, "B2": 1, "B3": 2.5, "C1": 1.5, "C2": 0, "C3": 1.5, "D1": 1,
        "D2": 2.5,
    }  # fmt: skip
    assert [row.name for row in table(single)[:2]] == ["D2", "B3"]  # two games won against one
    assert single.players["D2"].person.club == "D"
    young = [
        row.name
        for row in category_table(
            replace(single, conditions=replace(single.conditions, ages=(11,))), "age:11"
        )
    ]
    assert young == ["B3", "A3", "C3"]


def test_colours_alternate_from_board_to_board() -> None:
    first = individuals(played()).rounds[0].pairs
    assert [(pair.first, pair.second) for pair in first] == [
        ("A1", "D1"), ("D2", "A2"), ("B1", "C1"), ("C2", "B2"), ("B3", "C3"),
    ]  # fmt: skip
    view = round_view(played(), played().rounds[0])
    assert [seat.white for seat in view.boards[1].match_boards] == ["B1", "C2", "B3"]
    assert [(seat.first, seat.second, seat.result) for seat in view.boards[0].match_boards] == [
        ("A1", "D1", "1-0"), ("A2", "D2", "½-½"), ("A3", "", "+ -"),
    ]  # fmt: skip
    assert view.boards[0].result == "2-0 (2½-½)"


def test_the_games_of_a_league_are_rated() -> None:
    """A1 (1800) beat D1 (1600) and lost to B1, who has no rating: one game counts, 20 * (1 - 0.7597) = 4.8."""
    state = begun()
    squads = {team: list(state.players[team].squad) for team in "AD"}
    squads["A"][0] = replace(squads["A"][0], rating=1800)
    squads["D"][0] = replace(squads["D"][0], rating=1600)
    for team, people in squads.items():
        state = state.decide(SquadNamed(team, tuple(people)))
    state = next_round(state).decide(Scored(1, 1, "1", match_board=1))
    row = next(row for row in rating_report(state) if row.name == "A1")
    assert (row.games, round(row.change, 1), row.performance) == (1, 4.8, 2400)


def test_a_league_goes_out_as_trf(tmp_path: Path) -> None:
    state = played()
    text = to_trf(state)
    path = tmp_path / "league.trf"
    path.write_text(text, encoding="utf-8")
    parsed = TrfParser.parse(path, strict=True)
    assert [(team.team_name, team.players) for team in parsed.team_sections] == [
        ("A", [1, 2, 3, 4]), ("B", [5, 6, 7]), ("C", [8, 9, 10]), ("D", [11, 12]),
    ]  # fmt: skip
    points = [section.points_times_ten for section in parsed.player_sections]
    assert points == [20, 15, 20, 10, 15, 10, 25, 15, 0, 15, 10, 25]
    again = table(replay(from_trf(text)))
    assert [(row.name, row.standing.points) for row in again] == [
        (row.name, row.standing.points) for row in table(individuals(state))
    ]


def test_the_squads_are_written_as_a_list() -> None:
    people = read_players(write_players(begun()))
    assert [(person.club, person.name) for person in people] == [
        (team, name) for team, names in SQUADS.items() for name in names
    ]


def test_a_league_is_kept_in_its_file(tmp_path: Path) -> None:
    state = played()
    with EventLog.create(tmp_path / "x.damas", CONDITIONS) as log:
        for entry in state.entries[1:]:
            log.add(entry.event, who=entry.who, at="2026-11-18T10:00:00Z", why=entry.why)
    again = load(tmp_path / "x.damas")
    assert (again.players, again.rounds) == (state.players, state.rounds)
    for language in LANGUAGES:
        assert all(line.message for line in log_views(again, language))
    assert "round 2, A lined up: A1, A4, A3" in [line.message for line in log_views(again, "en")]
    assert "round 1, board 1.2: A = D" not in [line.message for line in log_views(again, "en")]
    assert "round 1, board 1.2: A ½-½ D" in [line.message for line in log_views(again, "en")]


def test_a_league_can_be_undone_backwards() -> None:
    state = played()
    for number in range(len(state.entries), 2, -1):
        state = state.decide(Undone(number))
    assert not state.rounds and not state.players["A"].squad


def refused(state: State, event: Event, why: str = "") -> str:
    with pytest.raises(TournamentRefused) as refusal:
        state.decide(event, why=why)
    assert all(refusal.value.sentence(language) for language in LANGUAGES)
    return refusal.value.reason


def test_squads() -> None:
    state = begun()
    squad = state.players["A"].squad
    assert refused(state, SquadNamed("A", (*squad, Person("A5")))) == "squad_full"
    assert refused(state, SquadNamed("B", (Person("A1"),))) == "in_a_team"
    assert refused(state, SquadNamed("B", (Person("X"), Person("X")))) == "same_name"
    assert refused(state, SquadNamed("X", (Person("X"),))) == "no_player"
    assert refused(state, SquadNamed("B", (Person("X\x1b"),))) == "empty_name"
    assert state.decide(SquadNamed("A", squad[::-1])).players["A"].squad[0].name == "A4"
    later = next_round(state)
    assert refused(later, SquadNamed("A", squad[::-1])) == "squad_order"
    more = SquadNamed("D", (*state.players["D"].squad, Person("D3", birth="2016")))
    after = later.decide(more)  # the line-up of the round that is played stays
    assert after.rounds == later.rounds and len(after.players["D"].squad) == 3
    single = replay([Created(Conditions("Open", "faraes")), Entered((Person("Ana"),))])
    assert refused(single, SquadNamed("Ana", (Person("Eva"),))) == "no_league"


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (("A2", "A1"), "board_order"),
        (("A1", "A2", "A4"), "not_at_this_board"),
        (("A1", "B2"), "not_in_squad"),
        (("A1", "A1"), "twice"),
        (("A1", "A2", "A3", "A4"), "many_boards"),
    ],
)
def test_a_line_up_that_is_refused(names: tuple[str, ...], code: str) -> None:
    state = begun()
    state = state.decide(draft(state))
    assert refused(state, LinedUp(1, "A", names)) == code
    if code == "board_order":
        free = replace(CONDITIONS, fixed_order=False)
        assert check_lineup(free, "A", state.players["A"].squad, names) == ("A2", "A1", "")


def test_a_line_up_changes_until_the_match_has_begun() -> None:
    state = next_round(begun())
    state = state.decide(LinedUp(1, "A", ("A1", "A4", "A3")))
    assert state.rounds[0].lineups["A"] == ("A1", "A4", "A3")
    empty = state.decide(LinedUp(1, "A", ("A1", "A2")))
    assert empty.rounds[0].match_boards[1] == ("", "", "n")  # neither has anybody at the third board
    assert refused(empty, Scored(1, 1, "1", match_board=3)) == "empty_board"
    state = state.decide(Scored(1, 1, "1", match_board=1))
    assert refused(state, LinedUp(1, "D", ("D1", "D2"))) == "match_begun"
    assert refused(state, Scored(1, 1, "0", match_board=1)) == "scored_already"
    assert (
        state.decide(Scored(1, 1, "1", match_board=1)).rounds == state.rounds
    )  # a repeated entry counts once
    assert state.decide(Scored(1, 1, "0", match_board=1), why="slip").rounds[0].match_boards[1][0] == "0"
    assert refused(state, Scored(1, 1, "1", match_board=4)) == "no_match_board"
    assert refused(state, Scored(1, 1, "11", match_board=2)) == "games"


def test_a_team_that_does_not_come_or_has_left() -> None:
    state = next_round(begun())
    state = state.decide(Scored(1, 1, "---"), why="A did not come")
    assert result_text(state.rounds[0].results[1], CONDITIONS) == "- +"
    for place, sign in enumerate("11=", start=1):
        state = state.decide(Scored(1, 2, sign, match_board=place))
    state = next_round(state.decide(Withdrawn("C")))
    assert state.rounds[1].match_boards[1] == ("+", "+", "n")  # nobody of D could take the third board
    changed = state.decide(LinedUp(2, "D", ("D1",)))  # a line-up does not bring the team back that has left
    assert changed.rounds[1].is_complete == state.rounds[1].is_complete
    assert changed.rounds[1].match_boards[1] == ("n", "n", "n")  # one player is fewer than a team must have
    assert [(row.name, row.standing.points) for row in table(state)][:2] == [("D", 4), ("B", 2)]


def test_a_match_without_a_game_has_a_winner_all_the_same() -> None:
    """C comes with one player and loses every board; the third is nobody's, since D has nobody for it either."""
    state = next_round(begun(boards=("open", "open", "f")))
    for board in (1, 2):
        state = state.decide(Scored(1, board, "+++"), why="nobody came")
    state = state.decide(draft(state)).decide(LinedUp(2, "C", ("C1",))).decide(Published(2))
    match = next(
        each for each in round_view(state, state.rounds[1]).boards if "C" in (each.first, each.second)
    )
    assert (match.first, match.games, match.result) == ("D", "++n", "2-0 (2-0)")
    names = [(row.name, row.standing.points) for row in table(state, 2)]
    assert ("C", 0.0) in names and ("D", 2.0) in names


def test_a_line_up_is_that_of_the_squad_and_of_the_last_round() -> None:
    state = begun()
    state = state.decide(draft(state)).decide(LinedUp(1, "A", ("A1", "A4")))
    state = state.decide(SquadNamed("A", state.players["A"].squad[:3]))
    assert "A" not in state.rounds[0].lineups  # A4 has left
    state = state.decide(LinedUp(1, "A", ("A1", "A2"))).decide(Published(1))
    state = state.decide(Scored(1, 1, "---"), why="A did not come")
    for place, sign in enumerate("11=", start=1):
        state = state.decide(Scored(1, 2, sign, match_board=place))
    assert state.decide(LinedUp(1, "A", ("A2",))).rounds[0].lineups["A"] == ("A2", "", "")
    state = state.decide(draft(state))
    assert refused(state, LinedUp(1, "A", ("A2",))) == "match_begun"  # it would open a round that is over


def test_no_player_is_called_as_a_team() -> None:
    """A correction of such a name would be of both."""
    state = begun()
    for person in (Person("D", "D"), Person("D", "A"), Person("Zé", "A1"), Person("Zé", "Zé")):
        with pytest.raises(TournamentRefused) as refused:
            squad_events(state, [person])
        assert refused.value.reason == "same_name"


def test_a_line_up_that_the_squad_does_not_allow_any_more_is_missing() -> None:
    state = begun(squad=5)
    state = state.decide(draft(state)).decide(LinedUp(1, "A", ("A1", "A2", "A3")))
    squad = state.players["A"].squad
    assert state.decide(SquadNamed("A", (*squad, Person("New")))).rounds[0].lineups.keys() == {"A"}
    for people in (squad[1:], (squad[1], squad[0], *squad[2:])):  # without A1, and with A2 before A1
        changed = state.decide(SquadNamed("A", people))
        assert changed.rounds[0].lineups == {}
        assert changed.decide(Published(1)).rounds[0].lineups["A"][0] == "A2"


def test_a_small_squad_is_said_before_the_round() -> None:
    state = begun()
    state = state.decide(SquadNamed("D", state.players["D"].squad[:1]))
    assert [note.key for note in warnings(state, draft(state))] == ["club.warning.small_squad"]


def test_the_usual_line_up_follows_the_squad_and_the_kinds_of_boards() -> None:
    conditions = replace(conditions_of("jogos-regionais"), date="2026-11-18")
    woman, girl = Person("W", sex="f", birth="1990"), Person("G", sex="f", birth="2008")
    men = [Person(f"M{number}", sex="m", birth="1980") for number in range(4)]
    boy = Person("Y", sex="m", birth="2005")
    assert usual_lineup(conditions, [*men, woman, boy]) == ("W", "M0", "Y", "M1", "M2")
    assert usual_lineup(conditions, [woman, *men, girl]) == ("W", "M0", "G", "M1", "M2")
    assert usual_lineup(conditions, men) == ("", "M0", "", "M1", "M2")
    assert usual_lineup(conditions, [girl, replace(girl, name="H"), *men])[0] == "G"
    for squad in ([*men, woman, boy], [woman, *men, girl], men, [girl, replace(girl, name="H"), *men]):
        lineup = usual_lineup(conditions, squad)
        assert check_lineup(conditions, "T", squad, lineup) == lineup


@pytest.mark.parametrize("teams", [5, 8])
def test_a_swiss_of_teams_repeats_no_match_and_no_bye(teams: int) -> None:
    conditions = conditions_of("jogos-regionais", date="2026-11-18", seed=3, rounds=4)
    state = play_all(entered(replay([Created(conditions)]), teams), 7, forfeits=0.1)
    met = [frozenset((pair.first, pair.second)) for each in state.rounds for pair in each.pairs]
    assert len(met) == len(set(met)) and len(state.rounds) == 4
    rests = [rest.name for each in state.rounds for rest in each.resting if rest.kind == "bye"]
    assert len(rests) == len(set(rests)) == (4 if teams % 2 else 0)
    rows = table(state)
    assert all(one.rank <= other.rank for one, other in pairwise(rows))
    boards = sum(row.standing.tie_breaks["board-points"].value for row in rows)
    assert boards <= len(met) * 5 + len(rests) * 5
    assert len(player_views(state)[0].squad) == 6


@pytest.mark.parametrize(
    "changes",
    [
        {"boards": ("open", "girls")},
        {"boards": ("",)},
        {"boards": ("open",), "system": "knockout"},
        {"boards": (), "tie_breaks": ("board-points",)},
        {"boards": ("open",) * 31},
        {"boards": ("open",) * 5, "squad": 4},
        {"min_boards": 4},
        {"boards": ("11",), "date": ""},
    ],
)
def test_leagues_that_cannot_be(changes: dict[str, object]) -> None:
    with pytest.raises(TournamentRefused):
        begun(**changes)


def test_the_table_of_clubs_has_their_best_players() -> None:
    """Two of each club count: X has 2 + 1, Y has 2 + 1 with places 1 and 3 against 1 and 3, Z one player alone."""
    people = [("X1", "X"), ("Y1", "Y"), ("X2", "X"), ("Y2", "Y"), ("Z1", "Z"), ("N", "")]
    conditions = Conditions(
        "Open", "portuguesa", system="round-robin", order="entry", team_best=2, tie_breaks=()
    )
    state = replay([Created(conditions), Entered(tuple(Person(name, club) for name, club in people))])
    state = state.decide(draft(state)).decide(Published(1))
    pairs = [(pair.first, pair.second) for pair in state.rounds[0].pairs]
    assert pairs == [("X1", "N"), ("Y1", "Z1"), ("X2", "Y2")]
    for board, sign in enumerate("11=", start=1):
        state = state.decide(Scored(1, board, sign))
    assert club_table(state) == [
        ClubRow(1, "X", 1.5, 1 + 3, ("X1", "X2")),
        ClubRow(1, "Y", 1.5, 1 + 3, ("Y1", "Y2")),
        ClubRow(3, "Z", 0.0, 5 + 7, ("Z1",)),
    ]
    assert categories(state) == {}


def test_boards_count_when_both_sides_say_the_same() -> None:
    state = next_round(begun())
    state = state.decide(Reported(1, 1, "A1", "1", 1))
    assert refused(state, Reported(1, 1, "B1", "1", 1)) == "not_at_board"
    assert refused(state, Reported(1, 1, "A1", "1")) == "no_match_board"
    assert refused(state, Reported(1, 1, "A3", "1", 3)) == "reported_late"  # nobody sits there
    assert state.decide(Reported(1, 1, "D1", "0", 1)).rounds[0].match_boards[1] == ("", "", "+")
    agreed = state.decide(Reported(1, 1, "D1", "1", 1)).rounds[0]
    assert (agreed.match_boards[1], agreed.reports) == (("1", "", "+"), {})
    changed = state.decide(LinedUp(1, "A", ("A4", "", "A3"))).rounds[0]  # another one sits at the board
    assert changed.reports == {} and changed.match_boards[1] == ("", "-", "+")
    in_app = state.decide(PlayedInApp(1, 1, ("game",), 2))
    assert refused(in_app, LinedUp(1, "A", ("A1",))) == "match_begun"
    assert refused(in_app, PlayedInApp(1, 1, ("other",), 2)) == "in_app_already"


def test_matches_are_announced_before_their_boards() -> None:
    state = begun()
    assert refused(state, Announced(1)) == "not_drafted"
    state = state.decide(draft(state)).decide(Announced(1))
    assert refused(state, Announced(1)) == "not_drafted"
    view = round_view(state, state.rounds[0])
    assert (view.announced, view.published, view.boards[0].match_boards) == (True, False, ())
    state = state.decide(LinedUp(1, "A", ("A1", "A4", "A3")))
    assert round_view(state, state.rounds[0]).named == ("A",)
    again = state.decide(draft(state))
    assert not again.rounds[0].announced and again.rounds[0].lineups == state.rounds[0].lineups
    assert state.decide(Published(1)).rounds[0].lineups["A"] == ("A1", "A4", "A3")
