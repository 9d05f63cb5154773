"""Each procedure once where it is granted and once where it is refused, with the article that speaks."""

from dataclasses import replace

import pytest

from damas.arbiter import (
    Aborted,
    Accepted,
    AcceptedUnfinished,
    Adjusted,
    Adjusting,
    Advised,
    Blew,
    CalledArbiter,
    CalledAttention,
    Claimed,
    ClaimedAbsence,
    Corrected,
    Declined,
    DemandedCompletion,
    Disconnected,
    Ended,
    Flag,
    Hinted,
    LeftUncrowned,
    Moved,
    Offered,
    Player,
    Pressed,
    ProcedureRefused,
    Reconnected,
    Refused,
    Released,
    Resigned,
    Restored,
    Resumed,
    Ruled,
    StoppedEarly,
    Suspended,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
    TimeAdded,
    TimeGiven,
    TimeSet,
    Touched,
    Withdrew,
    draw_lots,
    replay,
)
from damas.arbiter.procedures import ALL
from damas.arbiter.procedures.time import MAX_GIFTS
from damas.board import Color, Piece
from damas.judging.history import event_sentence
from damas.judging.judge import judge
from damas.judging.register import register_lines
from damas.judging.scoresheet import to_pdn
from damas.language import LANGUAGES
from damas.notation import read_games, write_game
from damas.rules import rulebook
from damas.rules.library import edition
from damas.views.over_the_board import news_views
from damas.views.table import can, procedure_view

from .tables import BOTS, B, W, changed, ended, letter, played, refusal, reloaded, shuttle

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"


def articles(why: ProcedureRefused) -> tuple[str, str]:
    for language in LANGUAGES:
        assert why.sentence(language).endswith((".", "…")) or "Legal" in why.sentence("en")
        assert procedure_view(why, language).message == why.sentence(language)
    return why.code, why.article


# The end on the board, and the laws


@pytest.mark.parametrize(
    ("book", "fen", "move", "reason", "article"),
    [
        (
            "faraes",
            "W:Wc3:Bd4",
            "c3xe5",
            "NO_PIECES",
            ("", "B.002-2"),
        ),  # a reading of ours: no article says it
        ("brasileira", "W:Wc3:Bd4", "c3xe5", "NO_PIECES", ("O objetivo do jogo", "000-3")),
        ("oficial", "W:Wc3:Bd4", "c3xe5", "NO_PIECES", ("§6", "001-6.1")),
        ("portuguesa", "W:W10:B14", "10x19", "NO_PIECES", ("n.º 7", "003-7")),
        ("concurso", "W:Wc3:Bd4", "2,2 4,4", "NO_PIECES", ("4. Escenarios de victoria", "004-4.1")),
        ("oficial", "W:Wa3,c3:Ba5", "a3-b4", "NO_MOVES", ("§6", "001-6.2")),
        ("oficial", "W:Wa3,d2:Ba5", "a3-b4", None, None),  # c3 is free: it can capture
        ("oficial", "W:Wc3,d2:Ba5", "c3-d4", None, None),
    ],
)
def test_no_pieces_or_no_move_loses(book, fen, move, reason, article):
    table = Table.start(book, letter(), fen=fen).play(move, 5)
    if reason is None:
        assert table.outcome is None
        return
    ended(table, reason, W)
    assert (table.outcome.citation.article, table.outcome.citation.id) == article


def test_a_game_may_be_over_before_it_begins():
    table = Table.start("brasileira", "casual", fen="W:W:Bd4")
    ended(table, "NO_PIECES", B)
    assert refusal(table, Resigned(5, B)).code == "GAME_OVER"


def test_a_decision_on_the_board_comes_before_a_draw():
    """G5: the last allowed move of the limit takes the last piece."""
    table = Table.start("brasileira", letter(), fen="B:WKa1,Kh2:BKb8")
    table = played(table, [*shuttle(8, ("b8-a7", "h2-g1", "a7-b8", "g1-h2")), "b8-e5"])
    assert (table.progress()[0].rule.id, table.progress()[0].progress.have) == ("five-move-endings", 9)
    won = table.play("a1xf6", 1000)
    ended(won, "NO_PIECES", W)
    table = Table.start("brasileira", letter(), fen="B:WKa1,Kh2:BKb8")
    table = played(table, shuttle(10, ("b8-a7", "h2-g1", "a7-b8", "g1-h2")))
    ended(table, "LIMIT", None)


def test_a_law_ends_the_game_with_its_article():
    table = played(Table.start("oficial", letter(), fen="W:WKg1,a3:BKb8,h6"), shuttle(8))
    ended(table, "REPETITION", None)
    assert table.outcome.citation.id == "001-6.4"
    assert table.outcome.facts["plies"] == "0, 4, 8"


def test_a_law_that_is_not_complete_ends_nothing():
    table = played(Table.start("oficial", letter(), fen="W:WKg1,a3:BKb8,h6"), shuttle(7))
    assert table.outcome is None
    assert table.progress()[0].rule.id in ("threefold", "twenty-moves-without-capture")


# Illegal moves


def test_a_persons_illegal_move_is_refused_and_explained():
    table = Table.start("faraes", "casual", fen="W:Wc3:Bb4,d4,f6")
    why = refusal(table, Moved(5, W, "c3xa5"))
    assert articles(why) == ("MAJORITY", "Art. 7")
    assert why.table is table  # a casual game forgets it
    assert "c3xe5xg7" in why.sentence("pt-BR")
    assert procedure_view(why, "en").legal == ("c3xe5xg7",)
    assert refusal(table, Moved(5, B, "b4-a3")).code == "NOT_YOUR_TURN"
    assert refusal(table, Moved(5, W, "zz")).code == "NOTATION"
    assert table.play("c3xg7", 6).events[-1].move == "c3xe5xg7"  # written down in full


def test_counted_illegal_moves_lose_at_the_nth_and_not_before():
    table = Table.start("brasileira", "club")
    for count in (1, 2):
        why = refusal(table, Moved(table.now + 1, W, "c3-c5"))
        assert why.written
        table = why.table
        assert len(table.irregularities) == count
        assert f"c3-c5 ({count} of 3;" in list(register_lines(table, "en"))[count - 1]
        reloaded(table)
    assert not refusal(table, Moved(table.now + 1, W, "zz")).written  # no move at all
    assert not refusal(table, Moved(table.now + 1, W, "d4-e5")).written  # a slip: nothing stands there
    assert not refusal(table, Moved(table.now + 1, W, "f6-e5")).written  # not one's own piece
    assert not refusal(table, Moved(table.now + 1, B, "f6-g5")).written  # not yet
    table = table.play("c3-d4", table.now + 1)
    table = refusal(table, Moved(table.now + 1, B, "f6-f4")).table  # the opponent's count is another
    assert table.outcome is None
    table = table.play("f6-g5", table.now + 1)
    table = table.apply(Moved(table.now + 1, W, "a1-a3"))
    ended(table, "ILLEGAL_MOVES", B)
    assert table.outcome.facts == {"loser": W, "count": 3}
    assert isinstance(table.events[-2], Refused)


