"""Clock times in comments: [%clk 0:09:58], [%clock w0:09:58 B0:10:00], [%emt 0:00:02]."""

import re
from dataclasses import dataclass, replace

from damas.board import Color

_TIME = r"([0-9]{1,4}):([0-5]?[0-9]):([0-5]?[0-9])(?:\.([0-9]{1,3}))?"
_COMMAND = re.compile(r"\[%(clk|clock|emt)\s+([^\[\]]{1,80}?)\s*\]")
_ONE = re.compile(_TIME)
_SIDED = re.compile(rf"([wWbB]){_TIME}")


@dataclass(frozen=True, slots=True)
class Clock:
    """What the clocks said when a move was made, in milliseconds."""

    left: int | None = None
    """Time left to the player who moved."""
    white: int | None = None
    black: int | None = None
    running: Color | None = None
    """Whose clock runs, where the text says so: its letter is a capital."""
    spent: int | None = None
    """Time spent on this move."""


def take_clock(text: str, known: Clock | None) -> tuple[str, Clock | None]:
    """A comment without the clock commands it held, and what they said added to what is known.

    Commands that are unknown, malformed or said before stay in the text.
    """
    clock = known or Clock()

    def read(command: re.Match[str]) -> str:
        nonlocal clock
        told = _told(command[1], command[2], clock)
        if told is None:
            return command[0]
        clock = told
        return " "

    rest = _COMMAND.sub(read, text)
    return rest, None if clock == Clock() else clock


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


def _told(command: str, value: str, clock: Clock) -> Clock | None:
    """The clock with one command added, or None if it adds nothing that can be kept."""
    if one := _ONE.fullmatch(value):
        time = _time(*one.groups())
        if command == "emt":
            return replace(clock, spent=time) if clock.spent is None else None
        return replace(clock, left=time) if clock.left is None else None
    words = value.split()
    if command == "emt" or len(words) > 2:
        return None
    for word in words:
        side = _SIDED.fullmatch(word)
        if side is None or (side[1].isupper() and clock.running):
            return None
        letter, *time_parts = side.groups()
        time = _time(*time_parts)
        if letter in "wW" and clock.white is None:
            clock = replace(clock, white=time, running=Color.WHITE if letter == "W" else clock.running)
        elif letter in "bB" and clock.black is None:
            clock = replace(clock, black=time, running=Color.BLACK if letter == "B" else clock.running)
        else:
            return None
    return clock


def _time(hours: str, minutes: str, seconds: str, fraction: str | None) -> int:
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int((fraction or "").ljust(3, "0"))


def _written(time: int) -> str:
    seconds, fraction = divmod(max(0, time), 1000)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:03}".rstrip("0") if fraction else text
