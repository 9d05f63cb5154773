"""Formats headings, paragraphs and tables for the terminal."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from itertools import zip_longest

NO_BREAK_SPACE = "\u00a0"
"""A space at which a table does not break a line."""
_GAP = "  "


def width() -> int:
    """Return the text width: the terminal's, but at most 100 columns."""
    return max(40, min(shutil.get_terminal_size((80, 24)).columns, 100))


def rows() -> int:
    """Return the height of the terminal in lines."""
    return shutil.get_terminal_size((80, 24)).lines


def is_terminal() -> bool:
    """Whether stdout is a terminal on which the user wants colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def can_show(text: str) -> bool:
    """Whether stdout can encode this text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def heading(text: str) -> str:
    """A text in bold, if stdout is a terminal."""
    return f"\033[1m{text}\033[0m" if is_terminal() else text


def paragraph(text: str, indent: int = 0, hang: int = 0) -> str:
    """Wrap text; lines after the first are indented by `hang` more columns. Moves and squares are never broken."""
    return textwrap.fill(
        text,
        width(),
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_on_hyphens=False,
        break_long_words=False,
    )


def table(rows: Sequence[Sequence[str]], indent: int = 0, right: Sequence[int] = ()) -> str:
    """A table with columns as wide as they need; if the page is too narrow the widest wrap.

    Columns whose numbers are in `right` are aligned to the right.
    """
    if not rows:
        return ""
    widths = _widths(list(zip(*rows, strict=True)), width() - indent - len(_GAP) * (len(rows[0]) - 1))
    lines = []
    for row in rows:
        cells = [_wrapped(text, wide) for text, wide in zip(row, widths, strict=True)]
        for parts in zip_longest(*cells, fillvalue=""):
            aligned = (
                part.rjust(wide) if column in right else part.ljust(wide)
                for column, (part, wide) in enumerate(zip(parts, widths, strict=True))
            )
            lines.append((" " * indent + _GAP.join(aligned)).rstrip())
    return "\n".join(lines).replace(NO_BREAK_SPACE, " ")


def _widths(columns: Sequence[Sequence[str]], most: int) -> list[int]:
    """The width of each column: that of its longest text, or less to fit, but at least that of its longest word."""
    widths = [max(map(len, column)) for column in columns]
    least = [max(len(word) for text in column for word in text.split(" ")) for column in columns]
    while sum(widths) > most and (shrinkable := [c for c, wide in enumerate(widths) if wide > least[c]]):
        widths[max(shrinkable, key=widths.__getitem__)] -= 1
    return widths


def _wrapped(text: str, wide: int) -> list[str]:
    return textwrap.wrap(text, max(1, wide), break_on_hyphens=False, break_long_words=False) or [""]


def columns(words: Sequence[str], indent: int = 0) -> str:
    """Lay out short words in columns, row by row."""
    wide = max(map(len, words)) + len(_GAP)
    fit = max(1, (width() - indent + len(_GAP)) // wide)
    rows = [words[start : start + fit] for start in range(0, len(words), fit)]
    return "\n".join((" " * indent + "".join(word.ljust(wide) for word in row)).rstrip() for row in rows)