@pytest.mark.parametrize(
    "attempt",
    [
        Moved(5, W, "2,2 4,4"),
        Moved(5, W, "3,3 4,4"),
        Moved(5, W, "5,1 4,0"),
        Moved(5, W, "?"),
        Moved(5, B, "5,1 4,0"),
    ],
)
@pytest.mark.parametrize("regulation_name", ["club", "school"])
def test_no_regulation_softens_a_text_by_which_an_invalid_move_loses(attempt, regulation_name):
    table = Table.start("concurso", regulation_name, lot=3).apply(attempt)
    ended(table, "INVALID_MOVE", attempt.by.other)
    assert table.outcome.citation.id == "004-4.4"
    reloaded(table)


def test_a_club_leaves_no_broken_off_capture_to_the_opponent_where_it_is_an_invalid_move():
    fen = "W:Wc3:Bd4,d6"
    table = Table.start("concurso", "club", fen=fen, lot=3).apply(StoppedEarly(5, W, "2,2 4,4"))
    ended(table, "INVALID_MOVE", B)
    assert table.outcome.citation.id == "004-4.4"
    # A friendly game refuses it, and by a text that only refuses invalid moves the opponent may choose.
    assert refusal(Table.start("concurso", "casual", fen=fen), StoppedEarly(5, W, "2,2 4,4")).written is False
    assert Table.start("brasileira", "club", fen=fen).apply(StoppedEarly(5, W, "c3xe5")).chain is not None


@pytest.mark.parametrize("text", ["9,9 8,8", "2,2 2,3", "", "5,1 4,0", "\x00\ud800…", "2,2"])
def test_a_bots_invalid_move_loses_where_the_rulebook_says_so(text):
    table = Table.start("concurso", changed("casual", bots_illegal_moves="rulebook"), BOTS)
    table = table.apply(Moved(5, W, text))
    ended(table, "INVALID_MOVE", B)
    assert table.outcome.citation.id == "004-4.4"
    assert table.outcome.facts["tried"] == text


def test_a_bot_moving_out_of_turn_has_made_an_invalid_move():
    table = Table.start("concurso", "contest", BOTS, lot=1)
    ended(table.apply(Moved(5, B, "5,1 4,0")), "INVALID_MOVE", W)


def test_a_bots_invalid_move_is_refused_elsewhere():
    table = Table.start("brasileira", "casual", BOTS)
    why = refusal(table, Moved(5, W, "c3-c5"))
    assert (why.code, why.table) == ("NOT_DIAGONAL", table)
    table = Table.start("brasileira", changed("casual", bots_illegal_moves="loses"), BOTS).apply(
        Moved(5, W, "c3-c5")
    )
    ended(table, "INVALID_MOVE", B)
    assert table.outcome.citation.rulebook == "casual"  # the regulation's doing, not the rulebook's


def test_a_person_does_not_lose_by_what_a_bot_loses_by():
    table = Table.start("concurso", "casual", (Player("Ana"), BOTS[0]))
    why = refusal(table, Moved(5, W, "2,2 2,3"))
    assert why.table.outcome is None


INVALID = {
    "capture not taken": Moved(5, W, "2,2 2,4"),
    "empty square": Moved(5, W, "3,3 4,4"),
    "another's piece": Moved(5, W, "5,1 4,0"),
    "unreadable": Moved(5, W, "zz"),
    "nothing": Moved(5, W, ""),
    "out of turn": Moved(5, B, "5,1 4,0"),
    "released as if captured": StoppedEarly(5, W, "2,2 3,3"),
    "released out of turn": StoppedEarly(5, B, "5,1 4,0"),
}


@pytest.mark.parametrize("players", [("Ana", "Rui"), BOTS], ids=["people", "bots"])
@pytest.mark.parametrize("event", INVALID.values(), ids=INVALID)
def test_in_a_contest_whatever_is_no_valid_move_loses(event, players):
    """B.004-8, for people and programs alike; where text and regulation agree, the text is cited."""
    table = reloaded(Table.start("concurso", "contest", players, lot=3).apply(event))
    ended(table, "INVALID_MOVE", event.by.other)
    assert (table.outcome.citation.rulebook, table.outcome.citation.id) == ("concurso", "004-4.4")


def test_another_s_piece_in_turn_is_no_move_out_of_turn():
    table = reloaded(Table.start("concurso", "contest", lot=3).apply(Moved(5, W, "5,1 4,0")))
    assert table.outcome.facts["code"] == table.irregularities[0].code == "NOT_YOUR_PIECE"
    assert "la ficha es del rival" in table.outcome.sentence("es")
    *events, refused, ruled = table.events  # as older versions recorded it
    older = replace(ruled.outcome, facts=dict(ruled.outcome.facts) | {"code": "NOT_YOUR_TURN"})
    recorded = [*events, replace(refused, code="NOT_YOUR_TURN"), replace(ruled, outcome=older)]
    assert replay(recorded).events == tuple(recorded)


def test_a_contest_by_another_text_cites_the_regulation():
    for text in ("c3-c5", "zz", "d4-e5"):
        regulated = Table.start("brasileira", "contest", ("Ana", "Rui"), lot=3).apply(Moved(5, W, text))
        ended(regulated, "INVALID_MOVE", B)
        assert regulated.outcome.citation.rulebook == "contest"
        assert regulated.outcome.facts["tried"] == text  # and its cause is told
    *events, ruled = regulated.events  # as older versions recorded it
    older = replace(ruled.outcome, reason="ILLEGAL_MOVES", facts={"loser": W, "count": 1})
    assert replay([*events, replace(ruled, outcome=older)]).outcome == older


def test_a_table_that_may_not_be_opened_refuses_without_one():
    with pytest.raises(ProcedureRefused) as caught:
        Table.start("concurso", "contest")
    assert caught.value.table is None


# Touched pieces


@pytest.mark.parametrize(
    ("book", "touched", "fine", "other", "citation"),
    [
        ("faraes", "c3", "c3-d4", "e3-f4", ("Art. 15", "002-15")),
        ("oficial", "c3", "c3-d4", "e3-f4", ("§7", "001-7.4")),
        ("portuguesa", "10", "10-14", "9-13", ("n.º 10", "003-10")),
    ],
)
def test_a_touched_piece_must_be_moved(book, touched, fine, other, citation):
    table = Table.start(book, "school").apply(Touched(5, W, touched))
    assert table.touched == touched
    why = refusal(table, Moved(6, W, other))
    assert articles(why) == ("TOUCHED", citation[0])
    assert why.citation.id == citation[1]
    assert why.table.irregularities[-1].code == "TOUCHED"  # the teacher sees it
    names = table.book.square_names
    assert {names[move.origin] for move in table.playable} == {touched}
    table = why.table.play(fine, 9)
    assert table.touched is None
    reloaded(table)


def test_another_piece_may_not_even_be_touched():
    table = Table.start("faraes", "school").apply(Touched(5, W, "c3"))
    assert articles(refusal(table, Touched(6, W, "e3"))) == ("TOUCHED", "Art. 15")
    assert table.apply(Touched(6, W, "c3")).touched == "c3"


