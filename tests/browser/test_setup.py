"""Setting up a game in a browser: as document 004 says, by another reading of a text, on a first visit."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, wait_until

TOUR = [
    ("phone", "pt-BR"),
    pytest.param("desk", "pt-PT", marks=pytest.mark.soak),
    pytest.param("desk", "pt-BR", marks=pytest.mark.soak),
    pytest.param("phone", "pt-PT", marks=pytest.mark.soak),
]
WAYS = {"quick-play": "level", "play-friend": "friend", "play-seek": "seek", "play-device": "device"}
"""The buttons that start a game, each with the kind of opponent that it asks for."""
WORDS = {
    "pt-BR": ("lance inválido perde", "seção 4", "1 min por lance", "Ganham as pretas: as brancas fizeram"),
    "pt-PT": ("lance inválido perde", "secção 4", "1 min por lance", "Ganham as pretas: as brancas fizeram"),
}


def started(screen: Screen, button: str) -> dict[str, Any]:
    """What a button of the play page asks the server for; the game that it starts is open."""
    with screen.page.expect_request(lambda request: request.url.endswith("/api/games")) as asked:
        screen.get(button).click()
    screen.page.wait_for_selector("body[data-ready=game]")
    return dict(asked.value.post_data_json)


def by_the_document(screen: Screen) -> None:
    """Chooses document 004 as it is written."""
    screen.go("/", ready="home")
    screen.get("rulebook-chip-concurso").click()
    screen.get("by-document").check()


@pytest.mark.parametrize(("size", "language"), TOUR)
def test_document_004_is_played_as_it_is_written(open_screen: Open, size: str, language: str) -> None:
    loses, article, time, lost = WORDS[language]
    screen = open_screen(size, language)
    by_the_document(screen)
    screen.get("play-options").click()
    expect(screen.get("preset-line")).to_contain_text(loses)
    expect(screen.get("preset-line")).to_contain_text(article)
    expect(screen.get("lot-line")).to_be_visible()
    for colour in ("white", "black", "random"):
        expect(screen.get(f"colour-{colour}")).to_be_disabled()
    expect(screen.get("colour-random")).to_be_checked()
    expect(screen.get("time-30s/move")).to_be_checked()
    screen.get("time-60s/move").check(force=True)  # the input itself is out of sight
    screen.assert_fits()
    screen.assert_accessible()
    terms = {"rulebook": "concurso", "color": "random", "time": "60s/move", "preset": "contest"}
    for button, kind in WAYS.items():
        screen.go("/", ready="home")  # the choices are remembered
        asked = started(screen, button)
        assert asked.pop("opponent")["kind"] == kind
        assert asked == terms
    # The last way: two on this device. A man two squares forward, where nothing is to be captured.
    expect(screen.get("terms")).to_contain_text(time)
    screen.drag("2,2", "4,4")
    expect(screen.get("result")).to_contain_text(lost)
    expect(screen.get("result")).to_contain_text("4. Escenarios de victoria")
    expect(screen.get("explain")).to_be_hidden()  # it would cover the result on a phone
    expect(screen.get("result")).to_be_in_viewport()
    screen.assert_fits()
    screen.assert_translated()
    # It was chosen for this document, not for the next one.
    screen.go("/", ready="home")
    expect(screen.get("by-document")).to_be_checked()
    screen.get("rulebook-chip-oficial").click()
    expect(screen.get("by-document")).to_be_hidden()
    expect(screen.get("preset-casual")).to_be_checked()
    expect(screen.get("colour-random")).to_be_enabled()


def test_any_piece_may_be_tried_and_only_preferences_ask_twice(open_screen: Open) -> None:
    screen = open_screen("phone")
    always = "localStorage.setItem('damas.preferences', JSON.stringify({confirm: 'always'}))"
    screen.page.add_init_script(always)
    terms = {"preset": "contest", "time": "60s/move"}
    screen.start("concurso", **terms)
    expect(screen.get("move-note")).to_contain_text("um lance inválido perde")
    screen.move("2,2", "4,4")
    screen.get("cancel-move").click()
    expect(screen.get("result")).to_be_hidden()
    screen.move("2,2", "2,4", "3,3")  # another piece of one's own is chosen, not a square
    screen.get("confirm-move").click()
    expect(screen.get("moves").get_by_role("button")).to_have_count(1)
    screen.tap("2,0", "4,2")  # Black takes a white man
    screen.get("confirm-move").click()
    expect(screen.get("result")).to_contain_text("Ganham as brancas: as pretas fizeram um lance inválido")
    screen.start("concurso", **terms)
    screen.enter("2,2 e 3,3")  # what cannot be read is no valid move either
    screen.get("confirm-move").click()
    expect(screen.get("result")).to_contain_text("Ganham as pretas: as brancas fizeram um lance inválido")
    screen.start("concurso", "W:Wc3,h2:Bd4,d6,h8", **terms)
    screen.move("2,2", "4,4")  # the first jump of two
    expect(screen.get("asks")).to_contain_text("lance inválido")
    screen.get("stop").click()
    expect(screen.get("result")).to_contain_text("Ganham as pretas")


@pytest.mark.parametrize(("size", "language"), TOUR)
def test_a_move_out_of_turn_can_be_tried_and_loses_once_confirmed(
    open_screen: Open, size: str, language: str
) -> None:
    screen, guest = open_screen(size, language), open_screen("desk" if size == "phone" else "phone", language)
    game = screen.start("concurso", opponent={"kind": "friend"}, preset="contest", time="600s/move")
    guest.accept(game)
    movable = "document.querySelector('#board').movable"
    for each in (screen, guest):
        wait_until(lambda page=each.page: page.evaluate(movable) != "none", each.page)
    turns = {each.page.evaluate(movable): each for each in (screen, guest)}
    white, black = turns["white"], turns["black"]
    black.tap("5,1", "4,2")
    expect(black.page.locator("#board .tray")).to_contain_text("Não é a sua vez")
    white.move("2,2", "3,3")  # the position changes under Black's hand: the question is gone
    expect(black.get("confirm-move")).to_have_count(0)
    expect(black.get("moves").get_by_role("button")).to_have_count(1)
    white.enter("2,4 3,5")
    white.get("cancel-move").click()
    white.drag("2,4", "3,5")
    expect(white.page.locator("#board .tray")).to_contain_text("perde")
    white.assert_fits()
    white.get("confirm-move").click()
    for each in (white, black):
        expect(each.get("result")).to_contain_text("não era a sua vez (concurso, 4. Escenarios de victoria)")


@pytest.mark.parametrize(("size", "language"), TOUR)
def test_club_and_school_do_not_soften_document_004(open_screen: Open, size: str, language: str) -> None:
    screen = open_screen(size, language)
    screen.go("/", ready="home")
    screen.get("rulebook-chip-concurso").click()
    screen.get("play-options").click()
    for preset in ("school", "club"):
        screen.get(f"preset-{preset}").locator("..").click()  # its label: the input itself is out of sight
        expect(screen.get("preset-line")).to_contain_text("primeiro lance inválido perde (4. Escenarios")
        expect(screen.get("lot-line")).to_be_visible()
        expect(screen.get("colour-white")).to_be_disabled()
        expect(screen.get("colour-random")).to_be_checked()
    expect(screen.get("time-20")).to_be_checked()  # the club's own time
    expect(screen.get("preset-line")).not_to_contain_text("não se exige")
    screen.get("time-none").check(force=True)
    expect(screen.get("preset-line")).to_contain_text("aqui não se exige: jogar dentro de um tempo")
    screen.get("time-15").check(force=True)
    expect(screen.get("preset-line")).not_to_contain_text("não se exige")
    screen.assert_fits()
    screen.assert_accessible()
    screen.get("rulebook-chip-portuguesa").click()  # what is done by hand is said, by its article
    expect(screen.get("preset-line")).to_contain_text(
        re.compile(
            r"exige.*jogar a peça tocada \(n\.º 10\); levantar .* \(n\.º 6\); coroar .* \(n\.º 11, alínea d\)"
        )
    )
    screen.get("preset-casual").check(force=True)
    expect(screen.get("preset-line")).to_contain_text("O texto pede, mas aqui não se exige: jogar")
    screen.get("preset-club").check(force=True)
    screen.get("rulebook-chip-brasileira").click()
    expect(screen.get("preset-line")).to_contain_text(
        "Nem o regulamento nem este regimento exigem peça tocada"
    )
    expect(screen.get("preset-line")).not_to_contain_text("primeiro lance")
    expect(screen.get("preset-line")).to_contain_text("terceiro lance ilegal")
    expect(screen.get("colour-white")).to_be_enabled()
    screen.get("rulebook-chip-concurso").click()
    expect(screen.get("colour-random")).to_be_checked()
    asked = started(screen, "play-device")
    assert (asked["preset"], asked["color"], asked["time"]) == ("club", "random", "20")
    screen.enter("2,2 4,4")
    expect(screen.get("result")).to_contain_text("lance inválido")


def test_a_friendly_game_of_the_same_rulebook_explains_an_invalid_move(screen: Screen) -> None:
    screen.start("concurso")
    screen.drag("2,2", "4,4")
    expect(screen.get("explain")).to_be_visible()
    expect(screen.get("result")).to_be_hidden()


@pytest.mark.parametrize(("size", "language"), TOUR)
def test_the_other_reading_of_a_text_is_chosen_and_played(
    open_screen: Open, size: str, language: str
) -> None:
    screen = open_screen(size, language)
    screen.go("/rules/oficial", ready="rulebook")
    other = screen.get("other-oficial-men-backward")
    expect(other).to_contain_text("também para trás")
    other.get_by_role("link").click()
    screen.page.wait_for_selector("body[data-ready=home]")
    expect(screen.get("rulebook-chip-oficial").locator("input")).to_be_checked()
    expect(screen.get("reading-oficial-men-backward")).to_be_checked()
    expect(screen.get("reading-field")).to_contain_text("§3")
    screen.get("reading-oficial").check(force=True)
    expect(screen.get("rulebook-line")).to_contain_text("só toma para a frente")
    screen.get("reading-oficial-men-backward").check(force=True)
    expect(screen.get("rulebook-line")).to_contain_text("toma também para trás")
    screen.assert_fits()
    screen.assert_accessible()
    assert started(screen, "play-device")["rulebook"] == "oficial-men-backward"
    screen.start("oficial-men-backward", "W:We5,h2:Bd4,h8")
    expect(screen.get("terms")).to_contain_text(re.compile("Oficial com (captura|tomada) para trás"))
    screen.move("e5", "c3")
    expect(screen.get("moves").get_by_role("button")).to_have_count(1)
    screen.go("/rules/oficial-men-backward", ready="rulebook")  # its text is that of the rulebook
    assert screen.page.url.endswith("/rules/oficial")


def test_a_spanish_reader_chooses_between_two_rulebooks_on_the_first_visit(open_screen: Open) -> None:
    screen = open_screen("phone", "es")
    screen.go("/", ready="home")
    offered = screen.get("first-choice").locator("input")
    expect(screen.get("rulebook-line")).to_be_hidden()  # each summary stands beside its rulebook
    assert [radio.get_attribute("value") for radio in offered.all()] == ["espanhola", "concurso"]
    expect(offered.first).to_be_checked()
    screen.assert_fits()
    screen.assert_accessible()
    screen.get("rulebook-chip-concurso").click()
    screen.go("/", ready="home")
    expect(screen.get("first-choice")).to_be_hidden()
    expect(screen.get("rulebook-chip-concurso").locator("input")).to_be_checked()
