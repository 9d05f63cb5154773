"""A move entered before its turn: shown, cancelled, played at once or dropped; never where an attempt costs something."""

import re
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from browser.screen import Open, Screen, wait_until

TWO_JUMPS = "W:We5,c3,h2:Bf6,g7"
"""After h2-g3 Black has to capture two pieces: f6xd4xb2."""


def table(open_screen: Open, size: str, fen: str | None = None, **terms: Any) -> tuple[Screen, Screen]:
    """White at a desk and Black, who waits for the turn, at the given size."""
    white, black = open_screen("desk"), open_screen(size)
    white.invite(black, **terms, **({"fen": fen} if fen else {}))
    return white, black


def moves(screen: Screen) -> list[str]:
    return list(screen.page.locator("#moves .move").evaluate_all("all => all.map(move => move.dataset.move)"))


def expect_moves(screen: Screen, *texts: str) -> None:
    wait_until(lambda: moves(screen) == list(texts), screen.page)


def expect_on_both(white: Screen, black: Screen, *texts: str) -> None:
    """Each has heard of all moves: whoever has just moved may enter a premove again."""
    for screen in (white, black):
        expect_moves(screen, *texts)


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_premove_is_shown_and_played_at_once(open_screen: Open, size: str) -> None:
    white, black = table(open_screen, size)
    black.tap("f6")
    black.wait_for_names("premove", {"f6"})
    black.tap("g5")
    black.wait_for_names("premove", {"f6", "g5"})
    expect(black.page.locator("#board .arrow.brush-blue")).to_have_count(1)
    expect(black.live()).to_contain_text("Lance antecipado: f6 g5")
    expect(black.square("g5")).to_have_attribute("aria-label", re.compile("do lance antecipado"))
    black.assert_accessible()
    assert white.names("premove") == set()  # nobody else knows of it
    assert moves(black) == []
    white.move("c3", "d4")
    expect_on_both(white, black, "c3-d4", "f6-g5")
    black.wait_for_names("premove", set())
    black.drag("g7", "f6")
    black.wait_for_names("premove", {"g7", "f6"})
    white.move("g3", "h4")
    expect_moves(white, "c3-d4", "f6-g5", "g3-h4", "g7-f6")
    black.wait_for_names("premove", set())


@pytest.mark.parametrize("size", ["phone", "desk"])
def test_a_whole_capture_is_entered_before_its_turn(open_screen: Open, size: str) -> None:
    white, black = table(open_screen, size, TWO_JUMPS)
    black.tap("f6", "d4", "b2")
    black.wait_for_names("premove", {"f6", "d4", "b2"})
    white.move("h2", "g3")
    expect_moves(white, "h2-g3", "f6xd4xb2")


def test_a_premove_that_is_not_legal_is_dropped_with_a_quiet_sign(open_screen: Open) -> None:
    white, black = table(open_screen, "phone", TWO_JUMPS)
    black.tap("g7", "h6")
    white.move("h2", "g3")
    expect(black.get("board-hint")).to_have_text("O lance antecipado já não serve")
    expect(black.get("refusal")).to_be_hidden()
    expect_moves(white, "h2-g3")
    black.wait_for_names("premove", set())
    black.move("f6", "d4")
    expect_moves(white, "h2-g3", "f6xd4xb2")


def test_a_premove_is_cancelled_and_entered_by_keys_and_text(open_screen: Open) -> None:
    white, black = table(open_screen, "desk")
    black.tap("f6", "g5", "f6")  # a tap on its piece
    black.wait_for_names("premove", set())
    expect(black.live()).to_have_text("Lance antecipado cancelado")
    black.tap("f6", "g5", "a5")  # or where the piece cannot go
    black.wait_for_names("premove", set())
    black.tap("f6", "g5")
    black.square("a1").click(button="right")
    black.wait_for_names("premove", set())
    black.square("f6").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        black.page.keyboard.press(key)
    assert black.names("premove") in ({"f6", "e5"}, {"f6", "g5"})
    black.page.keyboard.press("Escape")
    black.wait_for_names("premove", set())
    black.enter("f6-g5")
    black.wait_for_names("premove", {"f6", "g5"})
    black.page.locator("#board").evaluate("board => document.activeElement.blur()")
    black.page.keyboard.press("Escape")  # anywhere on the page
    black.wait_for_names("premove", set())
    black.tap("f6", "g5", "b6")  # another piece instead
    black.tap("a5")
    black.wait_for_names("premove", {"b6", "a5"})
    white.move("c3", "d4")
    expect_on_both(white, black, "c3-d4", "b6-a5")
    black.tap("f6", "g5")
    black.get("replay-first").click()  # an earlier position hides it, and keeps it
    black.wait_for_names("premove", set())
    black.get("replay-last").click()
    black.wait_for_names("premove", {"f6", "g5"})
    black.get("replay-first").click()
    black.wait_for_names("premove", set())
    white.move("g3", "h4")
    expect_moves(white, "c3-d4", "b6-a5", "g3-h4", "f6-g5")


