import json
from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from damas.arbiter import (
    Accepted,
    Claimed,
    Corrected,
    Moved,
    Offered,
    ProcedureRefused,
    Refused,
    Resigned,
    Ruled,
    Suspended,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    Touched,
    ledger,
    replay,
)
from damas.errors import BadRecord
from damas.language import LANGUAGES

from .tables import B, W, changed, played, refusal, shuttle


def game() -> Table:
    """A game with a bit of everything, accents included."""
    table = Table.start("faraes", changed("school", take_back=True, time="5+3"), ("João", "Ana “Nina”"))
    table = played(table, ["c3-d4", "f6-g5"]).apply(Touched(40, W, "g3"))
    table = refusal(table, Moved(50, W, "e3-f4")).table
    table = refusal(table, Claimed(60, B, "platform-threefold")).table
    table = table.play("g3-f4", 70).apply(TakeBackAsked(80, W)).apply(TakeBackGranted(90, B))
    table = table.apply(Corrected(95, "posição reposta", "W:Wc3:Bf6,h8")).play("c3-b4", 99)
    return table.apply(Offered(100, W)).apply(Accepted(110, B))


GAME = game()
FILE = ledger.dump(GAME)


def wrong(data: bytes | str, **options: object) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        ledger.load(data, **options)
    assert len({caught.value.sentence(language) for language in LANGUAGES}) >= 3
    assert f"{caught.value.line}" in str(caught.value)
    return caught.value


def test_a_file_gives_the_same_game_again():
    table = ledger.load(FILE)
    assert table == GAME
    assert table.events == GAME.events
    assert ledger.dump(table) == FILE
    assert ledger.load(FILE.decode()) == GAME
    assert ledger.load(FILE, head=ledger.head(GAME)) == GAME
    assert b"".join(ledger.lines(GAME, since=5)) == b"".join(FILE.splitlines(keepends=True)[5:])
    assert "posição" in FILE.decode()


def test_the_chain_is_what_the_page_says():
    before = "0" * 64
    for n, line in enumerate(FILE.decode().splitlines()):
        entry = json.loads(line)
        chain = entry.pop("chain")
        assert entry["n"] == n
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert chain == sha256((before + text).encode()).hexdigest()
        before = chain
    assert before == ledger.head(GAME)


def test_any_flipped_byte_is_named_at_its_line():
    random = Random(7)
    lines = FILE.count(b"\n")
    for place in range(len(FILE)):
        line = FILE.count(b"\n", 0, place) + 1
        flipped = bytearray(FILE)
        flipped[place] ^= 1 << random.randrange(8)
        with pytest.raises(BadRecord) as caught:
            ledger.load(bytes(flipped))
        # A newline made or lost shows where the line then begins or ends.
        assert line <= caught.value.line <= min(line + 1, lines)


def test_any_byte_put_in_or_left_out_is_named_too():
    random = Random(8)
    for _ in range(300):
        place = random.randrange(len(FILE))
        line = FILE.count(b"\n", 0, place) + 1
        for data in (
            FILE[:place] + FILE[place + 1 :],
            FILE[:place] + bytes([random.randrange(256)]) + FILE[place:],
        ):
            if data == FILE:
                continue
            with pytest.raises(BadRecord) as caught:
                ledger.load(data)
            assert line <= caught.value.line <= line + 1


def test_a_missing_or_moved_line_is_named():
    lines = FILE.splitlines(keepends=True)
    for n in range(len(lines) - 1):
        error = wrong(b"".join(lines[:n] + lines[n + 1 :]))
        assert (error.line, error.reason) == (n + 1, "OTHER_NUMBER")
        swapped = [*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]
        assert wrong(b"".join(swapped)).line == n + 1
        assert wrong(b"".join([*lines[: n + 1], *lines[n:]])).line == n + 2


def test_missing_last_lines_are_detected_by_the_head():
    lines = FILE.splitlines(keepends=True)
    short = b"".join(lines[:-3])
    assert ledger.load(short).outcome is None  # a sound file of an earlier moment
    assert wrong(short, head=ledger.head(GAME)).reason == "OTHER_HEAD"


