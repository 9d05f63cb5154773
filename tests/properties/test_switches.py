"""One truth, checked: every switch read back from the core is the one the rulebook's file answers."""

import pytest

from damas import Position, rulebook
from damas.game.core import CAPTURE_LINES, KING_LANDING, PROMOTION, REMOVAL, core_rules, rules_of
from damas.rules import rulebook_ids
from damas.rules.schema import MOVES, PRIORITIES

READ_BACK = {
    "capture_lines": lambda rules: CAPTURE_LINES[rules.capture_lines],
    "men_capture_backward": lambda rules: rules.men_capture_backward,
    "men_capture_kings": lambda rules: rules.men_capture_kings,
    "flying_king": lambda rules: rules.flying_king,
    "king_landing": lambda rules: KING_LANDING[rules.king_landing],
    "promotion": lambda rules: PROMOTION[rules.promotion],
    "removal": lambda rules: REMOVAL[rules.removal],
    "capture_priority": lambda rules: tuple(PRIORITIES[number - 1] for number in rules.capture_priority),
}


def test_every_switch_of_the_moves_is_read_back() -> None:
    # `lines` goes with the board: the core takes it from `all_squares`, and the reader refuses any other pair.
    assert {question.key for question in MOVES} == {*READ_BACK, "lines"}


@pytest.mark.parametrize("book_id", rulebook_ids())
@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "run-time"])
def test_the_core_answers_as_the_file(book_id: str, interpreted: bool) -> None:
    book = rulebook(book_id)
    rules = core_rules(book, interpreted=interpreted)
    assert rules.compiled is not interpreted
    assert {key: ask(rules) for key, ask in READ_BACK.items()} == {
        key: getattr(book, key).value for key in READ_BACK
    }
    assert rules.size == book.size.value
    assert rules.all_squares is (book.squares.value == "all") is (book.lines.value == "orthogonal")
    assert rules.squares == len(book.geometry.squares)


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_a_changed_switch_is_read_back_changed(book_id: str) -> None:
    """So that the test above cannot pass on answers that never reach the core."""
    book = rulebook(book_id)
    for key, ask in READ_BACK.items():
        question = next(q for q in MOVES if q.key == key)
        was = getattr(book, key).value
        value = (
            tuple(reversed(PRIORITIES)) if question.many else next(v for v in question.allowed if v != was)
        )
        changed = core_rules(book, **{key: value})
        assert ask(changed) == value
        others = {other: asked(changed) for other, asked in READ_BACK.items() if other != key}
        assert others == {other: getattr(book, other).value for other in others}


@pytest.mark.parametrize("book_id", rulebook_ids())
def test_equal_rules_are_one_object(book_id: str) -> None:
    book = rulebook(book_id)
    assert core_rules(book) is rules_of(book) is Position.start(book).rules
    assert core_rules(book, interpreted=True) is not rules_of(book)
    assert Position.start(book).rulebook is book
