"""The arena as people see it: a tournament made, entered, watched, paused, and carried over a restart."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from browser.network import start_server, wait_until_stopped
from browser.screen import Open, Screen, tour, wait_until
from damas.matches.box.tiers import tiers

BOT = """import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "move?":
        time.sleep(PAUSE)
        move = message["legal"][0] if message["ply"] < LAST else "9,9 8,8"
        print(json.dumps({"move": move, "nonce": message["nonce"]}), flush=True)
"""
LIAR = BOT.replace("PAUSE", "0").replace("LAST", "14")
SLOW = BOT.replace("PAUSE", "0.02").replace("LAST", "999")


def contained() -> None:
    if all(tiers().values()):
        pytest.skip("not proved: no containment tier here")


def contest(screen: Screen, bot: str, **terms: object) -> str:
    """A tournament of a program and a player of the house, begun; its page is open."""
    contest_id = screen.post("/api/arena", title="Liga", time_ms=2000, check=False, **terms)["id"]
    request, address = screen.page.context.request, f"{screen.address}/api/arena/{contest_id}"
    answer = request.post(
        f"{address}/programs?name=Bot&file=bot.py",
        data=bot.encode(),
        headers={"X-Damas": "1", "Content-Type": "application/octet-stream"},
    )
    assert answer.ok, answer.text()
    wait_until(lambda: request.get(address).json()["entries"], screen.page)
    screen.post(f"/api/arena/{contest_id}/entries", name="Acaso", kind="random")
    screen.post(f"/api/arena/{contest_id}/start")
    screen.go(f"/arena/{contest_id}", ready="contest")
    return str(contest_id)


def status(screen: Screen, wanted: str) -> None:
    expect(screen.get("status")).to_have_attribute("data-status", wanted)


def test_a_tournament_is_made_entered_played_and_taken_away(screen: Screen) -> None:
    contained()
    screen.sign_up().go("/arena", ready="arena")
    screen.assert_accessible()
    screen.get("new").click()
    form = screen.get("new-form")
    expect(form.get_by_label("Regulamento")).to_have_value("concurso")
    form.get_by_label("Nome do torneio").fill("Copa dos calouros")
    form.get_by_label("Segundos por lance").fill("2")
    form.get_by_label("Partidas por encontro").fill("1")
    screen.get("new-check").uncheck()
    screen.assert_accessible()
    screen.get("create").click()
    screen.page.wait_for_url(re.compile(r"/arena/\w{10}$"))
    screen.page.wait_for_selector("body[data-ready=contest]")
    status(screen, "open")
    expect(screen.page.get_by_role("heading", level=1)).to_contain_text("Copa dos calouros")

    screen.get("enter-file").set_input_files(
        {"name": "meu_robo.py", "mimeType": "text/x-python", "buffer": LIAR.encode()}
    )
    expect(screen.get("enter-name")).to_have_value("meu robo")
    screen.get("enter").click()
    expect(screen.get("entrant")).to_have_count(1)
    expect(screen.get("entrants")).to_contain_text("Python")
    screen.get("close-entries").click()
    status(screen, "closed")
    expect(screen.get("enter-fields")).to_be_hidden()
    screen.get("open-entries").click()
    expect(screen.get("enter-fields")).to_be_visible()
    screen.get("enter-ours").check(force=True)
    for player, name in (("level:1", "Computador nível 1"), ("random", "Lances ao acaso")):
        screen.get("enter-player").select_option(player)
        expect(screen.get("enter-name")).to_have_value(name)
        screen.get("enter").click()
        expect(screen.get("enter-status")).to_contain_text(name)
    expect(screen.get("entrant")).to_have_count(3)
    screen.assert_accessible()
    screen.assert_fits()

    screen.get("start").click()
    status(screen, "finished")
    expect(screen.get("progress")).to_have_text("3 de 3 partidas")
    expect(screen.get("row")).to_have_count(3)
    expect(screen.get("row").last).to_contain_text("meu robo")
    expect(screen.get("cross")).to_be_visible()
    screen.assert_accessible()
    screen.assert_fits()

    screen.get("open-receipt").first.click()
    receipt = screen.get("receipt-dialog")
    expect(receipt).to_contain_text("9,9 8,8")
    expect(receipt).to_contain_text("concurso")
    assert re.fullmatch(r"\d,\d .*", screen.get("nearest").inner_text())
    screen.assert_accessible()
    screen.page.keyboard.press("Escape")
    screen.get("open-game").last.click()
    view = screen.get("finished-game-dialog")
    expect(view.get_by_test_id("view-board").locator("[data-name]").first).to_be_visible()
    expect(view.get_by_test_id("view-next")).to_have_attribute("aria-disabled", "true")
    last = screen.get("view-move").inner_text()
    screen.page.keyboard.press("Home")
    expect(screen.get("view-move")).not_to_have_text(last)
    expect(view.get_by_test_id("view-previous")).to_have_attribute("aria-disabled", "true")
    view.get_by_test_id("view-next").click()
    expect(view.locator(".last-move")).to_have_count(2)
    screen.assert_accessible()
    screen.assert_fits()
    view.get_by_test_id("view-certificate").click()
    expect(screen.get("paper")).to_contain_text("concurso")
    screen.assert_accessible()
    with screen.page.expect_download() as paper:
        screen.get("pdf").click()
    assert paper.value.path().read_bytes().startswith(b"%PDF")
    screen.get("back").click()
    screen.page.wait_for_selector("body[data-ready=contest]")
    with screen.page.expect_download() as download:
        screen.get("download-pdn").click()
    text = download.value.path().read_text()
    assert text.count("[Event ") == 3 and "meu robo" in text


def test_it_is_watched_and_paused_someone_is_put_out_and_it_goes_on(open_screen: Open) -> None:
    contained()
    ana, rui = open_screen("desk").sign_up(), open_screen("phone", "es")
    contest_id = contest(
        ana, SLOW, games=100
    )  # it lasts until somebody has seen it, however slow the page is
    rui.go(f"/arena/{contest_id}", ready="contest")
    assert rui.get("organiser").count() == 0
    status(rui, "running")
    for watcher in (ana, rui):
        expect(watcher.get("live-card")).to_contain_text("Bot")
        expect(watcher.get("live-board").locator(".last-move")).to_have_count(2)
        watcher.assert_accessible()
    ana.get("pause").click()
    status(ana, "paused")
    status(rui, "paused")
    ana.get("out-details").locator("summary").click()
    ana.get("out-name").select_option("Bot")
    ana.get("out-reason").fill("copiado de um livro")
    ana.get("out").click()
    expect(rui.get("table")).to_contain_text("descalificado: copiado de um livro")
    rui.assert_accessible()
    ana.get("go-on").click()
    status(rui, "finished")
    expect(rui.get("games")).to_contain_text("descalificado")


@pytest.mark.soak
def test_it_goes_on_after_the_server_was_down(open_screen: Open, tmp_path: Path) -> None:
    contained()
    process, address = start_server(tmp_path)
    screen = open_screen("desk", "en")
    screen.address = address
    try:
        contest(screen.sign_up(), SLOW, games=3)
        expect(screen.get("games").get_by_role("listitem").first).to_be_visible()
        process.terminate()
        wait_until_stopped(process)
        process, again = start_server(tmp_path, port=int(address.rpartition(":")[2]))
        assert again == address
        status(screen, "finished")  # the page finds the server again by itself
        expect(screen.get("progress")).to_have_text("3 of 3 games")
    finally:
        process.terminate()
        wait_until_stopped(process)
    screen.errors.clear()  # the browser notes that the server was away


def test_players_of_the_house_have_names(open_screen: Open) -> None:
    screen = open_screen("phone").sign_up()
    contest_id = screen.post("/api/arena", title="Liga")["id"]
    screen.go(f"/arena/{contest_id}", ready="contest")
    screen.get("enter-ours").check(force=True)
    for player, wanted in (
        ("random", "Lances ao acaso"),
        ("level:10", "Computador nível 10"),
        ("random", "Lances ao acaso 2"),
    ):
        screen.get("enter-player").select_option(player)
        expect(screen.get("enter-name")).to_have_value(wanted)
        screen.get("enter").click()
        expect(screen.get("enter-status")).to_contain_text(wanted)
        expect(screen.page.locator(f"[data-testid=entrant][data-name='{wanted}']")).to_be_visible()
    screen.assert_fits()


def test_a_file_that_is_too_large_is_not_sent(open_screen: Open) -> None:
    contained()
    screen = open_screen("phone").sign_up()
    contest_id = screen.post("/api/arena", title="Liga")["id"]
    screen.go(f"/arena/{contest_id}", ready="contest")
    sent: list[str] = []
    screen.page.on("request", lambda request: sent.append(request.url))
    file = {"name": "bot.py", "mimeType": "text/x-python", "buffer": b"#" * ((16 << 20) + 1)}
    screen.get("enter-file").set_input_files(file)
    screen.get("enter").click()
    expect(screen.get("enter-status")).to_contain_text("16 MB")
    assert not [url for url in sent if "/programs" in url]
    screen.assert_fits()


def test_why_it_stopped_is_said_in_words(open_screen: Open) -> None:
    screen = open_screen("phone").sign_up()
    contest_id = screen.post("/api/arena", title="Liga")["id"]

    def answer_stuck(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json=response.json() | {"status": "stuck", "trouble": code})

    screen.page.route(f"**/api/arena/{contest_id}", answer_stuck)
    for code, words in (("FALLEN", "caiu várias vezes"), ("SOMETHING_NEW", "o servidor teve um problema")):
        screen.go(f"/arena/{contest_id}", ready="contest")
        expect(screen.get("stuck")).to_contain_text(words)
        expect(screen.get("stuck")).not_to_contain_text(code)
        screen.assert_fits()


FAULTY = "#include <iostream>\nint main() { return nothing; }\n"


@pytest.mark.parametrize("language", tour("es", "pt-BR", "pt-PT", "en"))
def test_a_team_sends_versions_to_a_standing_ladder(open_screen: Open, language: str) -> None:
    contained()
    screen = open_screen("phone", language).sign_up().go("/arena", ready="arena")
    screen.get("new").click()
    expect(screen.get("standing-row")).to_be_hidden()
    screen.page.locator("#c-title").fill("Escalera")
    screen.get("new-format").select_option("ladder")
    screen.page.locator("#c-games").fill("1")
    screen.get("new-standing").check()
    screen.get("new-deadline").fill("2099-12-31T12:00")
    screen.assert_accessible()
    screen.assert_fits()
    screen.get("create").click()
    screen.page.wait_for_selector("body[data-ready=contest]")
    expect(screen.get("deadline")).to_contain_text("2099")
    expect(screen.get("standing-line")).to_be_visible()
    assert screen.get("start").count() == 0

    def send(name: str, text: str) -> None:
        file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        screen.get("enter-file").set_input_files(file)
        screen.get("enter").click()

    send("bot.cpp", FAULTY)
    version = screen.get("version").first
    expect(version).to_have_attribute("data-state", "refused")
    version.get_by_test_id("open-version").click()
    expect(screen.get("version-log")).to_contain_text("bot.cpp:2:")
    screen.assert_accessible()
    screen.assert_fits()
    screen.page.keyboard.press("Escape")
    send("liar.py", LIAR.replace("14", "0"))
    expect(version).to_contain_text("liar")
    expect(version).to_have_attribute("data-state", "refused")
    version.get_by_test_id("open-version").click()
    expect(screen.get("trouble").first).to_contain_text("9,9 8,8")
    screen.assert_accessible()
    screen.assert_fits()
    screen.page.keyboard.press("Escape")
    expect(screen.get("entrant")).to_have_count(0)

    screen.get("enter-ours").check(force=True)
    screen.get("enter-name").fill("Uno")
    screen.get("enter").click()
    expect(screen.get("entrant")).to_have_count(1)
    screen.get("enter-program").check(force=True)
    screen.get("enter-name").fill("Equipo")
    send("bot.py", SLOW.replace("0.02", "0"))
    expect(screen.get("entrant")).to_have_count(2)
    expect(screen.get("game").first).to_be_visible()
    screen.get("new-version").click()
    expect(screen.get("enter-name")).to_have_value("Equipo")
    send("bot.py", SLOW.replace("0.02", "0") + "# 2")
    screen.get("run").select_option("1")
    expect(screen.get("game").first).to_be_visible()
    screen.get("open-game").first.click()
    expect(screen.get("view-board").locator("[data-name]").first).to_be_visible()
    screen.page.keyboard.press("Escape")
    screen.assert_accessible()
    screen.assert_fits()
