"""The search counts as the game counts: its counters against the laws, over whole games."""

from random import Random

import pytest

from damas import _core
from damas.engine.laws import core_laws, limit_rules
from damas.game import Position, Record
from damas.game.core import rules_of
from damas.game.laws import laws
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
    "turca": ("W:WKa1,Kb1:BKh8,Kc8",),
}


def record_of(book, fen, seed, plies=80):
    """A random game as positions and moves, played on past draws so that counters run far."""
    chance = Random(f"{book.id}{fen}{seed}")
    position = Position.from_fen(fen, book) if fen else Position.start(book)
    record = Record(position)
    while record.length < plies and (moves := list(record.position.legal_moves)):
        quiet_kings = [move for move in moves if move.by_king and not move.is_capture]
        record = record.play(chance.choice(quiet_kings or moves))
    return record


def engine_of(book):
    return _core.Engine(rules_of(book), core_laws(book), table_bytes=1 << 16, threads=1)


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_counters_are_those_of_the_game(book):
    engine = engine_of(book)
    rules = limit_rules(book)
    by_id = {law.rule.id: law for law in laws(book)}
    compared = 0
    for number, fen in enumerate((None, None, None, *ENDINGS.get(book.id, ()) * 12)):
        record = record_of(book, fen, number)
        for ply in range(record.length + 1):
            part = record.until(ply)
            counts = engine.counters(part.positions, part.moves)
            for rule, count in zip(rules, counts, strict=True):
                progress = by_id[rule.id].progress(part)
                if progress is None and (rule.off_during or rule.unless_capture):
                    continue  # the law is silent here, but its count runs on
                assert count == (progress.have if progress else -1), (rule.id, part)
                compared += count > 0
    assert compared or not rules
