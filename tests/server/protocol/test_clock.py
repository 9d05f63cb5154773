"""Time is conserved, to the millisecond, whatever the network, the disk, the wall clock and the server do."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damas.arbiter import Resumed, Table, TimeControl, regulation
from damas.board import Color
from damas.server.rooms import outages
from damas.server.rooms.clockwork import GameTime, Lag, arrival
from damas.server.rooms.seats import Seat, Seats
from damas.server.rooms.timekeeper import Timekeeper
from damas.server.settings import Limits
from server.rooms.by_hand import Hands

LIMITS = Limits()
PEOPLE = Seats(Seat("a", "Ana", "person"), Seat("b", "Rui", "person"))


class Game:
    """A game of random moves by a timekeeper, with the accounts kept apart on paper."""

    def __init__(self, seed: int, control: str, *, wall_steps: bool = False) -> None:
        self.chance = random.Random(seed)
        self._wall = random.Random(f"wall {seed}") if wall_steps else None
        self.hands = Hands()
        self.table = Table.start("brasileira", regulation("casual").with_time(control), ("Ana", "Rui"))
        self.keeper = Timekeeper(LIMITS, self.hands, self.table, PEOPLE, begun=True)
        self.charged = dict.fromkeys(Color, 0)
        self.given = dict.fromkeys(Color, 0)
        self.turn_began = self.hands.mono

    def passes(self, ms: int) -> None:
        self.hands.mono += ms
        self.hands.wall += ms
        if self._wall and self._wall.random() < 0.3:
            self.hands.wall += self._wall.choice([-3_600_000, 3_600_000])

    def move(self) -> None:
        side, lag, clocks = self.table.to_move, self.keeper.lags[self.table.to_move], self.table.clocks
        self.passes(self.chance.choice([0, 3, 40, 900, 5_000, 20_000]))
        lag.add_trip(self.chance.choice([0, 20, 80, 400, 3_000]))
        received = self.hands.mono
        quota, credit = lag.quota, lag.due
        at = self.keeper.move_at(side, received)
        elapsed = received - self.turn_began
        spent = max(0, elapsed - credit)
        assert at - clocks.since == spent
        assert 0 <= credit <= quota
        remaining = clocks.side(side).remaining
        assert remaining is not None
        if spent > remaining:  # the flag: nothing more to account for
            raise StopIteration
        table = self.table.play(self.chance.choice(self.table.playable), at)
        self.charged[side] += spent
        self.given[side] += table.clocks.side(side).given - self.table.clocks.side(side).given
        lag.spend(elapsed - spent, elapsed)
        assert lag.quota <= LIMITS.lag_quota_moves * lag.gain
        self.table = table
        self.passes(self.chance.choice([0, 1, 30, 2_000]))  # to the disk: nobody's time
        self.keeper.follow(table, PEOPLE, self.hands.mono)
        self.turn_began = self.hands.mono

    def store_away(self) -> None:
        """Nobody's time either."""
        self.keeper.pause()
        away = self.chance.choice([10, 500, 60_000])
        self.passes(away)
        self.keeper.unpause()
        self.turn_began += away

    def outage(self) -> None:
        """Charged up to the last sign of life, then to nobody; what is owed is given, once."""
        mover = self.table.to_move
        lived = self.chance.choice([0, 400, 3_000])
        left = self.table.clocks.remaining(mover, self.table.now)
        assert left is not None
        before = self.hands.mono - self.turn_began
        self.passes(lived)
        down = outages.after_outage(self.table, before + lived, LIMITS)
        self.charged[mover] += min(before + lived, left)
        self.given[mover] += LIMITS.outage_mover_ms
        self.given[mover.other] += LIMITS.outage_other_ms
        self.passes(self.chance.choice([2_000, 600_000]))
        assert outages.after_outage(down, 99_999, LIMITS) is down  # once
        self.keeper = Timekeeper(LIMITS, self.hands, down, PEOPLE, begun=True)
        self.passes(12_345)  # nobody is back yet
        self.table = down.apply(Resumed(down.now, "back"))
        self.keeper.follow(self.table, PEOPLE, self.hands.mono)
        self.turn_began = self.hands.mono

    def check(self) -> None:
        budget = self.table.regulation.time_control.budget
        assert budget is not None
        for side in Color:
            account = self.table.clocks.side(side)
            assert account.remaining is not None and account.remaining >= 0
            assert account.charged == self.charged[side]
            assert account.remaining + account.charged == budget + account.given
            assert account.given == self.given[side]