def test_the_turn_comes_while_another_piece_is_dragged(open_screen: Open) -> None:
    white, black = table(open_screen, "desk")
    black.tap("f6", "g5")
    (x, y), (to_x, to_y) = black.middle("b6"), black.middle("a5")
    mouse = black.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 8, y + 8)
    black.wait_for_names("premove", {"b6"})  # whoever changes their mind drops what they entered before
    white.move("c3", "d4")
    expect(black.get("turn")).to_contain_text("Sua vez")
    mouse.move(to_x, to_y, steps=3)
    mouse.up()
    expect_on_both(white, black, "c3-d4", "b6-a5")
    (x, y), _ = black.middle("f6"), black.drag("g7", "f6")
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 5, y + 5)  # a finger that trembles
    mouse.up()
    black.wait_for_names("premove", {"f6"})


def test_a_move_that_is_taken_back_plays_no_premove(open_screen: Open) -> None:
    white, black = table(open_screen, "phone")
    white.move("c3", "d4")
    black.move("f6", "g5")
    expect_on_both(white, black, "c3-d4", "f6-g5")
    black.get("take-back").click()
    black.tap("g7", "f6")
    black.wait_for_names("premove", {"g7", "f6"})
    white.get("grant").click()
    expect_moves(black, "c3-d4")
    expect(black.get("board-hint")).to_have_text("O lance antecipado já não serve")


def test_a_premove_against_a_level(open_screen: Open) -> None:
    screen = open_screen("phone")
    held: list[str | bytes] = []
    release: list[WebSocketRoute] = []

    def hold(page: WebSocketRoute) -> None:
        """Keeps the level's moves back until they are released."""
        server = page.connect_to_server()

        def forward(message: str | bytes) -> None:
            text = str(message)
            is_reply = '"kind":"moved"' in text and '"by":"black"' in text
            (held.append if is_reply and not release else page.send)(message)

        server.on_message(forward)
        pages.append(page)

    pages: list[WebSocketRoute] = []
    screen.page.route_web_socket(re.compile("/socket"), hold)
    screen.start("brasileira", opponent={"kind": "level", "level": 1})
    screen.move("c3", "b4")
    wait_until(lambda: held, screen.page)
    expect_moves(screen, "c3-b4")
    screen.tap("a3", "c5")  # whatever it plays: a capture that comes to nothing is dropped
    screen.wait_for_names("premove", {"a3", "c5"})
    screen.tap("a3")
    screen.wait_for_names("premove", set())
    screen.tap("g3", "h4")
    screen.wait_for_names("premove", {"g3", "h4"})
    release.extend(pages)
    for message in held:
        pages[-1].send(message)
    screen.wait_for_names("premove", set())
    assert len(moves(screen)) >= 2


@pytest.mark.parametrize("preset", ["school", "club", "contest"])
def test_no_premove_where_an_attempt_costs_something(open_screen: Open, preset: str) -> None:
    screen = open_screen("phone")
    screen.start("faraes", opponent={"kind": "level", "level": 1}, preset=preset, colour="black", time="20")
    assert screen.page.evaluate("document.querySelector('#board').state.premoves") is False


def test_whoever_wants_no_premoves_switches_them_off(open_screen: Open) -> None:
    _, black = table(open_screen, "phone")
    black.tap("f6", "g5")
    black.get("settings").click()
    black.get("set-premoves").uncheck()
    black.page.keyboard.press("Escape")
    black.wait_for_names("premove", set())
    black.tap("f6")
    expect(black.get("board-hint")).to_contain_text("É a vez do outro lado")