def test_a_piece_without_a_legal_move_binds_nobody():
    table = Table.start("faraes", "school").apply(Touched(5, W, "c1"))
    assert table.touched is None
    table = table.apply(Touched(6, W, "c3"))
    assert table.touched == "c3"
    capture = Table.start("faraes", "school", fen="W:Wc3,h2:Bd4")
    table = capture.apply(Touched(5, W, "h2"))  # it could move, were there nothing to capture (B.002-9)
    assert table.touched is None
    reloaded(table.play("c3xe5", 7))


def test_the_opponents_pieces_and_the_opponents_touch_bind_nobody():
    table = Table.start("faraes", "school")
    assert table.apply(Touched(5, W, "f6")).touched is None
    assert table.apply(Touched(5, B, "f6")).touched is None
    assert refusal(table, Touched(5, W, "d4")).code == "NO_PIECE_THERE"
    assert refusal(table, Touched(5, W, "d5")).code == "NO_SUCH_SQUARE"


def test_where_touch_move_is_off_or_the_text_silent_a_touch_binds_nobody():
    assert Table.start("faraes", "casual").apply(Touched(5, W, "c3")).touched is None
    assert Table.start("brasileira", "club").apply(Touched(5, W, "c3")).touched is None
    assert Table.start("faraes", "club").apply(Touched(5, W, "c3")).touched == "c3"
    silent = Table.start("brasileira", "school").apply(Touched(5, W, "c3"))
    assert refusal(silent, Moved(6, W, "e3-f4")).citation.rulebook == "school"


def test_adjusting_announced_first_suspends_the_duty():
    """002-15s."""
    table = Table.start("faraes", "school").apply(Adjusting(4, W)).apply(Touched(5, W, "c3"))
    assert table.touched is None
    assert articles(refusal(table, Adjusting(5, W))) == ("ALREADY_ADJUSTING", "Art. 15, parágrafo único")
    table = table.apply(Adjusted(6, W)).apply(Touched(7, W, "e3"))
    assert table.touched == "e3"
    assert articles(refusal(table, Adjusting(8, W))) == ("ADJUST_TOO_LATE", "Art. 15, parágrafo único")
    assert refusal(table, Adjusted(8, W)).code == "NOT_ADJUSTING"
    assert Table.start("faraes", "school").apply(Adjusting(4, W)).play("c3-d4", 5).adjusting == frozenset()
    reloaded(table)


def test_a_king_may_change_its_square_until_it_is_released():
    """002-16a, 002-16b: set down on one square, led on to another; the move is what is released."""
    table = Table.start("faraes", "school", fen="W:WKa1,g1:Bh8")
    table = table.apply(Touched(5, W, "a1")).apply(Touched(6, W, "a1", "c3")).apply(Touched(7, W, "a1", "f6"))
    assert table.touched == "a1"
    assert refusal(table, Moved(8, W, "g1-f2")).code == "TOUCHED"
    assert refusal(table, Touched(8, W, "a1", "z9")).code == "NO_SUCH_SQUARE"
    table = table.play("a1-d4", 9)
    assert refusal(table, Moved(10, W, "d4-e5")).code == "NOT_YOUR_TURN"  # released is played
    reloaded(table)


# Captures released too early


CHAIN = "W:Wc3,a1:Bd4,f6,h8"


def test_an_unfinished_capture_may_be_accepted_as_it_stands():
    table = Table.start("faraes", "club", fen=CHAIN).apply(StoppedEarly(5, W, "c3xe5"))
    assert table.chain.move == "c3xe5"
    assert table.awaited is B
    assert table.playable == []
    assert table.clock(10).running is B
    assert refusal(table, Moved(6, B, "f6xd4")).code == "CHAIN_PENDING"
    assert refusal(table, Moved(6, W, "c3xe5xg7")).code == "CHAIN_PENDING"
    assert refusal(table, StoppedEarly(6, W, "c3xe5")).code == "CHAIN_PENDING"
    why = refusal(table, AcceptedUnfinished(6, W))
    assert (why.code, why.citation.rulebook) == ("NOT_YOURS_TO_CHOOSE", "club")  # not the rulebook's choice
    assert refusal(table, Moved(6, B, "f6xd4")).sentence("pt-BR").endswith("(regimento de clube).")
    accepted = AcceptedUnfinished(7, B)
    assert (
        event_sentence(accepted, "pt-PT", table)
        == "as pretas aceitam a tomada como ficou (regimento de clube)"
    )
    table = table.apply(accepted)
    assert table.position.fen == "B:Wa1,e5:Bf6,h8"
    assert (table.ply, table.move_number, table.to_move) == (1, 1, B)
    table = table.play("f6xd4", 8)
    assert table.move_number == 2
    reloaded(table)


def test_completion_of_an_unfinished_capture_may_be_demanded():
    fen = "W:Wc3,a1:Bd4,f6,b4,b6,h8"  # the same length over b4 and b6
    table = Table.start("faraes", "club", fen=fen).apply(StoppedEarly(5, W, "c3xe5"))
    table = table.apply(DemandedCompletion(6, B))
    assert table.chain.demanded
    assert table.awaited is W
    assert [move.text for move in table.playable] == ["c3xe5xg7"]
    why = refusal(table, Moved(7, W, "c3xa5xc7"))
    assert (why.code, why.citation.id) == ("MUST_COMPLETE", "002-7c")
    assert refusal(table, DemandedCompletion(7, B)).code == "NO_CHAIN"
    table = table.apply(Touched(7, W, "a1"))
    assert table.touched is None
    table = why.table.play("c3xe5xg7", 8)
    assert table.chain is None
    reloaded(table)


def test_an_unfinished_capture_is_refused_where_the_regulation_says_so():
    table = Table.start("oficial", "casual", fen="W:Wc3,a1:Bd4,f6,h8")
    assert articles(refusal(table, StoppedEarly(5, W, "c3xe5"))) == ("CHAIN_INCOMPLETE", "§8")
    assert refusal(table, DemandedCompletion(5, B)).code == "NO_CHAIN"


def test_a_text_that_starts_no_capture_is_not_unfinished():
    table = Table.start("faraes", "club", fen=CHAIN)
    for text, code in (("c3xe5xg7", "NOT_UNFINISHED"), ("a1-b2", "NOT_UNFINISHED"), ("c3", "NOTATION")):
        assert refusal(table, StoppedEarly(5, W, text)).code == code
    assert refusal(table, StoppedEarly(5, B, "f6xd4")).code == "NOT_YOUR_TURN"
    bound = Table.start("faraes", "school", fen="W:Wc3,g3:Bd4,f6,f4,d6,b8").apply(Touched(4, W, "g3"))
    assert bound.touched == "g3"
    assert refusal(bound, StoppedEarly(5, W, "c3xe5")).code == "TOUCHED"