def played(seed: int, control: str, *, wall_steps: bool = False) -> Game:
    game = Game(seed, control, wall_steps=wall_steps)
    for _ in range(200):
        what = game.chance.random()
        try:
            if what < 0.04:
                game.store_away()
            elif what < 0.07:
                game.outage()
            else:
                game.move()
        except StopIteration:
            break
        game.check()
        if game.table.outcome:
            break
    return game


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["5+3", "3", "10b5", "15+10"]))
def test_charges_and_what_is_left_are_what_was_given(seed: int, control: str) -> None:
    played(seed, control)


@pytest.mark.parametrize("seed", range(10))
def test_a_wall_clock_that_jumps_an_hour_changes_nothing(seed: int) -> None:
    plain, jumping = played(seed, "5+3"), played(seed, "5+3", wall_steps=True)
    assert plain.table.events == jumping.table.events
    assert plain.hands.wall != jumping.hands.wall or plain.table.ply == 0


def test_flag_waits_for_the_quota_and_no_longer() -> None:
    game = Game(1, "5+3")
    game.keeper.here |= set(Color)
    due = game.keeper.due()
    assert due is not None
    # The first move must be made sooner than that.
    assert due.what == "not_begun" and due.moment == game.hands.mono + 30_000
    for _ in range(2):
        game.move()
    due = game.keeper.due()
    left = game.table.clocks.remaining(Color.WHITE, game.table.now)
    assert due is not None and left is not None
    grace = min(game.keeper.lags[Color.WHITE].quota, 2_000)
    assert (due.what, due.moment) == ("flag", game.hands.mono + left + grace + 1)


@pytest.mark.parametrize(("kind", "margin"), [("bot", 100), ("level:3", 20)])
def test_programs_have_a_margin_instead_of_credit(kind: str, margin: int) -> None:
    seats = Seats(Seat("a", "A", kind), Seat("b", "B", "person"))
    players = seats.white.player, seats.black.player
    table = Table.start("brasileira", regulation("casual").with_time("1s/move"), players)
    hands = Hands()
    keeper = Timekeeper(LIMITS, hands, table, seats, begun=True)
    for _ in range(2):
        keeper.lags[Color.WHITE].add_trip(500)  # which gains a program nothing
    late = hands.mono + 1_000 + margin
    assert keeper.move_at(Color.WHITE, late) == 1_000
    assert keeper.move_at(Color.WHITE, late + 1) == 1_000 + margin + 1
    assert keeper.move_at(Color.WHITE, hands.mono + 700) == 700


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**4), st.integers(0, 10**6))
def test_credit_never_makes_a_move_shorter_than_nothing(
    sent: int, since: int, credit: int, earliest: int
) -> None:
    at = arrival(sent, since, credit, earliest)
    assert at >= min(since, sent) and at >= earliest
    assert at <= max(sent, since, earliest)


def test_the_quota_is_that_of_the_book() -> None:
    blitz = Lag.under(TimeControl.parse("3+2"), LIMITS)
    assert (
        blitz.gain == min(1000, 150 + int(0.004 * (180_000 + 40 * 2_000))) and blitz.quota == 3 * blitz.gain
    )
    for _ in range(100):
        blitz.spend(0, 5_000)
    assert blitz.quota == 7 * blitz.gain
    assert Lag.under(TimeControl.parse("none"), LIMITS).gain == 150


def test_one_slow_ping_gains_nothing() -> None:
    lag = Lag.under(TimeControl.parse("5+3"), LIMITS)
    assert lag.due == 0
    lag.add_trip(2_000)
    assert lag.due == 0  # one ping says nothing
    for _ in range(7):
        lag.add_trip(30)
    assert lag.due == 30


def test_late_pongs_earn_nothing() -> None:
    lag = Lag.under(TimeControl.parse("5+3"), LIMITS)
    for _ in range(8):
        lag.add_trip(LIMITS.lag_late_ms + 1)
    assert lag.due == 0
    for _ in range(8):
        lag.add_trip(LIMITS.lag_late_ms)
    assert lag.due == LIMITS.lag_late_ms


def test_nobody_has_a_slower_network_than_the_quickest_reply() -> None:
    lag = Lag.under(TimeControl.parse("5+3"), LIMITS)
    for _ in range(8):
        lag.add_trip(600)
    lag.spend(600, 4_000)
    assert lag.due == 600
    lag.spend(600, 90)
    assert lag.due == 90
    for _ in range(8):  # the network may have become worse since
        lag.spend(90, 4_000)
    assert lag.due == 600


def test_a_moment_before_the_mark_counts_as_the_mark() -> None:
    watch = GameTime(at=500, mono=10_000)
    assert watch.at_of(9_000) == 500
    watch.stop(10_100)
    assert watch.at_of(99_000) == 600
    watch.go(20_000)
    assert watch.at_of(20_050) == 650
