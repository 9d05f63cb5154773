"""`damas club` at the desk: every action, in four languages, as text and as JSON; what is wrong is said with what to do."""

from pathlib import Path

import pytest

from damas.cli.club import ACTIONS, PAPERS
from damas.language import LANGUAGES, sentence
from damas.tournaments.hall.log import load

from .conftest import Run


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "desk")
    return "open.damas"


def play(damas: Run, file: str, results: str) -> None:
    """A round in which the boards end with these results."""
    assert damas("club", "pair", file).code == 0
    assert damas("club", "publish", file).code == 0
    for board, result in enumerate(results.split(), start=1):
        assert damas("club", "result", file, str(board), result).code == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_evening(damas: Run, hall: str, language: str) -> None:
    lang = ("--lang", language)
    assert "faraes" in damas("clube", "demo", hall, *lang).text
    draft = damas("club", "pair", hall, *lang)
    assert "Ana Souza" in draft.out and "Dutch" in draft.text
    damas("club", "publish", hall, *lang)
    for board in "1234":
        answer = damas("club", "result", hall, board, "2-0", *lang)
        assert answer.code == 0 and "2-0" in answer.out
    table = damas("club", "table", hall, *lang).out.splitlines()
    assert table[2].startswith("1  ") and table[3].startswith("=  ")
    for action in (
        ["status"],
        ["players"],
        ["round"],
        ["round", "1"],
        ["explain", "ana"],
        ["ratings"],
        ["log"],
    ):
        answer = damas("club", action[0], hall, *action[1:], *lang)
        assert answer.code == 0 and answer.out, action
        assert max(map(len, answer.out.splitlines())) <= 80
        assert damas("club", action[0], hall, *action[1:], *lang, "--json").json, action
    assert damas("club", "templates", *lang).out


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_list_as_a_spreadsheet_saves_it(damas: Run, hall: str, encoding: str) -> None:
    Path("list.csv").write_bytes("Nome;Clube\r\nJosé da Conceição;Jaú\r\n".encode(encoding))
    damas("club", "new", hall, "--template", "escola")
    assert damas("club", "import", hall, "list.csv").code == 0
    assert "José da Conceição  Jaú" in damas("club", "players", hall).out


def test_two_names_that_look_the_same_are_one(damas: Run, hall: str, tmp_path: Path) -> None:
    """Some programs write an accent as a letter of its own."""
    players = tmp_path / "players.csv"
    players.write_text("Jose\u0301\n", encoding="utf-8")
    damas("club", "new", hall, "--template", "escola")
    assert damas("club", "import", hall, str(players)).code == 0
    assert list(load(Path(hall)).players)[-1] == "José"
    assert "José" in damas("club", "enter", hall, "Jose\u0301").refused
    assert "José" in damas("club", "import", hall, str(players)).refused


def test_rules_of_ones_own_are_refused(damas: Run, hall: str) -> None:
    """A tournament keeps the id of its rulebook alone: a file of rules would be forgotten."""
    rules = Path(__file__).parents[3] / "docs/how-to/house_rules.toml"
    refused = damas("club", "new", hall, "--rulebook", str(rules)).refused
    assert "grandma" in refused and "brings" in refused and not Path(hall).exists()
    assert "no such" in damas("club", "new", hall, "--rulebook", "no such").refused


def test_a_time_that_no_clock_has_is_refused(damas: Run, hall: str) -> None:
    assert "abc" in damas("club", "new", hall, "--time", "abc").refused
    assert not Path(hall).exists()
    assert damas("club", "new", hall, "--time", "none").code == 0
    assert load(Path(hall)).conditions.control == ""


def test_a_trf_that_is_refused_leaves_no_file(damas: Run, hall: str) -> None:
    players = [f"001 {number:4}      {'Ana':<33}" for number in (1, 2)]
    Path("two.trf").write_text("\n".join(["012 Open", *players, ""]))
    assert damas("club", "trf", hall, "--read", "two.trf").code == 2
    assert not Path(hall).exists()


