"""Drills in a browser: squares, captures, time, best scores, keys, and without a network."""

import re

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen, tour
from damas import Position, rulebook

FULL_MS = 31_000
STILL = "window.still = 0; performance.now = () => window.still;"
"""Time that passes when a test says so: a busy machine may need longer than the drill."""


def begin(screen: Screen, book: str, kind: str, length: str) -> None:
    screen.go(f"/drills?rulebook={book}&kind={kind}&length={length}", ready="drills")
    screen.get("start").click()
    expect(screen.get("task")).to_be_visible()


def square_of_task(screen: Screen) -> str:
    """The square that a task names."""
    named = re.search(r" (\S+)\.$", screen.get("task").inner_text())
    assert named
    return named[1]


def solve_square(screen: Screen, number: int) -> str:
    expect(screen.get("score")).to_have_text(f"Acertos: {number}")
    name = square_of_task(screen)
    screen.square(name).click()
    return name


def marked(screen: Screen) -> str:
    return str(screen.page.locator("#board .marked").get_attribute("data-name"))


def test_the_squares_of_a_board_are_found_and_the_best_score_stays(screen: Screen) -> None:
    screen.go("/learn", ready="learn")
    screen.get("to-drills").click()
    screen.page.wait_for_selector("body[data-ready=drills]")
    screen.assert_accessible()
    screen.assert_fits()
    expect(screen.get("best")).to_have_text("Ainda sem recorde")
    begin(screen, "portuguesa", "find", "ten")
    expect(screen.page.locator("#board .labels text")).to_have_count(0)
    screen.assert_accessible()
    screen.assert_fits()
    assert screen.box("#board")["bottom"] <= screen.page.viewport_size["height"]  # type: ignore[index]
    first = square_of_task(screen)
    wrong = next(name for name in rulebook("portuguesa").move_names if name != first)
    screen.square(wrong).click()
    expect(screen.get("feedback")).to_have_text(f"Essa é a {wrong}. Tente outra.")
    screen.square(first).click()
    expect(screen.get("time")).to_have_text("1 de 10")
    names = {solve_square(screen, number) for number in range(9)}
    assert names <= {str(number) for number in range(1, 33)}
    expect(screen.get("result")).to_have_text("9 acertos de primeira em 10 perguntas. Novo recorde!")
    expect(screen.get("best")).to_have_text("Seu recorde: 9")
    screen.assert_accessible()
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=drills]")
    expect(screen.get("best")).to_have_text("Seu recorde: 9")
    screen.get("rulebook").select_option("concurso")
    expect(screen.get("best")).to_have_text("Ainda sem recorde")


NUMBERINGS = ("concurso", "portuguesa", "brasileira", "internacional", "frisia", "turca", "canadense")


@pytest.mark.parametrize("book", tour(*NUMBERINGS))
def test_the_marked_square_is_named_by_key_as_its_rulebook_does(open_screen: Open, book: str) -> None:
    screen = open_screen("phone")
    screen.page.add_init_script(STILL)
    begin(screen, book, "name", "30")
    expect(screen.get("time")).to_have_text("30 s")
    assert marked(screen) in rulebook(book).move_names
    for number in range(3):
        expect(screen.get("score")).to_have_text(f"Acertos: {number}")
        offered = screen.get("choices").get_by_role("button").all_inner_texts()
        assert len(set(offered)) == 4
        screen.page.keyboard.press(str(offered.index(marked(screen)) + 1))
    offered = screen.get("choices").get_by_role("button").all_inner_texts()
    wrong = next(name for name in offered if name != marked(screen))
    screen.page.keyboard.press(str(offered.index(wrong) + 1))
    expect(screen.get("feedback")).to_contain_text(wrong)
    screen.assert_accessible()
    screen.page.evaluate("ms => { window.still += ms; }", FULL_MS)
    expect(screen.get("result")).to_have_text("3 acertos de primeira em 3 perguntas. Novo recorde!")
    expect(screen.get("start")).to_be_focused()
    expect(screen.page.locator("#board .labels text")).not_to_have_count(0)


def position(screen: Screen, book: str) -> Position:
    return Position.from_fen(str(screen.page.locator("#board").get_attribute("fen")), book)


