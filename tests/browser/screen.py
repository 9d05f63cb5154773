"""The page of one visitor, with the actions and checks that tests use."""

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

SIZES = {"phone": (390, 844), "desk": (1280, 800)}


FIND_SERIOUS = """async () => {
    // Style sheets need not be fetched again: their imports are resolved against the page.
    const found = await axe.run({ preload: false, resultTypes: ["violations"] });
    return found.violations
        .filter(rule => ["serious", "critical"].includes(rule.impact))
        .map(rule => [rule.id, rule.nodes.map(node => node.html.slice(0, 160))]);
}"""
"""What axe finds on a page that keeps people from using it: each rule with its elements."""


def tour(first: str, *others: str) -> list[Any]:
    """Parameters of a test: `make test` tries the first, `make soak` the others."""
    return [first, *soaked(*others)]


def soaked(*others: str) -> list[Any]:
    """Parameters that only `make soak` tries."""
    return [pytest.param(other, marks=pytest.mark.soak) for other in others]


TIMEOUT_MS = 60_000
"""How long a page may take before a test fails; a busy machine needs the room."""

expect.set_options(timeout=TIMEOUT_MS)


def wait_until(condition: Callable[[], object], page: Page) -> None:
    """Wait while the page goes on; for what no locator shows."""
    until = time.monotonic() + TIMEOUT_MS / 1000
    while not condition():
        assert time.monotonic() < until
        page.wait_for_timeout(50)


@dataclass
class Screen:
    """A page of one visitor; `errors` are the errors in its console."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)

    def go(self, path: str, ready: str = "") -> "Screen":
        self.page.goto(self.address + path)
        if ready:
            self.page.wait_for_selector(f"body[data-ready={ready}]")
        return self

    def get(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def square(self, name: str) -> Locator:
        return self.page.locator(f'#board [data-name="{name}"]')

    def box(self, selector: str) -> dict[str, float]:
        """Where the first such element is in the window: `left`, `top`, `right`, `bottom`."""
        rectangle = "element => element.getBoundingClientRect().toJSON()"
        return dict(self.page.locator(selector).first.evaluate(rectangle))

    def names(self, state: str) -> set[str]:
        """The squares of a state: `move-dest`, `last-move`, `movable`."""
        names = "cells => cells.map(cell => cell.dataset.name)"  # of one moment: a cell may lose the state meanwhile
        return set(self.page.locator(f"#board .{state}").evaluate_all(names))

    def wait_for_names(self, state: str, names: set[str]) -> None:
        """Waits until these are the squares of a state, and no others."""
        script = """([state, names]) => {
            const cells = document.querySelectorAll(`#board .${state}`);
            const found = new Set([...cells].map(cell => cell.dataset.name));
            return found.size === names.length && names.every(name => found.has(name));
        }"""
        try:
            self.page.wait_for_function(script, arg=[state, sorted(names)])
        except PlaywrightTimeout:
            assert self.names(state) == names

    def tap(self, *names: str) -> None:
        """Clicks squares, whatever the board makes of it."""
        for name in names:
            self.square(name).click()

    def move(self, *names: str) -> None:
        """Clicks the squares of a move, once the visitor may move the piece on the first."""
        self.page.wait_for_function(
            """name => {
                const board = document.querySelector('#board');
                const square = board.querySelector(`[data-name="${name}"]`)?.dataset.square;
                return board.awaitsMove && square !== undefined && board.state.isOwnPiece(Number(square));
            }""",
            arg=names[0],
        )
        self.tap(*names)

    def type_move(self, text: str) -> None:
        """Into the field for moves, once the board allows it."""
        self.page.wait_for_function(
            "text => document.querySelector('#board').legal.some(move => move.text === text)", arg=text
        )
        self.enter(text)

    def enter(self, text: str) -> None:
        """Into the field for moves, allowed or not."""
        self.get("move-input").fill(text)
        self.page.keyboard.press("Enter")

    def drag(self, start: str, end: str) -> None:
        (x, y), (to_x, to_y) = (self.middle(name) for name in (start, end))
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 5, y + 5)
        mouse.move(to_x, to_y, steps=3)
        mouse.up()

    def middle(self, name: str) -> tuple[float, float]:
        """Where the middle of a square is in the window."""
        box = self.square(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def post(self, path: str, **body: Any) -> Any:
        answer = self.page.context.request.post(self.address + path, data=body, headers={"X-Damas": "1"})
        assert answer.ok, answer.text()
        return answer.json()

    def start(self, rulebook: str, fen: str | None = None, **terms: Any) -> str:
        """A new game for two on one device unless the terms say otherwise; its page is open."""
        wanted = {"rulebook": rulebook, "opponent": {"kind": "device"}, "colour": "white", **terms}
        game = str(self.post("/api/games", **wanted | ({"fen": fen} if fen else {}))["id"])
        self.go(f"/game/{game}", ready="game")
        return game

    def sign_up(self) -> "Screen":
        """Gives the visitor an account."""
        self.post("/api/account", name=f"Ana {secrets.token_hex(4)}", password="um cavalo sem sela")
        return self

    def invite(self, guest: "Screen", **terms: Any) -> str:
        """A new game by link against a guest, whose page is open too once both have sat down."""
        game = self.start("brasileira", opponent={"kind": "friend"}, **terms)
        guest.accept(game)
        expect(self.get("turn")).to_contain_text("Sua vez")
        expect(guest.get("turn")).to_contain_text("Vez do adversário")
        return game

    def accept(self, game: str) -> None:
        """Opens the link of an invitation and sits down."""
        self.go(f"/game/{game}", ready="game")
        self.get("invite-accept").click()
        expect(self.get("waiting")).to_be_hidden()

    def resign(self) -> None:
        self.get("resign").click()
        self.get("resign-confirm").click()

    def legal(self) -> list[str]:
        """The legal moves that the board knows, sorted."""
        texts = "document.querySelector('#board').legal.map(move => move.text)"
        return sorted(self.page.evaluate(texts))

    def solution(self) -> list[str]:
        """The moves that solve the puzzle on the board, from the server or the sample that the service worker keeps."""
        solve = """async () => {
            const query = new URLSearchParams(location.search);
            const address = `/api/puzzles/${query.get('rulebook')}`;
            const alone = await fetch(`${address}/${query.get('id')}`).catch(() => null);
            if (alone) return (await alone.json()).line;
            const { puzzles } = await (await fetch(`${address}/sample`)).json();
            return puzzles.find(({ id }) => id === query.get('id')).line;
        }"""
        return list(self.page.evaluate(solve))

    def live(self) -> Locator:
        return self.page.locator('#board [data-testid="live"]')

    def assert_accessible(self) -> None:
        if self.page.evaluate("typeof axe === 'undefined'"):  # half a megabyte, once for each page
            self.page.evaluate(AXE_SCRIPT)
        if serious := self.page.evaluate(FIND_SERIOUS):
            raise AssertionError(f"axe finds {serious}")

    def assert_translated(self) -> None:
        """No key of the catalogue is shown instead of its sentence."""
        text = self.page.locator("body").inner_text()
        rooms = "analysis|arena|board|books|clock|club|drills|frame|games|learn|openings|play|puzzles|rules|school|share|study|table|tv"
        assert not re.search(rf"\b({rooms})\.[a-z_]{{3,}}", text)
        assert "undefined" not in text

    def assert_fits(self) -> None:
        """Nothing is wider than the window."""
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px too wide"


Open = Callable[..., Screen]
