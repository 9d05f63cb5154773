"""Rules, lessons, endings and puzzles in a browser: scenarios P7 and P12."""

import re

import pytest
from playwright.sync_api import expect

from browser.screen import SIZES, Open, Screen, soaked
from damas import Position, rulebook
from damas.server.learning.course import lessons
from damas.server.learning.lesson import Step
from damas.server.learning.puzzle import GRADES, load

LESSON = "/learn/lei-da-maioria"
SQUARES: list[tuple[str, ...]] = [("c3", "g7"), ("h4", "f6"), (), ("c3", "g7"), ("d4", "b6")]
"""What solves the five steps: moves, a move to be refused, and once a number."""


def solved(screen: Screen, step: int) -> None:
    expect(screen.get(f"dot-{step}")).to_have_class(re.compile("is-done"))


def go_on(screen: Screen, step: int) -> None:
    """The step is done and the next one stands there."""
    solved(screen, step)
    screen.get("step-next").click()
    if step < len(SQUARES):
        expect(screen.get("step-of")).to_have_text(f"Passo {step + 1} de 5")


def test_a_lesson_by_mouse(screen: Screen) -> None:  # P7
    screen.go("/learn", ready="learn")
    screen.assert_accessible()
    screen.assert_fits()
    screen.get("lesson-lei-da-maioria").click()
    screen.page.wait_for_selector("body[data-ready=lesson]")
    screen.assert_accessible()
    screen.assert_fits()
    expect(screen.get("step-next")).to_be_disabled()
    screen.move("c3", "g7")
    go_on(screen, 1)
    screen.drag("h4", "f6")
    expect(screen.get("explain")).to_contain_text("Lei da Maioria")
    go_on(screen, 2)
    screen.get("option-1").click()
    expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
    screen.get("option-3").click()
    go_on(screen, 3)
    screen.move("c3", "g7")
    go_on(screen, 4)
    screen.move("d4", "f6")
    go_on(screen, 5)
    expect(screen.get("lesson-end")).to_contain_text("5 passos")


def walk(screen: Screen, name: str) -> None:
    """To a square by keys alone: its row by number, then along it."""
    keys = screen.page.keyboard
    keys.press(name[1])
    for _ in range(8):
        here = str(screen.page.evaluate("document.activeElement.dataset.name"))
        if here == name:
            break
        keys.press("ArrowRight" if here < name else "ArrowLeft")
    assert screen.page.evaluate("document.activeElement.dataset.name") == name


def tab_to(screen: Screen, selector: str) -> None:
    for _ in range(60):
        screen.page.keyboard.press("Tab")
        if screen.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"no {selector} is reached by Tab")


def test_a_lesson_by_keyboard_only(open_screen: Open) -> None:  # P7
    screen = open_screen()
    screen.go(LESSON, ready="lesson")
    keys = screen.page.keyboard
    for step, squares in enumerate(SQUARES, start=1):
        tab_to(screen, "#board [role=gridcell]" if squares else "[data-testid=option-3]")
        for square in squares:
            walk(screen, square)
            keys.press("Enter")
        if not squares:
            keys.press("Enter")
        solved(screen, step)
        expect(screen.get("step-next")).to_be_focused()  # so that Enter goes on
        keys.press("Enter")
    expect(screen.get("lesson-end")).to_be_visible()


def test_progress_survives_a_reload_and_a_lost_browser_store(open_screen: Open) -> None:  # P7
    screen = open_screen()
    screen.go(LESSON, ready="lesson")
    with screen.page.expect_response("**/api/progress"):
        screen.move("c3", "g7")
        solved(screen, 1)
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=lesson]")
    solved(screen, 1)
    expect(screen.get("step-of")).to_have_text("Passo 2 de 5")
    screen.page.evaluate("localStorage.clear()")
    screen.go("/learn", ready="learn")  # the server kept it too, without an account
    expect(screen.get("progress-lei-da-maioria")).to_have_text("1 de 5")


