"""My games, the archive, and sharing a game: P9."""

import re

from playwright.sync_api import expect

from browser.codes import read
from browser.screen import Open, Screen


def finished(screen: Screen, rulebook: str = "brasileira") -> str:
    """A short game on one device, resigned."""
    game = screen.start(rulebook)
    for number, text in enumerate(
        {"brasileira": ["c3-d4", "b6-a5"], "portuguesa": ["10-14", "22-18"]}[rulebook], 1
    ):
        screen.type_move(text)
        expect(screen.get(f"move-{number}")).to_be_attached()
    screen.resign()
    expect(screen.get("result")).to_be_visible()
    return game


def test_p9_a_game_is_shared_and_whoever_accepts_joins(open_screen: Open) -> None:
    ana, rui = open_screen("desk"), open_screen("phone", "es")
    game = ana.start("brasileira", opponent={"kind": "friend"})
    ana.get("share").click()
    address = ana.get("share-link").input_value()
    assert address == f"{ana.address}/game/{game}"
    assert read(ana.get("share-qr")) == address
    ana.assert_accessible()
    for kind, start in (("pdn", b"[Event"), ("svg", b"<svg"), ("gif", b"GIF89a")):
        file = ana.page.request.get(ana.address + str(ana.get(f"share-{kind}").get_attribute("href")))
        assert file.ok and file.body().startswith(start), kind
    ana.page.keyboard.press("Escape")
    rui.accept(game)
    expect(ana.get("turn")).to_contain_text("Sua vez")
    seats = rui.page.request.get(f"{rui.address}/api/games/{game}").json()
    assert seats["you"] == "black" and seats["status"] == "playing"


def test_my_games_are_listed_filtered_and_taken_away(screen: Screen) -> None:
    screen.go("/games", ready="games")
    expect(screen.get("games")).to_contain_text("Suas partidas aparecem aqui")
    first, second = finished(screen), finished(screen, "portuguesa")
    screen.go("/games", ready="games")
    cards = screen.page.locator("[data-testid=game]")
    expect(cards).to_have_count(2)
    assert [card.get_attribute("data-game") for card in cards.all()] == [second, first]
    screen.assert_accessible()
    screen.assert_fits()
    if not screen.get("filter-rulebook").is_visible():
        screen.page.locator("[data-testid=details] summary").click()
    screen.get("filter-rulebook").select_option("brasileira")
    expect(cards).to_have_count(1)
    assert "rulebook=brasileira" in screen.page.url
    screen.page.reload()
    expect(cards).to_have_count(1)
    expect(cards).to_have_attribute("data-game", first)
    with screen.page.expect_download() as download:
        screen.get("download-all").click()
    text = download.value.path().read_text()
    assert text.count("[Event ") == 1 and first in text
    cards.get_by_test_id("analyse").click()
    screen.page.wait_for_url(re.compile("/analysis"))
    expect(screen.get("report-graph")).to_be_visible()


def test_the_archive_has_everybodys_finished_games(open_screen: Open) -> None:
    ana, rui = open_screen("desk"), open_screen("desk", "en")
    game = finished(ana)
    rui.go("/games", ready="games")
    assert rui.page.locator("[data-testid=game]").count() == 0
    rui.get("whose-all").check(force=True)
    expect(rui.page.locator(f"[data-game='{game}']")).to_be_visible()
    expect(rui.page.locator(f"[data-game='{game}']")).to_contain_text(re.compile("White wins|Black wins"))
