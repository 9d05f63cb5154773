"""Where the text decides first, the letter and the default give one outcome: a few games of each document.

`tests/differential/letter.py` compares 20,000 and more.
"""

from collections import Counter

import pytest

from damas.rules import rulebook
from damas.rules.library import edition
from differential.letter import DOCUMENTS, compare

GAMES = 60


@pytest.mark.parametrize("book_id", DOCUMENTS)
def test_the_platform_never_comes_before_the_text(book_id: str) -> None:
    book = rulebook(book_id)
    compared = [compare(book, f"1/{number}") for number in range(GAMES)]
    assert [one.difference for one in compared if one.difference] == []
    ends = Counter(one.end for one in compared)
    assert ends["text"] > GAMES / 2
    assert bool(ends["platform"]) == any(rule.platform for rule in book.draws)
    own = {rule.id for rule in book.draws if not rule.platform}
    assert own <= {one.rule for one in compared}, "a limit of the text that no game reached"


@pytest.mark.parametrize(
    ("book_id", "hash"),
    [("brasileira", "09dacc11b9ebdb2e"), ("faraes", "ec7faa3c76676f71"), ("concurso", "f92765d7b1375960")],
)
def test_earlier_editions_in_which_it_did_are_noticed(book_id: str, hash: str) -> None:
    """Their platform rules drew or decided games that the text was still counting."""
    book = edition(book_id, hash)
    assert book.hash == hash
    assert any(compare(book, f"1/{number}").difference for number in range(20 * GAMES))