@pytest.mark.parametrize(
    ("book", "fen", "stopped", "after"),
    [
        ("faraes", "W:Wf6:Be7,c7,h8", "f6xd8", "B:WKd8:Bc7,h8"),  # released on the last row: crowned
        ("russa", "W:Wf6:Be7,b6,h2", "f6xd8", "B:WKd8:Bb6,h2"),
        ("russa", "W:Wf6:Be7,b6,c3,h2", "f6xd8xa5", "B:WKa5:Bc3,h2"),  # crowned on the way
        ("brasileira", "W:WKa1:Bd4,f6,c7", "a1xe5", "B:WKe5:Bf6,c7"),
        ("faraes", "B:Wd2,f2,h2:Bc3", "c3xe1", "W:Wf2,h2:BKe1"),
        ("faraes", "B:Wd4,f4,a1:Bc5", "c5xe3", "W:Wf4,a1:Be3"),
    ],
)
def test_an_accepted_capture_leaves_the_position_of_its_last_square(book, fen, stopped, after):
    table = Table.start(book, changed("club", colours="free"), fen=fen)
    mover = table.to_move
    table = table.apply(StoppedEarly(5, mover, stopped)).apply(AcceptedUnfinished(6, mover.other))
    assert table.position.setup == type(table.position).from_fen(after, book).setup
    reloaded(table)


# Crowning, blowing, two tempi, hints


def test_crowning_is_done_by_itself():
    """003-11d."""
    table = Table.start("portuguesa", "casual", fen="W:W28:B24").play("28-32", 5)
    assert table.position.piece_at(table.book.square_names.index("32")) is Piece.WHITE_KING
    why = refusal(table, LeftUncrowned(6, B, "32"))
    assert articles(why) == ("CROWNING_DUE", "n.º 11, alínea d")
    crowned = Table.start("faraes", "casual", fen="W:Wa7:Bh4").play("a7-b8", 5)
    assert refusal(crowned, LeftUncrowned(6, B, "b8")).citation.id == "002-4a"


def test_only_a_man_that_has_just_been_crowned_can_be_left_uncrowned():
    table = Table.start("faraes", "casual")
    assert refusal(table, LeftUncrowned(6, B, "b8")).code == "NOBODY_CROWNED"
    assert refusal(table, LeftUncrowned(6, B, "z9")).code == "NO_SUCH_SQUARE"
    kings = Table.start("faraes", "casual", fen="W:Wa7,Kd8:Bh4").play("a7-b8", 5)
    assert refusal(kings, LeftUncrowned(6, B, "d8")).code == "NOBODY_CROWNED"


@pytest.mark.parametrize(
    ("book", "article"),
    [
        ("portuguesa", "003-11a"),
        ("brasileira", "000-16"),
        ("faraes", "002-7b"),
        ("oficial", ""),
        ("concurso", ""),
    ],
)
def test_huffing_is_refused(book, article):
    table = Table.start(book, "casual")
    why = refusal(table, Blew(5, W, "21"))
    # Documents 001 and 004 know no huffing: nothing of theirs is cited.
    assert (why.code, why.citation.id if why.citation else "") == ("NO_BLOWING", article)
    assert why.table is table
    assert (
        refusal(Table.start(book, "school", lot=3), Blew(5, W, "21")).table.irregularities[0].code
        == "NO_BLOWING"
    )


def test_a_piece_that_failed_to_capture_stays_and_the_move_is_corrected():
    """000-16: instead of blowing, the illegal move is refused and the game goes on from the same position."""
    table = Table.start("brasileira", "casual", fen="W:Wc3,h2:Bd4,a7")
    why = refusal(table, Moved(5, W, "h2-g3"))
    assert why.code == "MUST_CAPTURE"
    assert why.table.play("c3xe5", 6).position.fen.startswith("B:")


def test_a_capture_in_two_tempi_keeps_the_route_shown():
    """003-6a, 003-6b."""
    fen = "W:Wc3:Bd4,f4,f2,d2"
    for route, order in (("c3xe5xg3xe1xc3", "d4 f4 f2 d2"), ("c3xe1xg3xe5xc3", "d2 f2 f4 d4")):
        table = Table.start("brasileira", "casual", fen=fen).play(route, 5)
        assert table.events[1].move == route
        lifted = table.game.record.move(1).captured  # in the order of the jumps
        assert " ".join(table.book.square_names[square] for square in lifted) == order
        reloaded(table)


def test_hints_only_where_they_are_allowed():
    """002-14: whoever plays works out the moves without help."""
    table = Table.start("faraes", "casual").apply(Hinted(5, W))
    assert isinstance(reloaded(table).events[-1], Hinted)
    assert articles(refusal(Table.start("faraes", "school"), Hinted(5, W))) == ("NO_HINTS", "Art. 14")
    assert refusal(Table.start("oficial", "school"), Hinted(5, W)).citation.rulebook == "school"


# Time


def test_a_fallen_flag_loses_and_an_early_call_is_refused():
    table = Table.start("concurso", "contest", BOTS, lot=2)
    why = refusal(table, Flag(1000, W))
    assert (why.code, why.citation.id) == ("FLAG_NOT_FALLEN", "004-4.5")
    assert why.sentence("en").startswith("White has not exceeded the time: 0 ms left")
    assert [refusal(table, Flag(at, W)).facts["left"] for at in (0, 1, 960)] == ["1 s", "999 ms", "40 ms"]
    assert refusal(table, Flag(1001, B)).code == "FLAG_NOT_FALLEN"
    table = table.apply(Flag(1001, W))
    ended(table, "FLAG", B)
    assert table.outcome.citation.id == "004-4.5"
    assert table.clock(99_999).white == 0


def test_the_last_millisecond_belongs_to_the_player():
    table = Table.start("concurso", "contest", BOTS, lot=2)
    assert table.play("2,2 3,3", 1000).outcome is None
    late = table.apply(Moved(1001, W, "2,2 3,3"))
    ended(late, "FLAG", B)
    assert late.ply == 0  # it was not played
    assert isinstance(late.events[-2], Refused)


def test_a_late_move_is_no_move_even_if_it_would_win():
    table = Table.start("brasileira", changed("casual", time="1"), fen="W:Wc3:Bd4")
    ended(table.apply(Moved(60_001, W, "c3xe5")), "FLAG", B)
    ended(table.apply(Moved(60_000, W, "c3xe5")), "NO_PIECES", W)
    ended(table.apply(Moved(60_001, W, "nonsense")), "FLAG", B)  # late is late, never "illegal"


def test_without_a_limit_no_flag_falls():
    assert refusal(Table.start("faraes", "casual"), Flag(10**9, W)).code == "NO_TIME_LIMIT"


def test_a_player_who_is_not_running_cannot_be_late():
    table = Table.start("brasileira", changed("casual", time="1")).play("c3-d4", 59_000)
    assert table.play("f6-g5", 118_000).outcome is None


