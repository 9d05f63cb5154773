"""Clock times in comments: [%clk 0:09:58], [%clock w0:09:58 B0:10:00], [%emt 0:00:02]."""

import re
from dataclasses import dataclass
from typing import Any

from damas.board import Color

_TIME = r"([0-9]{1,4}):([0-5]?[0-9]):([0-5]?[0-9])(?:\.([0-9]{1,3}))?"
_COMMAND = re.compile(r"\[%(clk|clock|emt)\s+([^\[\]]{1,80}?)\s*\]")
_ONE = re.compile(_TIME)
_COLORS = {"w": Color.WHITE, "b": Color.BLACK}
_SIDED = re.compile(rf"([wWbB]){_TIME}")


@dataclass(frozen=True, slots=True)
class Clock:
    """The clocks at a move, in milliseconds."""

    left: int | None = None
    """Time left to the player who moved."""
    white: int | None = None
    black: int | None = None
    running: Color | None = None
    """Whose clock runs, where the text says so by a capital letter."""
    spent: int | None = None
    """Time spent on this move."""

    def __post_init__(self) -> None:
        for time in (self.left, self.white, self.black, self.spent):
            if time is not None and not (isinstance(time, int) and time >= 0):
                raise ValueError(f"a time is a whole number of milliseconds, not {time!r}")


def take_clock(text: str, clock: Clock | None) -> tuple[str, Clock | None]:
    """Split a comment into its text and the times of its clock commands, which are added to those of `clock`.

    Commands that are unknown, malformed or repeat a time stay in the text.
    """
    times: dict[str, Any] = {}
    if clock is not None:
        times = {name: value for name in Clock.__slots__ if (value := getattr(clock, name)) is not None}

    def taken(command: re.Match[str]) -> str:
        return " " if _add_times(command[1], command[2], times) else command[0]

    while "[%" in text and (rest := _COMMAND.sub(taken, text)) != text:
        text = rest  # what a command stood in may have become one
    return text, Clock(**times) if times else None


def clock_text(clock: Clock) -> str:
    """The commands that say all this, for a comment."""
    commands = []
    if clock.white is not None or clock.black is not None:
        sides = [("w", clock.white, Color.WHITE), ("b", clock.black, Color.BLACK)]
        shown = [
            (letter.upper() if clock.running is color else letter) + _written(time)
            for letter, time, color in sides
            if time is not None
        ]
        commands.append(f"[%clock {' '.join(shown)}]")
    if clock.left is not None:
        commands.append(f"[%clk {_written(clock.left)}]")
    if clock.spent is not None:
        commands.append(f"[%emt {_written(clock.spent)}]")
    return " ".join(commands)


def _add_times(command: str, value: str, times: dict[str, Any]) -> bool:
    """Add the times of one command; False if it is malformed or repeats one."""
    if one := _ONE.fullmatch(value):
        news: dict[str, Any] = {"spent" if command == "emt" else "left": _time(*one.groups())}
    else:
        news = {}
        for word in value.split():
            side = _SIDED.fullmatch(word)
            color = _COLORS[side[1].lower()] if side and command != "emt" else None
            if (
                side is None
                or color is None
                or color.value in news
                or (side[1].isupper() and "running" in news)
            ):
                return False
            news[color.value] = _time(*side.groups()[1:])
            if side[1].isupper():
                news["running"] = color
    if not news or not times.keys().isdisjoint(news):
        return False
    times.update(news)
    return True


def _time(hours: str, minutes: str, seconds: str, fraction: str | None) -> int:
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int((fraction or "").ljust(3, "0"))


def _written(time: int) -> str:
    seconds, fraction = divmod(time, 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text
