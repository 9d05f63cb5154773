"""TRF and lists of players: what is written is read again, and py4swiss reads it too."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from py4swiss.trf import TrfParser

from damas.errors import TournamentRefused
from damas.tournaments.hall import (
    ByeRequested,
    Conditions,
    Created,
    Disqualified,
    Entered,
    Forbidden,
    Person,
    Published,
    Rated,
    Scored,
    SquadNamed,
    State,
    Withdrawn,
    draft,
    replay,
    table,
)
from damas.tournaments.hall.lists import read_players, write_players
from damas.tournaments.hall.rating_list import RatingList, people_of, rated_events, rating_csv
from damas.tournaments.hall.ratings import rating_report
from damas.tournaments.hall.state import Competitor
from damas.tournaments.hall.trf import from_trf, to_trf
from tournaments.hall.simulate import play_all, start

SYSTEMS = [
    {},
    {"win": 2.0, "draw": 1.0, "bye": 2.0, "requested_bye": 1.0},
    {"games": 2, "win": 2.0, "draw": 1.0, "bye": 2.0},
    {"games": 2, "scored_by": "game", "bye": 2.0, "requested_bye": 1.0},
    {"games": 4, "scored_by": "game", "bye": 4.0, "requested_bye": 2.0},
    {"system": "round-robin"},
    {"system": "round-robin", "cycles": 2, "games": 2},
    {"system": "knockout", "games": 2},
    {"system": "groups", "groups": 2, "advance": 2},
]


def as_py4swiss_reads(text: str, path: Path) -> object:
    path.write_text(text, encoding="utf-8")
    return TrfParser.parse(path, strict=True)


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
@given(st.integers(3, 14), st.integers(0, 10**6))
def test_every_export_is_accepted_and_read_back(
    tmp_path_factory: pytest.TempPathFactory, system: dict[str, object], players: int, seed: int
) -> None:
    def between(state: State) -> State:
        number = len(state.rounds) + 1
        if state.conditions.system == "swiss" and players > 6 and number == 2:
            state = state.decide(ByeRequested("P02", 2)).decide(Withdrawn("P05"))
        if state.conditions.system == "swiss" and players > 9 and number == 3:
            state = state.decide(Entered((Person("Late", rating=2400),)))
            state = state.decide(Disqualified("P06"), why="conduct").decide(ByeRequested("Late", 4))
        return state

    state = start(players, seed=seed, place="Itapeva", date="2026-11-18", **system)
    state = play_all(
        state.decide(Forbidden("P01", "P02")) if players > 8 else state, seed, forfeits=0.15, between=between
    )
    text = to_trf(state)
    parsed = as_py4swiss_reads(text, tmp_path_factory.getbasetemp() / "x.trf")
    assert [section.points_times_ten for section in parsed.player_sections] == [  # type: ignore[attr-defined]
        round(10 * next(row.standing.points for row in table(state) if row.name == name))
        for name in state.by_number
    ]
    again = replay(from_trf(text))
    if state.players.get("P06", Competitor(Person(""))).out:  # TRF says of nobody why the games end
        again = again.decide(Disqualified("P06"), why="conduct")
    assert to_trf(replace(again, forbidden=state.forbidden)) == text
    ranks = {row.name: (row.rank, row.standing.points) for row in table(state)}
    if not any(state.out(name) for name in state.players):
        assert {row.name: (row.rank, row.standing.points) for row in table(again)} == ranks


def test_a_tournament_that_has_not_begun_is_accepted(tmp_path: Path) -> None:
    assert as_py4swiss_reads(to_trf(start(5)), tmp_path / "x.trf")


def test_a_file_of_another_program_is_read(tmp_path: Path) -> None:
    state = play_all(start(6), 3)
    lines = [line for line in to_trf(state).splitlines() if not line.startswith("#")]
    again = replay(from_trf("\n".join(lines), rulebook="portuguesa"))
    assert again.conditions.rulebook == "portuguesa" and again.conditions.title == "Open"
    assert [(row.rank, row.name, row.standing.points) for row in table(again)] == [
        (row.rank, row.name, row.standing.points) for row in table(state)
    ]
    assert again.players["P03"].person.rating == 1970


def test_dates_as_other_programs_write_them() -> None:
    """Programs that know no day write 1985/00/00, and some write the first day of a tournament in words."""
    line = f"001    1 w    {'Ana':33}      {'':3} {'':11} {'1985/00/00':10}  0.0    1"
    text = f"012 Open\n042 18 Nov\n{line}\n{line.replace('   1 w', '   2 m').replace('Ana', 'Rui').replace('1985', '    ')}\n"
    state = replay(from_trf(text))
    assert state.conditions.date == "" and state.players["Ana"].person.birth == "1985"
    assert state.players["Rui"].person.birth == ""


def line(number: int, name: str, *cells: str) -> str:
    """A player's line, as TRF has it."""
    start = f"001 {number:4}      {name:33} {'':4} {'':3} {'':11} {'':10}  0.0 {number:4}  "
    return start + "".join(f"{cell:8}  " for cell in cells)


