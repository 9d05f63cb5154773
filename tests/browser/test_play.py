"""Playing in a browser: scenarios P1–P6, P11 and P13–P15."""

import re

import pytest
from playwright.sync_api import expect

from browser.screen import SIZES, Open, Screen, tour

SAID = {
    "pt-BR": ("brasileira", "Sua vez", "pedra branca", "Captura obrigatória", "2 peças capturadas"),
    "pt-PT": ("portuguesa", "É a sua vez", "peão branco", "Tomada obrigatória", "2 peças tomadas"),
    "es": ("espanhola", "Su turno", "peón blanco", "Captura obligatoria", "2 piezas capturadas"),
    "en": ("internacional", "Your turn", "white man", "Capturing is compulsory", "2 pieces taken"),
}
"""By language: its rulebook, and its words at the same places."""
FIRST_MOVES = ["a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"]


def test_two_clicks_and_playing(screen: Screen) -> None:  # P1
    screen.go("/", ready="home")
    screen.assert_accessible()
    screen.assert_fits()
    screen.get("quick-play").click()
    screen.page.wait_for_selector("body[data-ready=game]")
    expect(screen.get("turn")).to_have_text("Sua vez")
    assert screen.page.locator("#board .piece").count() == 24
    cells = screen.page.locator("#board [role=gridcell]")
    assert cells.count() == 32
    corner, board = screen.box("#board [data-name=a1]"), screen.box("#board")
    assert corner["left"] < board["left"] + board["width"] / 8
    assert corner["top"] > board["top"] + board["height"] * 0.8
    screen.assert_accessible()
    screen.assert_fits()


def test_click_click_and_drag(screen: Screen) -> None:  # P2
    screen.start("brasileira", opponent={"kind": "level", "level": 1})
    assert screen.legal() == FIRST_MOVES
    screen.wait_for_names("movable", {"a3", "c3", "e3", "g3"})
    screen.tap("c3")
    screen.wait_for_names("move-dest", {"b4", "d4"})
    screen.tap("d4")
    expect(screen.square("d4")).to_have_attribute("aria-label", re.compile("d4, pedra branca"))
    expect(screen.live()).to_have_text(re.compile("^Pretas: "))
    expect(screen.get("moves").get_by_role("button")).to_have_count(2)
    assert len(screen.names("last-move")) == 2
    expect(screen.get("turn")).to_contain_text("Sua vez")
    mover = sorted(screen.names("movable"))[0]
    screen.tap(mover)
    target = sorted(screen.names("move-dest"))[0]
    screen.page.keyboard.press("Escape")
    screen.drag(mover, target)
    expect(screen.get("moves").get_by_role("button")).to_have_count(4)


def test_own_move_is_outlined(screen: Screen) -> None:  # P2, without a reply that could come too soon
    screen.start("brasileira")
    screen.drag("c3", "d4")
    expect(screen.live()).to_have_text("Brancas: c3-d4")
    screen.wait_for_names("last-move", {"c3", "d4"})


