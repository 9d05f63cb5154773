"""The search ends a line where the game would end: its counters inside the tree against the game's."""

from random import Random

import pytest

from damas import Rulebook
from damas.engine import Engine, Limits
from damas.game import Game
from damas.rules import rulebooks
from environments.positions import endings

NEVER_COMPLETE = ("concurso", "turca")
"""Rulebooks whose laws random games that avoid old positions do not complete."""


def played_on(book: Rulebook, fen: str | None, seed: int, plies: int = 80) -> list[Game]:
    """A random game after each ply until it ends; whoever can gives nothing away and moves a king to a new position."""
    random = Random(f"{book.id}{fen}{seed}")
    games = [Game.start(book, fen=fen)]
    seen = set()
    while not games[-1].outcome and len(games) <= plies:
        seen.add(games[-1].position)
        moves = games[-1].legal_moves
        after = [(move, games[-1].position.play(move)) for move in moves if move.by_king]
        safe = [move for move, position in after if position not in seen and not position.must_capture()]
        games.append(games[-1].play(random.choice(safe or moves)))
    return games


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_a_move_that_completes_a_law_is_worth_what_the_law_gives(book: Rulebook) -> None:
    changed = 0
    with Engine(book, hash_mb=1, network=False, tables=False) as engine:
        for seed, fen in enumerate((None, *endings(book.id, 1))):
            *_, before, after = played_on(book, fen, seed)
            outcome = after.outcome
            if outcome is None or not outcome.rule:
                continue
            move = after.record.move(after.record.length)
            score = engine.search(before, Limits(depth=1), only=[move]).score
            mover = before.position.turn
            expected = 0 if outcome.winner is None else 1 if outcome.winner is mover else -1
            assert (score > 0) - (score < 0) == expected, (outcome, after)
            changed += score != engine.search(before.position, Limits(depth=1), only=[move]).score
    assert changed or book.id in NEVER_COMPLETE