def test_a_clock_that_is_pressed_by_hand():
    rules = changed("club", clock_stopped_by="press", time="1")
    table = Table.start("brasileira", rules).play("c3-d4", 10_000)
    assert table.clock(15_000).white == 45_000  # moved, not pressed
    assert refusal(table, Pressed(15_000, B)).code == "NOTHING_TO_PRESS"
    table = table.apply(Pressed(15_000, W))
    assert (table.clock(15_000).white, table.clock(16_000).running) == (45_000, B)
    assert refusal(table, Pressed(15_000, W)).code == "NOTHING_TO_PRESS"
    table = table.play("f6-g5", 20_000).play("d4-e5", 21_000)  # Black forgot; the answer presses for them
    assert table.clock(21_000).black == 54_000
    assert table.clock(21_000).running is W
    reloaded(table)
    flagged = table.apply(Flag(70_000, W))
    ended(flagged, "FLAG", B)


def test_a_player_gives_the_opponent_time():
    table = Table.start("brasileira", changed("casual", time="1")).apply(TimeGiven(5_000, B, 15_000))
    assert (table.clock(5_000).white, table.clock(5_000).black) == (70_000, 60_000)  # White's runs
    table = table.apply(TimeGiven(6_000, W, 15_000))
    assert table.clock(6_000).black == 75_000
    assert refusal(table, Flag(70_000, W)).code == "FLAG_NOT_FALLEN"
    assert event_sentence(table.events[-1], "en", table) == "White gives the opponent time (0:15)"
    assert [notice.by for notice in news_views([], table, "en")] == ["black", "white"]
    assert reloaded(table).clock(6_000) == table.clock(6_000)
    ended(table.apply(Flag(75_001, W)), "FLAG", B)
    ended(table.apply(TimeGiven(75_001, B, 15_000)), "FLAG", B)  # a gift saves nobody whose time is up


def test_gifts_of_time_are_counted():
    table = Table.start("brasileira", changed("casual", time="1"))
    for n in range(MAX_GIFTS):
        assert "give" in can(table)
        table = table.apply(TimeGiven(n, B, 15_000))
    assert refusal(table, TimeGiven(50, B, 15_000)).code == "GIFTS_SPENT"
    assert refusal(table, TimeGiven(50, B, 15_000)).facts["most"] == MAX_GIFTS
    assert "give" in can(table)  # White has given nothing yet
    table.apply(TimeGiven(50, W, 15_000))


@pytest.mark.parametrize(
    ("preset", "time", "players", "ms"),
    [
        ("casual", "none", ("", ""), 15_000),
        ("casual", "1d", ("", ""), 15_000),
        ("casual", "30s/move", ("", ""), 15_000),
        ("casual", "5", ("", Player("level", bot=True)), 15_000),
        ("casual", "5", ("", ""), 60_000),
        ("casual", "5", ("", ""), -15_000),
        ("school", "5", ("", ""), 15_000),
        ("club", "5", ("", ""), 15_000),
        ("contest", "5", ("", ""), 15_000),
    ],
)
def test_elsewhere_nobody_gives_time(preset, time, players, ms):
    table = Table.start(
        "brasileira", changed(preset, time=time), players, lot=7 if preset == "contest" else None
    )
    assert refusal(table, TimeGiven(5, W, ms)).code == "NO_TIME_GIFT"
    if ms == 15_000:
        assert "give" not in can(table)


def test_a_player_who_forgot_to_press_is_charged_until_the_reply():
    rules = changed("club", clock_stopped_by="press", time="1")
    table = Table.start("faraes", rules, fen="B:Wc3,b2,a1:Bd4,f6,b8").play("b8-a7", 1_000)
    table = table.apply(StoppedEarly(3_000, W, "c3xe5"))
    face = table.clock(4_000)
    assert (face.white, face.black, face.running) == (60_000, 56_000, B)
    table = table.apply(DemandedCompletion(5_000, B)).play("c3xe5xg7", 7_000)
    assert table.clock(7_000).running is W
    assert table.apply(Pressed(8_000, W)).clock(8_000).white == 57_000


def test_where_the_move_stops_the_clock_nothing_is_pressed():
    table = Table.start("brasileira", "club").play("c3-d4", 10_000)
    assert table.clock(10_000).running is B
    assert refusal(table, Pressed(10_001, W)).code == "NOTHING_TO_PRESS"


# Draws


@pytest.mark.parametrize(
    ("book", "article", "platform"),
    [("oficial", "001-6.3", False), ("faraes", "002-11", False), ("portuguesa", "003-8", False)],
)
def test_players_may_agree_to_a_draw(book, article, platform):
    table = Table.start(book, "club").apply(Offered(5, W))
    assert table.offer is W
    assert refusal(table, Accepted(6, W)).code == "NO_OFFER"
    assert refusal(table, Offered(6, B)).code == "OFFER_STANDS"
    table = table.apply(Accepted(7, B))
    ended(table, "AGREEMENT", None)
    assert (table.outcome.citation.id, table.outcome.platform) == (article, platform)


def test_where_the_text_is_silent_agreement_is_the_platforms():
    table = Table.start("brasileira", "casual").apply(Offered(5, W)).apply(Accepted(6, B))
    ended(table, "AGREEMENT", None)
    assert table.outcome.platform
    assert "platform" in table.outcome.sentence("en")


def test_the_third_occurrence_is_an_offer_of_the_platform_in_casual_games():
    """B.000-6: 000 has no repetition, so nothing ends by itself; in a casual game either player may take a draw."""
    moves = shuttle(8, ("g1-h2", "b8-a7", "h2-g1", "a7-b8"))
    start = {"fen": "W:WKa1,Kc1,Kg1:BKb8"}
    before = played(Table.start("brasileira", "casual", **start), moves[:7])
    assert before.claims_open() == []
    third = played(before, moves[7:])
    assert third.outcome is None
    (claim,) = third.claims_open()
    assert claim.sentence("pt-BR") == (
        "Encerrar com empate, como qualquer dos dois pode: repetição da posição, 3 de 3"
        " (regra da plataforma, não do texto)"
    )
    for side in (W, B):
        taken = reloaded(third.apply(Claimed(third.now, side, claim.rule.id)))
        ended(taken, "REPETITION", None)
        assert taken.outcome.platform and taken.outcome.facts["plies"] == "0, 4, 8"
        assert judge(*read_games(write_game(to_pdn(taken)))).verdict == "AS_RULED"
        assert judge(*read_games(write_game(to_pdn(taken))), letter=True).verdict == "NOT_BY_LETTER"
    # Nothing of ours comes before the five moves that the text gives to two kings against one.
    counted = played(Table.start("brasileira", "casual", fen="W:WKa1,Kg1:BKb8"), moves)
    assert counted.claims_open() == []
    ended(played(counted, moves[:2]), "LIMIT", None)
    faraes = Table.start("faraes", "casual", fen="W:WKa1,Kc1,Kg1:BKb8")
    assert played(faraes, moves).claims_open() == []  # Art. 12 counts
    refused = Claimed(before.now, W, claim.rule.id)
    assert refusal(before, refused).code == "WRONG_CLAIM"
    for strict in ("school", "club", changed("contest", colours="free")):
        table = played(Table.start("brasileira", strict, **start), moves)
        assert table.claims_open() == []
        assert refusal(table, Claimed(table.now, W, claim.rule.id)).code == "UNKNOWN_RULE"
    portuguese = played(
        Table.start("portuguesa", "casual", fen="W:WK2,K3:BK29"), shuttle(8, ("2-6", "29-25", "6-2", "25-29"))
    )
    ended(portuguese, "REPETITION", None)  # the text's own, automatic
    assert not portuguese.outcome.platform


