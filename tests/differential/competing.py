"""Positions with competing captures: what one capture law prefers, another does not.

The hostile positions of the oracle seldom hold, say, two kings to take on one side and three men on the other;
these always hold such a choice, so that no order of the laws can be mistaken for another. Finding them takes
minutes, so they are kept in competing.txt; tools/rulebook_proofs.py finds those of one rulebook.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

from oracle.board import Position, Square, is_king, squares, write_fen
from oracle.books import Book
from oracle.hostile import both_sides, tidied
from oracle.moves import Move, every_capture, merit

LAWS = ("quantity", "value", "with king", "kings taken", "kings first")


@cache
def stored() -> dict[str, list[str]]:
    """The FENs of competing.txt by rulebook."""
    fens: dict[str, list[str]] = {}
    for line in (Path(__file__).with_name("competing.txt")).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            book_id, fen = line.split()
            fens.setdefault(book_id, []).append(fen)
    return fens


def search(book: Book, seed: int, count: int) -> Iterator[str]:
    """Random FENs in which two laws disagree, in turn: any two; most pieces and most value; most kings and king first."""
    kinds = ["any", "value", *(["order"] if "kings first" in book.duty else [])]
    dice = Random(f"{book.id}:competing:{seed}")
    for number in range(count):
        yield write_fen(book, competing_position(book, dice, kinds[number % len(kinds)]))


def competing_position(book: Book, dice: Random, kind: str) -> Position:
    """The first random position in which captures compete in that way."""
    while True:
        turn = dice.choice("WB")
        position = Position(turn, tidied(book, dice, random_pieces(book, dice, turn, apart=kind == "value")))
        if both_sides(position) and competes(book, position, kind):
            return position


def random_pieces(book: Book, dice: Random, me: str, *, apart: bool) -> dict[Square, str]:
    """A few pieces of the side to move among many of the other, which stand two squares apart as chains need.

    `apart`: kings to take on one half of the board, men on the other.
    """
    other = "B" if me == "W" else "W"
    row, column = dice.randint(0, 1), dice.randint(0, 1)
    inner = [s for s in sorted(squares(book)) if 0 < s[0] < book.size - 1 and 0 < s[1] < book.size - 1]
    board: dict[Square, str] = {}
    for square in inner:
        stands = square[0] % 2 == row and square[1] % 2 == column
        if dice.random() < (0.5 if stands else 0.06):
            king = square[1] < book.size // 2 if apart else dice.random() < 0.5
            board[square] = other if king else other.lower()
    free = [s for s in sorted(squares(book)) if s not in board]
    for square in dice.sample(free, dice.randint(1, 4)):
        board[square] = me if dice.random() < 0.8 else me.lower()
    return board


def competes(book: Book, position: Position, kind: str) -> bool:
    """Whether two laws prefer different captures of the position."""
    captures: dict[tuple[bool, ...], Move] = {
        (is_king(position.pieces[move.origin]), *(is_king(position.pieces[v]) for v in move.captured)): move
        for move in every_capture(book, position)
    }
    if len(captures) < 2:
        return False
    if kind == "value":
        return not agree(position, captures.values(), ("quantity",), ("value",))
    if kind == "order":
        return not agree(
            position, captures.values(), ("quantity", "kings taken"), ("quantity", "kings first")
        )
    merits = [tuple(merit(position, move, law) for law in LAWS) for move in captures.values()]
    return any(
        any(a > b for a, b in zip(one, other, strict=True))
        and any(a < b for a, b in zip(one, other, strict=True))
        for one, other in combinations(merits, 2)
    )


def agree(position: Position, captures: Iterable[Move], one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether some capture is the best by both lists of laws."""
    ranks = [[tuple(merit(position, m, law) for law in laws) for m in captures] for laws in (one, other)]
    return any(a == max(ranks[0]) and b == max(ranks[1]) for a, b in zip(*ranks, strict=True))
