"""How long to think: limits of one search, and what a clock leaves for a move."""

from dataclasses import dataclass

LAG = 0.1
"""Seconds that a move may lose between two players."""
OPENING, ENDING = 28, 10
"""Moves expected to be left with all pieces on the board, and with the fewest."""


@dataclass(frozen=True)
class Limits:
    """When a search ends; none given: when it is told to stop. Times are in seconds.

    With `movetime` it thinks no longer than that. With `clock` (and `increment`) it shares what is left among the moves
    still expected. `ponder` holds the clock until the expected move is played.

    >>> Limits(nodes=1000).bounded, Limits().bounded
    (True, False)
    """

    depth: int | None = None
    nodes: int | None = None
    movetime: float | None = None
    clock: float | None = None
    increment: float = 0.0
    lines: int = 1
    """Best lines wanted."""
    ponder: bool = False

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "movetime", "lines"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ValueError(f"{name} must be more than nothing, not {value}")

    @property
    def bounded(self) -> bool:
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
            usable = max(self.clock - LAG, 0.3 * self.clock, 0.001)
            left = ENDING + (OPENING - ENDING) * full
            soft = min(usable / left * 1.3 + self.increment, usable)
            hard = min(4 * soft, 0.95 * usable)
        if self.movetime is not None:
            hard = min(hard or self.movetime, self.movetime)
        return soft, hard
