"""A tournament in browsers: a desk, phones, a television, and everything that goes wrong in a hall."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.network import start_server, wait_until_stopped
from browser.screen import Open, Screen, tour
from damas.server.work.club import PAPERS
from damas.tournaments.hall import EventLog
from damas.tournaments.hall.bounds import MAX_NAME
from damas.tournaments.hall.templates import conditions_of
from paper.printed import A4_MM, Printed

NAMES = ("Ana", "Bruno", "Carla", "Davi", "Elisa", "Fábio", "Gabi", "Hugo")
OWN = {"1": "1", "=": "=", "0": "0"}
OTHER = {"1": "0", "=": "=", "0": "1"}


class House:
    """A server that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process, self.address = start_server(folder)

    def kill(self) -> None:
        self.process.kill()
        wait_until_stopped(self.process)

    def start(self) -> None:
        self.process, _ = start_server(self.folder, int(self.address.rpartition(":")[2]))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data")
    with ExitStack() as stack:
        stack.callback(house.kill)
        yield house


def open_file(desk: Screen, folder: Path) -> None:
    """The tournament was begun in the terminal, and goes on in the browser: its seed is known, and so its pairings."""
    file = folder / "sabado.damas"
    conditions = conditions_of("escola", title="Torneio de sábado", seed=7, check_in=True)
    EventLog.create(file, conditions).close()
    desk.go("/club", ready="club")
    desk.assert_accessible()
    desk.get("file").set_input_files(file)
    desk.page.get_by_role("button", name="Abrir arquivo").click()
    desk.page.wait_for_selector("body[data-ready=desk]")


def show(desk: Screen, tab: str) -> None:
    desk.page.locator(f'label:has([data-testid="tab-{tab}"])').click()


def phone_of(desk: Screen, name: str, open_screen: Open) -> Screen:
    """A player's phone, which has opened the link of the own card."""
    path = desk.page.context.request.get(f"{desk.address}/api/club/{club_id(desk)}/links").json()["links"]
    link = next(each["path"] for each in path if each["name"] == name)
    phone = open_screen("phone")
    phone.address = desk.address
    return phone.go(link, ready="tournament")


def open_television(desk: Screen, open_screen: Open) -> Screen:
    television = open_screen("desk")
    television.page.set_viewport_size({"width": 1920, "height": 1080})
    television.address = desk.address
    return television.go(f"/club/{club_id(desk)}/tv?pages=results,table&seconds=600", ready="tv")


def print_paper(desk: Screen, kind: str) -> Printed:
    with desk.page.expect_download() as paper:
        desk.get(f"paper-{kind}").click()
    return Printed(paper.value.path().read_bytes())


def club_id(desk: Screen) -> str:
    return desk.page.url.split("/club/")[1].partition("/")[0]


def pair(desk: Screen, number: int, boards: list[str]) -> None:
    """Drafts and publishes a round, whose boards are these."""
    show(desk, "round")
    desk.get("pair").click()
    expect(desk.get("round")).to_contain_text(f"Rodada {number}: rascunho")
    publish(desk, number, boards)


def publish(desk: Screen, number: int, boards: list[str]) -> None:
    expect(desk.page.locator(".desk-names")).to_have_text(boards)
    desk.get("publish").click()
    expect(desk.get("round")).to_contain_text(f"Rodada {number} de 5")


def report(phone: Screen, sign: str) -> None:
    phone.page.locator(f'label:has([data-testid="report-1-{sign}"])').click()
    phone.get("send").click()


def agree(phones: dict[str, Screen], one: str, other: str, sign: str, result: str) -> None:
    """Both players of a board report the same; the second by the button that confirms."""
    report(phones[one], sign)
    expect(phones[one].get("sent")).to_contain_text(other)
    phones[other].get("confirm").click()
    for name in (one, other):
        expect(phones[name].get("mine-result")).to_contain_text(result)


def score(desk: Screen, board: int, result: str) -> None:
    desk.get(f"choose-{board}").select_option(result)
    desk.get(f"save-{board}").click()
    expect(desk.get(f"correct-{board}")).to_be_visible()


