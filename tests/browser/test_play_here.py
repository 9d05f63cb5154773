"""A game from a position: against a level, a friend or for both sides, from the analysis, a puzzle and a lesson."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browser.screen import Open, Screen

FEN = "B:Wc3,e3:Bd6,f6"


def analysed(open_screen: Open, size: str) -> Screen:
    screen = open_screen(size)
    return screen.go(f"/analysis?rulebook=brasileira&fen={FEN}", ready="analysis")


def game(screen: Screen) -> dict[str, Any]:
    """The game whose page the dialog has opened."""
    screen.page.wait_for_url("**/game/*")
    screen.page.wait_for_selector("body[data-ready=game]")
    name = screen.page.url.rpartition("/")[2]
    return dict(screen.page.request.get(f"{screen.address}/game/export/{name}.json").json())


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_level_and_color_are_asked_for(open_screen: Open, size: str) -> None:
    screen = analysed(open_screen, size)
    screen.get("play-from-here").click()
    expect(screen.get("here-color-black")).to_be_checked()  # the side to move
    screen.assert_accessible()
    screen.assert_fits()
    screen.assert_translated()
    screen.page.keyboard.press("Escape")
    expect(screen.get("play-here-dialog")).to_have_count(0)
    screen.get("play-from-here").click()
    screen.get("here-strength").select_option("2")
    screen.get("here-color-white").check()
    screen.get("here-go").click()
    played = game(screen)
    assert (played["you"], played["start"], played["rulebook"]) == ("white", FEN, "brasileira")
    assert played["black"]["kind"] == "level:2"
    screen.go(f"/analysis?rulebook=brasileira&fen={FEN}", ready="analysis")
    screen.get("play-from-here").click()
    expect(screen.get("here-strength")).to_have_value("2")  # as last time


def test_a_friend_is_invited_and_both_sides_are_played(open_screen: Open) -> None:
    screen = analysed(open_screen, "phone")
    screen.get("play-from-here").click()
    screen.get("here-friend").check()
    expect(screen.get("here-strength")).to_be_hidden()
    screen.get("here-go").click()
    invited = game(screen)
    assert (invited["you"], invited["start"], invited["status"]) == ("black", FEN, "waiting")
    expect(screen.get("waiting-link")).to_be_visible()
    screen.go(f"/analysis?rulebook=brasileira&fen={FEN}", ready="analysis")
    screen.get("play-from-here").click()
    screen.get("here-device").check()
    expect(screen.get("here-color-white")).to_be_hidden()
    screen.get("here-go").click()
    assert game(screen)["you"] == "both"


def test_a_game_goes_on_from_a_puzzle_that_is_over(open_screen: Open) -> None:
    screen = open_screen("phone").go("/puzzles?rulebook=brasileira", ready="puzzles")
    expect(screen.get("play-from-here")).to_be_hidden()  # not before it is solved or given up
    screen.get("solution").click()
    screen.get("play-from-here").click()
    fen = screen.page.evaluate("document.querySelector('#board').position.fen")
    screen.get("here-device").check()
    screen.get("here-go").click()
    assert game(screen)["start"] == fen
    screen.page.go_back()
    screen.page.wait_for_selector("body[data-ready=puzzles]")
    expect(screen.get("play-from-here")).to_be_hidden()


def test_a_game_goes_on_from_a_lesson(open_screen: Open) -> None:
    screen = open_screen("desk").go("/learn/primeiros-lances?step=1", ready="lesson")
    screen.get("play-from-here").click()
    screen.assert_accessible()
    screen.get("here-go").click()
    played = game(screen)
    assert (played["rulebook"], played["you"]) == ("brasileira", "white")
