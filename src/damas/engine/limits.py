"""Limits of one search, and the time that a clock allows for a move."""

from dataclasses import dataclass
from math import isfinite

LAG_S = 0.1
"""Seconds kept in reserve for the way between two players."""
OPENING_MOVES_LEFT, ENDING_MOVES_LEFT = 28, 10
"""Moves expected to be left with all pieces on the board, and with the fewest."""
MAX_VALUES = {"depth": 10**9, "nodes": 10**18, "moves": 10**9, "lines": 500}
"""The greatest value of each whole-number limit."""
MAX_SECONDS = 1e9
"""Thirty years."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search, times in seconds; without any it runs until it is stopped.

    With `movetime` it thinks no longer than that. With `clock` (and `increment`) it shares what is left among the moves
    still expected, or those until there is more (`moves`). `ponder` holds the clock until the expected move is played.

    >>> Limits(nodes=1000).bounded, Limits().bounded
    (True, False)
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: float | None = None
    clock: float | None = None
    increment: float = 0.0
    moves: int | None = None
    lines: int = 1
    """Best lines wanted."""
    ponder: bool = False

    def __post_init__(self) -> None:
        """Checks every limit; raises `TypeError` or `ValueError`."""
        for name, most in MAX_VALUES.items():
            if name == "lines" or getattr(self, name) is not None:
                check_whole(name, getattr(self, name), most)
        for name in ("movetime", "clock", "increment"):
            if name == "increment" or getattr(self, name) is not None:
                _check_seconds(name, getattr(self, name))
        if self.movetime == 0:
            raise ValueError("movetime must be more than nothing, not 0")

    @property
    def bounded(self) -> bool:
        """Whether anything but `stop` ends the search."""
        return any(limit is not None for limit in (self.depth, self.nodes, self.movetime, self.clock))

    def times(self, full: float) -> tuple[float, float]:
        """Seconds to think about, and never to exceed; 0 for none. `full` is the share of the pieces still there.

        >>> Limits(movetime=2).times(1)
        (0.0, 2)
        >>> soft, hard = Limits(clock=60, increment=1).times(1)
        >>> round(soft, 2), round(hard, 2)
        (3.78, 15.12)
        """
        soft, hard = 0.0, 0.0
        if self.clock is not None:
            spare = max(self.clock - LAG_S, 0)
            left = self.moves or ENDING_MOVES_LEFT + (OPENING_MOVES_LEFT - ENDING_MOVES_LEFT) * full
            # With little left not all of the increment is spent: the reserve for a machine that is busy grows again.
            again = self.increment * min(1, self.clock / (2 * LAG_S))
            soft = max(1.3 * spare / left + again, self.clock * min(0.02, 1 / left), 0.0001)
            soft = min(soft, max(spare, 0.3 * self.clock, 0.0001))
            hard = min(4 * soft, max(0.95 * spare, soft))
        if self.movetime is not None:
            hard = min(hard or self.movetime, self.movetime)
        return soft, hard


def check_whole(name: str, value: object, most: int) -> None:
    """Raises `TypeError` for what is no whole number, and `ValueError` for one that is not from 1 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    if not 1 <= value <= most:
        raise ValueError(f"{name} must be from 1 to {most}, not {value}")


def _check_seconds(name: str, value: object) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    if not isfinite(value) or not 0 <= value <= MAX_SECONDS:
        raise ValueError(f"{name} must be from 0 to {MAX_SECONDS:.0f} seconds, not {value}")
