"""Training with puzzles: a rating that moves once, the puzzle of the day, a run, and what was missed comes back."""

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Route, expect

from browser.screen import Open, Screen, wait_until
from browser.test_analysis import a_poor_game
from damas.server.learning.puzzle import sheet_of
from damas.server.learning.training import daily_puzzle

BOOK = "portuguesa"


def shown(screen: Screen) -> str:
    """Id of the puzzle on the page."""
    match = re.search(r"id=(\w+)", screen.page.url)
    assert match
    return match[1]


def solve(screen: Screen) -> None:
    for text in screen.solution()[::2]:
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Resolvido")


def enter_wrong(screen: Screen) -> None:
    solution = screen.solution()[0]
    wrong = next(text for text in screen.legal() if text != solution)
    screen.type_move(wrong)
    expect(screen.get("feedback")).to_have_attribute("data-mood", "bad")


def next_puzzle(screen: Screen) -> None:
    before = screen.page.url
    screen.get("next-puzzle").click()
    expect(screen.page).not_to_have_url(before)


def test_a_rating_moves_at_the_first_try_and_what_was_missed_comes_back(screen: Screen) -> None:
    screen.go(f"/puzzles?rulebook={BOOK}", ready="puzzles")
    expect(screen.get("mode-rated")).to_be_checked()
    expect(screen.get("own-rating")).to_have_text("1000")
    screen.assert_accessible()
    screen.assert_fits()
    solve(screen)
    expect(screen.get("rating-change")).to_contain_text(re.compile(r"Sua força: 1\d{3} \(\+\d+\)"))
    expect(screen.get("own-rating")).to_have_text(re.compile(r"^1[1-9]\d\d$"))
    first = screen.get("own-rating").inner_text()
    next_puzzle(screen)
    missed = shown(screen)
    enter_wrong(screen)
    expect(screen.get("rating-change")).to_contain_text("(−")
    second = screen.get("own-rating")
    expect(second).not_to_have_text(first)
    lower = second.inner_text()
    solve(screen)  # a second try
    expect(screen.get("own-rating")).to_have_text(lower)
    expect(screen.get("rating-plot")).to_be_visible()
    expect(screen.get("days")).to_contain_text("1 dia seguido")
    screen.get("mode-review").check()
    expect(screen.get("task")).to_have_text("Nada para rever agora.")
    expect(screen.get("feedback")).to_contain_text("O próximo volta em")
    screen.assert_accessible()
    screen.assert_fits()
    # As if ten minutes had passed.
    deck = f"puzzle:{BOOK}"
    screen.post(f"/api/reviews/{deck}/forget", item=missed)
    screen.post(f"/api/reviews/{deck}", items=[missed])
    screen.go(f"/puzzles?rulebook={BOOK}&mode=review", ready="puzzles")
    expect(screen.get("review-count")).to_have_text("(1)")
    assert shown(screen) == missed
    solve(screen)
    expect(screen.get("rating-change")).to_contain_text("Volta em")
    expect(screen.get("review-count")).to_be_empty()


def test_the_puzzle_of_the_day_is_the_same_for_all(open_screen: Open) -> None:
    before = datetime.now(UTC).date()
    screens = [open_screen() for _ in range(2)]
    names = {shown(screen.go(f"/puzzles?rulebook={BOOK}&mode=daily", ready="puzzles")) for screen in screens}
    after = datetime.now(UTC).date()
    assert names <= {daily_puzzle(sheet_of(BOOK), day) for day in (before, after)}
    screen = screens[0]
    solve(screen)
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=puzzles]")
    # After midnight UTC another puzzle is the one of the day.
    wait_until(
        lambda: screen.get("daily-done").is_visible() or datetime.now(UTC).date() > before, screen.page
    )
    if datetime.now(UTC).date() > before:
        return
    next_puzzle(screen)
    expect(screen.get("mode-rated")).to_be_checked()


def test_a_run_ends_with_the_first_mistake(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go(f"/puzzles?rulebook={BOOK}&mode=run", ready="puzzles")
    expect(screen.get("hint")).to_be_hidden()
    for count in (1, 2):
        solve(screen)
        expect(screen.get("run-line")).to_contain_text(f"{count} resolvido")
        next_puzzle(screen)
    enter_wrong(screen)
    expect(screen.get("run-line")).to_contain_text("Fim da corrida: 2 · melhor corrida: 2")
    expect(screen.get("next-puzzle")).to_contain_text("Nova corrida")
    screen.assert_fits()
    next_puzzle(screen)
    expect(screen.get("run-line")).to_contain_text("0 resolvido")


def test_without_the_server_a_try_is_kept_and_not_rated(open_screen: Open) -> None:
    screen = open_screen(service_workers="block")
    screen.go(f"/puzzles?rulebook={BOOK}", ready="puzzles")
    away = re.compile(r"/api/(training|reviews|puzzles/\w+/\w{8}$)")
    screen.page.route(away, lambda route: route.abort())
    screen.get("solution").click()
    expect(screen.get("rating-change")).to_contain_text("não vale pontos")
    screen.get("mode-run").check()
    expect(screen.get("feedback")).to_contain_text("precisa do servidor")
    screen.page.unroute(away)
    screen.get("mode-rated").check()
    expect(screen.get("hint")).to_be_visible()
    expect(screen.get("own-rating")).to_have_text("1000")
    screen.errors[:] = [error for error in screen.errors if "Failed to load resource" not in error]


POSITION = "W:Wc1,e1,b2,d2,f2,c3,e3,g3,b4,f4:Ba5,e5,d6,f6,h6,a7,c7,e7,f8"
"""White has a shot, b4-c5, that no sheet has."""


def test_a_mistake_of_a_report_becomes_a_puzzle(screen: Screen) -> None:
    screen.go(f"/analysis?rulebook=brasileira&fen={POSITION}&moves=c3-d4.a5xc3xa1", ready="analysis")
    screen.get("report-start").click()
    screen.get("train-mistakes").click()
    expect(screen.get("train-status")).to_contain_text("1 erro virou golpe para rever")
    screen.assert_accessible()
    screen.assert_fits()
    screen.get("train-now").click()
    screen.page.wait_for_selector("body[data-ready=puzzles]")
    expect(screen.get("own-moves")).to_contain_text("da sua partida")
    for text in ("b4-c5", "f4xd6xb8"):
        screen.type_move(text)
    expect(screen.get("feedback")).to_contain_text("Resolvido")
    expect(screen.get("own-moves")).to_contain_text("Na sua partida você jogou c3-d4.")
    expect(screen.get("rating-change")).to_contain_text("Volta em")
    screen.assert_fits()


@pytest.mark.soak
def test_mistakes_of_ones_own_games_are_trained_by_themselves(open_screen: Open) -> None:
    screen = open_screen("desk")
    screen.go("/", ready="home")
    screen.post("/api/account", name="Treinadora", password="uma senha longa")
    game = a_poor_game(screen, "brasileira")

    def as_white(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "you": "white"})

    screen.page.route(f"**/game/export/{game}.json", as_white)  # it was played for both sides
    screen.go(f"/analysis?game={game}", ready="analysis")
    expect(screen.get("train-status")).to_contain_text("para rever")
    expect(screen.get("train-always")).to_be_checked()
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=analysis]")
    expect(screen.get("train-always")).to_be_checked()
    expect(screen.get("train-status")).to_be_empty()  # once a game