COURSES = {
    "brasileira": ("lei-da-maioria", "phone", "pt-BR"),
    "oficial": ("oficial-dama", "desk", "pt-BR"),
    "faraes": ("peca-tocada", "phone", "pt-BR"),
    "portuguesa": ("dois-tempos", "desk", "pt-PT"),
    "espanhola": ("espanhola-quantidade", "phone", "es"),
    "concurso": ("partida-de-concurso", "desk", "es"),
}
"""One lesson of each course, and who takes it with what."""


@pytest.mark.parametrize(
    "course", ["brasileira", "portuguesa", "concurso", *soaked("oficial", "faraes", "espanhola")]
)
def test_one_lesson_of_each_course_is_played_through(open_screen: Open, course: str) -> None:
    name, size, language = COURSES[course]
    screen = open_screen(size, language)
    screen.go(f"/learn/{course}", ready="learn")
    screen.get(f"lesson-{name}").click()
    screen.page.wait_for_selector("body[data-ready=lesson]")
    screen.assert_accessible()
    play_through(screen, name)
    screen.assert_fits()
    screen.get("to-course").first.dispatch_event("click")
    screen.page.wait_for_selector("body[data-ready=learn]")
    expect(screen.page).to_have_url(re.compile(f"/learn/{course}$"))
    done = {"pt-BR": "completa", "pt-PT": "completa", "es": "completa"}[language]
    expect(screen.get(f"progress-{name}")).to_have_text(done)


@pytest.mark.soak
@pytest.mark.parametrize("name", lessons())
@pytest.mark.parametrize("size", SIZES)
def test_every_step_of_every_lesson_can_be_done(open_screen: Open, name: str, size: str) -> None:  # P7
    language = "pt-PT" if lessons()[name].course == "portuguesa" else "pt-BR"
    screen = open_screen(size, language)
    screen.go(f"/learn/{name}", ready="lesson")
    play_through(screen, name)


def play_through(screen: Screen, name: str) -> None:
    """Every step of a lesson, by typing where there is a move to make."""
    steps = lessons()[name].step
    for number, step in enumerate(steps, start=1):
        expect(screen.get("step-of")).to_contain_text(f" {number} de {len(steps)}")
        do(screen, step)
        solved(screen, number)
        screen.assert_translated()
        screen.get("step-next").click()
    expect(screen.get("lesson-end")).to_be_visible()


def do(screen: Screen, step: Step) -> None:
    """What the step asks for, typed."""
    if step.task == "count":
        screen.get(f"option-{step.answer[0]}").click()
    elif step.task == "choose":
        answer = screen.page.get_by_test_id("options").get_by_role("button")
        right = {texts[0] for texts in step.choices.values()}
        wrong = next(each for each in answer.all() if each.inner_text() not in right)
        wrong.click()
        expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
        next(each for each in answer.all() if each.inner_text() in right).click()
    elif step.task == "watch":
        many = "(button, count) => { for (let clicks = 0; clicks < count; clicks += 1) button.click(); }"
        screen.get("watch-step").evaluate(many, len(step.moves))
    elif step.task == "refused":
        screen.enter(step.tried)
    elif step.task == "lift":
        screen.type_move(step.answer[0])
        lift_in_order(screen, step)
    else:
        for text in step.line[::2] if step.task == "line" else step.answer[:1]:
            screen.type_move(text)


def lift_in_order(screen: Screen, step: Step) -> None:
    """The captured pieces stay when the capturing one has arrived; the last one is not lifted first."""
    (move,) = Position.from_fen(step.position, "portuguesa").legal_moves
    names = [rulebook("portuguesa").move_names[square] for square in move.captured]
    expect(screen.get("feedback")).to_contain_text(str(len(names)))
    screen.square(names[-1]).click()
    expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
    for name in names:
        screen.square(name).click()


