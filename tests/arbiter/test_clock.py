from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from damas.arbiter import Clock, TimeControl
from damas.board import Color

from .tables import B, W


def clock(text: str) -> Clock:
    return Clock.start(TimeControl.parse(text), W)


def sound(now: Clock) -> None:
    """The account is right to the millisecond, and nothing is negative."""
    budget = now.control.budget
    for color in Color:
        side = now.side(color)
        assert side.charged >= 0
        assert side.given >= 0
        if budget is not None:
            assert side.remaining + side.charged == budget + side.given
            assert side.remaining >= 0
            assert side.periods >= 0


def test_sudden_death_only_shrinks():
    now = clock("1").press(20_000).press(25_000).press(60_000)
    assert (now.white.remaining, now.black.remaining) == (5_000, 55_000)
    assert now.overdue(60_000 + 55_000) is None
    assert now.overdue(60_000 + 55_001) is B


def test_fischer_adds_after_each_move():
    now = clock("1+3").press(20_000)
    assert now.white.remaining == 43_000
    assert now.press(21_000).black.remaining == 62_000


def test_bronstein_gives_back_what_the_move_took_and_no_more():
    assert clock("1b3").press(2_000).white.remaining == 60_000
    assert clock("1b3").press(10_000).white.remaining == 53_000


def test_a_move_limit_is_whole_again_for_every_move():
    now = clock("1s/move").press(999).press(1_500)
    assert (now.white.remaining, now.black.remaining) == (1_000, 1_000)
    assert now.overdue(2_500) is None
    assert now.overdue(2_501) is W


def test_correspondence_counts_days_for_each_move():
    day = 86_400_000
    now = clock("3d").press(2 * day)
    assert now.white.remaining == 3 * day
    assert now.overdue(5 * day) is None
    assert now.overdue(5 * day + 1) is B


def test_byo_yomi_uses_up_a_period_only_when_it_is_exceeded():
    now = clock("1+3x30s")
    assert now.white.remaining == 150_000
    now = now.press(60_000).press(60_000)  # the main time, exactly
    assert (now.white.remaining, now.white.periods) == (90_000, 3)
    now = now.press(90_000).press(90_000)  # a whole period, exactly: it is there again
    assert (now.white.remaining, now.white.periods) == (90_000, 3)
    now = now.press(120_001).press(120_001)  # one millisecond too much: one period is gone
    assert (now.white.remaining, now.white.periods) == (60_000, 2)
    assert now.overdue(180_001) is None
    assert now.overdue(180_002) is W
    assert now.press(180_001).white.remaining == 30_000
    sound(now.press(180_001))


def test_main_time_left_over_is_kept_before_the_periods():
    now = clock("1+3x30s").press(10_000)
    assert (now.white.remaining, now.white.periods) == (140_000, 3)


def test_added_time_comes_before_the_periods_too():
    now = clock("0+1x30s").add(W, 10_000).press(35_000)
    assert (now.white.remaining, now.white.periods) == (30_000, 1)
    sound(now)


def test_without_a_limit_nobody_is_late_and_the_time_is_still_counted():
    now = clock("none").press(10**12)
    assert now.overdue(10**15) is None
    assert now.face(10**12).white is None
    assert (now.used(W, 10**12 + 7), now.used(B, 10**12 + 7)) == (10**12, 7)


def test_a_turn_handed_over_goes_on_with_what_it_had():
    now = clock("1s/move").hand_over(600).hand_over(700)
    assert now.running is W
    assert now.remaining(W, 700) == 400
    now = now.press(1_000)
    assert now.white.remaining == 1_000  # the next turn is whole
    sound(now)


def test_a_turn_that_ends_without_a_move_earns_nothing():
    assert clock("1+3").interrupt(B, 10_000).white.remaining == 50_000
    assert clock("1b3").interrupt(B, 10_000).white.remaining == 50_000
    assert clock("1s/move").interrupt(B, 900).white.remaining == 1_000


def test_a_pause_is_charged_to_nobody():
    now = clock("1").pause(10_000)
    assert now.overdue(10**9) is None
    assert now.remaining(W, 10**9) == 50_000
    now = now.resume(W, 10**9)
    assert now.remaining(W, 10**9 + 5_000) == 45_000


def test_a_clock_that_is_never_stopped_stands_at_nothing():
    now = clock("1")
    assert now.face(90_000).white == now.face(90_000).remaining(W) == 0
    assert now.face(90_000).remaining(B) == 60_000
    assert now.face(90_000).overdue is W
    sound(now.press(90_000))
    assert now.press(90_000).white.remaining == 0


def test_time_must_not_go_back():
    with pytest.raises(ValueError, match="time went back"):
        clock("1").press(10).press(9)


TEXTS = ("none", "5", "3+2", "3b2", "1+5x30s", "1s/move", "1d")


def test_a_million_moves_balance_to_the_millisecond():
    """Every account is followed by hand as well: what was used and what was given."""
    random = Random(20150723)
    moves = 1_000_000 // len(TEXTS) + 1
    for text in TEXTS:
        control = TimeControl.parse(text)
        now, at = Clock.start(control, W), 0
        for count in range(moves):
            left = now.white.remaining if now.running is W else now.black.remaining
            most = 2_000 if left is None else min(left, 2_000)
            at += int(random.random() * (most + 1))
            now = now.press(at)
            if left is not None and left < 2_000 and not control.by_the_turn:
                now = now.add(W, 60_000).add(B, 60_000)  # the arbiter lets them go on
            if count % 64 == 0:
                sound(now)
                if control.by_the_turn:
                    assert now.white.remaining == now.black.remaining == control.extra
        sound(now)
        used = now.white.charged + now.black.charged
        assert used == at  # nobody's time is charged twice, and none is lost


steps = st.lists(st.tuples(st.sampled_from("phitra"), st.integers(0, 100_000)), max_size=30)


@given(st.sampled_from(TEXTS), steps)
def test_clock_balances_hold_for_any_sequence_of_operations(text, doings):
    now, at = clock(text), 0
    for doing, ms in doings:
        at += ms
        match doing:
            case "p":
                now = now.press(at)
            case "h":
                now = now.hand_over(at)
            case "i":
                now = now.interrupt(B, at)
            case "t":
                now = now.pause(at)
            case "r":
                now = now.pause(at).resume(W, at)
            case "a":
                now = now.add(B, ms)
        sound(now)
        for color in Color:
            left = now.remaining(color, at + ms)
            assert left is None or left >= 0
