"""The core counts ply by ply what the stateless text finds in the whole list of moves."""

from collections import Counter

import pytest

from damas import Rulebook
from differential.law_games import books, compare_game

GAMES = 10


@pytest.mark.parametrize("book", books(), ids=lambda book: book.id)
def test_the_core_counts_as_the_text_does(book: Rulebook) -> None:
    compared: Counter[str] = sum((compare_game(book, seed) for seed in range(GAMES)), Counter())
    assert compared["counts"] > 100
    assert compared["ends"] > 10
    assert compared["taken_back"] > 2
    assert compared["resting"] or not book.rests