@pytest.mark.parametrize(
    ("rulebook", "fen", "tried", "cited", "required"),
    [
        ("faraes", "W:Wc3:Bb4,d4,f6", ("c3", "a5"), "Art. 7", "2 peças"),
        ("brasileira", "W:Wc3:Bb4,d4,f6", ("c3", "a5"), "Lei da Maioria", "2 peças"),
        ("oficial", "W:Wc3:Bb4,d4,f6", ("c3", "a5"), "§5", "2 peças"),
        ("portuguesa", "W:W10:B13,14,23", ("10", "17"), "n.º 3", "10x19x28"),
    ],
)
def test_a_refusal_is_explained(  # P3
    screen: Screen, rulebook: str, fen: str, tried: tuple[str, str], cited: str, required: str
) -> None:
    screen.start(rulebook, fen)
    screen.drag(*tried)
    panel = screen.get("explain")
    expect(panel).to_contain_text(cited)
    expect(panel).to_contain_text(required)
    assert panel.get_attribute("role") == "alert"
    jumps = {
        cell.get_attribute("data-path"): cell.get_attribute("data-name")
        for cell in screen.page.locator("#board [data-path]").all()
    }
    path, ringed = (("19", "28"), {"14", "23"}) if rulebook == "portuguesa" else (("e5", "g7"), {"d4", "f6"})
    assert jumps == {"1": path[0], "2": path[1]}
    screen.wait_for_names("ringed", ringed)
    assert screen.page.locator("#board .route .badge-text").all_text_contents() == ["1", "2"]
    expect(screen.square(tried[0])).to_have_attribute(
        "aria-label", re.compile("(pedra|peça comum) branca|peão branco")
    )
    below, board = screen.box("#refusal"), screen.box("#board")
    assert below["top"] >= board["bottom"] - 1 or below["left"] >= board["right"]
    expect(screen.get("refused-move")).to_have_count(1)
    expect(screen.get("see-article")).to_have_attribute("href", re.compile(f"^/rules/{rulebook}#"))
    if rulebook == "faraes":  # the page is the same for all
        screen.assert_accessible()
    screen.get("play-that").click()
    expect(screen.get("explain")).to_be_hidden()
    expect(screen.get("moves").get_by_role("button", name="Brancas")).to_have_count(1)


def test_free_choice_is_free(screen: Screen) -> None:  # P3, concurso
    screen.start("concurso", "W:Wc3:Bb4,d4,f6")
    screen.move("2,2", "4,0")
    expect(screen.square("4,0")).to_have_attribute("aria-label", re.compile("pedra branca"))
    expect(screen.get("moves").get_by_role("button", name="Brancas")).to_have_count(1)


def test_paths_to_choose_from(screen: Screen) -> None:  # P4
    screen.start("internacional", "W:WK4:B13,32,37,20")
    screen.move("4", "15")
    chooser = screen.get("path-chooser")
    expect(chooser.get_by_role("button")).to_have_count(3)
    assert [screen.get(f"path-{n}").inner_text().split(",")[0].split()[-1] for n in (1, 2)] == [
        "4x27x38x15",
        "4x31x42x15",
    ]
    assert screen.page.locator("#board .ghost-path").count() == 2
    assert screen.box("[data-testid=path-chooser]")["top"] >= screen.box("#board .board-frame")["bottom"]
    screen.page.keyboard.press("Escape")
    expect(chooser).to_have_count(0)
    expect(screen.get("moves").get_by_role("button")).to_have_count(0)
    screen.move("4", "15")
    screen.page.keyboard.press("2")
    expect(screen.live()).to_contain_text("4x31x42x15")


def test_no_chooser_where_there_is_no_choice(open_screen: Open) -> None:  # P4
    screen = open_screen()
    screen.start("brasileira", "W:WKc1:Bb4,d2,d4,e5")
    screen.move("c1", "a3")
    expect(screen.get("path-chooser")).to_be_visible()
    screen.start("oficial", "W:WKc1:Bb4,d2,d4,e5")
    screen.move("c1", "a3")
    expect(screen.live()).to_contain_text("c1xe3xc5xa3")
    screen.start("brasileira", "W:Wc3:Bd4,f4,f2,d2")
    screen.move("c3", "e5")
    expect(screen.live()).to_contain_text("4 peças capturadas")
    expect(screen.get("path-chooser")).to_have_count(0)


