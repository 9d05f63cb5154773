"""Positions near the end of games, so that every draw law of a rulebook has something to count."""

from random import Random

from damas.game import Game
from oracle.books import BOOKS
from oracle.hostile import calm

BALANCES = "K-K KK-K KKK-K KKM-K KMM-K KM-K KK-KK KK-KM KKK-KK KKK-KKM KKKK-K KMM-KM KKMM-KKMM"


def endings(book_id: str, seed: int) -> list[str]:
    """A position for each balance of pieces in which nobody can capture and the game is not over."""
    dice = Random(f"{book_id} {seed}")
    fens = [calm(BOOKS[book_id], dice, balance) for balance in BALANCES.split()]
    return [fen for fen in fens if not Game.start(book_id, fen=fen).outcome]