def test_no_agreement_in_a_contest_or_where_the_book_decides():
    assert refusal(Table.start("concurso", "contest", BOTS, lot=1), Offered(5, W)).citation.id == "B.004-11"
    why = refusal(Table.start("brasileira", "club"), Offered(5, W))
    assert (why.code, why.citation.id) == ("NO_AGREEMENT", "B.000-6")
    assert (
        refusal(Table.start("faraes", changed("club", agreement="never")), Offered(5, W)).citation.rulebook
        == "club"
    )


def test_an_offer_stands_until_it_is_answered_withdrawn_or_moved_past():
    table = Table.start("faraes", "casual").apply(Offered(5, W))
    assert refusal(table, Withdrew(6, B)).code == "NO_OFFER"
    assert table.apply(Withdrew(6, W)).offer is None
    assert table.apply(Declined(6, B)).offer is None
    assert refusal(table, Declined(6, W)).code == "NO_OFFER"
    moved = table.play("c3-d4", 7)
    assert moved.offer is W  # one's own move does not take the offer back
    assert moved.play("f6-g5", 8).offer is None
    assert refusal(moved.play("f6-g5", 8), Accepted(9, B)).code == "NO_OFFER"
    reloaded(moved)


def test_no_offer_before_the_move_the_regulation_names():
    table = Table.start("faraes", changed("club", offers_from_move=2)).play("c3-d4", 5)
    assert refusal(table, Offered(6, W)).code == "OFFER_TOO_EARLY"
    assert table.play("f6-g5", 6).apply(Offered(7, W)).offer is W


def test_a_right_claim_draws_at_once():
    moves = ("4-8", "29-25", "8-4", "25-29")
    table = Table.start("portuguesa-fpd", "club", fen="W:WK4,9:BK29,24")
    before = played(table, shuttle(7, moves))
    assert before.claims_open() == []
    table = played(table, shuttle(8, moves))
    assert table.outcome is None  # it waits for the claim
    assert [(claim.kind, claim.rule.id) for claim in table.claims_open()] == [("claim", "threefold")]
    for by in Color:
        ended(table.apply(Claimed(500, by, "threefold")), "REPETITION", None)
    automatic = Table.start("portuguesa-fpd", "casual", fen="W:WK4,9:BK29,24")
    ended(played(automatic, shuttle(8, moves)), "REPETITION", None)


def test_a_claim_before_or_after_is_wrong():
    moves = ("4-8", "29-25", "8-4", "25-29")
    start = Table.start("portuguesa-fpd", "school", fen="W:WK4,9:BK29,24")
    for table in (played(start, shuttle(7, moves)), played(start, [*shuttle(8, moves), "9-13"])):
        why = refusal(table, Claimed(500, W, "threefold"))
        assert why.code == "WRONG_CLAIM"
        assert why.facts["need"] == 3
        assert why.table.irregularities[-1].attempt.rule == "threefold"  # who, when, and after which ply
        assert why.table.outcome is None
        reloaded(why.table)
    assert played(start, shuttle(7, moves)).apply(Resigned(900, W)).outcome


def test_the_regulation_says_what_a_wrong_claim_costs():
    for cost in ("nothing", "time"):
        table = Table.start("portuguesa-fpd", changed("club", wrong_claim=cost))
        why = refusal(table, Claimed(1_000, W, "threefold"))
        more = 120_000 if cost == "time" else 0
        assert why.table.clock(1_000).black == 20 * 60_000 + more
        reloaded(why.table)
    table = Table.start("portuguesa-fpd", changed("club", wrong_claim="loses"))
    ended(table.apply(Claimed(1_000, W, "threefold")), "WRONG_CLAIM", B)


def test_only_what_waits_for_a_claim_can_be_claimed():
    table = Table.start("oficial", "club")
    assert refusal(table, Claimed(5, W, "threefold")).code == "NOT_CLAIMABLE"
    assert "threefold" in str(refusal(table, Claimed(5, W, "fourfold")))
    assert (
        refusal(Table.start("faraes", letter()), Claimed(5, W, "platform-threefold")).code == "UNKNOWN_RULE"
    )


def test_the_platforms_threefold_is_only_an_offer():
    table = played(Table.start("faraes", "casual", fen="W:WKg1,a1:BKb8,h8"), shuttle(9))
    assert table.outcome is None
    table = table.apply(Claimed(500, B, "platform-threefold"))
    ended(table, "REPETITION", None)
    assert table.outcome.platform


def test_the_platform_offers_nothing_in_an_ending_of_the_text():
    """002-12: the thirteen moves can still be called for, so no draw comes before them."""
    table = played(Table.start("faraes", "school", fen=THREE_KINGS), shuttle(12))
    assert [claim.kind for claim in table.claims_open()] == ["attention"]
    assert refusal(table, Claimed(500, B, "platform-threefold")).code == "WRONG_CLAIM"
    before = edition("faraes", "3d1a03ac9cfdaeb7")  # a game that began under it goes on under it
    table = played(Table.start(before, "school", fen=THREE_KINGS), shuttle(12))
    ended(table.apply(Claimed(500, B, "platform-threefold")), "REPETITION", None)


def test_attention_starts_the_count_where_nobody_writes():
    """002-12s."""
    table = played(Table.start("faraes", "school", fen=THREE_KINGS), shuttle(4))
    assert [(claim.kind, claim.need) for claim in table.claims_open()] == [("attention", 13)]
    why = refusal(table, Claimed(50, B, "thirteen-moves"))
    assert articles(why) == ("ATTENTION_FIRST", "Art. 12, parágrafo único")
    assert not why.written
    table = table.apply(CalledAttention(50, B, "thirteen-moves"))
    count = next(count for count in table.progress() if count.rule.id == "thirteen-moves")
    assert (count.have, count.need, count.since) == (0, 13, 3)
    assert "0 of 13" in count.sentence("en")
    assert "Art. 12" in count.sentence("pt-BR")
    assert table.claims_open() == []
    assert refusal(table, Claimed(50, B, "thirteen-moves")).code == "NOT_CLAIMABLE"
    table = played(table, shuttle(24))
    assert table.outcome is None
    table = table.play("g1-h2", 5000)
    ended(table, "LIMIT", None)
    assert (table.ply, table.outcome.citation.id) == (29, "002-12")