def test_captures_step_by_step(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("concurso", "W:Wc3:Bd4,f6,f4")
    screen.move("2,2", "4,4")
    expect(screen.page.locator("#board .piece.taken")).to_have_count(1)
    screen.tap("6,6")
    expect(screen.live()).to_contain_text("2 peças capturadas")
    expect(screen.page.locator("#board .piece")).to_have_count(2)


def test_capture_is_compulsory(screen: Screen) -> None:  # P5
    screen.start("brasileira", "W:Wc3,h2:Bd4")
    screen.wait_for_names("movable", {"c3"})
    assert screen.page.locator("#board .may-move.must").count() == 1
    screen.tap("h2")
    expect(screen.get("explain")).to_contain_text("Captura obrigatória")
    assert "pulse" in str(screen.square("c3").get_attribute("class"))
    screen.move("c3", "c3")  # a piece with one capture completes it when it is touched again
    expect(screen.live()).to_contain_text("c3xe5")


def test_backward_captures(open_screen: Open) -> None:  # P5
    screen = open_screen()
    for rulebook in ("brasileira", "faraes"):
        screen.start(rulebook, "W:We5:Bd4")
        screen.tap("e5")
        screen.wait_for_names("move-dest", {"c3"})
    screen.start("portuguesa", "W:W19:B14")
    screen.tap("19")
    screen.wait_for_names("move-dest", {"22", "23"})
    screen.tap("10")
    expect(screen.get("explain")).to_contain_text("n.º 2")


def test_portuguese_board(screen: Screen) -> None:  # P6
    screen.start("portuguesa")
    places = {name: screen.square(name).bounding_box() for name in ("1", "4", "32")}
    one, four, last = places["1"], places["4"], places["32"]
    assert one and four and last
    assert one["x"] > four["x"] and one["y"] == four["y"] and last["y"] < one["y"] and last["x"] < four["x"]
    assert screen.page.locator("#board .label-inside").count() == 32
    assert screen.page.locator("#board .river").count() == 8
    assert set(screen.legal()) == {"9-13", "10-13", "10-14", "11-14", "11-15", "12-15", "12-16"}
    screen.move("10", "14")
    expect(screen.get("move-1")).to_have_text("10-14")
    screen.start("portuguesa", "W:W10:B14,K13")
    screen.tap("10")
    screen.wait_for_names("move-dest", {"17"})
    screen.start("brasileira", "W:Wc3:Bd4,Kb4")
    screen.tap("c3")
    screen.wait_for_names("move-dest", {"a5", "e5"})


def test_a_man_that_passes_is_not_crowned(screen: Screen) -> None:  # P13
    for rulebook, cited in (("brasileira", "brasileira"), ("faraes", "Art. 9")):
        screen.start(rulebook, "W:Wf6:Be7,c7")
        screen.move("f6", "b6")
        expect(screen.square("b6")).to_have_attribute("aria-label", re.compile("pedra branca"))
        expect(screen.get("note")).to_contain_text(cited)
        expect(screen.square("b6")).to_have_attribute("title", re.compile("d8"))
    screen.start("brasileira", "W:Wf6:Be7")
    screen.move("f6", "d8")
    expect(screen.square("d8")).to_have_attribute("aria-label", re.compile("dama branca"))


def test_typed_moves(screen: Screen) -> None:  # P14
    screen.start("brasileira")
    for typed, scheme in (
        ("22-18", "números"),
        ("c3-d4", "letras"),
        ("c3d4", "letras"),
        ("2,2 3,3", "linha e coluna"),
    ):
        screen.enter(typed)
        expect(screen.get("move-1")).to_have_text("c3-d4")
        expect(screen.get("move-note")).to_contain_text(scheme)
        screen.get("take-back").click()
        expect(screen.page.locator("#moves .move")).to_have_count(0)
    screen.start("brasileira", "W:Wc3:Bd4,f6")
    screen.enter("22-8")
    expect(screen.get("move-note")).to_contain_text("“22-8” lido pelos números das casas: c3xe5xg7.")


def test_a_typed_move_of_another_numbering_is_offered(open_screen: Open) -> None:  # P14
    screen = open_screen()
    screen.start("brasileira")
    field = screen.get("move-input")
    field.fill("9-13")
    expect(field).to_have_attribute("aria-invalid", "true")
    screen.page.keyboard.press("Enter")
    expect(screen.get("hint")).to_contain_text("a3-b4")
    expect(screen.get("moves").get_by_role("button", name="Brancas")).to_have_count(0)
    screen.get("play-hint").click()
    expect(screen.get("move-1")).to_have_text("a3-b4")


def test_a_whole_game_by_keyboard_and_names(screen: Screen) -> None:  # P11
    screen.start("brasileira", "W:Wc3,e3:Bd6", opponent={"kind": "level", "level": 1})
    keys = screen.page.keyboard
    screen.page.locator("#board [tabindex='0']").focus()
    keys.press("c")
    expect(screen.live()).to_have_text("Partida sem relógio")
    keys.press("p")
    expect(screen.live()).to_contain_text("Brancas: pedras em c3 e3")
    screen.square("c3").focus()
    keys.press("ArrowUp")
    expect(screen.square("d4")).to_be_focused()
    keys.press("ArrowDown")
    keys.press("m")
    expect(screen.live()).to_have_text("c3 pode jogar c3-d4, c3-b4")
    keys.press("o")
    expect(screen.live()).to_have_text("c3, pedra branca, pode jogar")
    keys.press("x")
    expect(screen.live()).to_have_text("Linhas de c3: d4, e5, f6, g7, h8; d2, e1; b2, a1; b4, a5")
    keys.press("i")
    expect(screen.get("move-input")).to_be_focused()
    for _ in range(40):
        if screen.get("result").is_visible():
            break
        expect(
            screen.page.locator("[data-testid=turn], [data-testid=result]")
            .filter(has_text=re.compile("Sua vez|Você|Empate"))
            .first
        ).to_be_visible()
        if screen.get("result").is_visible():
            break
        mover = screen.page.get_by_role("gridcell", name=re.compile("pode jogar|tem de capturar")).first
        mover.focus()
        keys.press("Enter")
        screen.page.get_by_role("gridcell", name=re.compile("destino")).first.focus()
        before = screen.page.locator("#moves .move").count()
        keys.press("Enter")
        screen.page.wait_for_function(
            "count => document.querySelectorAll('#moves .move').length > count", arg=before
        )
    expect(screen.get("result-sentence")).to_be_visible()
    keys.press("l")
    expect(screen.live()).to_contain_text("Último lance")


@pytest.mark.parametrize("language", tour("es", "pt-BR", "pt-PT", "en"))
def test_both_answers_of_a_question_are_in_view(open_screen: Open, language: str) -> None:
    screen = open_screen("phone", language)
    screen.start("brasileira")
    for text in ("c3-d4", "b6-a5"):
        screen.type_move(text)
    for width in (390, 360):
        screen.page.set_viewport_size({"width": width, "height": 844})
        for question in ("resign", "offer-draw"):
            screen.get(question).click()
            for answer in ("confirm", "cancel"):
                expect(screen.get(f"{question}-{answer}")).to_be_in_viewport(ratio=1)
            screen.get(f"{question}-cancel").click()
            expect(screen.get(question)).to_be_focused()
    expect(screen.get("result")).to_be_hidden()


def test_a_refusal_names_no_code_and_keeps_its_buttons_in_view(screen: Screen) -> None:
    screen.start("brasileira", "W:WKa1,c1:Bb4,d4,f6")
    screen.enter("a1xe5")
    expect(screen.get("explain")).to_contain_text("a captura continua")
    assert not re.search(r"\b(MAJORITY|[A-Z]+_[A-Z_]+)\b", screen.get("explain").inner_text())
    for button in ("play-that", "see-article", "close-explain"):
        expect(screen.get(button)).to_be_in_viewport(ratio=1)
    screen.assert_accessible()
    screen.get("close-explain").click()
    expect(screen.get("explain")).to_be_hidden()


def test_two_on_one_device_agree_a_draw(screen: Screen) -> None:
    screen.start("brasileira", "W:Wc3,h2:Bd4,h8")
    expect(screen.get("turn")).to_have_text("Vez das brancas: captura obrigatória")
    screen.enter("voltar")
    expect(screen.get("note")).to_have_text("Isso não é possível agora.")
    screen.type_move("c3xe5")
    expect(screen.get("turn")).to_have_text("Vez das pretas")
    screen.enter("empate")
    expect(screen.get("offer-draw-confirm")).to_be_focused()
    screen.get("offer-draw-cancel").click()
    expect(screen.get("result")).to_be_hidden()
    screen.get("offer-draw").click()
    screen.get("offer-draw-confirm").click()
    expect(screen.get("result")).to_contain_text("Empate")
    expect(screen.get("result-sentence")).to_contain_text("acordo")


def test_both_see_how_long_a_first_move_is_waited_for(open_screen: Open) -> None:
    white, black = open_screen("phone"), open_screen("desk")
    game = white.start("brasileira", opponent={"kind": "friend"}, time="15+10")
    expect(white.get("first-move")).to_be_hidden()  # nobody has come
    black.accept(game)
    expect(white.get("first-move")).to_have_text(re.compile(r"^Faça o seu primeiro lance em [01]:\d\d"))
    expect(black.get("first-move")).to_have_text(re.compile(r"^O adversário tem [01]:\d\d"))
    white.type_move("c3-d4")
    expect(white.get("first-move")).to_have_text(re.compile(r"^O adversário tem"))
    expect(black.get("first-move")).to_have_text(re.compile(r"^Faça o seu"))
    black.type_move("b6-a5")
    expect(white.get("first-move")).to_be_hidden()
    expect(black.get("first-move")).to_be_hidden()


def test_a_long_name_leaves_the_stone_whole(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.start("brasileira", opponent={"kind": "level", "level": 1}, time="5+0")
    widths = screen.get("player-below").evaluate(
        """strip => ['A', 'W'.repeat(30)].map((name) => {
            strip.querySelector('.player-name').textContent = name;
            return ['.player-piece', '.clock', '.tag'].map((part) => strip.querySelector(part).offsetWidth);
        })"""
    )
    assert widths[0] == widths[1] and min(widths[0]) > 0
    screen.assert_fits()


def test_nobody_is_away_from_a_game_that_is_over(open_screen: Open) -> None:
    white, black = open_screen("phone"), open_screen("desk")
    white.invite(black)
    expect(white.get("waiting")).to_be_hidden()
    black.page.goto("about:blank")
    expect(white.get("away-black")).to_be_visible()
    white.get("abort").click()
    white.get("abort-confirm").click()
    expect(white.get("result")).to_be_visible()
    expect(white.get("away-black")).to_have_count(0)


@pytest.mark.parametrize("size", tour(*SIZES))
@pytest.mark.parametrize("language", tour("en", "pt-BR", "pt-PT", "es"))
def test_four_languages(open_screen: Open, language: str, size: str) -> None:  # P15
    rulebook, turn, man, must, taken = SAID[language]
    screen = open_screen(size, language)
    screen.go("/", ready="home")
    assert screen.page.locator("html").get_attribute("lang") == language
    assert screen.page.locator("input[name=rulebook]:checked").get_attribute("value") == rulebook
    screen.get("quick-play").click()
    screen.page.wait_for_selector("body[data-ready=game]")
    expect(screen.get("turn")).to_contain_text(turn)
    screen.start("brasileira", "W:Wc3,h2:Bd4,f6")
    expect(screen.square("h2")).to_have_attribute("aria-label", f"h2, {man}")
    screen.tap("h2")
    expect(screen.get("explain")).to_contain_text(must)
    screen.move("c3", "g7")
    expect(screen.live()).to_contain_text(taken)
    screen.assert_translated()


def test_the_page_is_light(open_screen: Open) -> None:
    screen = open_screen("phone")
    sizes: list[int] = []
    screen.page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", "0"))))
    screen.start("brasileira")
    assert 50_000 < sum(sizes) < 300_000


@pytest.mark.parametrize("theme", ["dark", "contrast"])
def test_night_and_contrast_are_readable(open_screen: Open, theme: str) -> None:
    screen = open_screen("phone")
    stored = f"localStorage.setItem('damas.preferences', JSON.stringify({{theme: '{theme}'}}))"
    screen.page.add_init_script(stored)
    screen.go("/", ready="home")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", theme)
    screen.get("play-options").click()
    screen.assert_accessible()
    screen.start("faraes", "W:Wc3:Bb4,d4,f6", time="5+3")
    screen.drag("c3", "a5")
    expect(screen.get("explain")).to_contain_text("Art. 7")
    screen.assert_accessible()
