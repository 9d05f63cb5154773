"""The board by itself: every shape, fingers, and what it shows without colour."""

from playwright.sync_api import expect

from browser.screen import Open


def test_all_shapes_of_boards_are_drawn(open_screen: Open) -> None:
    screen = open_screen("phone")
    for rulebook, squares, pieces in (("turca", 64, 32), ("canadense", 72, 60), ("internacional", 50, 40)):
        screen.start(rulebook)
        expect(screen.page.locator("#board [role=gridcell]")).to_have_count(squares)
        expect(screen.page.locator("#board .piece")).to_have_count(pieces)
        labels = screen.page.locator("#board .labels text")
        height = labels.first.evaluate(
            "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
        )
        assert height >= 10
        screen.assert_fits()


def test_a_rulebook_of_a_smaller_board_is_chosen_after_one_of_a_larger(open_screen: Open) -> None:
    screen = open_screen("phone").go("/", ready="home")
    screen.page.locator("#more-rulebooks").evaluate("details => { details.open = true; }")
    pieces = screen.get("preview").locator(".piece")
    for rulebook, count in (("canadense", 60), ("russa", 24), ("turca", 32), ("brasileira-cbd", 24)):
        screen.get(f"rulebook-chip-{rulebook}").click()
        expect(pieces).to_have_count(count)
        expect(screen.get("preview")).to_have_attribute("rulebook", rulebook)


def test_a_finger_taps_and_drags(open_screen: Open) -> None:
    screen = open_screen("phone", has_touch=True, is_mobile=True)
    screen.start("brasileira")
    for name in ("c3", "d4"):
        screen.square(name).tap()
    expect(screen.get("move-1")).to_have_text("c3-d4")
    start, end = (screen.square(name).bounding_box() for name in ("f6", "g5"))
    assert start and end
    touch = screen.page.context.new_cdp_session(screen.page)

    def finger(kind: str, *boxes: dict[str, float]) -> None:
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2} for box in boxes]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    finger("touchStart", start)
    finger("touchMove", {**start, "x": start["x"] + 10})
    expect(screen.page.locator("#board .piece.ghost")).to_have_count(1)
    finger("touchMove", end)
    finger("touchEnd")
    expect(screen.get("move-2")).to_have_text("f6-g5")


def test_a_finger_need_not_be_exact_on_a_large_board(open_screen: Open) -> None:
    """On 12x12 squares are 30 pixels wide on a phone; with what is theirs of the squares between, 44 and more."""
    screen = open_screen("phone", has_touch=True, is_mobile=True)
    screen.start("canadense")
    mover = screen.page.locator("#board .movable").first
    mover.tap()
    target = screen.page.locator("#board .move-dest").first
    box = target.bounding_box()
    assert box and box["width"] < 44
    # 21 pixels above the middle of the square, where nothing is played
    screen.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 21)
    expect(screen.get("move-1")).to_be_visible()


def test_what_is_shown_does_not_hang_on_colour(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira")
    dashes = screen.page.evaluate(
        """() => {
          const board = document.querySelector('#board');
          board.set({ arrows: ['green', 'red', 'blue', 'yellow'].map((brush, i) => ({ route: [i, 9 + i], brush })) });
          return [...board.querySelectorAll('.arrow .shaft')].map((shaft) => shaft.getAttribute('stroke-dasharray'));
        }"""
    )
    assert len(set(dashes)) == 4
