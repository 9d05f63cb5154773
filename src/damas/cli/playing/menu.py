"""The few questions before a game, for those who typed nothing but `damas play`. Enter takes the first answer."""

from collections.abc import Callable, Sequence

from damas.cli import page
from damas.cli.playing.keyboard import Keyboard
from damas.language import sentence
from damas.rules import rulebook_ids
from damas.rules.about import about
from damas.rules.library import builtin_id, home_rulebooks
from damas.rules.readings import readings_of


class Menu:
    """Asks for the rulebook, the opponent and the colour."""

    def __init__(self, keyboard: Keyboard, language: str) -> None:
        self._keyboard = keyboard
        self._language = language

    def rulebook(self) -> str:
        """The id of a rulebook."""
        home = home_rulebooks(self._language)
        offered = [name for name in rulebook_ids() if about(name).document or about(name).home]
        ordered = dict.fromkeys([*home, *offered])
        choices = [
            name for book in ordered for name in (book, *(reading.id for reading in readings_of(book)))
        ]
        print(self._word("welcome") + "\n")
        rows = [
            (str(number), name, about(name).summary[self._language])
            for number, name in enumerate(choices, start=1)
        ]
        print(page.table(rows, indent=2) + "\n")
        return self._ask("rules", choices, accepts=builtin_id)

    def against(self) -> str:
        """`computer` or `person`."""
        return self._ask("opponent", ("computer", "person"))

    def color(self) -> str:
        """`white`, `black` or `lot`."""
        return self._ask("colour", ("white", "black", "lot"))

    def _ask(
        self, question: str, choices: Sequence[str], accepts: Callable[[str], object] | None = None
    ) -> str:
        """The choice that was typed, by its number or itself, or another text that `accepts` takes."""
        while True:
            answer = self._keyboard.line(f"{self._word(question)} ")
            typed = "1" if answer is None else answer.strip().lower() or "1"
            if typed.isdecimal() and 1 <= int(typed) <= len(choices):
                return choices[int(typed) - 1]
            if typed in choices or (accepts and accepts(typed)):
                return typed
            print(self._word("again", count=len(choices)))

    def _word(self, key: str, **facts: object) -> str:
        return sentence(f"play.menu.{key}", self._language, **facts)
