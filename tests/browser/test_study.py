"""Studies in a real browser: written, saved, read, guessed, shared, and never overwritten unseen."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from browser.screen import SIZES, Open, Screen, tour, wait_until

LINE: list[dict[str, Any]] = [
    {"text": "c3-d4", "nags": [1], "comments": ["Para o centro."], "commands": "[%cal Gc3d4]"},
    {"text": "f6-g5", "variations": [[{"text": "f6-e5", "comments": ["Perde uma."]}, {"text": "d4xf6"}]]},
    {"text": "b2-c3"},
]
CHAPTER = {"rulebook": "brasileira", "title": "Centro", "moves": LINE}


def made(screen: Screen, **more: Any) -> str:
    """A study of this visitor; its page is not open yet."""
    screen.go("/studies", ready="studies")
    wanted = {"title": "Tiros", "visibility": "link", "chapter": CHAPTER | more}
    return str(screen.post("/api/studies", **wanted)["url"])


def opened(screen: Screen, **more: Any) -> str:
    path = made(screen, **more)
    screen.go(path, ready="study")
    return path


def saved(screen: Screen) -> None:
    expect(screen.get("study-saved")).to_have_text("Salvo")


def chapter_of(screen: Screen, path: str) -> Any:
    """The first chapter as the server has it."""
    request = screen.page.context.request
    study = request.get(f"{screen.address}/api/studies/{path.split('/')[2]}").json()
    return request.get(
        f"{screen.address}/api/studies/{study['id']}/chapters/{study['chapters'][0]['id']}"
    ).json()


def buttons(screen: Screen) -> Locator:
    return screen.get("moves").locator(".move")


@pytest.mark.parametrize("size", tour(*SIZES))
def test_a_study_is_written_and_saved_as_one_goes(open_screen: Open, size: str) -> None:
    screen = open_screen(size)
    screen.go("/studies", ready="studies")
    expect(screen.get("studies")).to_contain_text("Ainda não há estudos")
    screen.get("new-study").click()
    screen.get("study-name").fill("Meu caderno")
    screen.get("new-study-go").click()
    screen.page.wait_for_selector("body[data-ready=study]")
    path = re.sub(r"^.*(/study/[^/?]+).*$", r"\1", screen.page.url)
    screen.move("c3", "d4")
    screen.get("glyph-1").click()
    screen.get("comment").fill("Linha um\n{chave} 😀")
    screen.get("brush-red").click()
    screen.tap("d4", "e5")
    screen.tap("g5", "g5")
    screen.get("brush-red").click()
    saved(screen)

    def stored() -> bool:
        moves = chapter_of(screen, path)["game"]["moves"]
        return bool(moves) and moves[0]["commands"] == "[%csl Rg5] [%cal Rd4e5]"

    wait_until(stored, screen.page)
    [move] = chapter_of(screen, path)["game"]["moves"]
    assert (move["text"], move["nags"], move["comments"]) == ("c3-d4", [1], ["Linha um\n{chave} 😀"])
    screen.go(path, ready="study")
    screen.get("forward").click()
    expect(screen.page.locator("#board .arrow.brush-red")).to_have_count(1)
    expect(screen.page.locator("#board .spot.brush-red")).to_have_count(1)
    expect(screen.get("reading-comment")).to_contain_text("{chave} 😀")
    expect(screen.get("comment")).to_have_value("Linha um\n{chave} 😀")
    screen.assert_fits()
    screen.assert_translated()
    screen.assert_accessible()


def test_arrows_are_drawn_by_the_right_button_and_changes_are_undone(open_screen: Open) -> None:
    screen = open_screen("desk")
    path = opened(screen)
    mouse = screen.page.mouse
    mouse.move(*screen.middle("f6"))
    mouse.down(button="right")
    mouse.move(*screen.middle("e5"))
    mouse.up(button="right")
    expect(screen.page.locator("#board .arrow.brush-green")).to_have_count(1)
    screen.page.keyboard.press("Control+z")
    expect(screen.page.locator("#board .arrow")).to_have_count(0)
    screen.page.keyboard.press("Control+Shift+Z")
    expect(screen.page.locator("#board .arrow.brush-green")).to_have_count(1)
    screen.get("last").click()
    screen.get("delete").click()
    expect(buttons(screen)).to_have_count(4)
    screen.page.keyboard.press("3")  # the third sign: !?
    saved(screen)
    wait_until(lambda: chapter_of(screen, path)["game"]["moves"][-1]["nags"] == [5], screen.page)
    assert chapter_of(screen, path)["game"]["comments"] == ["[%cal Gf6e5]"]


def test_two_tabs_never_overwrite_each_other_unseen(open_screen: Open) -> None:
    screen = open_screen("desk")
    path = opened(screen)
    other = Screen(screen.page.context.new_page(), screen.address, screen.errors)
    other.go(path, ready="study")
    screen.get("comment").fill("daqui")
    saved(screen)
    wait_until(lambda: chapter_of(screen, path)["game"]["comments"] == ["daqui"], screen.page)
    other.page.route("**/api/studies/*", Route.abort)  # it does not look what has changed meanwhile
    other.get("comment").fill("dali")
    notice = other.get("study-notice")
    expect(notice).to_contain_text("outra janela")
    other.page.unroute("**/api/studies/*")
    screen.errors.clear()  # the browser has logged the refusal
    other.get("keep-mine").click()
    expect(notice).to_be_hidden()
    expect(other.get("chapters").locator(".chapter-link")).to_have_count(2)
    expect(other.get("comment")).to_have_value("daqui")
    other.get("chapter-2").click()
    expect(other.get("comment")).to_have_value("dali")
    assert chapter_of(screen, path)["game"]["comments"] == ["daqui"]
    screen.errors.clear()
    other.page.close()


def test_changes_without_a_network_wait_and_are_sent(open_screen: Open) -> None:
    screen = open_screen("phone")
    path = opened(screen)
    screen.page.context.set_offline(True)
    screen.get("comment").fill("sem rede")
    expect(screen.get("study-saved")).to_contain_text("Sem conexão")
    screen.page.context.set_offline(False)
    saved(screen)
    assert chapter_of(screen, path)["game"]["comments"] == ["sem rede"]
    screen.page.context.set_offline(True)
    screen.get("comment").fill("fechada sem rede")
    expect(screen.get("study-saved")).to_contain_text("Sem conexão")
    screen.errors.clear()  # the browser has logged what could not be sent
    screen.page.goto("about:blank")
    screen.page.context.set_offline(False)
    screen.go(path, ready="study")
    expect(screen.get("comment")).to_have_value("fechada sem rede")
    saved(screen)
    wait_until(lambda: chapter_of(screen, path)["game"]["comments"] == ["fechada sem rede"], screen.page)
    screen.errors.clear()


@pytest.mark.parametrize("size", tour(*SIZES))
def test_the_moves_of_a_side_are_guessed(open_screen: Open, size: str) -> None:
    author, reader = open_screen(size), open_screen(size)
    path = made(author, mode="guess")
    reader.go(path, ready="study")
    words = reader.get("guess-words")
    expect(words).to_contain_text("qual é o lance?")
    expect(reader.get("moves")).to_be_hidden()
    expect(reader.page.locator("#board .arrow")).to_have_count(0)
    for square in ("b4", "d4"):  # two wrong moves of the same side
        reader.move("a3" if square == "b4" else "e3", square)
        expect(words).to_contain_text("não é o lance")
    expect(words).to_contain_text("c3")
    reader.move("c3", "d4")
    expect(words).to_contain_text("Para o centro.")
    expect(words).to_contain_text("Brancas jogam")  # the reply has been played
    reader.move("b2", "c3")
    expect(words).to_contain_text("Fim do capítulo")
    expect(reader.get("guess-score")).to_contain_text("1 de 2")
    reader.assert_fits()
    reader.assert_accessible()
    reader.get("end-guess").click()
    expect(buttons(reader)).to_have_count(5)


def test_chapters_are_added_moved_and_taken_back(open_screen: Open) -> None:
    screen = open_screen("phone")
    opened(screen)
    screen.get("new-chapter").click()
    screen.get("chapter-name").fill("Final")
    screen.get("start-pdn").check(force=True)
    screen.get("chapter-pdn").fill("W:WKa1:BKh6")
    screen.assert_accessible()
    screen.get("new-chapter-go").click()
    expect(screen.get("chapter-title")).to_have_text("Final")
    expect(screen.get("chapter-2")).to_have_attribute("aria-current", "true")
    screen.get("chapter-up").click()
    expect(screen.get("chapter-1")).to_contain_text("Final")
    screen.get("chapter-delete").click()
    expect(screen.get("chapter-title")).to_have_text("Centro")
    screen.get("chapter-restore").click()
    expect(screen.get("chapter-title")).to_have_text("Final")
    expect(screen.get("chapter-1")).to_contain_text("Final")
    expect(screen.square("h6")).to_have_attribute("aria-label", re.compile("dama preta"))
    screen.page.set_viewport_size({"width": 360, "height": 740})
    screen.assert_fits()
    screen.page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})


def test_an_analysis_becomes_a_study(open_screen: Open) -> None:
    screen = open_screen("desk")
    fen = "W:Wb2,a3,a5,g7:Bd2,d6,c7"
    screen.go(
        f"/analysis?rulebook=brasileira&fen={fen}&moves=g7-h8", ready="analysis"
    )  # a winning shot is missed
    screen.get("report-start").click()
    screen.get("report-to-study").click()
    screen.page.wait_for_selector("body[data-ready=study]")
    expect(screen.get("study-title")).to_have_text("Brasileira")
    expect(screen.page.locator("#board .arrow.brush-green")).to_have_count(1)
    expect(screen.get("moves").locator(".variation .move")).not_to_have_count(0)
    screen.get("forward").click()
    expect(screen.get("reading-comment")).to_contain_text("b2-c3")
    saved(screen)


def test_a_pdn_with_many_games_is_a_study(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/studies", ready="studies")
    screen.get("import-study").click()
    screen.get("import-text").fill(
        '[White "Ana"]\n[Black "Rui"]\n\n1. c3-d4 *\n\n[White "Eva"]\n\n1. c3-c4 *\n'
    )
    screen.get("import-study-go").click()
    expect(screen.get("import-results")).to_contain_text("Partida 2")
    screen.get("import-open").click()
    screen.page.wait_for_selector("body[data-ready=study]")
    expect(screen.get("chapter-title")).to_have_text("Ana – Rui")
    screen.go("/studies", ready="studies")
    screen.assert_fits()
    screen.assert_accessible()
    screen.get("study-delete").click()
    screen.get("delete-confirm").click()
    expect(screen.get("studies")).to_contain_text("Ainda não há estudos")
