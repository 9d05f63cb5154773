"""Flipping any one switch of a rulebook, in the core or in the oracle, makes the comparison fail.

So the comparison cannot agree by accident: each switch is looked at, on both sides, by the seeded positions. That it is
silent without a change is what test_positions.py tests.
"""

from collections import Counter
from functools import cache

import pytest

from damas.rules import rulebook_ids
from differential.mutants import ALL, Mutant, comparison, harmless, impossible

# Most mutants are given away by the first few positions; the rarest (removal at once in oficial) needs some 500.
KILLED_WITHIN, UNHARMED_FOR = 1500, 60


@cache
def kind_of(mutant: Mutant) -> str:
    return "impossible" if impossible(mutant) else "harmless" if harmless(mutant) else "meaningful"


def of_kind(kind: str, book_id: str) -> list[Mutant]:
    return [mutant for mutant in ALL if mutant.book == book_id and kind_of(mutant) == kind]


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_meaningful_change_is_noticed(book_id: str) -> None:
    alive = [str(mutant) for mutant in of_kind("meaningful", book_id) if not noticed(mutant, KILLED_WITHIN)]
    assert not alive


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_change_that_is_called_harmless_changes_nothing(book_id: str) -> None:
    harmful = {
        str(mutant): harmless(mutant)
        for mutant in of_kind("harmless", book_id)
        if noticed(mutant, UNHARMED_FOR)
    }
    assert not harmful


def noticed(mutant: Mutant, count: int) -> str | None:
    return comparison(mutant.book).kill(mutant, count)


def test_what_is_called_impossible_concerns_the_board_alone() -> None:
    """The reader refuses such files: lines go with the squares, and all squares with a board of eight."""
    switches = {mutant.switch for mutant in ALL if kind_of(mutant) == "impossible"}
    assert switches == {"lines", "squares", "size", "corner", "men_rows"}


def test_most_changes_are_meaningful() -> None:
    kinds = Counter(map(kind_of, ALL))
    assert len(ALL) == len(set(ALL)) > 1000
    assert kinds["meaningful"] > 0.8 * len(ALL), kinds