def test_a_round_by_hand_and_undo(damas: Run, hall: str) -> None:
    damas("club", "demo", hall)
    play(damas, hall, "1-0 1-0 1-0 1-0")
    damas("club", "pair", hall)
    assert "--why" in damas("club", "pair", hall, "--meet", "ana", "elisa").refused
    answer = damas("club", "pair", hall, "--meet", "ana", "elisa", "--why", "the hall's wish", "--by", "Rui")
    assert "have met before, in round 1" in answer.text and "paired by hand" in answer.text
    entry = load(Path(hall)).entries[-1]
    assert (entry.who, entry.why) == ("Rui", "the hall's wish") and entry.at
    assert "round 2 changed by hand" in damas("club", "undo", hall, "--why", "no").text
    log = damas("club", "log", hall, "--json").json["log"]
    assert [line["undone"] for line in log[-2:]] == [True, False]
    assert "Dutch" in damas("club", "round", hall).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_who_comes_after_the_draft(damas: Run, hall: str, language: str) -> None:
    """It is said when the round is looked at and when it is published, and by hand the player gets a board."""
    lang = ("--lang", language)
    damas("club", "demo", hall)
    damas("club", "pair", hall)
    damas("club", "enter", hall, "Zé Tardio")
    note = sentence("club.warning.left_out", language, name="Zé Tardio")
    assert note in " ".join(damas("club", "round", hall, *lang).text.split())
    assert damas("club", "round", hall, *lang, "--json").json["warnings"] == [note]
    published = damas("club", "publish", hall, *lang)
    assert note in " ".join(published.text.split())
    assert damas("club", "round", hall, *lang, "--json").json["warnings"] == []
    damas("club", "undo", hall)
    answer = damas("club", "pair", hall, "--meet", "ana", "tardio", "--why", "he is here", *lang)
    assert answer.code == 0 and "Zé Tardio" in answer.out


def test_events_of_a_hall(damas: Run, hall: str) -> None:
    damas("club", "new", hall, "--template", "escola", "--check-in", "--seed", "3", "--rounds", "3")
    for name in ("Ana", "Bia", "Rui", "Leo", "Eva"):
        assert damas("club", "enter", hall, name, "--club", f"C{name}").code == 0
    assert "checked in" in damas("club", "pair", hall).refused
    assert "4 of 5" in damas("club", "checkin", hall, "1", "bia", "rui", "leo").text
    assert "5 of 5" in damas("club", "checkin", hall, "--all").text
    assert "4 of 5" in damas("club", "checkin", hall, "eva", "--absent").text
    damas("club", "forbid", hall, "ana", "bia")
    play(damas, hall, "-+ --")
    view = damas("club", "round", hall, "--json").json
    assert [rest["name"] for rest in view["resting"]] == ["Eva"] and view["complete"]
    assert damas("club", "withdraw", hall, "rui").code == 0
    assert "--why" in damas("club", "disqualify", hall, "leo").refused
    assert damas("club", "disqualify", hall, "leo", "--why", "conduct").code == 0
    damas("club", "checkin", hall, "eva")
    damas("club", "bye", hall, "eva", "3")
    play(damas, hall, "")
    status = {row["name"]: row["out"] for row in damas("club", "table", hall, "--json").json["rows"]}
    assert status["Rui"] == "withdrawn" and status["Leo"] == "disqualified"


def test_every_board_has_the_same_drawn_opening(damas: Run, hall: str) -> None:
    answer = damas("club", "new", hall, "--template", "circuito", "--seed", "11")
    assert "Seed 11" in answer.text
    Path("list.csv").write_text("\n".join(f"P{number}" for number in range(6)), encoding="utf-8")
    damas("club", "import", hall, "list.csv")
    view = damas("club", "pair", hall, "--json").json
    expected = damas("openings", "ballot", "--seed", "11", "--count", "1", "--json").json["openings"][0][
        "moves"
    ]
    assert view["ballot"].split() == expected
    assert "Seed of the draw: 11" in damas("club", "publish", hall).text
    assert "several things" in damas("club", "result", hall, "1", "1-1").refused
    assert "2-0 (1½-½)" in damas("club", "result", hall, "1", "1.5-0.5").text


def test_options_make_conditions(damas: Run, hall: str) -> None:
    damas(
        "club", "new", hall, "--title", "Mine", "-r", "portuguese", "--system", "groups", "--groups", "2", "--games", "2",
        "--score", "1-0.5-0", "--scored-by", "game", "--tie-breaks", "wins, lot", "--time", "15", "--clubs-apart",
    )  # fmt: skip
    conditions = load(Path(hall)).conditions
    assert (conditions.rulebook, conditions.system, conditions.games) == ("portuguesa", "groups", 2)
    assert (conditions.bye, conditions.requested_bye, conditions.tie_breaks) == (2.0, 1.0, ("wins", "lot"))
    assert conditions.clubs_apart and conditions.seed >= 0 and conditions.date


