"""Observations as tensors, in the manner of OpenSpiel: planes of the board as White sees it.

Shape (7, size, size), 32-bit floats between 0 and 1; row 0 is White's first row, column 0 at White's left. The same
for both players: whose turn it is stands in a plane.
"""

from functools import cache

import numpy as np
import numpy.typing as npt

from damas.rules import Rulebook

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

CODES = {".": 0, "w": 1, "W": 2, "b": -1, "B": -2}
"""As `damas.game.successors` writes pieces."""
PIECES = (1, 2, -1, -2)
"""In the order of the planes."""


@cache
def cells(book: Rulebook) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Row and column of each square in a plane."""
    shown = np.array(book.geometry.shown)
    return shown[:, 0], shown[:, 1]


def shape(book: Rulebook) -> tuple[int, int, int]:
    """The shape of an observation."""
    size = book.geometry.size
    return len(PLANES), size, size


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
