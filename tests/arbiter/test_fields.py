"""Every answer of a regulation decides something: changed alone, some ruling or refusal comes out otherwise."""

from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from damas.arbiter import PROCEDURES, Event, Player, ProcedureRefused, Regulation, Table, TimeControl, events

from .tables import BOTS, B, W, changed, shuttle

FPD = ("4-8", "29-25", "8-4", "25-29")


def result_under(
    rules: Regulation, book: str, *events: Event, fen: str | None = None, players=("", ""), moves=()
) -> str:
    """What a table of these rules says in the end: an outcome, the last refusal, or that the game goes on."""
    try:
        table = Table.start(book, rules, players, fen=fen)
    except ProcedureRefused as refused:
        return refused.code
    for move in moves:
        table = table.play(move, table.now + 10)
        if table.outcome:
            return f"{table.outcome.reason} at {table.ply}"
    state = "goes on"
    for event in events:
        try:
            table = table.apply(event)
            state = "goes on"
        except ProcedureRefused as refused:
            table, state = refused.table, refused.code
        if table.outcome:
            return f"{table.outcome.reason} {table.outcome.result}"
    return f"{state}, {len(table.irregularities)} noted"


def late_first() -> tuple[str, ...]:
    """Offers are asked before the flag."""
    order = [name for name in PROCEDURES if name != "draw_offer"]
    return ("end_on_board", "draw_offer", *order[1:])


MAN, BOT = Player("Ana"), BOTS[0]
THREE = "W:WKg1,Kc1,Ka3:BKb8"
TAKES = "W:W10:B14,23,30"
CHAIN = "W:Wc3,a1:Bd4,f6,h8"

# field: a regulation, another answer, the events, and the results with the one and the other
CASES: dict[str, tuple[Regulation, object, Callable[[Regulation], str], str, str]] = {
    "time_control": (
        changed("casual", time="1"),
        TimeControl.parse("2"),
        lambda rules: result_under(rules, "faraes", events.Flag(90_000, W)),
        "FLAG 0-1",
        "FLAG_NOT_FALLEN, 0 noted",
    ),
    "clock_stopped_by": (
        changed("casual", time="1"),
        "press",
        lambda rules: result_under(rules, "faraes", events.Moved(1_000, W, "c3-d4"), events.Flag(62_000, W)),
        "FLAG_NOT_FALLEN, 0 noted",
        "FLAG 0-1",
    ),
    "claims": (
        changed("casual"),
        "player",
        lambda rules: result_under(rules, "portuguesa-fpd", fen="W:WK4,9:BK29,24", moves=shuttle(8, FPD)),
        "REPETITION at 8",
        "goes on, 0 noted",
    ),
    "wrong_claim": (
        changed("club"),
        "loses",
        lambda rules: result_under(rules, "inglesa", events.Claimed(5, W, "threefold")),
        "WRONG_CLAIM, 1 noted",
        "WRONG_CLAIM 0-1",
    ),
    "wrong_claim_ms": (
        changed("club", time="1"),
        5_000,
        lambda rules: (
            result_under(rules, "portuguesa", events.Claimed(5, B, "threefold"), events.Flag(70_000, W))
            + result_under(rules, "portuguesa-fpd", events.Claimed(5, B, "threefold"), events.Flag(70_000, W))
        ),
        "FLAG 0-1FLAG_NOT_FALLEN, 1 noted",
        "FLAG 0-1FLAG 0-1",
    ),
    "people_illegal_moves": (
        changed("club", people_lose_at=1),
        "refused",
        lambda rules: result_under(rules, "faraes", events.Moved(5, W, "c3-c5")),
        "INVALID_MOVE 0-1",
        "NOT_DIAGONAL, 0 noted",
    ),
    "people_lose_at": (
        changed("club"),
        2,
        lambda rules: result_under(rules, "faraes", events.Moved(5, W, "c3-c5"), events.Moved(6, W, "c3-c5")),
        "NOT_DIAGONAL, 2 noted",
        "ILLEGAL_MOVES 0-1",
    ),
    "bots_illegal_moves": (
        changed("casual"),
        "loses",
        lambda rules: result_under(rules, "faraes", events.Moved(5, W, "c3-c5"), players=BOTS),
        "NOT_DIAGONAL, 0 noted",
        "INVALID_MOVE 0-1",
    ),
    "touch_move": (
        changed("club"),
        "off",
        lambda rules: result_under(rules, "faraes", events.Touched(5, W, "c3"), events.Moved(6, W, "e3-f4")),
        "TOUCHED, 1 noted",
        "goes on, 0 noted",
    ),
    "unfinished_chain": (
        changed("club"),
        "refused",
        lambda rules: result_under(
            rules, "faraes", events.StoppedEarly(5, W, "c3xe5"), events.AcceptedUnfinished(6, B), fen=CHAIN
        ),
        "goes on, 0 noted",
        "NO_CHAIN, 1 noted",
    ),
    "two_tempi": (
        changed("club", two_tempi="off"),
        "rulebook",
        lambda rules: result_under(
            rules, "portuguesa", events.Moved(5, W, "10x19x28"), events.Moved(6, B, "30-26"), fen=TAKES
        ),
        "goes on, 0 noted",
        "LIFTING_DUE, 0 noted",
    ),
    "crowning_by_hand": (
        changed("club"),
        "on",
        lambda rules: result_under(
            rules, "faraes", events.Moved(5, W, "c7-d8"), events.Moved(6, B, "h8-g7"), fen="W:Wc7:Bh8"
        ),
        "goes on, 0 noted",
        "CROWNING_DUE, 1 noted",
    ),
    "recorded": (
        changed("casual"),
        False,
        lambda rules: result_under(rules, "faraes", fen=THREE, moves=shuttle(30)),
        "LIMIT at 25",
        "goes on, 0 noted",
    ),
    "hints": (
        changed("casual"),
        False,
        lambda rules: result_under(rules, "faraes", events.Hinted(5, W)),
        "goes on, 0 noted",
        "NO_HINTS, 0 noted",
    ),
    "take_back": (
        changed("casual"),
        False,
        lambda rules: result_under(
            rules,
            "faraes",
            events.Moved(5, W, "c3-d4"),
            events.TakeBackAsked(6, W),
            events.TakeBackGranted(7, B),
            events.Moved(8, W, "c3-b4"),
        ),
        "goes on, 0 noted",
        "NOT_YOUR_TURN, 0 noted",
    ),
    "agreement": (
        changed("casual"),
        "never",
        lambda rules: result_under(rules, "faraes", events.Offered(5, W), events.Accepted(6, B)),
        "AGREEMENT 1/2-1/2",
        "NO_OFFER, 0 noted",
    ),
    "offers_from_move": (
        changed("casual"),
        2,
        lambda rules: result_under(rules, "faraes", events.Offered(5, W), events.Accepted(6, B)),
        "AGREEMENT 1/2-1/2",
        "NO_OFFER, 0 noted",
    ),
    "abort_before_ply": (
        changed("casual"),
        1,
        lambda rules: result_under(rules, "faraes", events.Moved(5, W, "c3-d4"), events.Aborted(6, B)),
        "ABORTED *",
        "TOO_LATE_TO_ABORT, 0 noted",
    ),
    "disconnection_grace_ms": (
        changed("casual"),
        60_001,
        lambda rules: result_under(
            rules, "faraes", events.Disconnected(0, B), events.ClaimedAbsence(60_000, W)
        ),
        "ABANDONED 1-0",
        "GRACE_RUNS, 0 noted",
    ),
    "colours": (
        changed("casual"),
        "rulebook",
        lambda rules: result_under(rules, "concurso", events.Moved(5, W, "2,2 3,3"), players=BOTS),
        "goes on, 0 noted",
        "LOT_NEEDED",
    ),
    "platform_rules": (
        changed("casual"),
        False,
        lambda rules: result_under(rules, "faraes", fen="W:WKg1,a3:BKb8,h6", moves=shuttle(40)),
        "LIMIT at 40",
        "goes on, 0 noted",
    ),
    "procedures": (
        changed("casual", time="1"),
        late_first(),
        lambda rules: result_under(rules, "faraes", events.Offered(5, B), events.Accepted(60_001, W)),
        "FLAG 0-1",
        "AGREEMENT 1/2-1/2",
    ),
}