def test_a_knock_out_is_decided(damas: Run, hall: str) -> None:
    damas("club", "new", hall, "--system", "knockout", "--games", "2")
    Path("list.csv").write_text("Ana\nBia\nRui\nLeo\n", encoding="utf-8")
    damas("club", "import", hall, "list.csv")
    damas("club", "pair", hall)
    damas("club", "publish", hall)
    first = damas("club", "round", hall, "--json").json["boards"][0]["first"]
    assert "--advance" in damas("club", "result", hall, "1", "==").refused
    assert damas("club", "result", hall, "1", "==", "--advance", first, "--why", "by lot").code == 0
    damas("club", "result", hall, "2", "2-0")
    play(damas, hall, "2-0")
    assert damas("club", "status", hall, "--json").json["over"]
    assert "over" in damas("club", "pair", hall).refused


def test_trf_goes_out_and_comes_in(damas: Run, hall: str) -> None:
    damas("club", "demo", hall)
    play(damas, hall, "1-0 = 0-1 +-")
    assert damas("club", "trf", hall, "-o", "open.trf").code == 0
    assert "exists" in damas("club", "trf", hall, "-o", "open.trf").refused
    assert damas("club", "trf", "again.damas", "--read", "open.trf").code == 0
    tables = [damas("club", "table", file, "--json").json["rows"] for file in (hall, "again.damas")]
    assert tables[0] == tables[1]
    assert damas("club", "trf", hall).out == Path("open.trf").read_text(encoding="utf-8")
    assert damas("club", "players", hall, "--csv").out.startswith("name,club,")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_ratings_of_a_federation(damas: Run, hall: str, language: str) -> None:
    Path("list.csv").write_text("Id,Nome,Rating\n7,Ana,1900\n8,Rui,1700\n", encoding="utf-8")
    Path("players.csv").write_text("Ana\nEva\n", encoding="utf-8")
    damas("club", "new", hall, "--system", "round-robin", "--provisional-rating", "1600")
    damas("club", "import", hall, "players.csv", "--list", "list.csv")
    damas("club", "enter", hall, "RUI")
    answer = damas("club", "ratings", hall, "--list", "list.csv", "--lang", language)
    assert answer.code == 0 and "1" in answer.out and answer.out.rstrip().endswith("Eva")
    assert damas("club", "ratings", hall, "--list", "list.csv", "--json").json["changed"] == 0
    assert "RUI: rating 1700" in damas("club", "log", hall).text
    report = damas("club", "ratings", hall, "--csv").out
    assert damas("club", "ratings", hall, "--list", "list.csv", "--csv").out == report
    assert report.splitlines()[1].startswith("7,Ana,,,1900,no")
    assert "nowhere.csv" in damas("club", "ratings", hall, "--list", "nowhere.csv").refused