@pytest.mark.parametrize("cut", [1, 2, 30, 100])
def test_a_half_written_last_line_is_reported_and_dropped_on_request(cut):
    lines = FILE.splitlines(keepends=True)
    torn = FILE[:-cut]
    error = wrong(torn)
    assert (error.line, error.reason) == (len(lines), "UNFINISHED_LINE")
    # What was torn is the ruling, and the arbiter gives it again.
    assert ledger.load(torn, drop_unfinished=True) == GAME
    torn = b"".join(lines[:-2]) + lines[-2][:-cut]
    assert wrong(torn).line == len(lines) - 1
    assert ledger.load(torn, drop_unfinished=True).events == GAME.events[:-2]


def test_a_ruling_that_was_never_written_is_missing_and_can_be_supplied():
    lines = FILE.splitlines(keepends=True)
    error = wrong(b"".join(lines[:-1]))
    assert (error.line, error.reason) == (len(lines), "MISSING_EVENT")
    assert ledger.load(b"".join(lines[:-1]), drop_unfinished=True) == GAME


def forged(events: tuple) -> bytes:
    """A file whose chain is perfect and whose content is not."""
    return ledger.dump(replace(GAME, events=events))


def test_a_forged_file_with_a_perfect_chain_does_not_survive_the_replay():
    events = GAME.events
    won = replace(events[-1], outcome=replace(events[-1].outcome, winner=W))
    assert wrong(forged((*events[:-1], won))).reason == "OTHER_EVENT"
    assert wrong(forged((*events[:-2], Resigned(110, B), events[-1]))).reason == "OTHER_EVENT"
    illegal = tuple(
        Moved(10, W, "c3-c5") if event.kind == "moved" and event.at == 10 else event for event in events
    )
    error = wrong(forged(illegal))
    assert (error.line, error.reason) == (2, "REFUSED")
    assert isinstance(error.cause, ProcedureRefused)
    short = Moved(10, W, "c3d4")  # the record writes it otherwise
    assert wrong(forged((events[0], short))).reason == "OTHER_EVENT"
    lenient = Refused(10, Moved(10, W, "c3-d4"), "TOUCHED", "")
    assert wrong(forged((events[0], lenient))).reason == "OTHER_EVENT"
    assert wrong(forged((events[0], Ruled(10, events[-1].outcome)))).reason == "REFUSED"
    assert wrong(forged((events[0], Refused(1, Resigned(0, W), "X", "")))).reason == "OTHER_EVENT"
    assert wrong(forged(events[1:])).reason == "NO_START"
    rules = replace(events[0], hash="f" * 16)
    assert wrong(forged((rules, *events[1:]))).reason == "REFUSED"


def test_a_text_that_is_no_ledger_is_refused():
    assert wrong(b"").reason == "NO_START"
    assert wrong(b"\n").reason == "NOT_JSON"
    assert wrong(b"[]\n").reason == "NOT_CANONICAL"
    assert wrong(b"\xff\n").reason == "NOT_UTF8"
    assert wrong(b'{"n":\xff}\n').facts == {"place": 6}
    assert wrong(b'{"n":x}\n').facts == {"place": 6}
    assert wrong(b"[" * 100_000 + b"\n").reason == "NOT_JSON"
    assert wrong(b'{"n":NaN}\n').reason == "OTHER_NUMBER"
    assert wrong(b'{"n":' + b"9" * 5000 + b"}\n").reason == "NOT_JSON"
    entry = {"n": 0, "kind": "cheated", "at": 0, "by": None}
    entry["chain"] = ledger.chained(ledger.FIRST_CHAIN, entry)
    assert wrong(ledger.canonical(entry) + b"\n").reason == "BAD_EVENT"
    entry = {"n": True, "kind": "cheated"}
    assert wrong(ledger.canonical({"n": False}) + b"\n").reason in ("BROKEN_CHAIN", "OTHER_NUMBER")
    assert entry


def test_half_a_surrogate_pair_goes_to_disk_and_back():
    table = Table.start("concurso", "casual", ("\ud83d", "b")).apply(Suspended(5, None, "\ud800\n"))
    assert ledger.load(ledger.dump(table)) == table


def test_replay_accepts_only_the_exact_events():
    table = played(Table.start("oficial", "casual", fen="W:WKg1,a3:BKb8,h6"), shuttle(8))
    assert replay(table.events) == table
    for count in range(1, len(table.events) - 1):
        assert replay(table.events[:count]).events == table.events[:count]
    with pytest.raises(BadRecord):
        replay([])
