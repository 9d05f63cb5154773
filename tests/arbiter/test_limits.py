"""Limits at the table: with every reset, taken back across, loaded in the middle; tests/conformance has where they end."""

from random import Random

import pytest

from damas.arbiter import (
    CalledAttention,
    Claimed,
    Corrected,
    Restored,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    ledger,
)
from damas.game import Move, Position
from damas.rules import Rulebook, parse, rulebook, rulebook_ids, to_toml
from oracle.draws import Referee
from oracle.hostile import endings
from oracle.moves import read_move

from .tables import B, W, changed, ended, letter, played, refusal, reloaded, shuttle

RC = ("0,6 1,7", "7,1 6,0", "1,7 0,6", "6,0 7,1")


def test_the_first_move_counted_is_the_one_after_the_reset():
    table = played(
        Table.start("brasileira", letter(), fen="W:WKg1,a3:BKb8,h6"), [*shuttle(4), "a3-b4", "b8-a7"]
    )
    count = next(c for c in table.progress() if c.rule.id == "twenty-king-moves")
    assert (count.progress.have, count.since) == (
        1,
        3,
    )  # White's third move was the man's, Black's third counts


def test_a_capture_begins_the_count_anew():
    fen = "W:WKg1,a3,a1:BKb8,h6,a5"
    table = played(Table.start("brasileira", letter(), fen=fen), shuttle(36))
    table = played(table, ["a3-b4"])  # a man, offered
    table = played(table, ["a5xc3"])
    assert next(c for c in table.progress() if c.rule.id == "twenty-king-moves").have == 0


def test_in_oficial_only_a_capture_begins_anew():
    """A walk without repetition: men may move, and the fortieth ply without capture is the last (B.001-6)."""
    table = wander(Table.start("oficial", letter(), fen="W:WKa1,Kc1,a3,c3:BKh8,Kf8,h6,f6"), 39, Random(4))
    assert table.outcome is None
    count = next(c for c in table.progress() if c.rule.id == "twenty-moves-without-capture")
    assert (count.have, count.need, count.progress.have) == (19, 20, 39)  # moves of both sides, as §6 counts
    last = wander(table, 1, Random(4))
    ended(last, "LIMIT", None)
    assert last.outcome.rule == "twenty-moves-without-capture"
    assert any(not last.game.record.move(ply).by_king for ply in range(1, 41))


def steady(position: Position) -> list[Move]:
    """Quiet moves that offer nothing and leave the other side a move."""
    quiet = []
    for move in position.legal_moves:
        following = position.play(move)
        if not move.is_capture and not following.must_capture() and following.count_moves():
            quiet.append(move)
    return quiet


def wander(table: Table, plies: int, random: Random) -> Table:
    """Steady moves that never bring a position for the third time."""
    for _ in range(plies):
        past = table.game.record.positions
        choices = [move for move in steady(table.position) if past.count(table.position.play(move)) < 2]
        table = table.play(random.choice(choices), table.now + 5)
    return table


def test_the_list_of_endings_goes_on_while_the_balance_stays_in_it():
    """B.000-5: a promotion from 2 kings v king and man to 2 v 2 does not begin the five moves anew."""
    table = Table.start("brasileira", letter(), fen="W:WKg1,Kc1:BKb8,h2")
    assert table.progress()[0].rule.id == "five-move-endings"
    table = played(Table.start("brasileira", letter(), fen="W:WKa1,Kc1:BKb8,a3"), ["c1-d2", "b8-a7"])
    assert next(c for c in table.progress() if c.rule.id == "five-move-endings").have == 1


def test_art_12_needs_exactly_three_kings_against_one():
    table = played(Table.start("faraes", letter(), fen="W:WKg1,Kc1,Ka3,Ka1:BKb8"), shuttle(32))
    assert table.outcome is None
    assert table.progress() == []