def draft(desk: Screen, number: int) -> list[tuple[str, str]]:
    """Drafts a round; the players of each board, White first."""
    show(desk, "round")
    desk.get("pair").click()
    expect(desk.get("round")).to_contain_text(f"Rodada {number}: rascunho")
    expect(desk.page.locator(".desk-names")).not_to_have_count(0)
    boards = (text.split(" – ") for text in desk.page.locator(".desk-names").all_inner_texts())
    return [(white, black) for white, black in boards]


def forget_lost_network(*screens: Screen) -> None:
    """Browsers note every request while the server was away."""
    for screen in screens:
        screen.errors[:] = [
            error for error in screen.errors if "ERR_" not in error and "WebSocket" not in error
        ]


def test_two_rounds_by_phone_and_a_killed_server(open_screen: Open, house: House, tmp_path: Path) -> None:
    desk = open_screen("desk")
    desk.address = house.address
    open_file(desk, tmp_path)
    desk.get("import").fill("\n".join(NAMES[:4]))
    desk.get("import-do").click()
    expect(desk.get("player-4")).to_contain_text("Davi")
    phones = {name: phone_of(desk, name, open_screen) for name in NAMES[:4]}
    television = open_television(desk, open_screen)
    expect(television.get("tv-heading")).to_have_text("Inscrições")
    desk.get("import").fill("Hugo")
    for number, phone in enumerate(phones.values(), start=1):
        phone.get("arrive").click()
        expect(phone.get("mine")).to_contain_text("Presença marcada")
        expect(desk.get(f"present-{number}")).to_be_checked()
    expect(desk.get("import")).to_have_value("Hugo")  # what is being written stays when players arrive
    expect(desk.get("import")).to_be_focused()

    # One board agrees. The other does not, and the server is killed between its two reports.
    (first, second), (third, fourth) = boards = draft(desk, 1)
    publish(desk, 1, [f"{white} – {black}" for white, black in boards])
    expect(phones[first].get("seat")).to_contain_text(f"mesa 1: contra {second}")
    expect(television.get("tv-heading")).to_have_text("Resultados")
    agree(phones, first, second, "1", "2-0")
    expect(television.get("tv-result-1")).to_have_text("2-0")
    report(phones[third], "1")
    expect(phones[third].get("sent")).to_contain_text(fourth)
    house.kill()
    expect(phones[fourth].get("offline")).to_be_visible()
    expect(television.get("tv-stale")).to_be_visible()
    expect(television.get("tv-result-1")).to_have_text("2-0")  # what it knew stays
    report(phones[fourth], "=")  # it is sent again until the server is back
    house.start()
    for name in (third, fourth):
        expect(phones[name].get("conflict")).to_be_visible()
    expect(television.get("tv-stale")).to_be_hidden()
    expect(desk.get("reports-2")).to_have_text("conflito")
    expect(desk.get("result-1")).to_have_text("2-0")
    score(desk, 2, "=")
    expect(phones[third].get("mine-result")).to_contain_text("1-1")
    expect(television.get("tv-result-2")).to_have_text("1-1")  # nobody touched it
    for screen in (phones[third], desk):
        screen.assert_accessible()
        screen.assert_translated()
        screen.assert_fits()

    # Two friends want to play each other: by hand, with a reason. Their game in the app is their result.
    opponent = next(iter({*next(board for board in draft(desk, 2) if first in board)} - {first}))
    friend = fourth if opponent == third else third
    desk.get("meet").click()
    desk.get("meet-one").select_option(first)
    desk.get("meet-other").select_option(friend)
    desk.get("why").fill("pedido dos dois clubes")
    desk.get("why-do").click()
    expect(desk.get("panel")).to_contain_text("Emparceirada à mão")
    by_hand = desk.page.locator(".desk-names").filter(has_text=first).filter(has_text=friend)
    expect(by_hand).to_have_count(1)
    names = desk.page.locator(".desk-names").all_inner_texts()
    publish(desk, 2, names)
    board, (white, black) = next(
        (number, tuple(text.split(" – "))) for number, text in enumerate(names, start=1) if first in text
    )
    assert {white, black} == {first, friend}
    phones[white].get("play").click()
    expect(phones[black].get("invited")).to_contain_text(white)
    phones[black].get("play").click()
    for name in (white, black):  # whoever waited is led to the board too
        phones[name].page.wait_for_selector("body[data-ready=game]")
    phones[black].resign()
    expect(desk.get(f"result-{board}")).to_have_text("2-0")
    show(desk, "table")
    expect(desk.get("standings").locator("tbody tr")).to_have_count(4)
    show(desk, "log")
    expect(desk.get("log")).to_contain_text("pedido dos dois clubes")
    forget_lost_network(desk, television, *phones.values())