def test_attention_is_refused_where_it_has_no_place():
    club = Table.start("faraes", "club", fen=THREE_KINGS)
    written_down = Table.start("faraes", "school", fen=THREE_KINGS, recorded=True)
    for recorded in (club, written_down):
        assert articles(refusal(recorded, CalledAttention(5, B, "thirteen-moves"))) == (
            "ATTENTION_NOT_NEEDED",
            "Art. 12, parágrafo único",
        )
    table = Table.start("faraes", "school")
    assert refusal(table, CalledAttention(5, B, "thirteen-moves")).code == "NOTHING_TO_COUNT"
    assert refusal(table, CalledAttention(5, B, "platform-threefold")).code == "ATTENTION_NOT_NEEDED"
    assert refusal(table, CalledAttention(5, B, "x")).code == "UNKNOWN_RULE"
    assert not refusal(table, CalledAttention(5, B, "x")).table.suspended
    table = Table.start("faraes", "school", fen=THREE_KINGS).apply(CalledAttention(5, B, "thirteen-moves"))
    assert refusal(table, CalledAttention(6, W, "thirteen-moves")).code == "ATTENTION_STANDS"


# Leaving


def test_a_player_may_resign_in_turn_or_not_until_the_game_is_over():
    table = Table.start("faraes", "club")
    ended(table.apply(Resigned(5, W)), "RESIGNATION", B)
    over = table.apply(Resigned(5, B))
    ended(over, "RESIGNATION", W)
    assert refusal(over, Resigned(6, W)).code == "GAME_OVER"


def test_a_move_is_taken_back_if_the_opponent_grants_it():
    table = Table.start("faraes", "casual").play("c3-d4", 5).apply(TakeBackAsked(6, W))
    assert table.take_back is W
    assert refusal(table, TakeBackGranted(7, W)).code == "NO_TAKE_BACK_ASKED"
    assert refusal(table, TakeBackAsked(7, B)).code == "TAKE_BACK_STANDS"
    assert table.apply(TakeBackRefused(7, B)).ply == 1
    back = table.apply(TakeBackGranted(7, B))
    assert (back.ply, back.to_move, back.take_back) == (0, W, None)
    assert len(back.events) == 4  # nothing is erased
    reloaded(back)
    both = played(Table.start("faraes", "casual"), ["c3-d4", "f6-g5"]).apply(TakeBackAsked(30, W))
    assert both.apply(TakeBackGranted(31, B)).ply == 0  # the answer goes back with it
    assert table.play("f6-g5", 9).take_back is None


def test_no_take_back_where_it_is_not_allowed_or_nothing_was_played():
    assert refusal(Table.start("faraes", "club"), TakeBackAsked(5, W)).code == "NO_TAKE_BACK"
    table = Table.start("faraes", "casual")
    assert refusal(table, TakeBackAsked(5, W)).code == "NOTHING_TO_TAKE_BACK"
    assert refusal(table.play("c3-d4", 6), TakeBackAsked(7, B)).code == "NOTHING_TO_TAKE_BACK"
    assert refusal(table, TakeBackRefused(5, B)).code == "NO_TAKE_BACK_ASKED"


def test_time_is_not_given_back_with_the_move():
    table = Table.start("faraes", changed("casual", time="5+3")).play("c3-d4", 10_000)
    table = table.apply(TakeBackAsked(12_000, W)).apply(TakeBackGranted(15_000, B))
    assert (table.clock(15_000).white, table.clock(15_000).black) == (293_000, 295_000)
    assert table.clock(15_000).running is W


def test_a_game_is_cancelled_only_before_the_first_moves():
    table = Table.start("faraes", "casual").play("c3-d4", 5)
    off = table.apply(Aborted(6, B))
    ended(off, "ABORTED", None)
    assert off.outcome.result == "*"
    assert refusal(table.play("f6-g5", 6), Aborted(7, W)).code == "TOO_LATE_TO_ABORT"


def test_a_player_absent_too_long_may_lose():
    table = Table.start("faraes", "casual").apply(Disconnected(1_000, B))
    assert refusal(table, Disconnected(1_001, B)).code == "ALREADY_AWAY"
    why = refusal(table, ClaimedAbsence(60_999, W))
    assert (why.code, why.facts["seconds"]) == ("GRACE_RUNS", 1)
    assert refusal(table, ClaimedAbsence(99_999, B)).code == "NOT_AWAY"
    ended(table.apply(ClaimedAbsence(61_000, W)), "ABANDONED", W)
    back = table.apply(Reconnected(30_000, B))
    assert back.absent == {}
    assert refusal(back, ClaimedAbsence(90_000, W)).code == "NOT_AWAY"
    assert refusal(back, Reconnected(90_000, B)).code == "NOT_AWAY"
    both = table.apply(Disconnected(2_000, W))
    assert refusal(both, ClaimedAbsence(90_000, W)).code == "NOT_AWAY"  # said by one who is away too
    reloaded(back)


# The arbiter's hand


@pytest.mark.parametrize(
    "event",
    [
        Corrected(5, " ", "W:Wc3:Bd4"),
        Released(5, ""),
        TimeAdded(5, "", W, 1),
        Restored(5, "", 0),
        Resumed(5, ""),
        Ended(5, "", "1-0"),
    ],
)
def test_the_arbiter_must_give_a_reason(event):
    assert refusal(Table.start("faraes", "club"), event).code == "NO_REASON"


def test_the_arbiter_corrects_a_position():
    table = played(Table.start("faraes", "club"), ["c3-d4", "f6-g5", "g3-f4"])
    table = table.apply(Corrected(50, "uma pedra caiu", "B:Wc3,e3:Bf6,h8"))
    assert table.position.fen == "B:Wc3,e3:Bf6,h8"
    assert (table.ply, table.move_number) == (3, 2)
    assert table.play("f6-g5", 60).move_number == 3
    assert refusal(table, Corrected(70, "x", "W:W99:B")).code == "BAD_POSITION"
    reloaded(table)


def test_the_arbiter_releases_a_touched_piece():
    table = Table.start("faraes", "school")
    assert refusal(table, Released(5, "nada")).code == "NOTHING_TO_RELEASE"
    table = table.apply(Touched(5, W, "c3")).apply(Released(6, "encostou sem querer"))
    assert table.touched is None
    reloaded(table.play("e3-f4", 7))
    chain = Table.start("faraes", "club", fen=CHAIN).apply(StoppedEarly(5, W, "c3xe5"))
    free = chain.apply(Released(9, "engano"))
    assert (free.chain, free.clock(10).running) == (None, W)
    still = chain.apply(Suspended(6, None, "")).apply(Released(9, "engano"))
    assert (still.chain, still.clock(10).running) == (None, None)
    touched = Table.start("faraes", changed("school", time="5")).apply(Touched(5, W, "c3"))
    assert touched.apply(Released(9, "engano")).clocks == touched.clocks


def test_the_arbiter_adds_time_even_after_the_flag_unless_it_was_called():
    table = Table.start("faraes", changed("club", time="1"))
    table = table.apply(TimeAdded(61_000, "o relógio parou", W, 30_000))
    later = table.apply(TimeSet(62_000, "relógio trocado", W, 5_000))
    assert later.clock(62_000).white == 5_000
    assert later.apply(TimeSet(63_000, "outra vez", B, 900_000)).clock(63_000).black == 900_000
    reloaded(later)
    assert table.play("c3-d4", 80_000).outcome is None
    assert refusal(Table.start("faraes", "casual"), TimeAdded(5, "x", W, 1000)).code == "NO_TIME_LIMIT"
    for nothing in (TimeAdded(61_000, "x", W, 0), TimeSet(61_000, "x", W, 0)):
        assert refusal(table, nothing).code == "NO_TIME_GIVEN"
    assert refusal(Table.start("faraes", "casual"), TimeSet(5, "x", W, 1000)).code == "NO_TIME_LIMIT"
    called = table.apply(CalledArbiter(61_000, B))
    assert refusal(called, CalledArbiter(61_500, B)).code == "CALL_STANDS"
    assert called.apply(CalledArbiter(61_500, W)).calls == {W, B}
    answered = called.apply(Advised(61_500, "continuem"))
    assert answered.calls == frozenset()
    reloaded(answered)