def test_the_forcada_waits_for_the_rio_and_then_does_not_stop():
    """PRODUCT A3: from 2, 3, 4 nothing counts until a king stands on the Rio; that move is not counted."""
    table = Table.start("portuguesa-fpd", changed("club", claims="player"), fen="W:WK2,K3,K4:BK29")
    off_rio = ("4-8", "29-25", "8-4", "25-29")
    table = played(table, shuttle(6, off_rio))
    assert not any(c.rule.id == "forcada" for c in table.progress())
    table = played(table, ["2-5"])  # the Rio: 1, 5, 10 …
    count = next(c for c in table.progress() if c.rule.id == "forcada")
    assert (count.have, count.need) == (0, 12)
    table = played(table, ["25-29", "5-2"])  # left again: the count goes on
    assert next(c for c in table.progress() if c.rule.id == "forcada").have == 1
    on = ("8-4", "25-29", "4-8", "29-25")
    table = played(table, ["29-25", *shuttle(20, on)])
    assert table.outcome is None
    assert next(c for c in table.progress() if c.rule.id == "forcada").have == 11
    ended(played(table, on[:1]), "LIMIT", None)
    lone = Table.start("portuguesa-fpd", letter(), fen="W:WK2,K3,K4:BK32")
    assert not any(c.rule.id == "forcada" for c in lone.progress())


# Taking back, loading, putting right


def test_a_take_back_across_a_counter_leaves_no_trace_in_it():
    fen = "W:WKg1,a3:BKb8,h6"
    table = played(Table.start("brasileira", letter(), fen=fen), shuttle(38))
    reset = played(table, ["a3-b4"])
    assert next(c for c in reset.progress() if c.rule.id == "twenty-king-moves").have == 0
    back = reset.apply(TakeBackAsked(reset.now, W)).apply(TakeBackGranted(reset.now, B))
    assert next(c for c in back.progress() if c.rule.id == "twenty-king-moves").have == 19
    assert reloaded(back).game == table.game
    ended(played(back, shuttle(40)[38:]), "LIMIT", None)


def test_a_take_back_before_the_attention_forgets_it_and_after_it_does_not():
    start = Table.start(
        "faraes", changed("casual", recorded=False, platform_rules=False), fen="W:WKg1,Kc1,Ka3:BKb8"
    )
    table = played(start, shuttle(4)).apply(CalledAttention(50, B, "thirteen-moves"))
    table = played(table, ["g1-h2"])
    back = table.apply(TakeBackAsked(70, W)).apply(TakeBackGranted(70, B))
    assert [c.have for c in back.progress() if c.rule.id == "thirteen-moves"] == [0]
    further = back.apply(TakeBackAsked(80, B)).apply(TakeBackGranted(80, W))
    assert not any(c.rule.id == "thirteen-moves" for c in further.progress())
    assert [claim.kind for claim in further.claims_open()] == ["attention"]
    reloaded(further)


@pytest.mark.parametrize("ply", [1, 12, 24])
def test_a_game_loaded_in_the_middle_of_a_count_counts_on(ply):
    table = played(Table.start("faraes", letter(), fen="W:WKg1,Kc1,Ka3:BKb8"), shuttle(ply))
    table = reloaded(table)
    table = played(table, shuttle(25)[ply:])
    ended(table, "LIMIT", None)
    assert table.ply == 25


def test_counts_and_numbers_after_the_position_was_put_right():
    table = played(Table.start("oficial", letter()), ["c3-d4", "f6-g5", "g3-f4"])
    table = table.apply(Corrected(100, "recomeço", "W:WKg1,a3:BKb8,h6"))
    table = played(table, shuttle(8))
    ended(table, "REPETITION", None)
    assert table.outcome.facts["plies"] == "3, 7, 11"
    again = table.apply(Restored(500, "apelo", 9))
    assert (again.ply, again.outcome) == (9, None)
    count = next(c for c in again.progress() if c.rule.id == "twenty-moves-without-capture")
    assert (count.have, count.since) == (3, 2)


# Cycles


def house() -> Rulebook:
    """concurso with other answers, as a house would write it."""
    text = to_toml(rulebook("concurso")).replace('id = "concurso"', 'id = "casa"')
    text = text.replace("flying_king = { value = false", "flying_king = { value = true")
    return parse(text)


CYCLES = {
    4: RC,
    8: ("0,6 1,7", "7,1 6,0", "1,7 2,6", "6,0 7,1", "2,6 1,5", "7,1 6,0", "1,5 0,6", "6,0 7,1"),
}


@pytest.mark.parametrize("length", [4, 8])
def test_the_sixth_run_of_a_cycle_ends_the_game_by_pieces(length):
    for fen, winner in (("W:WKg1,a3:BKb8", W), ("W:WKg1,a3:BKb8,h6", None), ("W:WKg1:BKb8,h6", B)):
        start = Table.start("concurso", letter(), fen=fen)
        before = played(start, shuttle(6 * length - 1, CYCLES[length]))
        assert before.outcome is None
        ended(played(before, CYCLES[length][-1:]), "CYCLE", winner)


