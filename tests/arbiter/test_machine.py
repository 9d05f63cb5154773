"""Any order of events: what is loaded is what was lived, one outcome stands at most, and nothing of ours breaks."""

from dataclasses import fields
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from damas.arbiter import PRESETS, Event, Player, ProcedureRefused, Table, events, ledger, regulation
from damas.board import Color

from .tables import changed, reloaded

STARTS = [
    ("brasileira", None),
    ("brasileira", "W:WKg1,Ka1:BKb8"),
    ("oficial", "W:WKg1,a3:BKb8,h6"),
    ("faraes", "W:WKg1,Kc1,Ka3:BKb8"),
    ("faraes", "W:Wc3,a1:Bd4,f6,h8"),
    ("portuguesa", "W:WK2,K3,K4:BK29"),
    ("portuguesa", "W:W10,22,24,26:B13,14,23,6,K32"),
    ("portuguesa-fpd", "W:WK4,9:BK29,24"),
    ("concurso", "W:WKg1,a3:BKb8"),
    ("internacional", None),
]
PLAIN = [
    kind
    for kind in events.KINDS.values()
    if issubclass(kind, events.PlayerEvent)
    and len(fields(kind)) == 2
    and kind not in (events.Resigned, events.Aborted)
]
"""Events of a player that have no content, except those that end the game at once."""
HAND = [*(kind for kind in events.KINDS.values() if issubclass(kind, events.Intervention)), events.Suspended]
colors = st.sampled_from(list(Color))
waits = st.sampled_from([0, 1, 5, 10, 10, 10, 20, 900, 30_000])
picks = st.integers(0, 10**6)


def under_way(self: "Tables") -> bool:
    return self.table.outcome is None and not self.table.suspended


