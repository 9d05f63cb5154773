"""House rules that no rulebook has: random answers, read at run time, against the oracle with the same answers."""

import os
from dataclasses import replace
from random import Random

import pytest

from damas import Position, rulebook
from damas.game.core import core_rules
from damas.rules.schema import PRIORITIES
from differential.compare import DUTY, Boards, Expected, move_difference
from oracle.books import BOOKS, DIAGONAL, FORWARD, FRISIAN, Book
from oracle.hostile import positions

COUNT = int(os.environ.get("DAMAS_HOUSES", "60"))
LANDS = {"any": "any", "behind": "behind", "continuing": "onward"}


def answers(dice: Random) -> dict[str, object]:
    """One answer to every question about moves on a board of dark squares."""
    flying = dice.random() < 0.7
    laws = dice.sample(PRIORITIES, dice.randint(0, len(PRIORITIES)))
    if "king_first" in laws:  # it compares captures of equal length
        laws.remove("king_first")
        laws += ["most_pieces"] * ("most_pieces" not in laws) + ["king_first"]
    return {
        "capture_lines": dice.choice(("diagonal", "diagonal", "all")),
        "men_capture_backward": dice.random() < 0.5,
        "men_capture_kings": dice.random() < 0.7,
        "flying_king": flying,
        "king_landing": dice.choice(tuple(LANDS)) if flying else "behind",
        "promotion": dice.choice(("passes", "stops", "continues")),
        "removal": dice.choice(("after_capture", "at_once")),
        "capture_priority": tuple(laws),
    }


def same_answers(book: Book, answer: dict[str, object]) -> Book:
    """The oracle's book with these answers in its own words."""
    king_jumps = FRISIAN if answer["capture_lines"] == "all" else DIAGONAL
    man_jumps = king_jumps
    if not answer["men_capture_backward"]:
        man_jumps = tuple(d for d in king_jumps if d[0] >= 0) if king_jumps is FRISIAN else FORWARD
    return replace(
        book,
        man_jumps=man_jumps,
        king_jumps=king_jumps,
        king_flies=answer["flying_king"],
        king_lands=LANDS[str(answer["king_landing"])],
        king_turns_about=False,
        man_takes_king=answer["men_capture_kings"],
        crowning=answer["promotion"],
        lifting="at once" if answer["removal"] == "at_once" else "end",
        duty=tuple(DUTY[law] for law in answer["capture_priority"]),  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize("number", range(COUNT))
def test_random_rules_agree(number: int) -> None:
    dice = Random(f"house:{number}")
    answer = answers(dice)
    # Eight directions on a great board can take the oracle minutes.
    great = () if answer["capture_lines"] == "all" else ("internacional",)
    base = dice.choice(("brasileira", "portuguesa", *great))
    oracle = same_answers(BOOKS[base], answer)
    boards = Boards(rulebook(base), oracle)
    rules = core_rules(rulebook(base), **answer)
    for fen in positions(base, 1000 + number, 40):
        position = Position.from_fen(fen, base).under(rules)
        assert move_difference(boards, position, Expected(boards, oracle, fen)) is None, answer


def test_most_of_them_are_read_at_run_time() -> None:
    compiled = sum(
        core_rules(rulebook("brasileira"), **answers(Random(f"house:{number}"))).compiled
        for number in range(100)
    )
    assert compiled < 30
