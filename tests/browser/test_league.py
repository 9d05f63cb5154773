"""A league evening in browsers: captains line up, boards are reported by phone, and the tables are those made by hand.

The league is the one that `tests/tournaments/hall/test_league.py` computes by hand: four teams, three boards, three rounds.
"""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, tour
from browser.test_hall import club_id, open_television, report, show
from damas.tournaments.hall import EventLog
from tournaments.hall.test_league import CONDITIONS, RESULTS, SQUADS

BIRTHS = ("1990", "1980", "2016", "1970")
LIST = "equipe;nome;nascimento\n" + "\n".join(
    f"{team};{name};{birth}"
    for team, names in SQUADS.items()
    for name, birth in zip(names, BIRTHS, strict=False)
)
WORDS = {"1": "1-0", "=": "½-½", "0": "0-1"}


def open_league(desk: Screen, folder: Path) -> None:
    """A file of the terminal, so that the order of teams is known."""
    file = folder / "liga.damas"
    EventLog.create(file, CONDITIONS).close()
    desk.go("/club", ready="club")
    desk.get("file").set_input_files(file)
    desk.page.get_by_role("button", name="Abrir arquivo").click()
    desk.page.wait_for_selector("body[data-ready=desk]")


def phone_of(desk: Screen, open_screen: Open, role: str, name: str) -> Screen:
    """The phone of a player or a captain, which has opened the link of a card."""
    links: list[dict[str, Any]] = desk.page.context.request.get(
        f"{desk.address}/api/club/{club_id(desk)}/links"
    ).json()["links"]
    path = next(each["path"] for each in links if (each["role"], each["name"]) == (role, name))
    return open_screen("phone").go(path, ready="tournament")


def checked(*screens: Screen) -> None:
    for screen in screens:
        screen.assert_fits()
        screen.assert_accessible()
        screen.assert_translated()


def score(desk: Screen, place: str, sign: str) -> None:
    desk.get(f"choose-{place}").select_option(sign)
    desk.get(f"save-{place}").click()
    expect(desk.get(f"result-{place}")).to_have_text(WORDS[sign])


