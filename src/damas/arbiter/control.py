"""Time controls and their short texts.

| text                  | control                                                                          |
|-----------------------|----------------------------------------------------------------------------------|
| `none`                | no limit; the time used is still counted                                         |
| `20`, `90s`, `2h`     | sudden death: so much for the whole game                                         |
| `5+3`                 | Fischer: 5 minutes, and 3 seconds more after each move                           |
| `5b3`                 | Bronstein: 5 minutes; after each move the time it took is given back, 3 s at most |
| `10+5x30s`            | byo-yomi: 10 minutes, then 5 periods of 30 s; a period is used up when exceeded   |
| `1s/move`             | a limit for every single move                                                    |
| `3d`                  | correspondence: 3 days for every move                                            |

Units are ms, s, m, h; without one the main time is in minutes and whatever follows it in seconds.
"""

import re
from dataclasses import dataclass
from typing import Self

from damas.errors import NotationError, Problem

UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
"""Milliseconds of each unit of time."""
MAX_MS = 100_000 * UNITS["d"]
"""The longest time of a control, in milliseconds."""
PEOPLE_PER_MOVE = "30s/move"
"""Time for every move of people who choose none, where a regulation limits single moves: its own limit is for programs."""
KINDS = ("none", "sudden", "fischer", "bronstein", "byoyomi", "move", "days")
"""All kinds of time control."""

_SPAN = r"(\d{1,9})(ms|s|m|h)?"
_TEXT = re.compile(
    rf"(?P<none>none)|(?P<days>\d{{1,9}})d|(?P<move>{_SPAN})/move"
    rf"|(?P<base>{_SPAN})(?:\+(?P<periods>\d{{1,4}})x(?P<period>{_SPAN})|(?P<sign>[+b])(?P<extra>{_SPAN}))?"
)


@dataclass(frozen=True)
class TimeControl:
    """How much time the players have. All times are whole milliseconds.

    >>> TimeControl.parse("5+3")
    TimeControl(kind='fischer', base=300000, extra=3000, periods=0)
    >>> str(TimeControl.parse("90s+2"))
    '90s+2'
    """

    kind: str
    base: int = 0
    """For the whole game, before anything is added."""
    extra: int = 0
    """The increment, the delay, a period, or the limit of one move."""
    periods: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads a short text as in the table above; raises `NotationError`."""
        match = _TEXT.fullmatch(text.strip())
        control = cls._read(match) if match else None
        if control is None or max(control.base, control.extra * max(1, control.periods)) > MAX_MS:
            raise NotationError(text, (Problem("TIME_CONTROL", text, 0),))
        return control

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self | None:
        part = match.groupdict()
        if part["none"]:
            return cls("none")
        if part["days"]:
            days = int(part["days"]) * UNITS["d"]
            return cls("days", extra=days) if days else None
        if part["move"]:
            limit = _span(part["move"], "s")
            return cls("move", extra=limit) if limit else None
        base = _span(part["base"], "m")
        if part["periods"]:
            periods, period = int(part["periods"]), _span(part["period"], "s")
            return cls("byoyomi", base, period, periods) if periods and period else None
        if not base:
            return None
        extra = _span(part["extra"], "s") if part["sign"] else 0
        if not extra:
            return cls("sudden", base)
        return cls("fischer" if part["sign"] == "+" else "bronstein", base, extra)

    @property
    def budget(self) -> int | None:
        """Milliseconds each side starts with; None without a limit."""
        if self.kind == "none":
            return None
        return self.extra if self.by_the_turn else self.base + self.periods * self.extra

    @property
    def by_the_turn(self) -> bool:
        """Whether each move has its own time and unused time is lost."""
        return self.kind in ("move", "days")

    def __str__(self) -> str:
        if self.kind == "none":
            return "none"
        if self.kind == "days":
            return f"{self.extra // UNITS['d']}d"
        if self.kind == "move":
            return f"{_written(self.extra, '')}/move"
        text = _written(self.base, "m")
        if self.kind == "byoyomi":
            return f"{text}+{self.periods}x{_written(self.extra, '')}"
        if self.kind == "sudden":
            return text
        return f"{text}{'+' if self.kind == 'fischer' else 'b'}{_written(self.extra, 's')}"


def _span(text: str, unit: str) -> int:
    match = re.fullmatch(_SPAN, text)
    assert match
    return int(match[1]) * UNITS[match[2] or unit]


def _written(ms: int, silent: str) -> str:
    """The time in the largest unit that divides it; the unit is left out if it is `silent`, the one a reader assumes."""
    if silent == "m" and ms % UNITS["m"] == 0:
        return str(ms // UNITS["m"])
    unit = "s" if ms % UNITS["s"] == 0 else "ms"
    return f"{ms // UNITS[unit]}{'' if unit == silent else unit}"
