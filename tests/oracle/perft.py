"""Perft: counts the leaves of the tree of moves, in either published convention.

From `tests/`:  python -m oracle.perft            the published tables, to comfortable depths
                python -m oracle.perft russa 6    one start position
"""

import sys
import time

from .board import Position, read_fen, start
from .books import Book, book_of
from .moves import by_order, legal, merged


def perft(book: Book | str, position: Position, depth: int, keep: bool = False) -> int:
    """The number of ways to play `depth` plies; equal captures once, or every order ("keep")."""
    book = book_of(book)
    if depth == 0:
        return 1
    moves = legal(book, position)
    moves = by_order(moves) if keep else merged(moves)
    if depth == 1:
        return len(moves)
    return sum(perft(book, move.becomes, depth - 1, keep) for move in moves)


# (book, keep, FEN or None for the start, published counts from depth 1, a comfortable depth)
# From RULEBOOKS.md, part D.
_BR = "7 49 302 1469 7473 37628 187302"
_PT = "7 49 302 1469 7361 36473 177532"
_RU = "7 49 302 1469 7482 37986 190146"
_EN = "7 49 302 1469 7361 36768 179740"
_IN = "9 81 658 4265 27117 167140"
_RANDOM178 = "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46"
_WOLDOUBY = "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38"
_ALL_KINGS = "W:WK31-50:BK1-20"
_SHARED = "W:W15,K16,K23,25,K27:BK8,K13,K17,K26"
PUBLISHED = (
    ("brasileira", False, None, _BR, 6),
    ("brasileira", True, None, _BR, 5),
    ("brasileira-cbd", False, None, _BR, 5),
    ("brasileira-64", False, None, _BR, 5),
    ("faraes", False, None, _BR, 5),
    ("portuguesa", False, None, _PT, 6),
    ("portuguesa", True, None, _PT, 5),
    ("portuguesa-fpd", False, None, _PT, 5),
    ("espanhola", False, None, _PT, 6),
    ("russa", False, None, _RU, 6),
    ("russa", True, None, _RU, 5),
    ("pool", False, None, _RU, 6),
    ("inglesa", True, None, _EN, 6),
    ("inglesa", False, None, _EN, 5),
    ("checa", False, None, _EN, 6),
    ("italiana", False, None, _PT, 6),
    ("internacional", False, None, _IN, 5),
    ("internacional", True, None, _IN, 4),
    ("frisia", False, None, "9 81 658 3874 21265 102431", 5),
    ("frisia", True, None, "9 81 658 3880 21345 103584", 5),
    ("canadense", False, None, "11 121 1222 10053 79049", 4),
    ("internacional", False, _RANDOM178, "14 55 1168 5432 87195", 5),
    ("internacional", False, _WOLDOUBY, "6 12 30 73 215 590 1944 6269 22369", 9),
    ("internacional", False, _ALL_KINGS, "17 79 352 1399 7062 37589", 5),
    ("internacional", False, "W:W6,7,8,9,10:B41,42,43,44,45", "9 81 795 7578 86351", 4),
    ("internacional", True, "W:B16,17,18,19,20:W31,32,33,34,35", "9 81 534 2538 9052 29999 98971", 6),
    (
        "italiana",
        True,
        "W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3",
        "5 13 42 107 360 1099 3736 12495 43686",
        8,
    ),
    ("italiana", True, "B:W30,21,22,17,20,K6:B25,28,9,5,1,3", "6 47 271 1916 10810 73137", 5),
    ("italiana", True, "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4", "13 112 828 6756 46241 368908", 5),
    ("brasileira", False, "W:WK1,K2,11,16,K27,31:B3,17,K18,K21", "3 11 174 666 8109", 5),
    ("portuguesa", False, "W:W2,K4,5,K6,10,K16,18:BK1,K9,12,K17,21", "3 19 54 405 5051", 5),
    ("oficial", False, _SHARED, "1 2 35 387 4274", 5),
    ("concurso", False, _SHARED, "1 8 79 488 4144", 5),
    ("russa", False, _SHARED, "1 2 35 392 4388", 5),
    ("checa", False, "W:W5,K6,K12,K19,K21:B8,K15,K20,K22,K27,K28", "2 28 111 1210 11809", 5),
    ("pool", False, "W:WK2,K10,12,13,20,K29:BK16,17,18,K19,K22,K25,K31", "4 46 211 1940 13400", 5),
    ("inglesa", False, "W:WK1,5,K12,23,K25,29,K32:B7,14,K17,K21,K24,26,K30", "8 53 270 1657 8299", 5),
)


def verify() -> bool:
    """Print every published row beside ours; True when all agree."""
    agreed = True
    for book, keep, fen, published, depth in PUBLISHED:
        expected = [int(count) for count in published.split()]
        depth = min(depth, len(expected))
        position = start(book) if fen is None else read_fen(book, fen)
        began = time.perf_counter()
        ours = perft(book, position, depth, keep)
        agrees = ours == expected[depth - 1]
        agreed = agreed and agrees
        verdict = "ok" if agrees else f"WRONG, published {expected[depth - 1]}"
        mode = "keep" if keep else "drop"
        took = time.perf_counter() - began
        print(
            f"{book:16}{mode:6}{fen or 'start':60.60} depth {depth}: {ours:>8}  {verdict}  {took:.1f} s",
            flush=True,
        )
    return agreed


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(perft(sys.argv[1], start(sys.argv[1]), int(sys.argv[2])))
    else:
        sys.exit(0 if verify() else 1)
