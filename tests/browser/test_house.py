"""The house around the pages: account, API page, menus, languages, colours, without a network."""

import secrets

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen

PASSWORD = "um cavalo sem sela"


def test_an_account_is_made_used_and_left(screen: Screen) -> None:
    page, name = screen.page, f"Ana {secrets.token_hex(4)}"
    screen.go("/account")
    screen.assert_accessible()
    form = page.get_by_test_id("signup-form")
    form.get_by_label("Nome").fill(name)
    form.get_by_label("Senha").fill(PASSWORD)
    page.get_by_test_id("sign-up").click()
    page.get_by_test_id("logins").get_by_text("este aparelho").wait_for()
    assert name in page.get_by_test_id("account").inner_text() or page.viewport_size["width"] < 600
    page.get_by_test_id("new-token").click()
    token = page.get_by_test_id("token")
    token.wait_for()
    assert token.inner_text().startswith("dam_")
    screen.assert_accessible()
    screen.assert_fits()
    page.get_by_test_id("log-out").click()
    page.get_by_test_id("login-form").wait_for()


def test_a_refusal_is_said_on_the_page(open_screen: Open) -> None:
    screen = open_screen("phone", "pt-PT")
    screen.go("/account")
    form = screen.page.get_by_test_id("signup-form")
    form.get_by_label("Nome").fill("Rui")
    form.get_by_label("Palavra-passe").fill("password1")
    screen.page.get_by_test_id("sign-up").click()
    message = screen.page.get_by_test_id("account-message")
    expect(message).to_contain_text("intrusos")
    expect(message).to_be_in_viewport()  # the form lies further down
    screen.errors.clear()  # the browser notes every 400 by itself


@pytest.mark.parametrize("language", ["pt-BR", "pt-PT", "es", "en"])
def test_the_api_page_reads_well(open_screen: Open, language: str) -> None:
    screen = open_screen("phone", language)
    screen.go("/api")
    screen.assert_accessible()
    assert screen.page.evaluate("document.documentElement.lang") == language
    screen.assert_fits()


def test_the_language_is_changed_and_kept(screen: Screen) -> None:
    page = screen.page
    screen.go("/account")
    page.get_by_test_id("language").locator("summary").click()
    page.get_by_test_id("language-es").click()
    page.get_by_role("heading", name="Cuenta", exact=True).wait_for()
    screen.go("/api")
    assert page.evaluate("document.documentElement.lang") == "es"


def test_the_colours_are_chosen_and_kept(screen: Screen) -> None:
    page = screen.page
    screen.go("/account")
    page.get_by_test_id("theme").locator("summary").click()
    page.get_by_test_id("theme-dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert not page.get_by_test_id("theme").evaluate("menu => menu.open")  # chosen: it is out of the way
    assert page.evaluate("document.activeElement.closest('details')?.dataset.testid") == "theme"
    screen.go("/api")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.get_by_test_id("theme-dark").get_attribute("aria-pressed") == "true"
    screen.assert_accessible()


def test_menus_close_by_escape_and_by_a_click_elsewhere(open_screen: Open) -> None:
    screen = open_screen()
    page = screen.page
    screen.go("/account")
    menu = page.get_by_test_id("language")
    menu.locator("summary").click()
    assert menu.evaluate("menu => menu.open")
    page.keyboard.press("Escape")
    assert not menu.evaluate("menu => menu.open")
    assert page.evaluate("document.activeElement.closest('details')?.dataset.testid") == "language"
    menu.locator("summary").click()
    page.get_by_role("heading", level=1).click()
    assert not menu.evaluate("menu => menu.open")


def test_the_skip_link_is_the_first_stop(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/account")
    screen.page.keyboard.press("Tab")
    assert screen.page.evaluate("document.activeElement.getAttribute('href')") == "#main"
