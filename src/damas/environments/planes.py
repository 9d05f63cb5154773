"""Observations as tensors, in the manner of OpenSpiel: planes of the board as White sees it.

Shape (7, size, size), 32-bit floats between 0 and 1; row 0 is White's first row, column 0 at White's left. The same
for both players: whose turn it is stands in a plane.

>>> start = Position.start("brasileira")
>>> planes = tensor(start)
>>> planes.shape, planes[0].sum(), from_tensor(planes, "brasileira") == start
((7, 8, 8), np.float32(12.0), True)
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from damas.board import Color, Piece
from damas.game import Game, Position
from damas.game.game import waits_for_claim
from damas.rules import Rulebook, rulebook

PLANES = (
    "white men",
    "white kings",
    "black men",
    "black kings",
    "black to move",
    "playing squares",
    "nearest limit",
)
"""`nearest limit` holds one number on every square: how much of its count the draw law nearest to its end has run."""

PIECES = tuple(piece.code for piece in Piece)
"""Codes of the pieces, in the order of the planes."""


@cache
def cells(book: Rulebook) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Row and column of each square in a plane."""
    shown = np.array(book.geometry.shown)
    return shown[:, 0], shown[:, 1]


def shape(book: Rulebook) -> tuple[int, int, int]:
    """The shape of an observation."""
    size = book.geometry.size
    return len(PLANES), size, size


def tensor(state: Game | Position) -> npt.NDArray[np.float32]:
    """The planes of a game as it stands, or of a position, where no limit has run."""
    position = state.position if isinstance(state, Game) else state
    run = nearest_limit(state) if isinstance(state, Game) else 0.0
    codes = np.asarray(position.to_array(), np.int8)[None]
    turns = np.array([position.black_to_move], np.int8)
    planes: npt.NDArray[np.float32] = tensors(position.rulebook, codes, turns, np.array([run], np.float32))[0]
    return planes


def from_tensor(planes: npt.NDArray[Any], book: Rulebook | str) -> Position:
    """The position of a tensor; raises `ValueError` where it is not one, and `IllegalSetup` as `Position.of` does."""
    book = rulebook(book)
    if planes.shape != shape(book):
        raise ValueError(f"a tensor of {book.id} has the shape {shape(book)}, not {planes.shape}")
    rows, columns = cells(book)
    on_squares = np.asarray(planes[: len(PIECES), rows, columns])
    outside = np.asarray(planes[: len(PIECES)]).sum() - on_squares.sum()
    if not np.isin(on_squares, (0, 1)).all() or (on_squares.sum(axis=0) > 1).any() or outside:
        raise ValueError("a square holds one piece or none, and its planes hold 0 or 1")
    codes = np.array(PIECES, np.int8) @ on_squares.astype(np.int8)
    black = planes[len(PIECES)].flat[0]
    return Position.from_array(codes, book, Color.BLACK if black else Color.WHITE)


def nearest_limit(game: Game) -> float:
    """How much of its count the draw law nearest to its end has run, from 0 to 1."""
    running = (
        progress.have / progress.need if progress.need else 1.0
        for progress in game.progress()
        if not waits_for_claim(game.record.rulebook, progress.rule, game.customs)
    )
    return min(1.0, max(running, default=0.0))


def tensors(
    book: Rulebook, codes: npt.NDArray[np.int8], turns: npt.NDArray[np.int8], run: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """One tensor a row of piece codes, its turn (1: Black) and how far its nearest limit has run."""
    rows, columns = cells(book)
    planes = np.zeros((len(codes), *shape(book)), np.float32)
    for plane, piece in enumerate(PIECES):
        planes[:, plane, rows, columns] = codes == piece
    planes[:, 4] = turns[:, None, None]
    planes[:, 5, rows, columns] = 1
    planes[:, 6] = run[:, None, None]
    return planes
