"""Text for people: headings, paragraphs and tables that fit the terminal."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

NARROWEST = 8
KEPT = "\u00a0"
"""A space at which no line is broken."""


def width() -> int:
    """Columns to write in: the terminal's, but no line too long to read."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, 100))


def is_terminal() -> bool:
    """Whether colour and weight reach a person who wants them."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def heading(text: str) -> str:
    return f"\033[1m{text}\033[0m" if is_terminal() else text


def paragraph(text: str, indent: int = 0, hang: int = 0) -> str:
    """Wrapped text; lines after the first stand `hang` columns further in. Moves and squares are never broken."""
    return textwrap.fill(
        text,
        width(),
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_on_hyphens=False,
        break_long_words=False,
    )


def table(rows: Sequence[Sequence[str]], indent: int = 0, gap: int = 2, right: Sequence[int] = ()) -> str:
    """Columns as wide as they need; if the page is too narrow the widest give way and wrap. `right` are numbers."""
    if not rows:
        return ""
    columns = len(rows[0])
    widths = [max(max(map(len, row[column].split("\n"))) for row in rows) for column in range(columns)]
    spare = width() - indent - gap * (columns - 1)
    while sum(widths) > spare and max(widths) > NARROWEST:
        widths[widths.index(max(widths))] -= 1
    lines = []
    for row in rows:
        cells = [_cell(text, wide) for text, wide in zip(row, widths, strict=True)]
        for number in range(max(map(len, cells))):
            parts = [
                (cell[number] if number < len(cell) else "").rjust(wide)
                if column in right
                else (cell[number] if number < len(cell) else "").ljust(wide)
                for column, (cell, wide) in enumerate(zip(cells, widths, strict=True))
            ]
            lines.append((" " * indent + (" " * gap).join(parts)).rstrip())
    return "\n".join(lines).replace(KEPT, " ")


def _cell(text: str, wide: int) -> list[str]:
    return [
        line
        for part in text.split("\n")
        for line in textwrap.wrap(part, wide, break_on_hyphens=False, break_long_words=False) or [""]
    ]


def number(value: float) -> str:
    """Thousands apart, by a thin sign every language reads."""
    return f"{value:,.0f}".replace(",", " ")


def columns(words: Sequence[str], indent: int = 0, gap: int = 2) -> str:
    """Short words side by side, as many as fit, read along the line."""
    wide = max(map(len, words)) + gap
    fit = max(1, (width() - indent + gap) // wide)
    rows = [words[start : start + fit] for start in range(0, len(words), fit)]
    return "\n".join((" " * indent + "".join(word.ljust(wide) for word in row)).rstrip() for row in rows)