@pytest.mark.soak
def test_an_evening(open_screen: Open, house: House, tmp_path: Path) -> None:
    desk = open_screen("desk")
    desk.address = house.address
    open_file(desk, tmp_path)
    desk.get("import").fill("\n".join(NAMES[:7]))
    desk.get("import-do").click()
    expect(desk.get("player-7")).to_contain_text("Gabi")
    phones = {name: phone_of(desk, name, open_screen) for name in NAMES[:7]}
    television = open_television(desk, open_screen)
    expect(television.get("tv-heading")).to_have_text("Inscrições")
    desk.get("import").fill("Hugo")
    for phone in phones.values():
        phone.get("arrive").click()
        expect(phone.get("mine")).to_contain_text("Presença marcada")
    expect(desk.get("present-7")).to_be_checked()
    expect(desk.get("import")).to_have_value("Hugo")  # what is being written stays when players arrive
    expect(desk.get("import")).to_be_focused()
    desk.assert_accessible()

    # Every result by phone: it counts when both say the same.
    pair(desk, 1, ["Ana – Davi", "Elisa – Bruno", "Carla – Fábio"])
    expect(phones["Bruno"].get("seat")).to_contain_text("mesa 2: contra Elisa")
    expect(phones["Gabi"].get("mine")).to_contain_text("não joga")
    expect(television.get("tv-heading")).to_have_text("Resultados")
    agree(phones, "Ana", "Davi", "1", "2-0")
    agree(phones, "Bruno", "Elisa", "1", "0-2")
    agree(phones, "Carla", "Fábio", "=", "1-1")
    for board, result in ((1, "2-0"), (2, "0-2"), (3, "1-1")):
        expect(television.get(f"tv-result-{board}")).to_have_text(result)
    for screen in (phones["Ana"], desk):
        screen.assert_accessible()
        screen.assert_translated()
        screen.assert_fits()

    # Hugo comes late, is entered, and does not come back in time: the desk writes it down.
    show(desk, "players")
    desk.get("p-name").fill("Hugo")
    desk.get("p-enter").click()
    expect(desk.get("player-8")).to_contain_text("Hugo")
    phones["Hugo"] = phone_of(desk, "Hugo", open_screen)
    phones["Hugo"].get("arrive").click()
    expect(desk.get("present-8")).to_be_checked()
    pair(desk, 2, ["Gabi – Ana", "Bruno – Carla", "Fábio – Elisa", "Davi – Hugo"])
    score(desk, 4, "+-")
    agree(phones, "Gabi", "Ana", "1", "2-0")
    agree(phones, "Carla", "Bruno", "=", "1-1")
    agree(phones, "Elisa", "Fábio", "1", "0-2")

    # Two friends want to play each other: by hand, with a reason.
    desk.get("pair").click()
    expect(desk.page.locator(".desk-names").first).to_have_text("Bruno – Gabi")
    desk.get("meet").click()
    desk.get("meet-one").select_option("Ana")
    desk.get("meet-other").select_option("Bruno")
    desk.get("why").fill("pedido dos dois clubes")
    desk.get("why-do").click()
    expect(desk.get("panel")).to_contain_text("Emparceirada à mão")
    publish(desk, 3, ["Elisa – Gabi", "Ana – Bruno", "Davi – Carla", "Hugo – Fábio"])
    for board, result in enumerate(("1", "1", "=", "0"), start=1):
        score(desk, board, result)

    # Elisa and Ana do not agree, and the server is killed before the arbiter decides.
    pair(desk, 4, ["Elisa – Ana", "Bruno – Gabi", "Fábio – Davi", "Carla – Hugo"])
    report(phones["Elisa"], "1")
    expect(phones["Elisa"].get("sent")).to_be_visible()
    report(phones["Ana"], "=")
    for name in ("Elisa", "Ana"):
        expect(phones[name].get("conflict")).to_be_visible()
    expect(desk.get("reports-1")).to_have_text("conflito")
    agree(phones, "Gabi", "Bruno", "1", "0-2")
    expect(television.get("tv-result-2")).to_have_text("0-2")
    house.kill()
    expect(phones["Fábio"].get("offline")).to_be_visible()
    expect(television.get("tv-stale")).to_be_visible()
    expect(television.get("tv-result-2")).to_have_text("0-2")  # what it knew stays
    report(phones["Fábio"], "1")  # it is sent again until the server is back
    house.start()
    expect(phones["Davi"].get("other-says")).to_contain_text("Fábio")
    phones["Davi"].get("confirm").click()
    expect(desk.get("correct-3")).to_be_visible()
    expect(television.get("tv-result-3")).to_have_text("2-0")  # nobody touched it
    expect(television.get("tv-stale")).to_be_hidden()
    expect(desk.get("result-2")).to_have_text("0-2")
    expect(desk.get("reports-1")).to_have_text("conflito")
    score(desk, 1, "=")
    expect(phones["Elisa"].get("mine-result")).to_contain_text("1-1")
    score(desk, 4, "1")

    # A board is played in the app: the verdict of the game is its result.
    pair(desk, 5, ["Gabi – Carla", "Ana – Fábio", "Davi – Elisa", "Hugo – Bruno"])
    phones["Gabi"].get("play").click()
    expect(phones["Carla"].get("invited")).to_contain_text("Gabi")
    phones["Carla"].get("play").click()
    for name in ("Carla", "Gabi"):  # whoever waited is led to the board too
        phones[name].page.wait_for_selector("body[data-ready=game]")
    phones["Gabi"].page.go_back()
    phones["Carla"].resign()
    expect(desk.get("result-1")).to_have_text("2-0")
    for board, result in ((2, "="), (3, "0"), (4, "1")):
        score(desk, board, result)
    expect(desk.get("next")).to_have_text("O torneio acabou.")

    # By hand, from the results above: 2 for a win, the bye and the walkover, 1 for a draw. Ana and Fábio drew with each
    # other; without the lowest, the opponents of Ana have 8 + 7 + 6 + 3 and those of Fábio 7 + 6 + 5 + 3. Bruno and Davi
    # did not meet: 8 + 7 + 6 + 5 against 7 + 6 + 6 + 5, since a walkover is an opponent with 0.
    show(desk, "table")
    desk.page.set_viewport_size({"width": 360, "height": 800})
    desk.assert_fits()
    desk.page.set_viewport_size({"width": 1280, "height": 800})
    rows = desk.get("standings").locator("tbody tr")
    cells = [row.locator("td, th").all_inner_texts()[:4] for row in rows.all()]
    assert [(rank, name, points) for rank, name, points, _ in cells] == [
        ("1", "Gabi", "8"), ("2", "Elisa", "7"), ("3", "Ana", "6"), ("4", "Fábio", "6"),
        ("5", "Carla", "5"), ("6", "Bruno", "3"), ("7", "Davi", "3"), ("8", "Hugo", "2"),
    ]  # fmt: skip
    desk.get("explain-6").click()
    expect(desk.get("sums")).to_contain_text("Carla 5 + Elisa 7 + [Hugo 2 fora] + Davi 3 + Ana 6 = 21")
    desk.page.keyboard.press("Escape")
    expect(phones["Gabi"].get("standings").locator("tbody tr").first).to_contain_text("Gabi")
    television.page.keyboard.press("ArrowRight")
    expect(television.get("tv-heading")).to_have_text("Classificação após a rodada 5")
    television.page.set_viewport_size({"width": 1280, "height": 800})
    names = ["Gabi", "Elisa", "Ana", "Fábio", "Carla", "Bruno", "Davi", "Hugo"]
    expect(television.page.locator(".tv-standings .tv-name")).to_have_text(names)

    for tab in ("players", "links", "log"):
        show(desk, tab)
        expect(desk.get(tab)).to_be_visible()
        desk.assert_accessible()
        desk.assert_translated()
    expect(desk.get("log")).to_contain_text("pedido dos dois clubes")
    show(desk, "players")
    desk.get("more-8").click()
    desk.get("withdraw").click()
    expect(phones["Hugo"].get("mine")).to_contain_text("desistiu")
    links = desk.page.context.request.get(f"{desk.address}/api/club/{club_id(desk)}/links").json()["links"]
    key = next(link["path"] for link in links if link["name"] == "Davi").partition("#")[2]
    phones["Hugo"].page.evaluate("key => { location.hash = key; }", key)  # another card, the same tab
    expect(phones["Hugo"].get("role")).to_contain_text("Davi")
    show(desk, "round")
    printed = {kind: print_paper(desk, kind) for kind in PAPERS}
    assert {kind: len(paper) for kind, paper in printed.items()} == {
        **dict.fromkeys(PAPERS, 1), "scoresheets": 4, "diplomas": 3,
    }  # fmt: skip
    for kind, paper in printed.items():
        assert paper.sizes_mm == {A4_MM[::-1] if kind == "diplomas" else A4_MM}
        for left, bottom, right, top in paper.edges_mm():
            width, height = next(iter(paper.sizes_mm))
            assert left > 5 and bottom > 5 and right < width - 5 and top < height - 5, kind
    for name in NAMES:
        assert name in printed["table"].squeezed and name in printed["cards"].squeezed
    assert "1Gabi2-0Carla" in printed["pairings"].squeezed
    for name, diploma in zip(names, printed["diplomas"].texts, strict=False):
        assert name in diploma
    forget_lost_network(desk, television, *phones.values())