def test_walkovers_without_a_colour_and_a_last_round_without_results_are_read() -> None:
    rows = [
        line(1, "Ana", "0002 - +", "0003 b"),
        line(2, "Rui", "0001 - -", "0004 w"),
        line(3, "Eva", "0004 b 0", "0001 w"),
        line(4, "Leo", "0003 w 1", "0002 b"),
    ]
    state = replay(from_trf("\n".join(rows)))
    first, second = state.rounds
    assert [(pair.first, pair.second) for pair in first.pairs] == [("Ana", "Rui"), ("Leo", "Eva")]
    assert [result.games for result in first.results.values()] == ["+", "1"]
    assert [(pair.first, pair.second) for pair in second.pairs] == [("Rui", "Leo"), ("Eva", "Ana")]
    assert second.published and not second.results
    assert {row.name: row.standing.points for row in table(state)} == {"Ana": 1, "Leo": 1, "Rui": 0, "Eva": 0}


KEPT = '# damas {"players": [{"name": "Ana"}], "rounds": [], "rulebook": "faraes", "title": "x"}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "trf_numbers"),
        ("001    2      X", "trf_numbers"),
        ("001 oops", "trf_line"),
        ("\n".join((line(1, "Ana"), line(1, "Rui"))), "trf_numbers"),
        (line(1, "Ana", "0002 w 1"), "trf_line"),  # there is no number 2
        (line(1, "Ana", "0001 w 1"), "trf_line"),
        (line(1, "Ana", "-001 w 1"), "trf_line"),
        ("\n".join((line(1, "Ana", "0002 w 1"), line(2, "Rui", "0000 - Z"))), "trf_line"),
        ("\n".join((line(1, "Ana", "0002 w 1"), line(2, "Rui"))), "trf_line"),
        ("\n".join((line(1, "Ana", "0002 w 1"), line(2, "Rui", "0001 b 1"))), "trf_line"),  # both have won
        (f"# damas {{broken\n{line(1, 'Ana')}", "trf_line"),
        (f"# damas [1]\n{line(1, 'Ana')}", "trf_line"),
        (f"{KEPT.replace('name', 'nome')}\n{line(1, 'Ana')}", "trf_line"),
        (f"{KEPT.replace('[]', '[{}]')}\n{line(1, 'Ana', '0000 - U')}", "trf_line"),
        (f"{KEPT}\n{line(1, 'Ana')}\n{line(2, 'Rui')}", "trf_numbers"),
    ],
)
def test_what_is_no_trf_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TournamentRefused) as refused:
        from_trf(text)
    assert refused.value.reason == reason


