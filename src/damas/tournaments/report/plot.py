"""The plots of a report as SVG: strengths with their error bars, and their way from round to round."""

from collections.abc import Mapping, Sequence
from html import escape

from damas.tournaments.glicko import Glicko
from damas.tournaments.report.words import shown_elo
from damas.tournaments.standings import Row

ROW, LEFT, RIGHT, HEAD = 30, 122, 410, 26
COLOURS = ("blue", "wood", "good", "bad", "ochre")
MOST_LINES = 8


def strengths(rows: Sequence[Row]) -> str:
    """A dot and a whisker for each player, strongest above."""
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
        place = x(mark)
        kind = "zero" if mark == 0 else "grid"
        parts.append(
            f'<line class="{kind}" x1="{place:.1f}" x2="{place:.1f}" y1="{HEAD - 6}" y2="{height - 4}"/>'
        )
        parts.append(
            f'<text class="mark" x="{place:.1f}" y="{HEAD - 11}" text-anchor="middle">{shown_elo(mark)}</text>'
        )
    for number, row in enumerate(ranked):
        y = HEAD + ROW * number + ROW / 2
        one, other = x(row.rating.elo - row.rating.error), x(row.rating.elo + row.rating.error)
        name = row.name if len(row.name) <= 15 else row.name[:14] + "…"
        told = f"{row.name}: {shown_elo(row.rating.elo)} ± {row.rating.error:.0f}"
        parts.append(
            f"<g><title>{escape(told)}</title>"
            f'<text class="name" x="{LEFT - 10}" y="{y + 4.5:.1f}" text-anchor="end">{escape(name)}</text>'
            f'<line class="whisker" x1="{one:.1f}" x2="{other:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<line class="whisker" x1="{one:.1f}" x2="{one:.1f}" y1="{y - 5:.1f}" y2="{y + 5:.1f}"/>'
            f'<line class="whisker" x1="{other:.1f}" x2="{other:.1f}" y1="{y - 5:.1f}" y2="{y + 5:.1f}"/>'
            f'<circle class="dot" cx="{x(row.rating.elo):.1f}" cy="{y:.1f}" r="6"/></g>'
        )
    return "".join([*parts, "</svg>"])


def _marks(low: float, high: float) -> list[float]:
    """Round figures across the range, 0 among them."""
    step = next(each for each in (10, 20, 50, 100, 200, 500, 1000, 2000, 10**6) if (high - low) / each <= 6)
    first, last = int(low // step), int(-(-high // step))
    return [float(step * number) for number in range(first, last + 1)]


def story(rounds: Sequence[Mapping[str, Glicko]], names: Sequence[str]) -> str:
    """Glicko after each round; of a large field the first few."""
    shown = list(names[:MOST_LINES])
    values = [[1500.0, *(standing[name].rating for standing in rounds)] for name in shown]
    low, high = min(map(min, values)), max(map(max, values))
    marks = _marks(low, high)
    low, high = min(low, marks[0]), max(high, marks[-1])
    width, height, left, right, top = 424, 240, 38, 296, 14

    def x(number: int) -> float:
        return left + (right - left) * number / len(rounds)

    def y(value: float) -> float:
        return top + (height - top - 30) * (high - value) / ((high - low) or 1)

    parts = [f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="Glicko-2">']
    for mark in marks:
        parts.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{y(mark):.1f}" y2="{y(mark):.1f}"/>')
        parts.append(
            f'<text class="mark" x="{left - 8}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:.0f}</text>'
        )
    every = -(-len(rounds) // 8)
    parts += (
        f'<text class="mark" x="{x(number):.1f}" y="{height - 8}" text-anchor="middle">{number}</text>'
        for number in range(0, len(rounds) + 1, every)
    )
    ends = _spread([y(line[-1]) for line in values], 17, top, height - 24)
    for number, (name, line, end) in enumerate(zip(shown, values, ends, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        dashed = " dashed" if number >= len(COLOURS) else ""
        points = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in enumerate(line))
        label = name if len(name) <= 13 else name[:12] + "…"
        parts.append(
            f'<g class="{colour}{dashed}"><title>{escape(name)}: {line[-1]:.0f}</title>'
            f'<polyline points="{points}"/>'
            f'<line class="lead" x1="{right + 2}" x2="{right + 14}" y1="{y(line[-1]):.1f}" y2="{end:.1f}"/>'
            f'<text class="name" x="{right + 18}" y="{end + 4.5:.1f}">{escape(label)}</text></g>'
        )
    return "".join([*parts, "</svg>"])


def _spread(places: Sequence[float], apart: float, top: float, bottom: float) -> list[float]:
    """Moves labels up and down until each has its room."""
    order = sorted(range(len(places)), key=places.__getitem__)
    found = list(places)
    last = top - apart
    for index in order:
        found[index] = last = max(found[index], last + apart)
    last = bottom + apart
    for index in reversed(order):
        found[index] = last = min(found[index], last - apart)
    return found
