"""Reads the perft tables, the number of ways to play 1, 2, 3 ... plies: a text file for each rulebook.

A line is `position | routes | counts from depth 1 | where the numbers come from`. Routes: "merged" counts captures with
equal origin, destination and captured pieces once (published as "drop"); "kept" counts every route apart (published as
"keep"). Sources: "published": dctl test suite (shashki.com, damforum t=2308, 2822, 4563), OEIS A133046, A. Bik; "two
independent generators": RULEBOOKS, part D; "core and oracle": counted by both, which share no code.
"""

from dataclasses import dataclass
from pathlib import Path

from damas import Position

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """The counts of one position from depth 1 on, in one convention."""

    rulebook: str
    position: str
    """A FEN, or "start"."""
    routes: bool
    """True: every route of a capture counts ("kept"). False: routes to the same result are merged."""
    counts: tuple[int, ...]
    source: str

    def opened(self) -> Position:
        if self.position == "start":
            return Position.start(self.rulebook)
        return Position.from_fen(self.position, self.rulebook)

    def depth_within(self, leaves: int) -> int:
        """The greatest stated depth with at most so many leaves."""
        return max(depth for depth, count in enumerate(self.counts, start=1) if count <= leaves)

    def __str__(self) -> str:
        return f"{self.rulebook}-{'kept' if self.routes else 'merged'}-{self.position}"


def read(path: Path) -> list[Row]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        position, routes, counts, source = (field.strip() for field in line.split("|"))
        by_route = {"merged": False, "kept": True}[routes]
        rows.append(Row(path.stem, position, by_route, tuple(map(int, counts.split())), source))
    return rows


ROWS = [row for path in sorted(FOLDER.glob("*.perft")) for row in read(path)]

DEEP = [row for row in ROWS if row.counts[-1] > 300_000_000]
"""For `make bench`: rows whose last stated depth takes seconds to minutes."""