def test_headings_of_several_words_are_understood() -> None:
    """As federations and schools write them; what belongs to no column is left alone, also a date of something else."""
    text = (
        "Nº;Nome completo;Data de nascimento;Data de inscrição;Clube / equipa;Elo FPD;Elo rápido;Género\n"
        "7;Ana Souza;31/05/2014;01/03/2026;Casa do Povo;1710;1500;Feminino\n"
    )
    assert read_players(text) == (Person("Ana Souza", "Casa do Povo", "", 1710, "2014-05-31", "f"),)
    both = read_players("Rating rápido,Rating,Nome\n1500,1700,Ana\n")
    assert both == (Person("Ana", rating=1700),)
    assert read_players("AÑO,NOMBRE\n2014,Ana\n") == (Person("Ana", birth="2014"),)
    for heading in ("Nasc.", "Data de nasc.", "Nascimento:", "Ano (nascimento)"):
        assert read_players(f"Nome:;{heading}\nAna;2014\n") == (Person("Ana", birth="2014"),)
    assert read_players("Ana Souza;Clube de Damas;1500\n") == (
        Person("Ana Souza", "Clube de Damas", "", 1500),
    )
    assert [person.name for person in read_players("Jogador 1\nJogador 2\n")] == ["Jogador 1", "Jogador 2"]


def test_a_list_of_players_is_read_in_every_language_and_written_again() -> None:
    text = "Nome;Clube;Rating;Nascimento;Sexo;Série\nAna Souza;Diadema;1710;31/05/2014;F;A\nRui;;;2010;M;B\n"
    ana, rui = read_players(text)
    assert ana == Person("Ana Souza", "Diadema", "", 1710, "2014-05-31", "f", "A")
    assert rui.birth_year == 2010 and rui.rating == 0
    spanish = read_players('\ufeffNombre,Club,Elo\n"Pérez, Juan",Sur,1500\n\n')
    assert spanish == (Person("Pérez, Juan", "Sur", "", 1500),)
    state = start(4)
    assert read_players(write_players(state)) == tuple(state.players[name].person for name in state.by_number)


def test_no_name_becomes_a_formula_of_a_spreadsheet() -> None:
    state = replay([Created(Conditions("Open", "faraes", system="round-robin"))])
    state = state.decide(Entered((Person("=1+1", "@Casa"), Person("'Ana"))))
    players = write_players(state)
    assert "'=1+1,'@Casa" in players and "'=1+1,'@Casa" in rating_csv(state)
    assert read_players(players) == tuple(player.person for player in state.players.values())


def test_a_list_as_spreadsheets_leave_it() -> None:
    people = read_players(
        "sep=;\n\n;;\nNome;Sexo;Nascimento\n\nRita;Mulher;\n;;\nAna;Mujer;\nRui;Homem;\nEva;Women;\n"
    )
    assert [(each.name, each.sex) for each in people] == [
        ("Rita", "f"),
        ("Ana", "f"),
        ("Rui", "m"),
        ("Eva", "f"),
    ]
    with pytest.raises(TournamentRefused) as refused:
        read_players("\n\nname;rating\nAna;strong\n")
    assert refused.value.facts["line"] == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "list_empty"),
        ("name,rating\n,1500\n", "list_name"),
        ("name,rating\nAna,strong\n", "list_rating"),
        ("club,rating\nCasa,1500\n", "list_heading"),
        ("name,birth\nAna,2014-02-31\n", "list_line"),
        ("name,club\nAna,\x1b[31m\n", "list_line"),
    ],
)
def test_a_wrong_list_names_its_line(text: str, reason: str) -> None:
    with pytest.raises(TournamentRefused) as refused:
        read_players(text)
    assert refused.value.reason == reason


def test_performance_and_elo() -> None:
    """By hand, K 20: P01 (1990) drew with P02 (1980). Expected 1 / (1 + 10^(-10/400)) = 0.5144, so -0.3 and +0.3."""
    state = start(2, system="round-robin")
    state = state.decide(draft(state)).decide(Published(1)).decide(Scored(1, 1, "="))
    first, second = rating_report(state)
    assert (first.games, first.score, round(first.expected, 4)) == (1, 0.5, 0.5144)
    assert round(first.change, 1) == -0.3 and round(second.change, 1) == 0.3
    assert (first.performance, second.performance) == (1980, 1990)
    forfeited = state.decide(Scored(1, 1, "+"), why="left the hall")
    assert [row.performance for row in rating_report(forfeited)] == [None, None]