@pytest.mark.parametrize(
    ("size", "language", "course", "first"),
    [
        ("phone", "pt-BR", "brasileira", "primeiros-lances"),
        pytest.param("desk", "pt-BR", "brasileira", "primeiros-lances", marks=pytest.mark.soak),
        pytest.param("phone", "pt-PT", "portuguesa", "portuguesa-primeiros-lances", marks=pytest.mark.soak),
        ("desk", "pt-PT", "portuguesa", "portuguesa-primeiros-lances"),
    ],
)
def test_a_first_visit_begins_with_the_readers_course(
    open_screen: Open, size: str, language: str, course: str, first: str
) -> None:
    screen = open_screen(size, language)
    screen.go("/learn", ready="learn")
    screen.assert_fits()
    screen.assert_translated()
    expect(screen.get(f"course-{course}")).to_have_attribute("aria-current", "page")
    screen.get("go-on").click()
    expect(screen.page).to_have_url(re.compile(f"/learn/{first}$"))
    screen.page.wait_for_selector("body[data-ready=lesson]")
    expect(screen.page.locator("#board")).to_have_attribute("rulebook", course)
    expect(screen.page.locator("#board")).to_have_attribute(
        "corner", "left" if course == "brasileira" else "right"
    )


def test_a_spanish_reader_chooses_and_is_led_back_to_the_choice(open_screen: Open) -> None:
    screen = open_screen("phone", "es")
    screen.go("/learn", ready="learn")
    screen.assert_accessible()
    expect(screen.get("go-on")).to_have_count(0)
    screen.get("offer-espanhola").click()
    expect(screen.page).to_have_url(re.compile("/learn/espanhola$"))
    screen.page.wait_for_selector("body[data-ready=learn]")
    screen.go("/learn")
    expect(screen.page).to_have_url(re.compile("/learn/espanhola$"))


@pytest.mark.parametrize(
    ("play", "course"),
    [
        ({"rulebook": "portuguesa-fpd", "preset": "casual"}, "portuguesa"),
        ({"rulebook": "brasileira", "preset": "school"}, "faraes"),
    ],
)
def test_who_plays_by_other_rules_or_in_a_class_learns_those(
    open_screen: Open, play: dict[str, str], course: str
) -> None:
    screen = open_screen()
    screen.go("/offline")
    screen.page.evaluate("play => localStorage.setItem('damas.play', JSON.stringify(play))", play)
    screen.go("/learn")
    expect(screen.page).to_have_url(re.compile(f"/learn/{course}$"))


def test_the_document_is_quoted_and_the_glossary_explains_its_words(screen: Screen) -> None:
    screen.go("/learn/forcada", ready="lesson")
    expect(screen.get("original")).to_contain_text("estando uma no Rio")
    screen.go("/learn/dois-tempos", ready="lesson")  # the sentence of 003-6b is not the one paraphrased here
    expect(screen.get("article")).to_contain_text("tempo")
    expect(screen.get("original")).to_have_count(0)
    screen.go("/learn/portuguesa", ready="learn")
    screen.get("to-glossary").click()
    word = screen.get("word-forcada")
    expect(word).to_contain_text("12 lances")
    screen.assert_accessible()
    screen.assert_fits()
    word.get_by_role("link", name="A forçada").click()
    expect(screen.page).to_have_url(re.compile("/learn/forcada$"))


