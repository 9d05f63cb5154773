"""The core counts ply by ply what the stateless text finds in the whole list of moves."""

import pytest

from damas import Rulebook
from differential.law_games import Compared, books, compare_game

GAMES = 10


@pytest.mark.parametrize("book", books(), ids=lambda book: book.id)
def test_the_core_counts_as_the_text_does(book: Rulebook) -> None:
    compared = Compared()
    for seed in range(GAMES):
        compared += compare_game(book, seed)
    assert compared.counts > 100
    assert compared.ends > 10
    assert compared.taken_back > 2
    assert compared.resting or not book.rests
