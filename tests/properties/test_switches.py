"""One truth, checked: every switch read back from the core is the one the rulebook's file answers."""

import pytest

from damas import Position, rulebook
from damas._core import Rules
from damas.game.core import core_rules, rules_of
from damas.rules import rulebook_ids
from damas.rules.schema import MOVE_SWITCHES, PRIORITIES


def read_back(rules: Rules, key: str) -> object:
    """The answer that the core has for a switch, in the words of the file."""
    value = getattr(rules, key)
    if key == "capture_priority":
        return tuple(PRIORITIES[number - 1] for number in value)
    return value if isinstance(value, bool) else MOVE_SWITCHES[key][value]


@pytest.mark.parametrize("book_id", rulebook_ids())
@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "run-time"])
def test_the_core_answers_as_the_file(book_id: str, interpreted: bool) -> None:
    book = rulebook(book_id)
    rules = core_rules(book, interpreted=interpreted)
    assert rules.compiled is not interpreted
    for key in MOVE_SWITCHES:
        assert read_back(rules, key) == getattr(book, key).value
    assert rules.size == book.size.value
    assert rules.all_squares is (book.squares.value == "all") is (book.lines.value == "orthogonal")
    assert rules.squares == len(book.geometry.squares)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_changed_switch_is_read_back_changed(book_id: str) -> None:
    """So that the test above cannot pass on answers that never reach the core."""
    book = rulebook(book_id)
    for key, allowed in MOVE_SWITCHES.items():
        was = getattr(book, key).value
        value = tuple(reversed(PRIORITIES)) if allowed is PRIORITIES else next(v for v in allowed if v != was)
        changed = core_rules(book, **{key: value})
        for other in MOVE_SWITCHES:
            assert read_back(changed, other) == (value if other == key else getattr(book, other).value)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_rules_are_one_object(book_id: str) -> None:
    book = rulebook(book_id)
    assert core_rules(book) is rules_of(book) is Position.start(book).rules
    assert core_rules(book, interpreted=True) is not rules_of(book)
    assert Position.start(book).rulebook is book