class Tables(RuleBasedStateMachine):
    table: Table

    @initialize(
        start=st.sampled_from(STARTS),
        preset=st.sampled_from(PRESETS),
        time=st.sampled_from(["none", "20", "5+3", "1b3", "0+9x20s", "1s/move", "1d"]),
        bots=st.tuples(st.booleans(), st.booleans()),
        answers=st.fixed_dictionaries(
            {},
            optional={
                "clock_stopped_by": st.sampled_from(["move", "press"]),
                "people_lose_at": st.integers(0, 2),
                "people_illegal_moves": st.sampled_from(["refused", "counted", "rulebook"]),
                "take_back": st.booleans(),
                "recorded": st.booleans(),
                "touch_move": st.sampled_from(["on", "off"]),
                "unfinished_chain": st.sampled_from(["opponent", "refused"]),
                "two_tempi": st.sampled_from(["on", "off", "rulebook"]),
                "crowning_by_hand": st.sampled_from(["on", "off", "rulebook"]),
                "wrong_claim": st.sampled_from(["nothing", "time", "loses"]),
                "claims": st.sampled_from(["automatic", "player"]),
            },
        ),
        seed=st.integers(0, 99),
    )
    def sit_down(self, start, preset, time, bots, answers, seed):
        order = list(regulation(preset).procedures[1:])
        Random(seed).shuffle(order)  # no order of procedures may break anything
        rules = changed(preset, time=time, procedures=("end_on_board", *order), **answers)
        players = (Player("a", bots[0]), Player("b", bots[1]))
        self.table = Table.start(start[0], rules, players, fen=start[1], lot=seed)

    def send(self, event: Event) -> None:
        before = self.table
        try:
            self.table = before.apply(event)
        except ProcedureRefused as refused:
            self.table = refused.table
            if before.outcome:
                assert self.table is before  # after the end nothing is even noted
        assert self.table.events[: len(before.events)] == before.events  # nothing is ever erased

    def later(self, wait: int) -> int:
        return self.table.now + wait

    # Playing

    @precondition(under_way)
    @rule(wait=waits, pick=picks)
    def move(self, wait, pick):
        moves = self.table.playable or list(self.table.position.legal_moves)
        self.send(events.Moved(self.later(wait), self.table.to_move, moves[pick % len(moves)].text))

    @precondition(under_way)
    @rule(by=colors, kind=st.sampled_from([events.Lifted, events.Crowned]), pick=picks)
    def lift_or_crown_anything(self, by, kind, pick):
        names = [*self.table.book.square_names, "z9"]
        self.send(kind(self.later(5), by, names[pick % len(names)]))

    @precondition(lambda self: under_way(self) and (self.table.lifting or self.table.crowning))
    @rule(wait=waits)
    def finish_by_hand(self, wait):
        while self.table.lifting and under_way(self):
            left = len(self.table.lifting)
            self.send(events.Lifted(self.later(wait), self.table.awaited, self.table.lifting[0]))
            assert len(self.table.lifting) < left
        if self.table.crowning and under_way(self):
            self.send(events.Crowned(self.later(wait), self.table.awaited, self.table.crowning))
            assert not under_way(self) or not self.table.crowning

    @precondition(under_way)
    @rule(picks=st.lists(picks, min_size=2, max_size=12))
    def move_on(self, picks):
        for pick in picks:
            if under_way(self) and (self.table.lifting or self.table.crowning):
                self.finish_by_hand(wait=1)
            if under_way(self) and self.table.playable:
                self.move(wait=10, pick=pick)

    @precondition(under_way)
    @rule(plies=st.integers(4, 12))
    def shuttle(self, plies):
        for _ in range(plies):
            if not under_way(self) or not self.table.playable:
                return
            moves, record = self.table.playable, self.table.game.record
            last = record.move(record.length - 1) if record.length > 1 else None
            back = [m for m in moves if last and (m.origin, m.destination) == (last.destination, last.origin)]
            self.send(events.Moved(self.later(1), self.table.to_move, (back or moves)[0].text))

    @precondition(under_way)
    @rule(
        by=colors, wait=waits, text=st.sampled_from(["c3-c5", "zz", "", "f6-g5", "10-14", "2,2 3,3", "c3xe5"])
    )
    def try_a_move(self, by, wait, text):
        self.send(events.Moved(self.later(wait), by, text))

    @precondition(under_way)
    @rule(by=colors, pick=picks, over=st.integers(0, 60))
    def touch(self, by, pick, over):
        names = self.table.book.square_names
        held = names[over] if over < len(names) else ""
        self.send(events.Touched(self.later(5), by, names[pick % len(names)], held))

    @precondition(lambda self: under_way(self) and self.table.touch_move)
    @rule(first=picks, second=picks)
    def touch_and_move(self, first, second):
        moves = list(self.table.position.legal_moves)
        square = self.table.book.square_names[moves[first % len(moves)].origin]
        self.send(events.Touched(self.later(5), self.table.to_move, square))
        if under_way(self):
            self.send(events.Moved(self.later(5), self.table.to_move, moves[second % len(moves)].text))

    @precondition(lambda self: under_way(self) and self.table.position.must_capture())
    @rule(by=colors, pick=picks)
    def stop_early(self, by, pick):
        captures = list(self.table.position.routes())
        route = captures[pick % len(captures)].route[:2]
        names = self.table.book.square_names
        self.send(events.StoppedEarly(self.later(5), by, "x".join(names[square] for square in route)))

    @precondition(lambda self: under_way(self) and self.table.position.must_capture())
    @rule(pick=picks, kind=st.sampled_from([events.AcceptedUnfinished, events.DemandedCompletion]), by=colors)
    def stop_early_and_choose(self, pick, kind, by):
        self.stop_early(by=self.table.to_move, pick=pick)
        if under_way(self):
            self.send(kind(self.later(5), by))

    # Asking

    @precondition(under_way)
    @rule(kind=st.sampled_from(PLAIN), by=colors, wait=waits)
    def do(self, kind, by, wait):
        self.send(kind(self.later(wait), by))

    @precondition(under_way)
    @rule(
        by=colors,
        kind=st.sampled_from([events.Accepted, events.Declined, events.Withdrew]),
        other=colors,
        pick=picks,
    )
    def offer_and_answer(self, by, kind, other, pick):
        self.send(events.Offered(self.later(5), by))
        if under_way(self) and pick % 3 == 0:
            self.move(wait=5, pick=pick)
        if under_way(self) and (kind is not events.Accepted or pick % 5 == 0):
            self.send(kind(self.later(5), other))

    @precondition(lambda self: under_way(self) and self.table.regulation.take_back)
    @rule(
        by=colors,
        kind=st.sampled_from([events.TakeBackGranted, events.TakeBackGranted, events.TakeBackRefused]),
        other=colors,
    )
    def ask_back_and_answer(self, by, kind, other):
        self.send(events.TakeBackAsked(self.later(5), by))
        if under_way(self):
            self.send(kind(self.later(5), other))

    @precondition(lambda self: under_way(self) and self.table.absent)
    @rule(
        by=colors,
        kind=st.sampled_from([events.Reconnected, events.ClaimedAbsence]),
        wait=st.sampled_from([1, 60_000]),
    )
    def come_back(self, by, kind, wait):
        self.send(kind(self.later(wait), by))

    @precondition(under_way)
    @rule(
        by=colors,
        kind=st.sampled_from([events.Claimed, events.CalledAttention]),
        pick=st.integers(0, 9),
        wait=waits,
    )
    def claim(self, by, kind, pick, wait):
        rules = [draw.id for draw in self.table.book.draws] + ["no-such-rule"]
        self.send(kind(self.later(wait), by, rules[pick % len(rules)]))

    @precondition(lambda self: under_way(self) and self.table.claims_open())
    @rule(by=colors)
    def claim_what_is_open(self, by):
        claim = self.table.claims_open()[0]
        self.send(
            (events.Claimed if claim.kind == "claim" else events.CalledAttention)(
                self.later(1), by, claim.rule.id
            )
        )

    @precondition(under_way)
    @rule(by=colors, kind=st.sampled_from([events.Blew, events.LeftUncrowned]))
    def meddle(self, by, kind):
        self.send(kind(self.later(1), by, "d4"))

    @precondition(under_way)
    @rule(by=colors, conduct=st.sampled_from(["pointing", "hands", "blowing", "touching", "singing"]))
    def report(self, by, conduct):
        self.send(events.Reported(self.later(1), by, conduct))

    @precondition(under_way)
    @rule(kind=st.sampled_from([events.Resigned, events.Aborted]), by=colors, really=st.integers(0, 9))
    def leave(self, kind, by, really):
        if really == 0:
            self.send(kind(self.later(1), by))

    # The arbiter

    @precondition(lambda self: self.table.outcome is None)
    @rule(
        kind=st.sampled_from(HAND),
        number=st.integers(0, 40),
        reason=st.sampled_from(["motivo", "motivo", ""]),
        color=colors,
    )
    def intervene(self, kind, number, reason, color):
        if kind in (events.Ended, events.Suspended) and number > 4:
            return
        self.send(self.intervention(kind, number, reason, color))

    @precondition(lambda self: self.table.suspended and self.table.outcome is None)
    @rule(wait=waits)
    def resume(self, wait):
        self.send(events.Resumed(self.later(wait), "motivo"))

    @precondition(lambda self: self.table.outcome is not None)
    @rule(kind=st.sampled_from(HAND), number=st.integers(0, 40), plain=st.sampled_from(PLAIN), color=colors)
    def after_the_end(self, kind, number, plain, color):
        self.send(plain(self.later(1), color))
        self.send(events.Resigned(self.later(1), color))
        self.send(self.intervention(kind, number, "motivo", color))

    def intervention(self, kind: type, number: int, reason: str, color: Color) -> Event:
        at = self.later(10)
        if kind is events.Restored:
            return events.Restored(at, reason, number % (self.table.ply + 2))
        if kind in (events.TimeAdded, events.TimeSet):
            return kind(at, reason, color, number * 1000)
        if kind is events.Corrected:
            fens = [self.table.position.fen, self.table.started.fen, "nonsense"]
            return events.Corrected(at, reason, fens[number % 3])
        if kind is events.Noted:
            return events.Noted(at, reason, color, ["pointing", "other", "singing"][number % 3])
        if kind is events.Ended:
            return events.Ended(at, reason, ["1-0", "0-1", "1/2-1/2", "*", "2-0"][number % 5])
        return events.Suspended(at, None, "down") if kind is events.Suspended else kind(at, reason)

    # What always holds

    @invariant()
    def one_outcome_stands_at_most(self):
        standing = 0
        for event in self.table.events:
            if isinstance(event, events.Ruled):
                standing += 1
                assert standing == 1  # only the arbiter can take the first one away
            elif isinstance(event, events.Corrected | events.Restored):
                standing = 0
        assert standing == (self.table.outcome is not None)

    @invariant()
    def nothing_of_ours_broke(self):
        ours = [
            event
            for event in self.table.events
            if isinstance(event, events.Suspended) and "Traceback" in event.trace
        ]
        assert not ours, ours[0].trace

    @invariant()
    def the_game_can_go_on(self):
        table = self.table
        waits = (table.chain and not table.chain.demanded) or table.lifting or table.crowning
        if table.outcome:
            assert not table.lifting
            assert table.crowning is None
        if not (table.outcome or table.suspended or waits):
            assert table.playable
            assert table.clocks.running is not None
        else:
            assert table.playable == []
        budget = table.clocks.control.budget
        for color in Color:
            side = table.clocks.side(color)
            if budget is not None:
                assert side.remaining + side.charged == budget + side.given
                assert side.remaining >= 0

    def teardown(self):
        if hasattr(self, "table"):
            assert ledger.dump(reloaded(self.table)) == ledger.dump(self.table)


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=200, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