def test_a_cycle_of_six_plies_needs_a_king_that_flies():
    book = house()
    table = Table.start(book, letter(), fen="W:WKg1:BKb8")
    path = find_cycle(table.position, 6)
    before = played(table, shuttle(35, path))
    assert before.outcome is None
    last = played(before, path[-1:])
    assert last.outcome.rule == "cycle"
    assert ledger.load(ledger.dump(last), book=book) == last
    broken = played(table, shuttle(34, path))
    other = [m for m in broken.position.legal_moves if m.text != path[34 % 6] and not m.is_capture]
    assert played(broken, [other[0].text]).outcome is None


def find_cycle(position: Position, plies: int) -> tuple[str, ...]:
    """Quiet moves that lead back to the position in so many plies and not before."""

    def search(here: Position, path: tuple[str, ...]) -> tuple[str, ...] | None:
        if len(path) == plies:
            return path if here == position else None
        if path and here == position:
            return None
        for move in here.legal_moves:
            if not move.is_capture and not here.play(move).must_capture():
                cycle = search(here.play(move), (*path, move.text))
                if cycle:
                    return cycle
        return None

    cycle = search(position, ())
    assert cycle
    return cycle


@pytest.mark.parametrize("length", [4, 8])
def test_a_cycle_broken_one_ply_early_ends_nothing(length):
    start = Table.start("concurso", letter(), fen="W:WKg1,a3:BKb8")
    table = played(start, shuttle(6 * length - 1, CYCLES[length]))
    other = next(m for m in table.position.legal_moves if m.text != CYCLES[length][-1] and not m.is_capture)
    assert played(table, [other.text]).outcome is None


def test_the_platform_ends_what_the_contest_would_let_run():
    rules = changed("casual", bots_illegal_moves="rulebook")
    table = played(Table.start("concurso", rules, fen="W:WKg1,a3:BKb8"), shuttle(23, RC))
    assert table.outcome is None
    assert played(table, ["6,0 7,1"]).outcome.rule == "cycle"  # the text comes before the platform


# The independent judge


def choices(table: Table, random: Random, *, shuttling: bool) -> list[Move]:
    """Steady moves, mostly; in a shuttling game the way back, mostly."""
    left = table.playable
    moves = [move for move in steady(table.position) if move in left] if random.random() < 0.95 else []
    if shuttling and table.ply > 1 and random.random() < 0.98:
        last = table.game.record.move(table.ply - 1)
        moves = [m for m in moves if (m.origin, m.destination) == (last.destination, last.origin)] or moves
    return moves or left


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_table_agrees_with_the_independent_judge_after_every_ply(book):
    random = Random(f"limits {book}")
    reasons = set()
    for number, fen in enumerate(endings(book, seed=1, count=60)):
        table = Table.start(book, letter(colours="free"), fen=fen)
        judge = Referee(book, fen)
        for _ in range(130):
            assert (table.outcome.result if table.outcome else "*") == judge.result, (fen, table.game.record)
            if table.outcome:
                reasons.add(table.outcome.rule or table.outcome.reason)
                break
            table = table.play(
                random.choice(choices(table, random, shuttling=number % 2 == 0)), table.now + 1
            )
            judge.play(read_move(judge.book, judge.position, table.game.record.move(table.ply).text))
    own = {rule.id for rule in rulebook(book).draws if not rule.platform}
    assert reasons & own, reasons  # else the test has not met its subject


def test_claims_before_at_and_after_a_limit():
    """inglesa: 40 moves each, on claim; a limit stays complete until something resets it."""
    fen = "W:WK32,12:BK1,21"
    moves = ("32-28", "1-5", "28-32", "5-1")
    table = Table.start("inglesa", changed("club", wrong_claim="nothing"), fen=fen)
    before = played(table, shuttle(79, moves))
    assert refusal(before, Claimed(before.now, W, "forty-moves")).facts["have"] == 39
    at = played(before, [moves[79 % 4]])
    assert at.outcome is None
    ended(at.apply(Claimed(at.now, W, "forty-moves")), "LIMIT", None)
    after = played(at, moves[:2])
    ended(after.apply(Claimed(after.now, B, "forty-moves")), "LIMIT", None)
    reset = played(at, ["12-8"])
    assert refusal(reset, Claimed(reset.now, B, "forty-moves")).facts["have"] == 0
    reloaded(reset)
