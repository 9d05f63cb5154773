"""A lesson hour: a teacher at a desk and three pupils on phones do what the page on classes says, in its order."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import zxingcpp
from playwright.sync_api import Page, expect

from browser.screen import SIZES, Open, Screen, tour
from damas.language import entries, keys
from paper.printed import A4_MM, Printed

PAGES = {"run-a-class.md": "en", "de-uma-aula.md": "pt-BR"}
FOLDER = Path(__file__).resolve().parents[2] / "docs/how-to"
LIST = "1. Ana Secreta\n2. Beatriz Oculta\n3. Caetano d'Ávila\nana secreta\n"


def labels(page: str) -> list[str]:
    """The keys of the buttons that a page of the docs names, in its order."""
    language = PAGES[page]
    words = {entries(key)[language]: key for key in keys("pages") if key.startswith("pages.school.")}
    names = re.findall(r"\*\*(.+?)\*\*", " ".join((FOLDER / page).read_text(encoding="utf-8").split()))
    assert [name for name in names if name not in words] == []
    return [words[name].removeprefix("pages.school.") for name in names]


def test_both_pages_have_the_same_steps() -> None:
    # The two words for attention are one in Portuguese, and so are their keys.
    first, second = ([key.replace("held.title", "teacher.eyes") for key in labels(page)] for page in PAGES)
    assert first == second and len(first) == 15


class Hour:
    """The lesson, with a method for each step of the page."""

    def __init__(self, open_screen: Open, language: str) -> None:
        self.teacher = open_screen("desk", language).go("/class", ready="classes")
        self.pupils = [open_screen("phone", language) for _ in range(3)]
        self.pins: dict[int, str] = {}
        self.papers: list[Printed] = []

    def check(self, screen: Screen) -> None:
        screen.assert_accessible()
        screen.assert_fits()
        screen.assert_translated()

    def create(self) -> None:
        self.check(self.teacher)
        self.teacher.get("class-title").fill("5.º A")
        self.teacher.get("class-rulebook").select_option("brasileira")
        self.teacher.get("create-class").click()
        self.teacher.page.wait_for_selector("body[data-ready=class]")

    def add(self) -> None:
        self.teacher.get("paste").fill(LIST)
        self.teacher.get("paste-do").click()
        expect(self.teacher.get("pasted")).to_contain_text("ana secreta")
        expect(self.teacher.get("pupils").locator("li")).to_have_count(3)
        self.note_pins()
        self.check(self.teacher)

    def note_pins(self) -> None:
        pins = (self.teacher.get(f"pin-of-{n}").locator("strong").inner_text() for n in (1, 2, 3))
        self.pins = dict(enumerate(pins, start=1))

    def print_cards(self) -> None:
        with self.teacher.page.context.expect_page() as opened:
            self.teacher.get("cards").click()
        page: Page = opened.value
        page.wait_for_selector("body[data-ready=cards]")
        self.check(Screen(page, self.teacher.address))
        self.papers.append(Printed(page.pdf(prefer_css_page_size=True)))
        page.close()

    def save_cards(self) -> None:
        with self.teacher.page.expect_download() as download:
            self.teacher.get("cards-pdf").click()
        self.papers.append(Printed(download.value.path().read_bytes()))
        for paper in self.papers:
            assert len(paper) == 1 and paper.sizes_mm == {A4_MM}
            for number, pin in self.pins.items():
                assert f"{pin[:3]} {pin[3:]}" in paper.texts[0], number
            assert "d'Ávila" in paper.texts[0]
            code = self.teacher.get("code").inner_text()
            links = {read.text for read in zxingcpp.read_barcodes(paper.picture(scale=3))}
            enter = f"{self.teacher.address}/class/enter#{code}"
            assert links == {f"{enter}.{number}.{pin}" for number, pin in self.pins.items()}

    def new_pins(self) -> None:
        old = dict(self.pins)
        self.teacher.get("all-pins").click()
        self.teacher.get("sure-yes").click()
        expect(self.teacher.get("pin-of-1").locator("strong")).not_to_have_text(old[1])
        self.note_pins()
        assert not set(old.values()) & set(self.pins.values())

    def log_in(self) -> None:
        code = self.teacher.get("code").inner_text()
        by_card, by_name, by_number = self.pupils
        by_card.go("/class/enter", ready="class_enter")
        by_card.go(f"/class/enter#{code}.1.{self.pins[1]}")  # in the same tab: the page is not loaded again
        for screen, name, number in ((by_name, "beatriz oculta", 2), (by_number, "3", 3)):
            screen.go("/class/enter", ready="class_enter")
            if screen is by_name:
                self.check(screen)
            screen.get("enter-code").fill(code.lower())
            screen.get("enter-name").fill(name)
            screen.get("enter-pin").fill(self.pins[number])
            screen.page.keyboard.press("Enter")
        for screen, name in zip(
            self.pupils, ("Ana Secreta", "Beatriz Oculta", "Caetano d'Ávila"), strict=True
        ):
            expect(screen.get("hello")).to_contain_text(name)
        self.check(by_card)
        for number in (1, 2, 3):
            expect(self.teacher.get(f"state-{number}")).to_have_class(re.compile("tag-blue"))

    def shuffle(self) -> None:
        self.teacher.get("shuffle").click()
        expect(self.teacher.get("boards").locator("li")).to_have_count(1)
        players = self.players()
        names = self.teacher.get("boards").locator(".school-board-names").inner_text()
        for screen in players:
            screen.page.wait_for_selector("body[data-ready=game]")
            expect(screen.get("held")).to_be_visible()
            for side in ("white", "black"):
                assert screen.get(f"name-{side}").inner_text() in names
            expect(screen.get("chat")).to_be_hidden()
        self.check(self.teacher)
        self.check(players[0])

    def players(self) -> list[Screen]:
        """The pupils who play, White first."""
        expect(self.teacher.get("boards").locator("li")).to_have_count(1)
        free = next(n for n in (1, 2, 3) if self.teacher.get(f"choose-{n}").is_enabled())
        players = [screen for n, screen in enumerate(self.pupils, 1) if n != free]
        for screen in players:
            screen.page.wait_for_url("**/game/*")
            screen.page.wait_for_selector("body[data-ready=game]")
        first = players[0].page.evaluate("document.querySelector('#player-below').dataset.side")
        return players if first == "white" else players[::-1]

    def start(self) -> None:
        white, black = self.players()
        self.teacher.get("start").click()
        for screen in (white, black):
            expect(screen.get("held")).to_be_hidden()
        white.move("c3", "d4")
        expect(black.get("move-1")).to_be_visible()
        picture = self.teacher.get("boards").locator("img")
        expect(picture).to_have_attribute("src", re.compile("fen=B"))

    def eyes(self) -> None:
        self.teacher.get("eyes").click()
        self.teacher.assert_accessible()
        self.teacher.get("eyes-message").fill("<b>Olhem</b> o quadro")
        self.teacher.get("eyes-do").click()
        for screen in self.pupils:
            expect(screen.get("held")).to_contain_text("<b>Olhem</b> o quadro")
        _, black = self.players()
        black.page.reload()
        expect(black.get("held")).to_contain_text("Olhem")
        self.check(black)

    def go_on(self) -> None:
        _, black = self.players()
        self.teacher.get("start").click()
        for screen in self.pupils:
            expect(screen.get("held")).to_be_hidden()
        black.move("f6", "g5")

    def options(self) -> None:
        self.teacher.get("options").locator("summary").click()
        self.teacher.get("show-link").click()
        expect(self.teacher.get("arbiter-link")).to_have_value(re.compile(r"/class#teacher="))
        self.check(self.teacher)

    def stop(self) -> None:
        players = self.players()
        self.teacher.get("stop").click()
        self.teacher.get("sure-yes").click()
        for screen in players:
            expect(screen.get("result")).to_be_visible()
        # Two taps pair two pupils, and lead them from what they see to their board.
        self.teacher.get("choose-1").click()
        self.teacher.get("choose-2").click()
        expect(self.teacher.get("choose-2")).to_be_disabled()
        self.teacher.get("start").click()
        for screen in self.pupils[:2]:
            expect(screen.get("turn")).not_to_be_empty()
            expect(screen.get("result")).to_be_hidden()

    def give(self) -> None:
        self.teacher.get("homework-kind").select_option("puzzles")
        self.teacher.get("homework-count").fill("2")
        self.teacher.get("homework-give").click()
        expect(self.teacher.get("homework-puzzles")).to_be_visible()
        pupil = self.pupils[2].go("/class", ready="pupil")
        expect(pupil.get("task-puzzles").get_by_role("link")).to_be_visible()
        self.check(pupil)
        sample = pupil.page.request.get(f"{pupil.address}/api/puzzles/brasileira").json()
        first, second = (f"/api/puzzles/brasileira/{puzzle['id']}" for puzzle in sample["puzzles"][:2])
        pupil.post(first, solved=True)
        pupil.page.reload()
        expect(pupil.get("task-puzzles")).to_contain_text(re.compile("1 (de|of) 2"))
        self.check(pupil)
        self.teacher.get("refresh").click()
        expect(self.teacher.get("homework-puzzles")).to_contain_text("Caetano d'Ávila (1/2)")
        pupil.post(second, solved=True)
        pupil.page.reload()
        expect(pupil.get("task-puzzles").locator(".tag")).to_be_visible()
        self.teacher.get("refresh").click()
        expect(self.teacher.get("homework-puzzles")).not_to_contain_text("(1/2)")
        expect(self.teacher.get("homework-puzzles")).to_contain_text("Caetano d'Ávila")

    def save_report(self) -> None:
        with self.teacher.page.expect_download() as download:
            self.teacher.get("csv").click()
        text = download.value.path().read_bytes().decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text), delimiter=";" if ";" in text.splitlines()[0] else ","))
        assert [row[1] for row in rows[1:]] == ["Ana Secreta", "Beatriz Oculta", "Caetano d'Ávila"]
        assert rows[3][-2:] == ["2", "1"]

    def delete(self) -> None:
        self.teacher.get("delete-all").click()
        self.teacher.get("sure-yes").click()
        self.teacher.page.wait_for_selector("body[data-ready=classes]")
        assert self.teacher.get("classes").get_by_role("link").count() == 0
        for screen in self.pupils:
            answer = screen.page.request.get(
                f"{screen.address}/api/class", headers={"Accept": "application/json"}
            )
            assert answer.status == 401
            screen.errors.clear()  # what the page asks for from now on is refused


STEPS: dict[str, Callable[[Hour], None]] = {
    "list.create": Hour.create,
    "teacher.paste": Hour.add,
    "teacher.cards": Hour.print_cards,
    "teacher.cards_pdf": Hour.save_cards,
    "teacher.all_pins": Hour.new_pins,
    "options.title": Hour.options,
    "enter.do": Hour.log_in,
    "teacher.shuffle": Hour.shuffle,
    "teacher.start": Hour.start,
    "teacher.eyes": Hour.eyes,
    "held.title": Hour.eyes,
    "teacher.resume": Hour.go_on,
    "teacher.stop": Hour.stop,
    "homework.give": Hour.give,
    "report.csv": Hour.save_report,
    "options.delete_do": Hour.delete,
}


@pytest.mark.parametrize("page", tour(*PAGES))
def test_a_lesson_is_given_as_the_page_says(open_screen: Open, page: str) -> None:
    hour = Hour(open_screen, PAGES[page])
    for step in labels(page):
        STEPS[step](hour)


@pytest.mark.parametrize("size", tour(*SIZES))
@pytest.mark.parametrize("language", tour("pt-PT", "es", "pt-BR", "en"))
def test_the_teachers_page_fits_in_every_language(open_screen: Open, size: str, language: str) -> None:
    screen = open_screen(size, language)
    made = screen.post("/api/classes", title="A" * 60, rulebook="brasileira")
    screen.post(f"/api/classes/{made['id']}/pupils", text="N" * 60 + "\nAna\nZé")
    screen.page.set_viewport_size({"width": 360 if size == "phone" else 1280, "height": 800})
    screen.go(made["url"], ready="class")
    screen.get("options").locator("summary").click()
    screen.assert_accessible()
    screen.assert_fits()
    screen.assert_translated()
    # By keyboard alone: a pupil is chosen and let go again.
    screen.get("choose-2").focus()
    screen.page.keyboard.press("Enter")
    expect(screen.get("choose-2")).to_have_attribute("aria-pressed", "true")
    expect(screen.get("choose-2")).to_be_focused()
    screen.page.keyboard.press("Escape")
    screen.page.keyboard.press("Enter")
    expect(screen.get("choose-2")).to_have_attribute("aria-pressed", "false")
