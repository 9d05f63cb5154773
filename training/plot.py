"""Plot the loss as SVG: `python -m training.plot DIR/training.json --out loss.svg`. A network's card works too.

Writes SVG directly, so that no plotting library is needed.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from training.atomic_files import write_text
from training.command_line import StageError, StageParser, stage_main

WIDTH, HEIGHT, MARGIN = 720, 360, 56
COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57")


def plot(path: Path, title: str, curves: dict[str, Sequence[float]]) -> None:
    """Write a line chart of the curves."""
    values = [value for curve in curves.values() for value in curve]
    low, high = min(values), max(values)
    high = high if high > low else low + 1e-9
    steps = max(len(curve) for curve in curves.values())

    def point(i: int, value: float) -> str:
        x = MARGIN + (WIDTH - 2 * MARGIN) * (i / max(steps - 1, 1))
        y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (value - low) / (high - low)
        return f"{x:.1f},{y:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{MARGIN}" y="24" font-size="15">{title}</text>',
    ]
    for i in range(5):
        value = low + (high - low) * i / 4
        y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * i / 4
        parts.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="4" y="{y + 4}">{value:.5f}</text>')
    for i in range(0, steps, max(1, steps // 10)):
        x = point(i, low).split(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle">{i + 1}</text>')
    for curve, colour in zip(curves.values(), COLOURS, strict=False):
        line = " ".join(point(i, value) for i, value in enumerate(curve))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for i, (name, colour) in enumerate(zip(curves, COLOURS, strict=False)):
        parts.append(
            f'<text x="{WIDTH - MARGIN}" y="{24 + 16 * i}" text-anchor="end" fill="{colour}">{name}</text>'
        )
    write_text(path, "\n".join([*parts, "</svg>"]))


@stage_main("plot", __doc__)
def main(parser: StageParser) -> int:
    parser.add_argument("record", type=Path, metavar="FILE", help="training.json, or the card of a network")
    parser.add_argument("--out", type=Path, required=True, metavar="SVG")
    options = parser.parse_args()
    try:
        record = json.loads(options.record.read_text(encoding="utf-8"))
        title = f"{record['rulebook']}: loss by epoch"
        curves = {"learned": record["training"]["learned"], "held out": record["training"]["held_out"]}
        plot(options.out, title, curves)
    except (ValueError, KeyError, TypeError):
        raise StageError(f"{options.record} has no losses") from None
    return 0


if __name__ == "__main__":
    sys.exit(main())