def test_captures_are_counted(screen: Screen) -> None:
    begin(screen, "faraes", "count", "ten")
    asked = set()
    for number in range(10):
        expect(screen.get("time")).to_have_text(f"{number} de 10")
        legal = position(screen, "faraes").legal_moves
        is_of_pieces = "quantas peças" in screen.get("task").inner_text()
        asked.add(is_of_pieces)
        right = max(len(move.captured) for move in legal) if is_of_pieces else len(legal)
        if number == 0:
            screen.assert_accessible()
            screen.assert_fits()
            screen.get(f"choice-{right % 6 + 1}").click()
            expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
        screen.get(f"choice-{right}").click()
    expect(screen.get("result")).to_contain_text("9 acertos")


def quiet_try(screen: Screen, book: str) -> str:
    """A step forward of a man of the side to move, which the rules forbid while there is a capture."""
    side, pieces = screen.page.evaluate(
        "() => { const { turn, pieces } = document.querySelector('#board').position; return [turn, pieces]; }"
    )
    names, places = rulebook(book).move_names, rulebook(book).geometry.places
    step = 1 if side == "white" else -1
    return next(
        f"{names[square]}-{names[end]}"
        for square, (row, column) in enumerate(places)
        for end, place in enumerate(places)
        if pieces.get(str(square)) == side[0]
        and str(end) not in pieces
        and place in ((row + step, column - 1), (row + step, column + 1))
    )


def test_the_compulsory_capture_is_played_and_another_move_is_refused(screen: Screen) -> None:
    begin(screen, "faraes", "capture", "ten")
    expect(screen.page.locator("#board .movable")).to_have_count(0)  # it would be no question
    for number in range(10):
        expect(screen.get("time")).to_have_text(f"{number} de 10")
        screen.page.wait_for_function("() => document.querySelector('#board').awaitsMove")
        shown = position(screen, "faraes")
        if number == 0:
            screen.enter(quiet_try(screen, "faraes"))
            expect(screen.get("explain")).to_contain_text("Art.")
            screen.assert_accessible()
            screen.assert_fits()
        screen.enter(shown.legal_moves[0].text)
    expect(screen.get("result")).to_contain_text("9 acertos de primeira em 10")


def test_a_run_is_stopped_by_key_and_leaves_no_score(open_screen: Open) -> None:
    screen = open_screen()
    begin(screen, "brasileira", "find", "60")
    screen.page.keyboard.press("ArrowUp")
    screen.page.keyboard.press("Enter")  # an answer, right or wrong
    expect(screen.get("feedback")).not_to_be_empty()
    screen.get("stop").focus()
    screen.page.keyboard.press("Escape")
    expect(screen.get("setup")).to_be_visible()
    expect(screen.get("result")).to_be_hidden()
    expect(screen.get("best")).to_have_text("Ainda sem recorde")
    expect(screen.get("start")).to_be_focused()


def test_nothing_is_too_wide_for_a_narrow_phone(open_screen: Open) -> None:
    screen = open_screen("phone", "es")
    screen.page.set_viewport_size({"width": 360, "height": 740})
    for kind in ("find", "name", "count", "capture"):
        begin(screen, "concurso", kind, "60")
        screen.assert_fits()
        screen.assert_translated()
        screen.get("stop").click()
        screen.assert_fits()


def test_the_limit_runs_in_the_endings_that_are_linked(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/drills?rulebook=brasileira", ready="drills")
    screen.get("to-endings").click()
    screen.page.wait_for_selector("body[data-ready=endings]")
    screen.go("/endings?rulebook=brasileira&ending=hold-diagonal&seed=5", ready="endings")
    expect(screen.get("best")).to_be_enabled()
    count = screen.page.locator("[data-testid=counters] .count-numbers").first
    shown = []
    for _ in range(2):
        screen.get("best").click()
        text = re.sub(r"^\W+", "", screen.get("feedback").inner_text())
        screen.enter(text)
        expect(screen.get("feedback")).not_to_have_text(text)
        screen.page.wait_for_selector("body:not([aria-busy])")
        shown.append(int(count.inner_text().split("/")[0]))
    assert 0 < shown[0] < shown[1]
