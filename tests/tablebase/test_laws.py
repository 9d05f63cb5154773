"""What the tables take for the law of a material, against the laws by which games end."""

from random import Random

import pytest

from damas import rulebook
from damas.game import Record
from damas.game.laws import progress_of
from damas.rules import DrawRule
from damas.tablebase import Material, canonical_materials, law_of
from tablebase.compare import SMALL
from tablebase.playing import random_position

MATERIALS = [material for pieces in range(2, 7) for material in canonical_materials(pieces)]


def in_force(book_id: str, material: Material, samples: int = 6) -> dict[str, DrawRule]:
    """The limits that a game begun in this material counts, by the game's own word."""
    chance, book = Random(f"{book_id}/{material.name}"), rulebook(book_id)
    counting = {}
    for _ in range(samples):
        record = Record(random_position(chance, book, material))
        own = [rule for rule in book.draws if rule.rule == "limit" and not rule.platform]
        counting.update({progress.rule.id: progress.rule for progress in progress_of(record, own)})
    return counting


@pytest.mark.parametrize("book_id", SMALL)
def test_every_limit_in_force_is_known(book_id: str) -> None:
    book = rulebook(book_id)
    for material in MATERIALS:
        law, counting = law_of(book, material), in_force(book_id, material)
        ids = {rule.id for rule in (*law.rules, *law.beside)}
        for rule in counting.values():
            if rule.id in ids:
                continue
            # Left out: then one that is no longer runs beside it, and whatever resets that resets this.
            count = law.count
            assert count and count.limit <= rule.limit, (material.name, rule.id)
            assert {"capture", "man_move"} <= set(rule.resets) or set(count.resets) <= set(rule.resets)
        for named in (law.count, law.immediate):
            assert named is None or named.id in counting, (material.name, named.id)


@pytest.mark.parametrize("book_id", SMALL)
def test_counts_that_wait_are_begun_by_a_king_on_the_diagonal(book_id: str) -> None:
    book = rulebook(book_id)
    waiting = {rule.id for rule in book.draws if rule.starts != "entry"}
    for material in MATERIALS:
        law = law_of(book, material)
        for rule in (law.started, law.diagonal):
            assert rule is None or rule.id in waiting & in_force(book_id, material, 60).keys()
