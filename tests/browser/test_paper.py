"""Certificate, score sheet and leaflet from the pages: printed by the browser, page by page, and as PDF."""

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, tour
from browser.test_games import finished
from damas.rules import articles, rulebook
from damas.views.rulebooks import agreement_note, label_note
from paper.printed import A4_MM, Printed, letters, squeezed

READERS = tour(
    "desk pt-PT portuguesa", "phone pt-BR brasileira", "phone pt-PT portuguesa", "desk pt-BR brasileira"
)


def printed(screen: Screen) -> Printed:
    """What the printer of the browser gets."""
    return Printed(screen.page.pdf(prefer_css_page_size=True))


def downloaded(screen: Screen, testid: str) -> Printed:
    with screen.page.expect_download() as download:
        screen.get(testid).click()
    assert download.value.suggested_filename.endswith(".pdf")
    return Printed(download.value.path().read_bytes())


def check_page(screen: Screen) -> None:
    screen.page.wait_for_selector("body[data-ready=paper]")
    screen.assert_accessible()
    screen.assert_fits()


@pytest.mark.parametrize("reader", READERS)
def test_a_finished_game_is_printed_from_its_page_and_from_the_archive(
    open_screen: Open, reader: str
) -> None:
    size, language, book = reader.split()
    screen = open_screen(size, language)
    sheet = {"pt-BR": "Planilha de anotação", "pt-PT": "Folha de registo"}[language]
    game = finished(screen, book)
    last = screen.page.locator("[data-testid=move-2]").inner_text()
    screen.get("paper").click()
    screen.assert_accessible()
    certificate = downloaded(screen, "paper-certificate-pdf")
    seal = screen.page.request.get(f"{screen.address}/api/games/{game}/certificate").json()["seal"]
    assert seal in certificate.squeezed
    screen.get("paper-scoresheet").click()
    check_page(screen)
    paper = printed(screen)
    assert len(paper) == 1 and paper.sizes_mm == {A4_MM}
    assert sheet in paper.texts[0] and last in paper.texts[0] and "1 / 1" in paper.texts[0]
    assert "PDF" not in paper.texts[0], "buttons are not printed"
    assert last in downloaded(screen, "pdf").texts[0]
    screen.go("/games", ready="games")
    screen.get("certificate").click()
    check_page(screen)
    paper = printed(screen)
    assert seal in squeezed("".join(paper.texts)) and paper.sizes_mm == {A4_MM}
    assert all(f"Selo {seal[:16]}" in text for text in paper.texts), "at the bottom of every page"
    assert "Árbitro" in paper.texts[-1]
    screen.get("back").click()
    screen.page.wait_for_selector("body[data-ready=game]")


@pytest.mark.parametrize("reader", READERS)
def test_a_rulebook_is_printed_as_a_leaflet_and_its_blank_sheet_is_one_page(
    open_screen: Open, reader: str
) -> None:
    size, language, book = reader.split()
    screen = open_screen(size, language).go(f"/rules/{book}", ready="rulebook")
    screen.get("leaflet").click()
    check_page(screen)
    expect(screen.get("leaflet-line")).to_contain_text("A4")
    text = screen.get(
        "paper"
    ).inner_text()  # our label, and that the players may agree where the text says so
    for note in (label_note(rulebook(book), language), agreement_note(rulebook(book), language)):
        assert note in text
    paper = printed(screen)
    assert 2 <= len(paper) <= 5 and paper.sizes_mm == {A4_MM}
    for number, text in enumerate(paper.texts, start=1):
        assert f"{number} / {len(paper)}" in text
    footer = squeezed(screen.page.locator(".paper-footer").inner_text())
    assert all(footer in squeezed(page) for page in paper.texts)
    text = "".join(
        squeezed(page.replace(f"{number} / {len(paper)}", "")).replace(footer, "")
        for number, page in enumerate(paper.texts, 1)
    )
    entries = articles(rulebook(book)).by_id.values()
    assert [entry.id for entry in entries if letters(entry.text[language]) not in letters(text)] == []
    assert len(downloaded(screen, "pdf")) >= 2
    screen.get("back").click()
    screen.page.wait_for_selector("body[data-ready=rulebook]")
    screen.get("blank").click()
    check_page(screen)
    blank = printed(screen)
    assert len(blank) == 1, "every line and the signatures are on one page"
    words = blank.texts[0].split()
    assert {"60", "66", "Árbitro"} <= set(words)
    called = screen.page.evaluate("new Promise(done => { window.print = () => done(true); "
                                  "document.querySelector('[data-testid=print]').click(); })")  # fmt: skip
    assert called