def test_a_wrong_move_is_answered_and_can_be_shown(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/learn/conselhos?step=1", ready="lesson")
    legal = screen.legal()
    screen.get("show-me").click()
    best = screen.get("feedback").inner_text().removeprefix("› ")
    wrong = next(text for text in legal if not text.startswith(best.split("-")[0]))
    screen.enter(wrong)
    expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
    expect(screen.get("feedback")).to_contain_text(wrong)  # and what punishes it, which the board shows
    expect(screen.page.locator("#board .movable")).not_to_have_count(0)
    screen.enter(best)
    solved(screen, 1)


@pytest.mark.parametrize(("button", "clicks"), [("watch-step", 10), ("watch-run", 1)])
def test_a_count_is_watched_to_its_end(open_screen: Open, button: str, clicks: int) -> None:
    screen = open_screen("phone")
    screen.go("/learn/contagens?step=2", ready="lesson")
    for _ in range(clicks):
        screen.get(button).click()
    expect(screen.get("feedback")).to_contain_text("Empate")
    solved(screen, 2)


@pytest.mark.parametrize(
    ("fen", "brasileira", "missing", "others"),
    [
        (
            "W:WKa1:Bd4",
            "a1xe5 · a1xf6 · a1xg7 · a1xh8",
            3,
            {"portuguesa": "1x19 · 1x23 · 1x28 · 1x32", "concurso": "0,0 1,1"},
        ),
        ("W:WKa1:Bd4,g5", "a1xf6xh4", 1, {}),
    ],
)
def test_the_lens(  # P12
    open_screen: Open, fen: str, brasileira: str, missing: int, others: dict[str, str]
) -> None:
    screen = open_screen()
    screen.go(f"/lens?rulebook=brasileira&fen={fen}", ready="lens")
    for book, moves in {"brasileira": brasileira, "faraes": brasileira, "oficial": "a1xe5", **others}.items():
        expect(screen.get(f"lens-{book}")).to_have_attribute("data-moves", moves)
    expect(screen.get("group-oficial").locator("[data-kind=missing]")).to_have_count(missing)
    expect(screen.get("causes-oficial")).to_contain_text("§4")


def test_the_lens_is_edited_and_shared(screen: Screen) -> None:  # P12
    screen.go("/lens", ready="lens")
    screen.assert_accessible()
    screen.assert_fits()
    before = screen.page.url
    screen.get("edit").click()
    piece = screen.box(".tool-piece")
    assert piece["right"] - piece["left"] > 20, "the editor has its sheet"
    for part in (screen.page.locator("#board"), screen.get("editor")):
        expect(part).to_be_in_viewport(ratio=0.99)  # tools and board together
    screen.get("editor-clear").click()
    expect(screen.get("editor-problem")).to_contain_text("não há nenhuma peça no tabuleiro")
    screen.get("editor-done").click()
    expect(screen.get("editor-problem")).to_contain_text("não há nenhuma peça no tabuleiro")
    screen.get("editor-cancel").click()
    expect(screen.get("editor")).to_be_hidden()
    expect(screen.page.locator("#board .piece")).to_have_count(3)
    assert screen.page.url == before
    screen.get("edit").click()
    screen.get("editor-clear").click()
    screen.get("tool-white_king").check(force=True)
    screen.square("a1").click()
    screen.get("tool-black_man").check(force=True)
    screen.square("d4").click()
    expect(screen.get("fen")).to_have_value("W:WKa1:Bd4")
    expect(screen.page).to_have_url(re.compile("fen="))
    again = screen.page.url
    screen.page.goto(again)
    expect(screen.get("count-oficial")).to_contain_text("1")


def test_the_lens_without_a_position_that_can_be_read(open_screen: Open) -> None:  # P12
    screen = open_screen()
    screen.go("/lens?fen=lixo", ready="lens")
    expect(screen.get("lens-problem")).to_contain_text("lixo")
    expect(screen.page.locator("#board .piece")).to_have_count(3)
    expect(screen.get("count-oficial")).to_contain_text("1")
    screen.errors.clear()  # the browser notes every 400 by itself


def test_the_lens_where_nothing_may_be_copied(open_screen: Open) -> None:
    screen = open_screen()
    on_a_lan = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
    screen.page.add_init_script(on_a_lan)
    screen.go("/lens", ready="lens")
    screen.get("share").click()
    expect(screen.get("share-link")).to_have_value(screen.page.url)
    screen.get("share-copy").click()
    toast = screen.page.locator("dialog[open] .toast")  # elsewhere the dialog would cover it
    expect(toast).to_be_in_viewport()


def test_a_rulebook_is_read_tried_and_compared(screen: Screen) -> None:
    screen.go("/rules")
    screen.assert_accessible()
    screen.assert_fits()
    screen.get("rulebook-faraes").click()
    screen.page.wait_for_selector("body[data-ready=rulebook]")
    screen.assert_fits()
    chip = screen.get("contents").locator(".chip").first
    if screen.page.evaluate("innerWidth") < 720:  # the list of articles waits on a phone
        expect(chip).to_be_hidden()
        screen.get("contents").locator("summary").click()
    expect(chip).to_be_visible()
    example = screen.get("example-002-7c")
    example.scroll_into_view_if_needed()
    example.get_by_test_id("try-refused").click()
    expect(example.get_by_test_id("explain")).to_contain_text("Art. 7")
    screen.go("/rules/faraes#002-9", ready="rulebook")
    example = screen.get("example-002-9")
    example.locator("damas-board [data-name=f6]").click()
    example.locator("damas-board [data-name=b6]").click()
    expect(
        example.get_by_role("status").filter(has_text="Pretas").or_(example.locator(".example-status"))
    ).to_be_visible()
    screen.get("compare-with").select_option("portuguesa")
    expect(screen.get("difference").locator("table")).to_contain_text("Portuguesa")
    screen.assert_accessible()


def test_a_puzzle_is_solved(screen: Screen) -> None:
    screen.go("/puzzles?rulebook=brasileira&grade=2&motif=two", ready="puzzles")
    screen.assert_accessible()
    screen.assert_fits()
    line = screen.solution()
    screen.page.keyboard.press("d")
    expect(screen.get("feedback")).to_contain_text(line[0][:2])
    for text in line[::2]:
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Resolvido")
    expect(screen.get("solved-count")).to_contain_text("1 de")
    expect(screen.get("streak")).to_have_text("0")  # a hint was taken
    screen.get("solution-2").click()
    expect(screen.get("solution-2")).to_have_attribute("aria-current", "step")
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=puzzles]")
    expect(screen.get("solved-count")).to_contain_text("1 de")