LEAGUE = """equipe;nome;nascimento;rating
Sul;Ana;1990;1700
Sul;Rui;1980;1650
Sul;Eva;2016;
Norte;Leo;1985;1800
Norte;Bia;1995;1600
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_league_of_teams(damas: Run, hall: str, language: str) -> None:
    lang = ("--lang", language)
    new = (
        "club",
        "new",
        hall,
        "--title",
        "Liga",
        "--system",
        "round-robin",
        "--score",
        "2-1-0",
        "--date",
        "2026-11-18",
    )
    assert damas(*new, "--boards", "open,open,11", "--min-boards", "2", "--squad", "4", *lang).code == 0
    Path("squads.csv").write_text(LEAGUE, encoding="utf-8")
    assert damas("club", "import", hall, "squads.csv", *lang).code == 0
    assert damas("club", "enter", hall, "Gil", "--team", "nor", "--birth", "2015", *lang).code == 0
    assert damas("club", "enter", hall, "Max", "--team", "sul", "--birth", "1970", *lang).code == 0
    assert "Gil" in damas("club", "players", hall, *lang).out
    assert damas("club", "pair", hall, *lang).code == 0
    assert "Ana, Max, Eva" in damas("club", "lineup", hall, "sul", "ana", "4", "eva", *lang).text
    published = damas("club", "publish", hall, *lang).text
    assert "Max" in published and "Rui" not in published
    first = load(Path(hall)).rounds[0].pairs[0].first
    assert damas("club", "result", hall, "1.1", "1-0", *lang).code == 0
    assert damas("club", "result", hall, "1.2", "=", *lang).code == 0
    assert damas("club", "result", hall, "1.3", "-+", *lang).code == 0
    teams = damas("club", "table", hall, "--json").json["rows"]
    assert [(row["points"], row["tie_breaks"]["board-points"]) for row in teams] == [(1, 1.5), (1, 1.5)]
    players = damas("club", "table", hall, "--players", *lang)
    assert players.code == 0 and len(damas("club", "table", hall, "--players", "--json").json["rows"]) == 7
    assert "1-1 (1½-1½)" in damas("club", "round", hall, *lang).text
    assert sentence("cli.club.teams", language, count=2) in damas("club", "status", hall, *lang).text
    assert first in damas("club", "log", hall, *lang).text
    for action in ("status", "explain", "ratings", "trf"):
        words = ["sul"] if action == "explain" else []
        assert damas("club", action, hall, *words, *lang).out


def test_what_is_wrong_in_a_league_is_said(damas: Run, hall: str) -> None:
    damas("club", "new", hall, "--system", "round-robin", "--boards", "2")
    Path("squads.csv").write_text("name\nAna\nRui\n", encoding="utf-8")
    assert "column “team”" in damas("club", "import", hall, "squads.csv").refused
    Path("squads.csv").write_text("team,name\nSul,Ana\nSul,Rui\nNorte,Leo\nNorte,Bia\n", encoding="utf-8")
    damas("club", "import", hall, "squads.csv")
    damas("club", "pair", hall)
    assert "in the order of the squad" in damas("club", "lineup", hall, "sul", "rui", "ana").refused.lower()
    assert "leo" in damas("club", "lineup", hall, "sul", "leo").refused
    damas("club", "publish", hall)
    assert "bad" not in damas("club", "enter", hall, "Gil", "--club", "sul").text
    assert "Gil" in [
        each.name for each in load(Path(hall)).players["Sul"].squad
    ]  # in a league a club is a team
    damas("club", "new", "y.damas", "--boards", "4", "--games", "2", "--scored-by", "game")
    assert load(Path("y.damas")).conditions.bye_boards == 4  # half of the eight games
    for boards, part in (("31", "1–30"), ("0", "“0”"), ("girls", "girls"), ("1,,2", "“”")):
        assert part in damas("club", "new", "x.damas", "--boards", boards).refused
    assert "1.2" in damas("club", "result", hall, "1.", "1-0").refused
    assert "1.2 is board 2" in damas("club", "result", hall, "1", "1-0").refused
    assert "a match has 2" in damas("club", "result", hall, "1.3", "1-0").refused
    assert "--team-best" in damas("club", "table", hall, "--clubs").refused
    assert damas("club", "result", hall, "1", "+-").code == 0


def test_a_list_writes_a_team_as_somebody_types_it(damas: Run, hall: str) -> None:
    damas("club", "new", hall, "--system", "round-robin", "--boards", "1")
    Path("squads.csv").write_text("team;name\nMálaga;Ana\nmalaga;Rui\nSan  Juan;Leo\n", encoding="utf-8")
    damas("club", "import", hall, "squads.csv")
    Path("squads.csv").write_text("team;name\nMALAGA;Bia\nsan juan;Eva\n", encoding="utf-8")
    damas("club", "import", hall, "squads.csv")
    teams = load(Path(hall)).players
    assert {name: len(team.squad) for name, team in teams.items()} == {"Málaga": 3, "San Juan": 2}


def test_clubs_of_an_individual_tournament(damas: Run, hall: str) -> None:
    damas("club", "new", hall, "--system", "round-robin", "--team-best", "2")
    for name, club in (("Ana", "Sul"), ("Rui", "Sul"), ("Leo", "Norte"), ("Bia", "Norte")):
        damas("club", "enter", hall, name, "--club", club)
    play(damas, hall, "1-0 1-0")
    assert damas("club", "table", hall, "--clubs").out.startswith("Damas. Standings of clubs")
    assert {row["club"] for row in damas("club", "table", hall, "--clubs", "--json").json["clubs"]} == {
        "Sul",
        "Norte",
    }
    assert "no league" in damas("club", "table", hall, "--players").refused


@pytest.mark.parametrize("kind", PAPERS)
def test_papers(damas: Run, hall: str, kind: str) -> None:
    damas("club", "demo", hall)
    play(damas, hall, "1-0 = 0-1 +-")
    assert damas("club", "print", hall, kind, "-o", f"{kind}.pdf", "--json").json["bytes"] > 1000
    assert Path(f"{kind}.pdf").read_bytes().startswith(b"%PDF")


def test_papers_with_codes_and_what_cannot_be_printed(damas: Run, hall: str) -> None:
    damas("club", "demo", hall)
    play(damas, hall, "1-0 = 0-1 +-")
    plain = damas("club", "print", hall, "slips", "-o", "plain.pdf", "--json").json["bytes"]
    coded = ("--address", "http://192.168.0.2:8000/{round}/{board}", "--json")
    assert damas("club", "print", hall, "slips", "-o", "coded.pdf", *coded).json["bytes"] > plain + 500
    assert damas("club", "print", hall, "cards", "--address", "http://192.168.0.2/{number}").code == 0
    assert Path("open-cards.pdf").exists()
    assert "sex:f" in damas("club", "print", hall, "diplomas", "--category", "sex:f").refused
    assert "round 3" in damas("club", "print", hall, "names", "--round", "3").refused
    assert "too long" in damas("club", "print", hall, "slips", "--address", "x" * 5000).refused
    damas("club", "new", "empty.damas")
    assert "Nobody has reached" in damas("club", "print", "empty.damas", "diplomas").refused


def test_tables_fit_a_narrow_terminal(damas: Run, hall: str, monkeypatch: pytest.MonkeyPatch) -> None:
    damas("club", "new", hall, "--template", "escola", "--title", "Open")
    for name in ("Ana Beatriz de Souza", "Rui Barbosa", "Eva Lima", "Leo Rocha"):
        damas("club", "enter", hall, name, "--club", "Clube de Damas de Diadema", "--rating", "1600")
    play(damas, hall, "1-0 1-0")
    monkeypatch.setenv("COLUMNS", "40")
    for action in ("table", "players", "round", "ratings"):
        assert max(map(len, damas("club", action, hall).out.splitlines())) <= 56, action
    narrow = damas("club", "table", hall).out
    assert "Clube" not in narrow and "DE" in narrow  # what decides stays


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["club"], "ACTION"),
        (["club", "status", "nowhere.damas"], "nowhere.damas"),
        (["club", "new", "x.damas", "--template", "nothing"], "circuito, escola"),
        (["club", "new", "x.damas", "--games", "3"], "1, 2, 4"),
        (["club", "new", "x.damas", "--tie-breaks", "luck"], "luck"),
        (["club", "new", "x.damas", "--score", "2-1"], "--score: points such as 2-1-0"),
        (["club", "new", "x.damas", "--score", "a-b-c"], "--score: points such as 2-1-0"),
        (["club", "new", "x.damas", "--requested-bye", "half"], "--requested-bye: points such as 2, 0.5"),
        (["club", "new", "x.damas", "--ballot", "nothing"], "nothing"),
        (["club", "new", "x.damas", "-r", "xadrez"], "xadrez"),
        (["club", "new", "x.damas", "--title", "\x1b[31mOpen"], "·[31mOpen"),
        (["club", "new", "x.damas", "--date", "2026-13-01"], "2026-11-18"),
        (["club", "new", "x.damas", "--bye", "nan"], "0–100"),
        (["club", "enter", "open.damas", "Eva", "--club", "\x1b[2J"], "·[2J"),
        (["club", "enter", "open.damas", "E" * 200], "80"),
        (["club", "bye", "open.damas", "ana", "99"], "the tournament has 5"),
        (["club", "result", "open.damas", "1", "1-0"], "publish"),
        (["club", "result", "open.damas", "x", "1-0"], "BOARD"),
        (["club", "publish", "open.damas"], "damas club pair"),
        (["club", "explain", "open.damas", "nobody"], "damas club players"),
        (["club", "checkin", "open.damas"], "--all"),
        (["club", "undo", "open.damas", "77"], "damas club log"),
        (["club", "table", "open.damas", "--category", "sex:x"], "sex:x"),
        (["club", "demo", "open.damas"], "open.damas"),
    ],
)
def test_what_is_wrong_is_said(damas: Run, hall: str, words: list[str], part: str) -> None:
    damas("club", "demo", hall)
    damas("club", "pair", hall)
    if words[1:2] == ["publish"]:
        damas("club", "publish", hall)
    assert part in damas(*words).refused


def test_every_action_has_help(damas: Run) -> None:
    for action in ACTIONS:
        answer = damas("club", action, "--help")
        assert answer.code == 0 and "usage: damas club" in answer.out
