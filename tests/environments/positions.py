"""Positions near the end of games, so that every draw law of a rulebook has something to count."""

from random import Random

from damas.board import Color, Piece, Setup
from damas.errors import IllegalSetup
from damas.game import Game, Position
from damas.rules import Rulebook

SIDES = (
    "K-K",
    "KK-K",
    "KKK-K",
    "KKM-K",
    "KMM-K",
    "KM-K",
    "KK-KK",
    "KK-KM",
    "KKK-KK",
    "KKK-KKM",
    "KKKK-K",
    "KMM-KM",
    "KKMM-KKMM",
)


def endings(book: Rulebook, seed: int) -> list[str]:
    """One position for each material, which is not over yet where that can be had."""
    chance = Random(f"{book.id} {seed}")
    found = []
    for material in SIDES:
        fen = next((f for _ in range(50) if (f := _placed(book, material, chance))), None)
        if fen:
            found.append(fen)
    return found


def _placed(book: Rulebook, material: str, chance: Random) -> str | None:
    strong, weak = material.split("-")
    white, black = (strong, weak) if chance.random() < 0.5 else (weak, strong)
    squares = chance.sample(range(len(book.geometry.places)), len(white) + len(black))
    letters = [*white.replace("M", "w").replace("K", "W"), *black.replace("M", "b").replace("K", "B")]
    setup = Setup({s: Piece(p) for s, p in zip(squares, letters, strict=True)}, chance.choice(list(Color)))
    try:
        position = Position.of(setup, book)
    except IllegalSetup:
        return None
    return None if Game.start(book, fen=position.fen).outcome else position.fen
