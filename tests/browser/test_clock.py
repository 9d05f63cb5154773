"""The clock for a real board: a phone between the players, keys at a desk, a killed page, no network."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import BrowserContext, Error, expect

from browser.conftest import Visitors
from browser.screen import Open, Screen, tour, wait_until


@pytest.fixture(scope="module")
def visitors(chromium: object) -> Visitors:
    """A page of these tests is killed, and another leaves with its worker: no context is used again."""
    return Visitors(chromium, reuse=False)  # type: ignore[arg-type]


def begin(screen: Screen, **minutes: str) -> None:
    """Opens the clock, with a preset or with minutes and seconds of one's own."""
    screen.go("/clock", ready="clock")
    screen.get(f"clock-time-{minutes.get('preset', 'own')}").check(force=True)
    for name, value in minutes.items():
        if name != "preset":
            screen.get(f"clock-{name}").fill(value)
    screen.get("clock-begin").click()


def seconds(screen: Screen, half: int) -> float:
    """What a half of the clock shows."""
    total = 0.0
    for part in screen.get(f"dial-{half}").inner_text().split(":"):
        total = total * 60 + float(part)
    return total


def set_times(screen: Screen, white: tuple[int, int], black: tuple[int, int]) -> None:
    """The arbiter's correction of a clock that stands still."""
    screen.get("clock-correct").click()
    for side, (whole, rest) in {"white": white, "black": black}.items():
        screen.get(f"clock-{side}-minutes").fill(str(whole))
        screen.get(f"clock-{side}-seconds").fill(str(rest))
    screen.get("clock-correct-apply").click()


@pytest.mark.parametrize("language", tour("pt-BR", "pt-PT", "es", "en"))
def test_a_phone_between_the_players(open_screen: Open, language: str) -> None:
    screen = open_screen("phone", language, has_touch=True)
    screen.go("/clock", ready="clock")
    screen.assert_translated()
    screen.assert_fits()
    begin(screen, preset="21")
    expect(screen.get("clock-both")).to_be_checked()  # as the Circuito plays it
    expect(screen.get("clock-writes")).not_to_be_checked()
    upper, lower = (screen.box(f"[data-testid=half-{half}]") for half in (0, 1))
    assert upper["bottom"] <= lower["top"] and lower["bottom"] <= 844 and lower["right"] <= 390
    assert "matrix(-1" in screen.get("half-0").evaluate(
        "half => getComputedStyle(half.parentElement).transform"
    )
    for half in (0, 1):
        fitting = (
            "dial => [dial.scrollWidth <= dial.clientWidth, parseFloat(getComputedStyle(dial).fontSize)]"
        )
        fits, size = screen.get(f"dial-{half}").evaluate(fitting)
        assert fits and size > 90
    screen.assert_accessible()
    screen.assert_translated()

    screen.get("half-0").tap()  # Black is above and starts the time of White
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    expect(screen.get("half-1")).to_have_attribute("data-side", "white")
    screen.get("half-0").tap()  # not this player's turn
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    screen.get("half-1").tap()
    expect(screen.get("half-0")).to_have_class(re.compile("running"))
    expect(screen.get("moves-1")).to_have_text(re.compile("^1 "))
    screen.assert_accessible()
    screen.assert_fits()

    screen.get("clock-pause").click()
    for button in screen.page.locator("#clock-bar button").all():
        box = button.bounding_box()
        assert box is not None and min(box["width"], box["height"]) >= 44
    set_times(screen, (12, 5), (4, 0))
    expect(screen.get("dial-1")).to_have_text("12:05")
    expect(screen.get("dial-0")).to_have_text("4:00")
    screen.get("clock-correct").click()
    expect(screen.get("clock-corrections")).to_contain_text(re.compile(r"2[01]:\d\d → 4:00"))
    screen.get("clock-white-seconds").fill("9")
    expect(screen.get("clock-white-change")).to_have_text("12:05 → 12:09")
    screen.assert_accessible()
    screen.page.keyboard.press("Escape")
    expect(screen.page.locator("dialog")).to_have_count(0)
    expect(screen.get("dial-1")).to_have_text("12:05")

    screen.get("clock-next").click()  # the players change colours and keep their times
    expect(screen.get("half-0")).to_have_attribute("data-side", "white")
    assert (seconds(screen, 0), seconds(screen, 1)) == (240, 725)
    screen.get("half-1").tap()
    expect(screen.get("half-0")).to_have_class(re.compile("running"))
    screen.page.reload()
    expect(screen.get("half-0")).to_have_class(re.compile("running"))
    assert seconds(screen, 0) <= 240 and seconds(screen, 1) == 725
    screen.assert_translated()


