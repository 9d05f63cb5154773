"""The signature of the search: the nodes it needs for fixed positions to a fixed depth, one thread, no tables.

The same number on every machine. It changes exactly when the search, a rule or a network does: a change that claims to
alter nothing leaves it alone, and any other quotes it.
"""

from dataclasses import dataclass

from damas.engine.engine import Engine
from damas.engine.limits import Limits
from damas.game import Position

DEPTH = 13
"""The depth of each search, in plies."""
POSITIONS = (
    ("brasileira", ""),
    ("brasileira", "W:Wc1,e1,b2,d2,f2,a3,c3,e3,d4,h4:Bb6,d6,f6,h6,a7,c7,e7,g7,d8,f8"),
    ("faraes", "B:Wb2,d2,f2,c3,g3,h4:Bc5,e5,b6,f6,h6,g7"),
    ("faraes", "W:WKa1,c1,e3:BKh8,f8,h6"),
    ("portuguesa", ""),
    ("portuguesa", "W:W10,11,14,K1:B20,22,27,K32"),
    ("oficial", ""),
    ("oficial", "W:Wc1,e1,b2,d2,f2,a3,c3,e3,d4,h4:Bb6,d6,f6,h6,a7,c7,e7,g7,d8,f8"),
    ("concurso", ""),
    ("concurso", "W:WKg1,a3,c3,e3:Bb6,d6,f6,Kb8"),
    ("internacional", ""),
    ("internacional", "W:W27,28,32,33,37,38,42,43,47,48:B8,9,12,13,14,18,19,23,24,26"),
)
"""Rulebook and FEN of each position; an empty FEN is the start."""


@dataclass(frozen=True)
class Searched:
    """What one search of the signature gave."""

    rulebook: str
    fen: str
    nodes: int
    seconds: float
    score: int


def searched(depth: int = DEPTH) -> list[Searched]:
    """Each position, with an engine that has seen nothing before."""
    results = []
    for book, fen in POSITIONS:
        position = Position.from_fen(fen, book) if fen else Position.start(book)
        with Engine(book, hash_mb=16, tables=False) as engine:
            result = engine.search(position, Limits(depth=depth))
        results.append(Searched(book, position.fen, result.nodes, result.seconds, result.score))
    return results
