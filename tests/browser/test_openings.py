"""The opening explorer beside the analysis, and the page of openings."""

import re

from playwright.sync_api import expect

from browser.screen import Open


def test_the_explorer_shows_moves_and_plays_them(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/analysis?rulebook=brasileira", ready="analysis")
    page = screen.page
    expect(screen.get("explorer-moves")).to_be_hidden()
    page.keyboard.press("o")
    first = screen.get("explored-0")
    expect(first).to_be_visible()
    expect(page.get_by_test_id(re.compile(r"^explored-\d+$"))).to_have_count(7)
    first.focus()
    expect(page.locator("damas-board .arrow")).to_have_count(1)
    screen.assert_fits()
    screen.assert_accessible()
    screen.assert_translated()
    move = first.inner_text()
    first.press("Enter")
    expect(screen.get("moves")).to_contain_text(move)
    expect(first).not_to_have_text(move)
    expect(first).to_be_focused()
    screen.get("explorer-source-mine").check(force=True)
    expect(screen.get("explorer-message")).not_to_be_empty()
    page.reload()
    expect(first).to_be_visible()
    expect(screen.get("explorer-source-mine")).to_be_checked()


def test_an_opening_is_chosen_and_practised(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/openings?rulebook=inglesa", ready="openings")
    page = screen.page
    expect(screen.get("opening-name")).to_have_text("Edinburgh, 21-17")
    screen.get("line-ballot-3").click()
    expect(screen.get("opening-moves")).to_have_text("9-13 23-18")
    screen.assert_fits()
    screen.assert_accessible()
    screen.assert_translated()
    screen.get("practise").click()
    screen.get("here-level").check(force=True)
    screen.get("here-go").click()
    page.wait_for_url(re.compile("/game/"))
    screen.errors.clear()
    page.go_back()
    expect(screen.get("opening-name")).not_to_be_empty()
    screen.get("rulebook").select_option("brasileira")
    expect(screen.get("line-book-0")).to_be_visible()
    screen.get("explore").click()
    page.wait_for_url(re.compile("/analysis"))


def test_a_line_is_kept_and_trained(open_screen: Open) -> None:
    screen = open_screen("phone")
    page = screen.page
    screen.go("/analysis?rulebook=russa&moves=c3-d4.d6-c5.b2-c3", ready="analysis")
    screen.get("explorer").click()
    screen.get("keep").click()
    expect(screen.get("keep-side-white")).to_be_checked()
    screen.get("keep-go").click()
    expect(screen.get("keep-line-dialog")).to_have_count(0)
    screen.get("to-openings").click()
    page.wait_for_selector("body[data-ready=openings]")
    expect(screen.get("rulebook")).to_have_value("russa")
    expect(screen.get("due-white")).to_have_text("2 lances para agora")
    screen.get("train-white").click()
    feedback = screen.get("feedback")
    expect(feedback).to_contain_text("Faltam 2")
    screen.assert_accessible()
    screen.assert_fits()
    screen.assert_translated()
    page.context.set_offline(True)
    screen.get("show-move").click()
    expect(feedback).to_contain_text("O servidor não responde")
    screen.enter("c3-d4")  # neither counts
    expect(screen.get("board-hint")).to_contain_text("O servidor não responde")
    page.context.set_offline(False)
    screen.errors.clear()
    screen.enter("a3-b4")
    expect(feedback).to_contain_text("Jogue c3-d4")
    expect(page.locator("damas-board .arrow")).to_have_count(1)
    screen.enter("c3-d4")
    expect(feedback).to_contain_text("Falta 1")
    screen.enter("b2-c3")
    expect(feedback).to_contain_text("1 de 2 certos")
    expect(screen.get("due-white")).to_have_text("0 lances para agora")
    expect(screen.get("training")).to_be_hidden()
    screen.get("remove-own-white-0").click()
    expect(screen.get("repertoire-empty")).to_be_visible()