def test_keys_at_a_desk_and_a_flag_that_falls_once(open_screen: Open) -> None:
    screen = open_screen("desk", "en")
    begin(screen, minutes="45", seconds="0")
    expect(screen.get("clock-writes")).to_be_checked()  # more than 30 minutes: moves are written
    expect(screen.get("writing-0")).to_have_text("Writes the moves")
    keys = screen.page.keyboard
    keys.press("Space")
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    keys.press("a")  # the left hand's side does not move now
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    keys.press("Enter")
    expect(screen.get("half-0")).to_have_class(re.compile("running"))
    keys.press("a")
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    keys.press("Escape")
    expect(screen.get("clock-resume")).to_be_visible()
    keys.press("Space")
    expect(screen.get("moves-1")).to_have_text("1 move")
    set_times(screen, (0, 1), (6, 0))
    expect(screen.get("writing-1")).to_contain_text("no need to write")
    expect(screen.get("writing-0")).to_have_text("Writes the moves")
    keys.press("Escape")
    expect(screen.get("half-1")).to_have_class(re.compile("fallen"))
    fell = screen.get("clock-status").inner_text()
    assert re.match("Time is up: White, at ", fell)
    keys.press("Space")
    screen.get("half-1").click()
    screen.page.reload()
    screen.page.wait_for_selector("body[data-ready=clock]")
    expect(screen.get("half-1")).to_have_class(re.compile("fallen"))
    expect(screen.get("clock-status")).to_have_text(fell)
    expect(screen.get("dial-0")).to_have_text("6:00")
    screen.assert_accessible()
    screen.get("clock-new").click()
    screen.get("clock-new-sure").click()
    expect(screen.get("clock-form")).to_be_visible()
    screen.page.reload()
    expect(screen.get("clock-form")).to_be_visible()

    screen.go("/clock?time=3+2", ready="clock")
    expect(screen.get("clock-time-3+2")).to_be_checked()
    screen.go("/clock", ready="clock")

    begin(screen, preset="21")  # a second game that is not begun is left for another clock
    keys.press("Space")
    keys.press("Escape")
    screen.get("clock-next").click()
    screen.get("clock-new").click()
    screen.get("clock-new-stay").click()
    screen.get("clock-new").click()
    screen.get("clock-new-sure").click()
    begin(screen, preset="5")
    expect(screen.get("clock-new")).to_be_visible()
    expect(screen.get("clock-new-sure")).to_have_count(0)


def opened_again(context: BrowserContext, screen: Screen) -> Screen:
    """The clock in a new page of the same browser."""
    return Screen(context.new_page(), screen.address).go("/clock", ready="clock")


def test_a_killed_page_loses_no_time(open_screen: Open) -> None:
    screen = open_screen("phone", "en")
    requests = "() => { const ask = navigator.wakeLock.request.bind(navigator.wakeLock); window.locks = 0;"
    wrap = "navigator.wakeLock.request = (kind) => { window.locks += 1; return ask(kind); }; }"
    screen.page.add_init_script(f"({requests}{wrap})()")
    begin(screen, preset="3+2")
    screen.get("half-0").click()
    screen.get("half-1").click()
    expect(screen.get("half-0")).to_have_class(re.compile("running"))
    assert screen.page.evaluate("window.locks") > 0  # the phone is kept from sleeping
    white, begun = seconds(screen, 1), screen.page.evaluate("Date.now()")
    wait_until(lambda: seconds(screen, 0) < 180, screen.page)
    context = screen.page.context
    with screen.page.expect_event("crash"), suppress(Error):  # its process ends at once
        screen.page.goto("chrome://crash")
    again = opened_again(context, screen)
    expect(again.get("half-0")).to_have_class(re.compile("running"))
    passed = (again.page.evaluate("Date.now()") - begun) / 1000
    assert seconds(again, 1) == white
    assert seconds(again, 0) <= 181 - passed + 1


def test_the_clock_opens_without_a_network(open_screen: Open) -> None:
    screen = open_screen("phone")
    screen.go("/clock", ready="clock")
    screen.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    kept = (
        "async () => (await caches.match('/clock', { ignoreSearch: true, ignoreVary: true })) !== undefined"
    )
    wait_until(lambda: screen.page.evaluate(kept), screen.page)
    screen.page.context.set_offline(True)
    begin(screen, preset="5")
    screen.get("half-0").click()
    screen.page.reload()
    expect(screen.get("half-1")).to_have_class(re.compile("running"))
    screen.errors.clear()  # the browser notes what it could not fetch