def test_a_provisional_rating_stands_in_for_a_missing_one() -> None:
    state = replay([Created(Conditions("Open", "faraes", provisional_rating=1600, rating_floor=1600))])
    state = state.decide(Entered((Person("New"), Person("Low", rating=1200), Person("High", rating=1900))))
    assert state.by_number == ["High", "New", "Low"]
    assert [(row.rating, row.provisional) for row in rating_report(state)] == [
        (1900, False),
        (1600, True),
        (1600, False),
    ]


FEDERATION = RatingList(
    read_players("id;nome;rating\n7;José Silva;1900\n8;Ana Souza;1750\n9;Rui Lima;1500\n10;Rui Lima;1650\n")
)
"""Two of one name, who are found by their numbers alone."""


def test_a_rating_list_is_matched_by_number_and_by_name() -> None:
    people = (
        Person("JOSE SILVA", "Casa"),
        Person("Ana", rating=1000, id="8"),
        Person("Rui Lima"),
        Person("Rui L.", id="10"),
        Person("Eva"),
    )
    rated = FEDERATION.applied(people)
    assert [(person.rating, person.id) for person in rated] == [
        (1900, "7"), (1750, "8"), (0, ""), (1650, "10"), (0, ""),
    ]  # fmt: skip
    assert rated[0].name == "JOSE SILVA" and rated[0].club == "Casa"
    state = replay([Created(Conditions("Open", "faraes", provisional_rating=1600)), Entered(people)])
    events, missing = rated_events(state, FEDERATION)
    assert missing == ["Rui Lima", "Eva"]
    for event in events:
        state = state.decide(event)
    assert tuple(people_of(state)) == rated
    assert rated_events(state, FEDERATION)[0] == []
    assert state.by_number[:2] == ["JOSE SILVA", "Ana"]
    with pytest.raises(TournamentRefused, match="Nobody"):
        state.decide(Rated("Nobody", 1500))
    with pytest.raises(TournamentRefused, match="0–9999"):
        state.decide(Rated("Eva", 10000))


def test_a_rating_that_the_list_does_not_know_stays() -> None:
    names = RatingList(read_players("id;name\n7;Ana\n"))
    ana = Person("Ana", rating=1700)
    assert names.applied((ana,)) == (Person("Ana", rating=1700, id="7"),)
    state = replay([Created(Conditions("Open", "faraes")), Entered((ana,))])
    assert rated_events(state, names)[0] == [Rated("Ana", 1700, "7")]


def test_the_list_rates_the_squads_of_a_league_too() -> None:
    state = replay([Created(Conditions("League", "faraes", system="round-robin", boards=("open",)))])
    state = state.decide(Entered((Person("Sul"), Person("Norte")))).decide(
        SquadNamed("Sul", (Person("José Silva"),))
    )
    events, _ = rated_events(state, FEDERATION)
    assert events == [Rated("José Silva", 1900, "7")]
    assert state.decide(events[0]).players["Sul"].squad[0].rating == 1900


def test_the_report_for_the_federation() -> None:
    """By hand, K 20: 1900 drew with the provisional 1600. Expected 1 / (1 + 10^(-300/400)) = 0.849: -6.98 and +6.98."""
    state = replay([Created(Conditions("Open", "faraes", system="round-robin", provisional_rating=1600))])
    state = state.decide(Entered((Person("José", "Casa", "POR", 1900, id="7"), Person("Eva"))))
    state = state.decide(draft(state)).decide(Published(1)).decide(Scored(1, 1, "="))
    assert rating_csv(state).splitlines() == [
        "id,name,club,federation,rating,provisional,games,score,expected,performance,change,new",
        "7,José,Casa,POR,1900,no,1,0.5,0.85,1600,-7.0,1893",
        ",Eva,,,1600,yes,1,0.5,0.15,1900,7.0,1607",
    ]
