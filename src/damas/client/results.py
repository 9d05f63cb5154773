"""What an engine reports of its search: scores, lines and the move that it plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from damas.board import Color
from damas.engine.engine import TABLE_WIN, WIN, Line, Result
from damas.game import Move

DECIDED_MEN = 80.0
"""A greater score in men is a won or lost game: no evaluation comes near."""
WIN_MEN = 100.0
"""The score of a win, from which engines take a hundredth for each ply until it."""


@dataclass(frozen=True)
class Score:
    """A score as one side sees it.

    >>> score = Score(Color.BLACK, 35)
    >>> str(score), score.pov(Color.WHITE).value
    ('+0.35', -35)
    >>> str(Score.of_men(-99.96, Color.WHITE)), Score.of_men(-99.96, Color.WHITE).pov(Color.BLACK).win_in
    ('loses in 4', 4)
    """

    color: Color
    """The side whose view it is."""
    value: int
    """Hundredths of a man. A decided game has a value beyond any evaluation, greater for a win that is nearer."""
    decided: int | None = None
    """1 if this side wins, -1 if it loses, None if neither is proved."""
    plies: int | None = None
    """Plies until the end of a decided game, where the engine tells them."""

    @classmethod
    def of_men(cls, men: float, color: Color) -> Score:
        """A score of the Hub protocol, in men; beyond `DECIDED_MEN` the game is decided."""
        if abs(men) <= DECIDED_MEN:
            return cls(color, round(100 * men))
        sign = 1 if men > 0 else -1
        left = round(100 * (WIN_MEN - abs(men)))
        plies = left if 0 < left <= 100 else None
        return cls(color, sign * (TABLE_WIN if plies is None else WIN - plies), sign, plies)

    @classmethod
    def of_line(cls, line: Line, color: Color) -> Score:
        """The score of a line of our own engine."""
        plies = None if line.decided is None else line.plies_to_end
        return cls(color, line.score, line.decided, plies)

    def pov(self, color: Color) -> Score:
        """The same score from the point of view of a side."""
        if color is self.color:
            return self
        return replace(
            self,
            color=color,
            value=-self.value,
            decided=None if self.decided is None else -self.decided,
        )

    @property
    def white(self) -> Score:
        """The score as White sees it."""
        return self.pov(Color.WHITE)

    @property
    def black(self) -> Score:
        """The score as Black sees it."""
        return self.pov(Color.BLACK)

    @property
    def win_in(self) -> int | None:
        """Plies until this side wins; None if that is not proved, or its length is not known."""
        return self.plies if self.decided == 1 else None

    @property
    def loss_in(self) -> int | None:
        """Plies until this side loses; None if that is not proved, or its length is not known."""
        return self.plies if self.decided == -1 else None

    def __str__(self) -> str:
        if self.decided is None:
            return f"{self.value / 100:+.2f}"
        length = "" if self.plies is None else f" in {self.plies}"
        return ("wins" if self.decided == 1 else "loses") + length


@dataclass(frozen=True)
class Info:
    """One report of a search. An engine may leave out any of it."""

    score: Score | None = None
    """As the side to move sees it."""
    pv: tuple[Move, ...] = ()
    """The line that the engine expects."""
    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    nodes_per_second: int | None = None
    rank: int = 1
    """1 for the best line, 2 for the second best …"""
    extra: Mapping[str, str] = field(default_factory=dict)
    """What else the engine tells, by its own names."""

    @property
    def move(self) -> Move | None:
        """The first move of the line."""
        return self.pv[0] if self.pv else None


@dataclass(frozen=True)
class PlayResult:
    """The move that an engine plays."""

    move: Move
    ponder: Move | None = None
    """The reply that it expects."""
    info: Info = Info()
    """Its last report on the best line; empty if it made none."""


def infos_of(result: Result, color: Color) -> list[Info]:
    """A result of our own engine as reports, best line first."""
    return [
        Info(
            Score.of_line(line, color),
            line.moves,
            result.depth,
            result.nodes,
            result.seconds,
            result.nodes_per_second,
            rank,
        )
        for rank, line in enumerate(result.lines, 1)
    ]
