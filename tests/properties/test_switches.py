"""Every switch of a rulebook's file reaches the core."""

import pytest

from damas import Position, rulebook
from damas.game.core import core_rules, rules_of
from damas.rules import rulebook_ids
from damas.rules.schema import MOVE_SWITCHES, PRIORITIES


@pytest.mark.parametrize("book_id", rulebook_ids())
@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "run-time"])
def test_a_compiled_generator_has_exactly_the_answers_of_the_file(book_id: str, interpreted: bool) -> None:
    """The core finds a compiled generator only by all its answers."""
    book = rulebook(book_id)
    rules = core_rules(book, interpreted=interpreted)
    assert rules.compiled is not interpreted
    assert rules.size == book.size.value
    assert rules.all_squares is (book.squares.value == "all") is (book.lines.value == "orthogonal")
    assert rules.squares == len(book.geometry.squares)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_every_changed_switch_gives_other_rules(book_id: str) -> None:
    """Equal rules are one object, so each change must have reached the core, and none is mistaken for another."""
    book = rulebook(book_id)
    changed = [rules_of(book)]
    for key, allowed in MOVE_SWITCHES.items():
        was = getattr(book, key).value
        value = tuple(reversed(PRIORITIES)) if allowed is PRIORITIES else next(v for v in allowed if v != was)
        changed.append(core_rules(book, **{key: value}))
    assert len({id(rules) for rules in changed}) == len(changed) == len(MOVE_SWITCHES) + 1


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_rules_are_one_object(book_id: str) -> None:
    book = rulebook(book_id)
    assert core_rules(book) is rules_of(book) is Position.start(book).rules
    assert core_rules(book, interpreted=True) is not rules_of(book)
    assert Position.start(book).rulebook is book
