"""Rulebooks that several threads ask for at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from damas.rules import library
from damas.rules.library import edition, is_builtin, rulebook


def test_threads_that_ask_together_get_the_same_rulebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game under a second object cited no articles, and its record did not hold when it was replayed."""
    today = rulebook("internacional").hash
    monkeypatch.setattr(library, "_made", {})
    monkeypatch.setattr(library, "_made_editions", {})
    before, together = sys.getswitchinterval(), Barrier(8)

    def ask(_: int) -> tuple[object, bool]:
        together.wait(60)
        book = edition("internacional", today)
        return book, is_builtin(book)

    sys.setswitchinterval(1e-6)
    try:
        library._builtin.cache_clear()
        library.earlier_editions.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(ask, range(8)))
    finally:
        sys.setswitchinterval(before)
        monkeypatch.undo()
        library._builtin.cache_clear()  # those that others hold are the built-in ones again
        library.earlier_editions.cache_clear()
    assert len({id(book) for book, _ in answers}) == 1 and all(known for _, known in answers)
    assert is_builtin(rulebook("internacional"))