def test_what_is_open_or_pressed_stays_while_others_report(
    open_screen: Open, house: House, tmp_path: Path
) -> None:
    """What comes from elsewhere takes no menu at the desk away, and no button of a phone under the finger."""
    desk = open_screen("desk")
    desk.address = house.address
    open_file(desk, tmp_path)
    desk.get("import").fill("\n".join(NAMES[:6]))
    desk.get("import-do").click()
    expect(desk.get("player-6")).to_be_visible()
    phone = phone_of(desk, "Ana", open_screen)
    with pressing(desk, "present-2"):
        phone.get("arrive").click()
        expect(desk.get("present-1")).to_be_checked()
    expect(desk.get("present-2")).to_be_checked()
    desk.get("all-present").click()
    expect(desk.get("present-6")).to_be_checked()
    show(desk, "round")
    desk.get("pair").click()
    desk.get("publish").click()
    expect(phone.get("seat")).to_contain_text("mesa 1")
    menu = desk.get("choose-2").element_handle()
    phone.page.locator('label:has([data-testid="report-1-1"])').click()
    with pressing(phone, "send"):
        score(desk, 3, "1")
        expect(phone.get("result-3")).to_have_text("2-0")
    expect(desk.get("reports-1")).to_be_visible()
    assert menu.evaluate("menu => menu.isConnected")
    desk.get("save-2").click()  # nothing is chosen: the page says so instead of nothing
    expect(desk.get("choose-2")).to_be_focused()

    # A slip's code is scanned by a phone that has not opened a link: the PIN is asked for first of all.
    other = open_screen("phone")
    other.address = house.address
    other.go(f"/club/{club_id(desk)}#board=1", ready="tournament")
    expect(other.get("enter-form")).to_be_in_viewport(ratio=1)
    overflows = (
        "cells => cells.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    )
    assert other.page.locator(".club-boards :is(th, td)").evaluate_all(overflows) == []
    links = desk.page.context.request.get(f"{desk.address}/api/club/{club_id(desk)}/links").json()["links"]
    opponent = phone.get("seat").inner_text().rpartition(" ")[2]
    other.get("enter-name").fill(opponent)
    other.get("enter-pin").fill(next(link["pin"] for link in links if link["name"] == opponent))
    other.get("enter").click()
    other.get("confirm").click()
    expect(phone.get("mine-result")).to_contain_text("2-0")

    # The longest name that is taken, without a place to break it, leaves all buttons in reach.
    longest = "W" * MAX_NAME
    show(desk, "players")
    desk.get("p-name").fill(longest)
    desk.get("p-enter").click()
    expect(desk.get("player-7")).to_contain_text(longest)
    long_named = phone_of(desk, longest, open_screen)
    long_named.assert_fits()
    assert (
        long_named.box("[data-testid=standings] tbody strong")["right"] < 390
    )  # the points, without scrolling
    desk.page.set_viewport_size({"width": 390, "height": 844})
    desk.get("more-7").click()
    for button in ("link", "withdraw", "disqualify"):
        expect(desk.get(button)).to_be_in_viewport(ratio=1)
    dialog = desk.get("player-dialog")
    assert dialog.evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    desk.page.keyboard.press("Escape")
    show(desk, "round")
    score(desk, 2, "1")
    desk.get("pair").click()
    expect(desk.page.locator(".club-resting")).to_contain_text(longest)
    desk.assert_fits()
    desk.page.set_viewport_size({"width": 1280, "height": 800})


@contextmanager
def pressing(screen: Screen, testid: str) -> Iterator[None]:
    """A button is pressed, and let go at the end."""
    button = screen.get(testid)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box is not None
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    screen.page.mouse.down()
    yield
    screen.page.mouse.up()


@pytest.mark.parametrize("size", tour("phone", "desk"))
def test_a_tournament_is_made_on_the_page(open_screen: Open, size: str) -> None:
    desk = open_screen(size).go("/club", ready="club")
    desk.page.get_by_label("Nome do torneio").fill("Copa do bairro")
    desk.get("template").select_option("fenae")
    desk.get("system").select_option(label="Eliminatória")
    desk.get("clubs-apart").check()
    desk.page.get_by_label("Tempo, em minutos").fill("meia hora")
    desk.get("create").click()
    expect(desk.get("new-problem")).to_contain_text("meia hora")
    desk.assert_fits()
    desk.assert_accessible()
    desk.page.get_by_label("Tempo, em minutos").fill("5+3")
    desk.get("create").click()
    desk.page.wait_for_selector("body[data-ready=desk]")
    expect(desk.get("facts")).to_contain_text("Eliminatória")
    expect(desk.get("facts")).to_contain_text("5 min + 3 s")
    desk.errors[:] = [error for error in desk.errors if "400" not in error]  # the time that was refused


def test_a_draw_in_a_knock_out_tells_desk_and_players_what_is_missing(open_screen: Open) -> None:
    desk = open_screen("desk").go("/club", ready="club")
    made = desk.post("/api/club", template="escola", title="Copa", system="knockout")
    desk.post(f"/api/club/{made['id']}/actions", do="import", text="Ana\nBruno")
    desk.go(made["url"], ready="desk")
    desk.get("pair").click()
    desk.get("publish").click()
    names = desk.page.locator(".desk-names").inner_text().split(" – ")
    phones = white, black = [phone_of(desk, name, open_screen) for name in names]
    white.get("play").click()
    expect(black.get("invited")).to_contain_text(names[0])
    black.get("play").click()
    for phone in phones:
        phone.page.wait_for_selector("body[data-ready=game]")
    white.move("c3", "d4")
    black.move("f6", "g5")
    expect(white.get("move-2")).to_be_visible()  # a move declines what was offered before it
    white.get("offer-draw").click()
    white.get("offer-draw-confirm").click()
    black.get("accept").click()
    expect(desk.get("undecided-1")).to_contain_text("terminou empatada no aplicativo (1-1)")
    white.go(f"/club/{made['id']}", ready="tournament")
    expect(white.get("undecided")).to_have_text(
        "A mesa terminou empatada (1-1): o árbitro decide quem avança."
    )
    for screen in (desk, white):
        screen.assert_fits()
        screen.assert_accessible()
        screen.assert_translated()
    desk.get("advance-1").select_option("Bruno")
    desk.get("save-1").click()
    expect(desk.get("result-1")).to_have_text("1-1")
    expect(desk.get("undecided-1")).to_be_hidden()
    expect(white.get("mine-result")).to_contain_text("1-1")
    expect(desk.get("next")).to_have_text("O torneio acabou.")