def test_an_evening_of_a_league(open_screen: Open, tmp_path: Path) -> None:
    desk = open_screen("desk")
    open_league(desk, tmp_path)
    desk.get("import").fill(LIST)
    desk.get("import-do").click()
    expect(desk.get("player-4")).to_contain_text("D2")
    checked(desk)
    captains = {team: phone_of(desk, open_screen, "captain", team) for team in "ABC"}
    phones = {name: phone_of(desk, open_screen, "player", name) for name in ("A1", "A2", "D1", "D2")}
    television = open_television(desk, open_screen)

    # Round 1: A-D and B-C. Nobody of D is under 11.
    show(desk, "round")
    desk.get("pair").click()
    expect(captains["A"].get("mine")).to_contain_text("ainda não foi anunciado")
    desk.get("announce").click()
    expect(captains["A"].get("lineup-note")).to_contain_text("primeiros da equipe")
    captains["A"].get("lineup-1").select_option("A2")
    captains["A"].get("lineup-2").select_option("A1")
    captains["A"].get("lineup-send").click()
    expect(captains["A"].get("mine")).to_contain_text("A1 joga antes de A2")  # the order of the squad
    expect(captains["A"].get("lineup-1")).to_have_value("A2")  # what was chosen is still there
    captains["A"].get("lineup-1").select_option("A1")
    captains["A"].get("lineup-2").select_option("A4")
    with captains["A"].page.expect_response("**/lineup"):  # what has changed has come
        captains["B"].get("lineup-send").click()
    expect(captains["A"].get("lineup-2")).to_have_value("A4")  # it stays while others hand in theirs
    captains["A"].get("lineup-2").select_option("A2")
    captains["A"].get("lineup-send").click()
    expect(captains["A"].get("lineup-note")).to_contain_text("Escalação entregue")
    expect(desk.get("match-1")).to_contain_text("A: escalação entregue")
    checked(captains["A"], desk)
    desk.get("publish").click()
    expect(desk.get("result-1.3")).to_have_text("+ -")  # the board of D that nobody takes
    expect(phones["A1"].get("seat")).to_contain_text("mesa 1.1: contra D1 (D)")
    expect(phones["A1"].get("mine")).to_contain_text("brancas")
    expect(phones["A2"].get("mine")).to_contain_text("pretas")
    expect(television.get("tv-result-1.1")).to_have_text("jogando")
    checked(phones["A1"], captains["B"])

    report(phones["A1"], "1")
    expect(phones["A1"].get("sent")).to_contain_text("D1")
    expect(desk.get("reports-1.1")).to_be_visible()
    phones["D1"].get("confirm").click()
    expect(desk.get("result-1.1")).to_have_text("1-0")
    report(phones["A2"], "1")  # two players who do not agree
    report(phones["D2"], "=")
    expect(phones["A2"].get("conflict")).to_be_visible()
    expect(desk.get("reports-1.2")).to_have_text("conflito")
    score(desk, "1.2", "=")
    expect(desk.get("result-1")).to_have_text("2-0 (2½-½)")
    expect(television.get("tv-result-1")).to_have_text("2-0 (2½-½)")

    # The captains of B and C report their three boards; the second one confirms.
    for place, sign in zip(("2.1", "2.2", "2.3"), RESULTS[1, 2], strict=True):
        captains["B"].get("which").select_option(place)
        report(captains["B"], sign)
        captains["C"].get("which").select_option(place)
        captains["C"].get("confirm").click()
        expect(desk.get(f"result-{place}")).to_have_text(WORDS[sign])
    expect(captains["C"].get("mine")).to_contain_text("Todos os tabuleiros")
    expect(television.get("tv-result-2")).to_have_text("1-1 (1½-1½)")

    # Round 2: D-C and A-B. A plays A4 for A2.
    desk.get("pair").click()
    desk.get("announce").click()
    captains["A"].get("lineup-2").select_option("A4")
    captains["A"].get("lineup-send").click()
    expect(captains["A"].get("lineup-note")).to_contain_text("entregue")
    desk.get("publish").click()
    expect(desk.get("board-2.2")).to_contain_text("A4 – B2")
    expect(phones["A2"].get("mine")).to_contain_text("não joga")
    for match in (1, 2):
        for board, sign in enumerate(RESULTS[2, match], start=1):
            if sign:
                score(desk, f"{match}.{board}", sign)

    # Round 3: B-D and C-A. C comes with one player, and two are needed: the desk writes its line-up.
    desk.get("pair").click()
    desk.get("lineup-2-1").click()
    for board in (2, 3):
        desk.get(f"lineup-{board}").select_option("")
    checked(desk)
    desk.get("lineup-send").click()
    expect(desk.get("match-2")).to_contain_text("C: escalação entregue")
    desk.get("publish").click()
    expect(desk.get("result-2")).to_have_text("- +")
    for board, sign in enumerate(RESULTS[3, 1], start=1):
        if sign:
            score(desk, f"1.{board}", sign)
    expect(desk.get("next")).to_have_text("O torneio acabou.")

    # As computed by hand: match points, then board points, direct encounter, Sonneborn-Berger.
    show(desk, "table")
    teams = [
        row.locator("td, th").all_inner_texts() for row in desk.get("standings").locator("tbody tr").all()
    ]
    assert teams == [
        ["1", "A", "4", "6½", "0", "2"], ["2", "B", "4", "5", "0", "6"],
        ["3", "D", "2", "3½", "0", "3"], ["4", "C", "2", "3", "0", "3"],
    ]  # fmt: skip
    desk.get("explain-1").click()
    expect(desk.get("sums")).to_contain_text("D 2½ + B 1 + C 3 = 6½")
    desk.page.keyboard.press("Escape")
    desk.get("category").select_option("players")
    rows = desk.get("standings").locator("tbody tr")
    expect(rows).to_have_count(12)
    assert rows.nth(0).locator("button").inner_text() == "D2"
    points = {row.locator("button").inner_text(): row.locator("strong").inner_text() for row in rows.all()}
    assert points == {
        "A1": "2", "A2": "1½", "A3": "2", "A4": "1", "B1": "1½", "B2": "1", "B3": "2½", "C1": "1½", "C2": "0",
        "C3": "1½", "D1": "1", "D2": "2½",
    }  # fmt: skip
    television.go(f"/club/{club_id(desk)}/tv?pages=table&seconds=600", ready="tv")
    expect(television.page.locator(".tv-standings .tv-name")).to_have_text(["A", "B", "D", "C"])

    # The page of a team, and a name that was written wrongly, corrected with a reason.
    show(desk, "players")
    desk.get("member-1-1").click()
    desk.get("rename").click()
    desk.get("rename-to").fill("Ana Souza")
    desk.get("why").fill("erro de digitação")
    desk.get("why-do").click()
    expect(desk.get("squad-1-1")).to_contain_text("Ana Souza")
    expect(phones["A1"].get("role")).to_contain_text("Ana Souza")
    checked(desk)
    visitor = open_screen("phone").go(f"/club/{club_id(desk)}/teams/1", ready="team")
    expect(visitor.get("team-place")).to_contain_text("1.º lugar, 4 pontos")
    expect(visitor.get("squad").locator("tbody tr").nth(0)).to_contain_text("Ana Souza2")
    expect(visitor.get("match-2").first).to_contain_text("- +")
    checked(visitor)
    for screen in (desk, *captains.values()):  # what was refused on purpose
        screen.errors[:] = [error for error in screen.errors if "400" not in error]