def test_a_puzzle_that_is_not_there_is_another(open_screen: Open) -> None:
    screen = open_screen(service_workers="block")  # nobody keeps any
    screen.go("/puzzles?rulebook=brasileira&id=nowhere", ready="puzzles")
    assert screen.page.locator("#board .piece").count() > 0
    lost = re.compile(r"/api/puzzles/brasileira/|/bundle/answers\.js")
    screen.page.route(lost, lambda route: route.abort())
    screen.get("next-puzzle").click()
    expect(screen.get("feedback")).to_contain_text("O servidor não responde")
    expect(screen.get("feedback")).to_contain_text("não estão guardados neste aparelho")
    screen.page.unroute(lost)
    screen.get("next-puzzle").click()
    expect(screen.get("feedback")).to_be_empty()
    screen.errors[:] = [error for error in screen.errors if "Failed to load resource" not in error]


HOLD_THE_REPLY = """
    const later = window.setTimeout;
    window.setTimeout = (go, ms, ...rest) => (ms === 600 ? (window.reply = go, 0) : later(go, ms, ...rest));
"""
"""The opponent of a puzzle answers when the test says so."""


def test_a_hint_is_about_ones_own_move(open_screen: Open) -> None:
    screen = open_screen()
    screen.page.add_init_script(HOLD_THE_REPLY)
    screen.go("/puzzles?rulebook=brasileira&grade=2&motif=two", ready="puzzles")
    line = screen.solution()
    assert len(line) > 2
    screen.get("hint").click()
    screen.type_move(line[0])
    expect(screen.get("feedback")).to_have_attribute("data-mood", "good")
    praise = screen.get("feedback").inner_text()
    screen.get("hint").click()
    expect(screen.get("feedback")).to_have_text(praise)
    screen.page.evaluate("() => { window.reply(); }")
    screen.get("hint").click()  # the first about this move: the piece and not yet its square
    expect(screen.get("feedback")).to_contain_text(line[2][:2])
    expect(screen.page.locator("#board .arrow")).to_have_count(0)
    screen.get("hint").click()
    expect(screen.page.locator("#board .arrow")).to_have_count(1)


