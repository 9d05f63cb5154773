"""The plot of a report as SVG: Elo with error bars."""

from collections.abc import Sequence
from html import escape

from damas.tournaments.report.formatting import format_elo
from damas.tournaments.standings import Row

ROW, LEFT, RIGHT, HEAD = 30, 122, 410, 26
"""Height of a row, the ends of the axis, and height of the head."""


def elo_plot(rows: Sequence[Row]) -> str:
    """A dot and an error bar for each player, the strongest at the top."""
    ranked = sorted(rows, key=lambda row: -row.rating.elo)
    low = min(row.rating.elo - row.rating.error for row in ranked)
    high = max(row.rating.elo + row.rating.error for row in ranked)
    marks = _marks(low, high)
    low, high = min(low, marks[0]), max(high, marks[-1])

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT - 12) * (value - low) / ((high - low) or 1)

    height = HEAD + ROW * len(ranked) + 8
    parts = [f'<svg class="plot" viewBox="0 0 {RIGHT + 14} {height}" role="img" aria-label="Elo">']
    for mark in marks:
        kind = "grid" if mark else "zero"
        parts.append(
            f'<path class="{kind}" d="M{x(mark):.1f} {HEAD - 6}V{height - 4}"/>'
            f'<text class="mark" x="{x(mark):.1f}" y="{HEAD - 11}" text-anchor="middle">{format_elo(mark)}</text>'
        )
    for number, row in enumerate(ranked):
        y = HEAD + ROW * number + ROW / 2
        one, other = x(row.rating.elo - row.rating.error), x(row.rating.elo + row.rating.error)
        name = row.name if len(row.name) <= 15 else row.name[:14] + "…"
        title = f"{row.name}: {format_elo(row.rating.elo)} ± {row.rating.error:.0f}"
        parts.append(
            f"<g><title>{escape(title)}</title>"
            f'<text class="name" x="{LEFT - 10}" y="{y + 4.5:.1f}" text-anchor="end">{escape(name)}</text>'
            f'<path class="whisker" d="M{one:.1f} {y}H{other:.1f}M{one:.1f} {y - 5}v10M{other:.1f} {y - 5}v10"/>'
            f'<circle class="dot" cx="{x(row.rating.elo):.1f}" cy="{y:.1f}" r="6"/></g>'
        )
    return "".join([*parts, "</svg>"])


def _marks(low: float, high: float) -> list[float]:
    """Round values from `low` to `high` for the axis; 0 is one of them if it lies between."""
    step = next(each for each in (10, 20, 50, 100, 200, 500, 1000, 2000, 10**6) if (high - low) / each <= 6)
    first, last = int(low // step), int(-(-high // step))
    return [float(step * number) for number in range(first, last + 1)]
