"""The search ends a line where the game would end: its counters inside the tree against the game's."""

from random import Random

import pytest

from damas import Rulebook
from damas.engine import Engine, Limits
from damas.game import Game
from damas.rules import rulebooks

MANY = (
    *("W:WKa1,Kc1,Ke1:BKh8", "W:WKa1,Kc1,c3:BKh8", "W:WKb2,Kc1,Ke1:BKb8", "W:WKa1,Kc1,Ke1,Kg1:BKd8"),
    *("W:WKa1,Kc1:BKh8", "W:WKa1,Kc1,c3:BKh8,Kf8", "W:WKa1,Kc1,c3:BKh8,Kf8,h6"),
)
ENDINGS = {
    "brasileira": ("W:WKa1,Kc1:BKh8,Kf8", "W:WKa1,Kc1,Ke1:BKh8", "W:WKa1:BKh8,b6"),
    "brasileira-cbd": ("W:WKa1,Kc1,Ke1:BKh8", "W:WKa1,Kc1,c3:BKh8", "W:WKb2,Kc1,Ke1:BKb8"),
    "faraes": ("W:WKa3,Kc1,Ke1:BKb8",),
    "portuguesa": ("W:WK1,K5,K10:BK30", "B:WK29:BK1,K5,K10"),
    "portuguesa-fpd": ("W:WK1,K5,K10:BK30", "W:WK1,K5,K10,9:BK30"),
    "internacional": ("W:WK1,K2,K3:BK50", "W:WK46,31:BK5"),
    "russa": MANY,
    "brasileira-64": MANY,
    "checa": ("W:WKa1,Kc1,Ke1:BKh8",),
    "espanhola": ("W:WK1,K2,K3:BK30",),
    "pool": ("W:WK1,K2,K3:BK30",),
    "inglesa": ("W:WK1,K2:BK30",),
    "italiana": ("W:WK1,K2:BK30",),
    "canadense": ("W:WK1,K2,K3:BK70",),
    "frisia": ("W:WK1,K2:BK50",),
}


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
        for seed, fen in enumerate((None, *ENDINGS.get(book.id, ()) * 4)):
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
    assert changed or book.id not in ENDINGS
