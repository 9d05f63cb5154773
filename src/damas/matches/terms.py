"""What a game is played under: where it begins, and the conditions for both players."""

from dataclasses import dataclass, field

from damas.arbiter import TimeControl
from damas.engine.limits import Limits
from damas.matches.box.limits import BoxLimits


@dataclass(frozen=True)
class Start:
    """Where a game begins: a position, and an opening played before any clock runs."""

    number: int = 0
    fen: str | None = None
    moves: tuple[str, ...] = ()
    lot: int | None = None
    """The seed by which the colours were drawn; None if they were assigned."""


@dataclass(frozen=True)
class Terms:
    """The conditions of a game, the same for both players."""

    rulebook: str
    control: TimeControl
    think: Limits = field(default_factory=Limits)
    """Nodes, depth or time for each move, in a game without a clock."""
    grace_s: float = 0.5
    """How much longer than `think.movetime` a program may take before it is late."""
    legal: bool = True
    """Whether programs are sent the legal moves."""
    tier: str = "auto"
    """auto | bubblewrap | landlock, each alone or with +cgroup | none, which is for trusted programs only."""
    limits: BoxLimits = field(default_factory=BoxLimits)
    hash_mb: int = 16
    """Memory of our own engine."""
    tables: bool = True
    """Whether our own engine uses endgame tables."""
    params: tuple[str, ...] = ()
    """Parameters for programs that speak Hub, each as `name=value`."""
    seed: int = 1
    max_plies: int = 400
    """A game that no rule has ended by then is drawn."""
    language: str = "en"
    rules: str = ""
    """Hash of the edition of the rulebook; empty: today's."""

    @property
    def move_budget_ms(self) -> int | None:
        """The time a program is told at the beginning: of the clock, or for each move; None without any limit."""
        movetime = self.think.movetime
        return self.control.budget if movetime is None else round(movetime * 1000)
