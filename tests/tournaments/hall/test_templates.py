"""Every template plays a whole event; results and categories as an arbiter types and reads them."""

import pytest

from damas.errors import TournamentRefused
from damas.openings import is_word
from damas.rules import rulebook
from damas.tournaments.hall import Conditions, Created, Entered, Person, replay, table
from damas.tournaments.hall.pairing import is_over, total_rounds
from damas.tournaments.hall.results import read_result, result_text
from damas.tournaments.hall.rounds import Result
from damas.tournaments.hall.table import categories, part_of
from damas.tournaments.hall.templates import conditions_of, template, template_names
from tournaments.hall.simulate import entered, play_all


@pytest.mark.parametrize("name", template_names())
@pytest.mark.parametrize("players", [7, 10])
def test_a_template_plays_a_whole_event(name: str, players: int) -> None:
    conditions = conditions_of(name, seed=5, date="2026-11-18")
    assert len(conditions.source) > 20 and rulebook(conditions.rulebook)
    assert not conditions.ballot or is_word(conditions.ballot)
    state = play_all(entered(replay([Created(conditions)]), players), 5, forfeits=0.05)
    assert is_over(state) and len(state.rounds) == total_rounds(state)
    rows = table(state)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows) and rows[0].rank == 1
    most = conditions.max_points * len(state.rounds)
    assert 0 < rows[0].standing.points <= most
    assert set(rows[0].standing.tie_breaks) == set(conditions.tie_breaks)


def test_the_known_events_are_there() -> None:
    assert template_names() == (
        "circuito",
        "escola",
        "fenae",
        "fpdamas",
        "itapeva",
        "jogos-regionais",
        "liga",
        "superliga",
    )
    school = conditions_of("escola")
    assert (school.rulebook, school.control, school.rounds) == ("faraes", "20", 5)
    portuguese = conditions_of("fpdamas")
    assert (portuguese.rounds, portuguese.games, portuguese.no_show_limit, portuguese.team_best) == (
        5,
        4,
        2,
        4,
    )
    assert (portuguese.control, portuguese.control_for) == ("30", "encounter")
    assert conditions_of("circuito").tie_breaks == ("progressive", "corrected", "buchholz")
    assert conditions_of("jogos-regionais").provisional_rating == 1600
    assert conditions_of("circuito", rounds=5, control="30").control == "30"


def test_a_template_of_ones_own(tmp_path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nrulebook = "oficial"\nsystem = "knockout"\n', encoding="utf-8")
    assert conditions_of(str(file)).system == "knockout"
    file.write_text('title = "Mine"\nrulebook = "oficial"\nwin = 2.0\ndraw = 1.0\n', encoding="utf-8")
    assert (conditions_of(str(file)).bye, conditions_of(str(file)).requested_bye) == (2.0, 1.0)
    assert conditions_of(str(file), bye=0.0).bye == 0.0
    for text in (
        "title = ",
        'titel = "x"',
        'title = "x"\n',
        'title = "x"\nrulebook = "x"\nsystem = "ladder"',
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(TournamentRefused):
            conditions_of(str(file))
    with pytest.raises(TournamentRefused, match="circuito, escola"):
        template("nothing")


@pytest.mark.parametrize(
    ("games", "text", "signs"),
    [
        (1, "1-0", "1"), (1, "2-0", "1"), (1, "0-2", "0"), (1, "=", "="), (1, "1-1", "="), (1, "½-½", "="),
        (1, "0.5-0.5", "="), (1, "+-", "+"), (1, "-+", "-"), (1, "--", "n"), (1, "1", "1"), (1, "0 - 1", "0"),
        (2, "2-0", "11"), (2, "1,5-0,5", "1="), (2, "0.5-1.5", "0="), (2, "3-1", "1="), (2, "10", "10"),
        (2, "==", "=="), (2, "+-", "++"), (2, "--", "nn"), (2, "1+", "1+"), (4, "4-0", "1111"), (4, "11=0", "11=0"),
        (4, "3½-½", "111="), (4, "0-4", "0000"),
    ],
)  # fmt: skip
def test_a_result_as_it_is_typed(games: int, text: str, signs: str) -> None:
    assert read_result(text, Conditions("", "", games=games)) == signs


@pytest.mark.parametrize(
    ("games", "text", "reason"),
    [
        (1, "3-0", "result"),
        (1, "0-0", "result"),
        (1, "", "result"),
        (1, "won", "result"),
        (1, "-", "result"),
        (2, "1-1", "ambiguous"),
        (2, "1-0", "result"),
        (4, "3-1", "ambiguous"),
        (2, "1", "result"),
    ],
)
def test_a_result_that_cannot_be(games: int, text: str, reason: str) -> None:
    with pytest.raises(TournamentRefused) as refused:
        read_result(text, Conditions("", "", games=games))
    assert refused.value.reason == reason


def test_a_result_as_it_is_shown() -> None:
    two = {"win": 2.0, "draw": 1.0}
    assert result_text(Result("="), Conditions("", "", **two)) == "1-1"
    assert result_text(Result("0"), Conditions("", "")) == "0-1"
    assert result_text(Result("10"), Conditions("", "", games=2, **two)) == "1-1 (1-1)"
    assert result_text(Result("1="), Conditions("", "", games=2, scored_by="game")) == "1½-½"
    assert [result_text(Result(sign), Conditions("", "")) for sign in "+-n"] == ["+ -", "- +", "- -"]
    assert result_text(None, Conditions("", "")) == ""
    assert [result_text(Result(sign * 2), Conditions("", "", games=2)) for sign in "+-n"] == [
        "+ -",
        "- +",
        "- -",
    ]
    one_game_each = [("+-", "1-1 (1-1)"), ("+n", "2-0 (1-0)"), ("-n", "0-2 (0-1)")]
    for signs, text in one_game_each:
        assert result_text(Result(signs), Conditions("", "", games=2, **two)) == text


def test_categories_have_tables_of_their_own() -> None:
    people = (
        Person("Ana", sex="f", birth="2016", series="A"),
        Person("Bia", sex="f", birth="2010-01-01", series="B"),
        Person("Rui", sex="m", birth="1980", series="A"),
        Person("Leo", sex="m", birth="2015"),
    )
    state = replay([Created(conditions_of("escola", date="2026-11-18")), Entered(people)])
    assert categories(state) == {
        "age:11": ["Ana", "Leo"],
        "age:17": ["Bia"],
        "series:A": ["Ana", "Rui"],
        "series:B": ["Bia"],
        "sex:f": ["Ana", "Bia"],
        "sex:m": ["Rui", "Leo"],
    }
    state = play_all(state, 1)
    rows = table(state)
    women = part_of(rows, categories(state)["sex:f"].__contains__)
    assert [row.name for row in women] == [row.name for row in rows if row.name in ("Ana", "Bia")]
    assert women[0].rank == 1