def test_a_streak_grows_and_breaks(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/puzzles?rulebook=portuguesa&grade=1", ready="puzzles")
    for _ in range(2):
        for text in screen.solution()[::2]:
            screen.type_move(text)
        expect(screen.get("feedback")).to_contain_text("Resolvido")
        before = screen.page.url
        screen.get("next-puzzle").click()
        expect(screen.page).not_to_have_url(before)
    expect(screen.get("streak")).to_have_text("2")
    screen.get("solution").click()
    expect(screen.get("line")).to_be_visible()
    expect(screen.get("streak")).to_have_text("0")
    expect(screen.get("best-streak")).to_contain_text("2")


def test_puzzles_are_chosen_by_motif_and_grade(screen: Screen) -> None:
    screen.go("/puzzles?rulebook=internacional&mode=free", ready="puzzles")
    before = screen.page.url
    screen.get("motif-choice").select_option("majority")
    expect(screen.page).not_to_have_url(before)
    screen.get("grade-4").click()
    expect(screen.get("grade")).to_contain_text("Grau 4 de 5")
    expect(screen.page).to_have_url(re.compile("rulebook=internacional&motif=majority&grade=4&id="))
    screen.get("solution").click()
    expect(screen.get("motifs")).to_contain_text("lei da maioria")
    screen.assert_accessible()
    screen.assert_fits()
    before = screen.page.url
    screen.get("next-puzzle").click()
    expect(screen.page).not_to_have_url(before)
    expect(screen.get("motifs")).to_be_hidden()
    assert not load("internacional").matching("saved", GRADES[4])
    screen.get("grade-5").click()
    screen.get("motif-choice").select_option("saved")
    expect(screen.get("feedback")).to_have_text("Não há nenhum com este tema e este grau.")
    screen.get("motif-choice").select_option("majority")
    screen.get("rulebook").select_option("concurso")  # it has no such law
    expect(screen.get("motif-choice")).to_have_value("")
    expect(screen.page).to_have_url(re.compile("rulebook=concurso&grade=5&id="))


def test_a_solved_puzzle_ends_with_the_forced_reply(open_screen: Open) -> None:
    puzzle = next(puzzle for puzzle in load("internacional") if len(puzzle.line) == 4)
    end = Position.from_fen(puzzle.fen, "internacional")
    for text in puzzle.line:
        end = end.play(text)
    screen = open_screen()
    screen.go(f"/puzzles?rulebook=internacional&id={puzzle.id}", ready="puzzles")
    for text in puzzle.line[::2]:
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Resolvido")
    screen.page.wait_for_function("fen => document.querySelector('#board').position.fen === fen", arg=end.fen)
    expect(screen.get("solution-4")).to_contain_text("forçado")


def test_an_ending_that_only_one_move_draws(open_screen: Open) -> None:
    puzzle = next(puzzle for puzzle in load("oficial") if puzzle.goal == "draw")
    wrong = next(
        move.text
        for move in Position.from_fen(puzzle.fen, "oficial").legal_moves
        if move.text != puzzle.line[0]
    )
    screen = open_screen()
    screen.go(f"/puzzles?rulebook=oficial&id={puzzle.id}", ready="puzzles")
    expect(screen.get("task")).to_contain_text("jogam e empatam")
    screen.type_move(wrong)
    expect(screen.get("feedback")).to_contain_text(f"{wrong} perde")
    for text in puzzle.line[::2]:
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Só assim se empata")


def test_an_ending_is_won_against_the_tables(screen: Screen) -> None:
    screen.go("/endings?rulebook=brasileira&ending=two-men&seed=5", ready="endings")
    expect(screen.get("verdict")).not_to_be_empty()  # tables are made when first needed
    screen.assert_accessible()
    screen.assert_fits()
    for _ in range(30):
        if "Ganhou" in screen.get("feedback").inner_text():
            break
        screen.page.wait_for_selector("body:not([aria-busy])")
        screen.get("best").click()
        text = re.sub(r"^\W+", "", screen.get("feedback").inner_text())
        screen.enter(text)
        screen.page.wait_for_selector("body:not([aria-busy])")
        expect(screen.get("feedback")).not_to_have_text(text)
    expect(screen.get("feedback")).to_contain_text("Ganhou")
    expect(screen.get("best")).to_be_disabled()
    screen.get("take-back").click()
    expect(screen.get("best")).to_be_enabled()
    screen.get("same").click()
    expect(screen.get("best")).to_be_enabled()
    expect(screen.get("take-back")).to_be_disabled()
