"""The lines of the table: what was measured, what it should be, and what others do."""

from dataclasses import asdict, dataclass

from bench.measure import Figure

UNITS = {
    "leaves/s": (1e6, "M/s", 0),
    "positions/s": (1e6, "M/s", 2),
    "us": (1.0, "µs", 3),
    "ms": (1.0, "ms", 2),
    "s": (1.0, "s", 1),
    "%": (1.0, "%", 2),
    "times": (1.0, "x", 1),
    "KiB": (1.0, "KiB", 0),
}


@dataclass(frozen=True)
class Line:
    """One measured figure."""

    what: str
    figure: Figure
    unit: str
    target: float | None = None
    at_most: bool = False
    """Whether the target is a maximum rather than a minimum."""
    note: str = ""
    """What it is compared with, or how it was measured."""

    @property
    def verdict(self) -> str:
        """`ok`, `below target`, or empty without a target."""
        if self.target is None:
            return ""
        good = self.figure.value <= self.target if self.at_most else self.figure.value >= self.target
        return "ok" if good else "below target"

    def as_json(self) -> dict[str, object]:
        """Return the fields and the verdict."""
        return {**asdict(self), "verdict": self.verdict}


@dataclass(frozen=True)
class Remark:
    """A line without a figure: what could not be measured, and why."""

    text: str

    verdict = ""

    def as_json(self) -> dict[str, object]:
        """Return the text."""
        return {"remark": self.text}


HEADINGS = ("", "measured", "spread", "target", "", "beside")


def show(lines: list[Line | Remark]) -> str:
    """Return the lines as a table with aligned columns."""
    rows = [HEADINGS]
    for line in lines:
        if isinstance(line, Remark):
            rows.append((line.text, "", "", "", "", ""))
            continue
        sign = "≤" if line.at_most else "≥"
        target = "" if line.target is None else f"{sign} {shown(line.target, line.unit)}"
        spread = f"±{line.figure.spread:.0f} %" if line.figure.spread else ""
        rows.append((line.what, shown(line.figure.value, line.unit), spread, target, line.verdict, line.note))
    widths = [
        max(len(row[column]) for row in rows if column or any(row[1:])) for column in range(len(HEADINGS))
    ]
    texts = []
    for row in rows:
        first, *figures, verdict, note = row
        cells = [first.ljust(widths[0])] if any(row[1:]) else [first]
        cells += [text.rjust(width) for text, width in zip(figures, widths[1:4], strict=True)]
        texts.append("  ".join([*cells, verdict.ljust(widths[4]), note]).rstrip())
    return "\n".join("  " + text for text in texts)


def shown(value: float, unit: str) -> str:
    """Return a figure with its unit."""
    factor, name, places = UNITS[unit]
    number = value / factor
    if unit == "times" and number >= 100:
        places = 0
    return f"{number:,.{places}f} {name}"
