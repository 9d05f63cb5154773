"""Lessons, puzzles, endings, rules and the lens without a network: one visit of the home page, then nothing answers."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, expect

from browser.conftest import Visitors
from browser.network import Connection
from browser.screen import Screen
from browser.test_learn import do, solved
from browser.test_local import lose_server, wait_until_prepared
from damas.server.learning.course import lessons
from damas.server.learning.puzzle import sheet_of

LESSON = "captura"
PUZZLES = sheet_of("portuguesa").sample()
"""Those of a rulebook that is not of the visitor's language."""
QUESTION = {"rulebook": "brasileira", "fen": "W:Wh2,c3:Bd4", "move": "h2-g3"}
"""The refused move of the lesson."""
ASK = """question => fetch('/api/explain', { method: 'POST', body: JSON.stringify(question),
    headers: { 'Content-Type': 'application/json', 'X-Damas': '1' } }).then(answer => answer.json())"""


class Alone(NamedTuple):
    """A phone without a network, and what the server answered to `QUESTION` while there was one."""

    screen: Screen
    explanation: Any


@pytest.fixture(scope="module")
def alone(server: str, chromium: Browser) -> Iterator[Alone]:
    visitors = Visitors(chromium, reuse=False)
    connection = Connection(server)
    screen = Screen(visitors.take("phone", "pt-BR", {}), connection.address)
    screen.go("/", ready="home")
    wait_until_prepared(screen.page)
    explanation = screen.page.evaluate(ASK, QUESTION)
    lose_server(screen, connection)
    yield Alone(screen, explanation)
    visitors.give_back(connection.address)


def test_a_lesson_to_its_end_with_a_refused_move(alone: Alone) -> None:
    screen, explanation = alone
    screen.get("nav-learn").click()
    screen.page.wait_for_selector("body[data-ready=learn]")
    screen.get(f"lesson-{LESSON}").click()
    screen.page.wait_for_selector("body[data-ready=lesson]")
    refused = explanation["refusal"]
    for number, step in enumerate(lessons()[LESSON].step, start=1):
        do(screen, step)
        solved(screen, number)
        if step.tried == QUESTION["move"]:
            expect(screen.get("explain")).to_contain_text(refused["message"])
            expect(screen.get("explain")).to_contain_text(explanation["article_text"])
            link = screen.get("see-article")
            expect(link).to_have_attribute("href", f"/rules/brasileira#{refused['article_id']}")
        screen.get("step-next").click()
    expect(screen.get("lesson-end")).to_be_visible()
    expect(screen.get("offline")).to_be_hidden()
    screen.assert_fits()
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=lesson]")
    solved(screen, 1)  # progress is stored in the browser
    screen.go("/learn", ready="learn")
    expect(screen.page.locator(f"[data-lesson={LESSON}]")).to_have_class(re.compile("is-done"))


def test_a_puzzle_is_solved_and_another_failed(alone: Alone) -> None:
    screen = alone.screen
    gained = next(puzzle for puzzle in PUZZLES if puzzle.goal == "gain")
    screen.go(f"/puzzles?rulebook=portuguesa&id={gained.id}", ready="puzzles")
    for text in gained.line[::2]:
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Resolvido")
    expect(screen.get("streak")).to_have_text("1")
    screen.get("next-puzzle").click()
    expect(screen.get("solution")).to_be_visible()
    wrong = screen.page.evaluate(
        """ids => {
            const { legal } = document.querySelector('#board');
            const solutions = Object.fromEntries(ids);
            const id = new URLSearchParams(location.search).get('id');
            return legal.map(({ text }) => text).find((text) => text !== solutions[id]) ?? '';
        }""",
        [[puzzle.id, puzzle.line[0]] for puzzle in PUZZLES],
    )
    if wrong:
        screen.type_move(wrong)
        expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")
    screen.get("solution").click()
    expect(screen.get("line")).to_be_visible()
    expect(screen.get("streak")).to_have_text("0")
    expect(screen.get("solved-count")).to_contain_text("1 de 2")


def test_a_drill_with_positions_of_this_device(alone: Alone) -> None:
    screen = alone.screen
    screen.go("/drills?rulebook=turca&kind=capture&length=ten", ready="drills")
    screen.get("start").click()
    for number in range(10):
        expect(screen.get("time")).to_have_text(f"{number} de 10")
        screen.page.wait_for_function("() => document.querySelector('#board').awaitsMove")
        screen.enter(screen.legal()[0])
    expect(screen.get("result")).to_contain_text("10 acertos")
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=drills]")
    expect(screen.get("best")).to_have_text("Seu recorde: 10")


def test_an_ending_against_the_tables_of_this_device(alone: Alone) -> None:
    screen = alone.screen
    screen.go("/endings?rulebook=brasileira&ending=three-kings&seed=33", ready="endings")
    expect(screen.get("verdict")).to_contain_text("As brancas ganham em 3 lances")
    for _ in range(30):
        screen.page.wait_for_selector("body:not([aria-busy])")
        if "Ganhou" in screen.get("feedback").inner_text():
            break
        screen.get("best").click()
        text = re.sub(r"^\W+", "", screen.get("feedback").inner_text())
        screen.enter(text)
        expect(screen.get("feedback")).not_to_have_text(text)
    expect(screen.get("feedback")).to_contain_text("Ganhou")


def test_rules_with_an_example_a_refusal_and_a_comparison(alone: Alone) -> None:
    screen = alone.screen
    screen.go("/rules")
    screen.get("rulebook-faraes").click()
    screen.page.wait_for_selector("body[data-ready=rulebook]")
    example = screen.get("example-002-7c")
    example.scroll_into_view_if_needed()
    example.get_by_test_id("try-refused").click()
    expect(example.get_by_test_id("explain")).to_contain_text("Art. 7")
    played = screen.get("example-002-12")
    played.scroll_into_view_if_needed()
    played.get_by_test_id("example-run").click()
    expect(played.locator(".example-status")).to_contain_text("lance 32 de 32")
    screen.get("compare-with").select_option("portuguesa")
    expect(screen.get("difference").locator("table")).to_contain_text("Portuguesa")


def test_the_lens_and_the_way_to_it(alone: Alone) -> None:
    screen = alone.screen
    screen.go("/glossary")
    expect(screen.page.get_by_role("heading", level=1)).to_be_visible()
    screen.page.locator("footer a[href='/lens']").click()
    screen.page.wait_for_selector("body[data-ready=lens]")
    screen.get("sample-landing").click()
    expect(screen.get("lens-oficial")).to_have_attribute("data-moves", "a1xe5")
    expect(screen.get("causes-oficial")).to_contain_text("§4")


def test_a_page_that_is_not_there_leads_to_those_that_are(alone: Alone) -> None:
    screen = alone.screen
    screen.go("/arena")
    expect(screen.get("offline-page")).to_be_visible()
    screen.assert_fits()
    expect(screen.get("kept-pages").get_by_role("link", name="Minhas partidas")).to_be_visible()
    expect(screen.get("kept-pages").get_by_role("link", name="Analisar")).to_be_visible()
    screen.get("kept-pages").get_by_role("link", name="Finais").click()
    screen.page.wait_for_selector("body[data-ready=endings]")
