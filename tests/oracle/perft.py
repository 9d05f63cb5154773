"""Perft: counts the leaves of the tree of moves, in either published convention."""

from .board import Position
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