def test_no_field_is_left_out():
    assert set(CASES) == {field.name for field in fields(Regulation)} - {"id", "chat"}
    # A name rules on nothing, and the server asks about the chat.


@pytest.mark.parametrize("field", CASES)
def test_changing_a_field_changes_what_the_arbiter_says(field):
    rules, answer, run, state, then = CASES[field]
    assert getattr(rules, field) != answer
    assert run(rules) == state
    assert run(replace(rules, **{field: answer})) == then
    assert state != then


@pytest.mark.parametrize(
    ("field", "answer"),
    [
        ("wrong_claim", "nothing"),
        ("wrong_claim", "time"),
        ("bots_illegal_moves", "refused"),
        ("touch_move", "on"),
        ("touch_move", "rulebook"),
        ("agreement", "rulebook"),
        ("colours", "lot"),
    ],
)
def test_each_further_answer_says_something_of_its_own(field, answer):
    runs = {
        "wrong_claim": lambda rules: result_under(
            rules, "inglesa", events.Claimed(5, W, "threefold"), events.Flag(1_230_000, B)
        ),
        "bots_illegal_moves": lambda rules: result_under(
            rules, "concurso", events.Moved(5, W, "x"), players=(BOT, MAN)
        ),
        "touch_move": lambda rules: result_under(
            rules, "brasileira", events.Touched(5, W, "c3"), events.Moved(6, W, "e3-f4")
        ),
        "agreement": lambda rules: result_under(
            rules, "brasileira", events.Offered(5, W), events.Accepted(6, B)
        ),
        "colours": lambda rules: result_under(rules, "faraes", events.Pressed(5, W)),
    }
    others = {
        "wrong_claim": {"nothing": "time", "time": "nothing"},
        "bots_illegal_moves": {"refused": "rulebook"},
        "touch_move": {"on": "rulebook", "rulebook": "on"},
        "agreement": {"rulebook": "always"},
        "colours": {"lot": "rulebook"},
    }
    rules = replace(changed("club"), colours="free")
    one = runs[field](replace(rules, **{field: answer}))
    other = runs[field](replace(rules, **{field: others[field][answer]}))
    assert one != other
