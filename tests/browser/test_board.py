"""The board by itself: every geometry, fingers, and what it shows without colour."""

from playwright.sync_api import expect

from browser.screen import Open

GEOMETRIES = """async () => {
  const { Geometry } = await import('/static/board/geometry.js');
  const { rulebooks } = await (await fetch('/api/rulebooks')).json();
  const wrong = [];
  for (const { id } of rulebooks) {
    const { board } = await (await fetch(`/api/rulebook/${id}`)).json();
    const [white, black] = ['white', 'black'].map((side) => new Geometry(board, side));
    const last = board.size - 1;
    board.squares.forEach((named, square) => {
      const a = white.cells[square], b = black.cells[square];
      if (a.x + b.x !== last || a.y + b.y !== last) wrong.push(`${id} ${named.alg}: turned twice is not itself`);
      if (white.squareAt(a.x, a.y) !== square || black.squareAt(b.x, b.y) !== square) wrong.push(`${id} ${named.alg}: not found again`);
      if (a.x !== named.column || a.y !== last - named.row) wrong.push(`${id} ${named.alg}: not where White sees it`);
      for (const [there, back] of [['ArrowUp', 'ArrowDown'], ['ArrowDown', 'ArrowUp'], ['ArrowLeft', 'ArrowRight']]) {
        const next = white.step(square, there);
        if (next >= 0 && white.step(next, back) !== square) wrong.push(`${id} ${named.alg}: ${there} and back`);
      }
    });
    const corner = board.squares.some(({ row, column }) => row === 0 && column === 0);
    if (!board.all_squares && corner !== (board.corner === 'left')) wrong.push(`${id}: the wrong corner`);
  }
  return { wrong, boards: rulebooks.length };
}"""


def test_every_board_is_the_same_from_both_sides(open_screen: Open) -> None:
    screen = open_screen()
    screen.go("/", ready="home")
    found = screen.page.evaluate(GEOMETRIES)
    assert found["wrong"] == []
    assert found["boards"] >= 6


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
    middle, radius = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), 22
    screen.page.touchscreen.tap(
        middle[0], middle[1] - radius + 1
    )  # above the square, where nothing is played
    expect(screen.get("move-1")).to_be_visible()


def test_what_is_shown_does_not_hang_on_colour(open_screen: Open) -> None:
    screen = open_screen()
    screen.start("brasileira")
    dashes = screen.page.evaluate(
        """() => {
          const board = document.querySelector('#board');
          board.arrows = ['green', 'red', 'blue', 'yellow'].map((brush, i) => ({ route: [i, 9 + i], brush }));
          return [...board.querySelectorAll('.arrow .shaft')].map((shaft) => shaft.getAttribute('stroke-dasharray'));
        }"""
    )
    assert len(set(dashes)) == 4
