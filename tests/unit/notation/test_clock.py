"""Clock times in comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas import Color
from damas.notation import Clock
from damas.notation.pdn.clock import clock_text, take_clock
from unit.notation.games import clocks


@pytest.mark.parametrize(
    ("text", "rest", "clock"),
    [
        ("[%clk 0:10:00]", "", Clock(left=600_000)),
        ("[%clk 1:55:21]", "", Clock(left=6_921_000)),
        ("[%clk 0:00:07.25]", "", Clock(left=7_250)),
        ("[%emt 0:00:05]", "", Clock(spent=5_000)),
        ("[%clock w0:10:00 B0:09:58]", "", Clock(white=600_000, black=598_000, running=Color.BLACK)),
        ("[%clk w0:10:00 b0:09:58]", "", Clock(white=600_000, black=598_000)),
        ("[%clock W0:05:40]", "", Clock(white=340_000, running=Color.WHITE)),
        ("[%clock 0:49:11]", "", Clock(left=2_951_000)),
        ("before [%clk 0:00:01] after", "before after", Clock(left=1_000)),
        ("[%clk 0:00:01] [%emt 0:00:02]", "", Clock(left=1_000, spent=2_000)),
    ],
)
def test_known_commands_become_fields(text: str, rest: str, clock: Clock) -> None:
    left, times = take_clock(text, None)
    assert (" ".join(left.split()), times) == (rest, clock)


@pytest.mark.parametrize(
    "text",
    [
        "[%eval 0.3]",
        "[%mct 0:10:00]",
        "[%egt 0:10:00]",
        "[%clk soon]",
        "[%clk 0:99:00]",
        "[%emt w0:00:01]",
        "[%clock W0:01:00 B0:01:00]",
        "[%clock w0:01:00 w0:01:00]",
        "[%clock w0:01:00 b0:01:00 w0:01:00]",
        "[%clk 0:10:00",
        "[%clk]",
    ],
)
def test_other_commands_stay_in_the_text(text: str) -> None:
    assert take_clock(text, None) == (text, None)


def test_what_was_said_before_is_not_lost() -> None:
    text, clock = take_clock("[%clk 0:00:02]", Clock(left=1_000))
    assert (text, clock) == ("[%clk 0:00:02]", Clock(left=1_000))


@given(clocks())
def test_what_is_written_is_read_back(clock: Clock | None) -> None:
    text, times = take_clock(clock_text(clock or Clock()), None)
    assert (text.strip(), times) == ("", clock)


@given(st.text("[]%clkockemt wWbB0159:. ", max_size=60))
def test_garbage_stays_text(text: str) -> None:
    take_clock(text, None)