@pytest.mark.parametrize("size", tour("phone", "desk"))
def test_a_league_is_made_on_the_page(open_screen: Open, size: str) -> None:
    desk = open_screen(size).go("/club", ready="club")
    expect(desk.get("league-fields")).to_be_hidden()
    desk.get("template").select_option("superliga")
    expect(desk.get("league-fields")).to_be_visible()
    expect(desk.get("system").locator("option:not([hidden])")).to_have_count(3)  # no knock-out, no groups
    desk.page.get_by_label("Nome do torneio").fill("Liga do bairro")
    desk.get("league-boards").fill("open,rei")
    desk.get("create").click()
    expect(desk.get("new-problem")).to_contain_text("rei")
    checked(desk)
    desk.get("league-boards").fill("open,11f")
    desk.get("create").click()
    desk.page.wait_for_selector("body[data-ready=desk]")
    expect(desk.get("panel")).to_contain_text("feminino até 11 anos")
    desk.errors[:] = [error for error in desk.errors if "400" not in error]


def test_names_without_a_space_fit(open_screen: Open) -> None:
    desk = open_screen("phone").go("/club", ready="club")
    made = desk.post("/api/club", template="liga", title="Liga", boards="2")
    teams = [letter * 80 for letter in "MW"]
    squads = "\n".join(f"{team[0] * 79}{board};{team}" for team in teams for board in (1, 2))
    for action in ({"do": "import", "text": f"nome;equipe\n{squads}"}, {"do": "draft"}):
        desk.post(f"/api/club/{made['id']}/actions", **action)
    desk.go(made["url"], ready="desk")
    desk.assert_fits()
    desk.get("publish").click()
    expect(desk.get("result-1.1")).to_be_visible()
    desk.assert_fits()
    captain = phone_of(desk, open_screen, "captain", teams[0])
    expect(captain.get("seat")).to_contain_text(teams[1])
    captain.assert_fits()
    captain.go(f"/club/{made['id']}/teams/1", ready="team").assert_fits()


def test_four_games_are_written_one_by_one(open_screen: Open) -> None:
    """Of an encounter of four games nobody looks for one result among eighty-one."""
    desk = open_screen("phone").go("/club", ready="club")
    made = desk.post("/api/club", template="fpdamas", title="Open")
    for action in ({"do": "import", "text": "Ana\nRui"}, {"do": "draft"}, {"do": "publish", "round": 1}):
        desk.post(f"/api/club/{made['id']}/actions", **action)
    desk.go(made["url"], ready="desk")
    for game, sign in enumerate("11=", start=1):
        desk.get(f"choose-1-{game}").select_option(sign)
    desk.get("save-1").click()
    expect(desk.get("choose-1-4")).to_be_focused()  # it says what is missing
    desk.get("choose-1-4").select_option("0")
    checked(desk)
    desk.get("save-1").click()
    expect(desk.get("result-1")).to_have_text("2½-1½")
    desk.get("correct-1").click()
    desk.get("why-dialog").get_by_test_id("forfeit-1").select_option("+-")
    desk.get("why").fill("os jogos foram anulados")
    desk.get("why-do").click()
    expect(desk.get("result-1")).to_have_text("+ -")