def test_the_arbiter_restores_an_earlier_position():
    table = played(Table.start("faraes", "club"), ["c3-d4", "f6-g5", "g3-f4"])
    table = table.apply(Restored(50, "lance trocado", 1))
    assert (table.ply, table.to_move) == (1, B)
    assert refusal(table, Restored(51, "x", 2)).code == "NO_SUCH_PLY"
    table = table.apply(Corrected(52, "outra", "W:Wc3:Bf6")).play("c3-d4", 53)
    assert table.ply == 2
    back = table.apply(Restored(54, "afinal não", 1))
    assert back.position.fen == "W:Wc3:Bf6"
    first = back.apply(Restored(55, "do começo", 0))
    assert first.position == Table.start("faraes", "club").position
    assert len(first.stretches) == 1
    reloaded(first)


@pytest.mark.parametrize(("result", "winner"), [("1-0", W), ("0-1", B), ("1/2-1/2", None), ("*", None)])
def test_the_arbiter_ends_a_game(result, winner):
    table = Table.start("faraes", "club").apply(Ended(5, "conduta", result))
    ended(table, "ARBITER", winner)
    assert table.outcome.result == result
    assert "conduta" in table.outcome.sentence("pt-PT")
    assert refusal(Table.start("faraes", "club"), Ended(5, "x", "2-0")).code == "NO_SUCH_RESULT"


def test_after_the_end_only_the_arbiter_may_put_things_right():
    over = played(Table.start("faraes", changed("club", time="5")), ["c3-d4", "f6-g5"]).apply(Resigned(30, W))
    for event in (
        Moved(40, W, "d4-e5"),
        Offered(40, W),
        Flag(40, W),
        Disconnected(40, B),
        Released(40, "x"),
        TimeAdded(40, "x", W, 5),
        Ended(40, "x", "1-0"),
        Resumed(40, "x"),
        Suspended(40, None, ""),
    ):
        assert refusal(over, event).code == "GAME_OVER"
    again = over.apply(Restored(1_000, "apertou sem querer", 2))
    assert again.outcome is None
    assert again.suspended  # nobody's clock runs until it is resumed
    assert refusal(again, Moved(1_001, W, "d4-e5")).code == "SUSPENDED"
    again = again.apply(TimeAdded(1_500, "pela pausa", W, 1_000)).apply(Resumed(2_000, "voltaram"))
    assert again.clock(2_000).white == 5 * 60_000 - 10 - 10 + 1_000
    reloaded(again.play("d4-e5", 2_500))


def test_time_never_runs_back_and_the_game_begins_once():
    table = Table.start("faraes", "casual").play("c3-d4", 500)
    assert refusal(table, Moved(499, B, "f6-g5")).code == "TIME_RUNS_BACK"
    assert refusal(table, table.started).code == "NOT_FOR_PLAYERS"


# Lots


def test_colours_are_drawn_by_lot_where_the_text_says_so():
    players = (Player("a", bot=True), Player("b", bot=True))
    seen = set()
    for seed in range(20):
        table = Table.start("concurso", "contest", players, lot=seed)
        assert (table.white.name == "a") == (draw_lots(seed) is W)
        assert table.started.lot.seed == seed
        seen.add(table.white.name)
        reloaded(table)
    assert seen == {"a", "b"}
    with pytest.raises(ProcedureRefused) as caught:
        Table.start("concurso", changed("contest", colours="rulebook"), players)
    assert (caught.value.code, caught.value.citation.id) == ("LOT_NEEDED", "004-1.5")
    assert Table.start("concurso", "casual", players).started.lot is None
    cheat = Table.start("concurso", "contest", players, lot=1).started
    with pytest.raises(ProcedureRefused, match="seed 1") as caught:
        Table.open(replace(cheat, lot=replace(cheat.lot, first=cheat.lot.first.other)))
    assert caught.value.code == "LOT_WRONG"


def test_a_game_knows_the_rulebook_it_was_played_by():
    started = Table.start("faraes", "casual").started
    with pytest.raises(ProcedureRefused) as caught:
        Table.open(replace(started, hash="0" * 16))
    assert caught.value.code == "OTHER_RULEBOOK"
    with pytest.raises(ProcedureRefused):
        Table.open(started, rulebook("oficial"))


# Our own errors


def test_an_internal_error_suspends_the_game(monkeypatch):
    table = Table.start("concurso", "contest", BOTS, lot=1)
    with monkeypatch.context() as broken:
        broken.setitem(ALL, "laws", lambda event, table: 1 // 0)
        suspended = table.play("2,2 3,3", 900)
    assert suspended.outcome is None
    assert suspended.suspended
    assert "ZeroDivisionError" in suspended.events[-1].trace
    assert suspended.events[-1].attempt == Moved(900, W, "2,2 3,3")
    for event in (Flag(99_999, W), Moved(99_999, W, "bad"), Resigned(99_999, W), Suspended(99_999, None, "")):
        assert refusal(suspended, event).code == "SUSPENDED"
    assert suspended.apply(Disconnected(1_000, B)).absent
    assert replay(suspended.events) == suspended  # also once the error is mended
    on = suspended.apply(Resumed(50_000, "corrigido"))
    assert on.clock(50_000).white == 100
    assert on.play("2,2 3,3", 50_100).outcome is None
    assert refusal(on, Resumed(50_100, "outra vez")).code == "NOT_SUSPENDED"
    void = suspended.apply(Ended(60_000, "erro nosso", "*"))
    ended(void, "SUSPENDED", None)
    assert void.outcome.void


def test_a_lack_of_memory_changes_nothing(monkeypatch):
    def exhausted(event, table):
        raise MemoryError

    table = Table.start("concurso", "contest", BOTS, lot=1)
    monkeypatch.setitem(ALL, "laws", exhausted)
    with pytest.raises(MemoryError):
        table.play("2,2 3,3", 900)


def test_a_server_shutdown_suspends_the_game():
    table = Table.start("faraes", changed("casual", time="5")).apply(Suspended(10_000, None, "restarting"))
    assert table.clock(10**9).white == 290_000
    reloaded(table.apply(Resumed(10**9, "back")))


def test_an_event_that_is_allowed_is_appended_and_so_is_every_ruling():
    table = Table.start("faraes", "club").apply(Offered(5, W)).apply(Accepted(6, B))
    assert [event.kind for event in table.events] == ["started", "offered", "accepted", "ruled"]
    assert isinstance(table.events[-1], Ruled)
