"""A table as PDN: moves, clocks, the result and why."""

from dataclasses import replace

import pytest

from arbiter.tables import BOTS, B, W, changed, played, shuttle
from damas.arbiter import Table, events, regulation
from damas.judging.judge import judge
from damas.judging.scoresheet import attention, is_recorded, to_pdn
from damas.notation import Clock, PdnGame, Result, read_games, write_game

THREE_KINGS = "W:WKg1,Kc1,Ka3:BKb8"


def opened(book="oficial", rules="casual", **more) -> Table:
    return played(Table.start(book, rules, ("Ana", "Rui"), **more), ["c3-d4", "f6-g5"], step=1234)


def agreed() -> Table:
    table = opened()
    return table.apply(events.Offered(table.now, W)).apply(events.Accepted(table.now, B))


def claimed() -> Table:
    rules = changed("casual", claims="player")
    table = Table.start("inglesa", replace(rules, id="club"), fen="W:W21,K32:BK1,12")
    table = played(table, shuttle(8, ("32-27", "1-5", "27-32", "5-1")))
    return table.apply(events.Claimed(table.now, W, "threefold"))


def attended() -> Table:
    table = played(Table.start("faraes", "school", ("Ana", "Rui"), fen=THREE_KINGS), shuttle(4), step=1234)
    table = table.apply(events.CalledAttention(table.now + 5, B, "thirteen-moves"))
    return played(table, shuttle(25))


def flagged() -> Table:
    table = opened(rules=regulation("club").with_time("5+3"))
    return table.apply(events.Flag(table.now + 10**6, table.to_move))


def abandoned() -> Table:
    table = opened()
    return table.apply(events.Disconnected(table.now, B)).apply(events.ClaimedAbsence(table.now + 10**5, W))


def bronstein() -> Table:
    table = opened(rules=regulation("casual").with_time("90sb2"))
    return table.apply(events.Resigned(table.now + 7, W))


TABLES = {
    "won on the board": lambda: played(Table.start("brasileira", "casual", fen="W:We5:Bd4"), ["e5xc3"]),
    "limit": lambda: played(Table.start("faraes", "casual", fen="W:WKa1,Kg1:BKb8"), shuttle(40)),
    "agreed": agreed,
    "claimed": claimed,
    "attention": attended,
    "resigned": lambda: opened().apply(events.Resigned(5000, B)),
    "flag": flagged,
    "abandoned": abandoned,
    "bronstein": bronstein,
    "by the arbiter": lambda: opened().apply(events.Ended(5000, "jogador com telefone", "0-1")),
    "goes on": opened,
    "called off": lambda: Table.start("oficial", "casual").apply(events.Aborted(4, W)),
    "programs by lot": lambda: played(
        Table.start("concurso", "contest", BOTS, fen="W:WKg1,a3:BKb8", lot=7), shuttle(24)
    ),
}


def again(game: PdnGame) -> PdnGame:
    (read,) = read_games(write_game(game))
    assert isinstance(read, PdnGame), read
    return read


@pytest.mark.parametrize("name", TABLES)
def test_the_sheet_of_a_table_is_read_again_and_holds(name):
    table = TABLES[name]()
    sheet = to_pdn(table)
    assert again(sheet) == sheet
    judgement = judge(again(sheet))
    assert judgement.holds
    assert judgement.recorded == (table.outcome.result if table.outcome else "*")


def test_the_sheet_names_the_reason_the_article_the_regulation_and_the_clock():
    text = write_game(to_pdn(flagged()))
    for tag in (
        '[Regulation "club"]',
        '[TimeControl "5+3"]',
        '[Termination "time forfeit"]',
        '[Reason "FLAG"]',
        '[Result "0-1"]',
        '[White "Ana"]',
    ):
        assert tag in text
    assert "1. c3-d4 {[%clk 0:05:01.766] [%emt 0:00:01.234]}" in " ".join(text.split())
    text = write_game(to_pdn(attended()))
    for tag in (
        '[Article "faraes, Art. 12"]',
        '[ArticleId "002-12"]',
        '[Rule "thirteen-moves"]',
        '[Recorded "no"]',
    ):
        assert tag in text
    assert "[%event called_attention black thirteen-moves]" in " ".join(text.split())
    assert '[PlatformRule "yes"]' in write_game(to_pdn(TABLES["limit"]()))


def test_programs_and_the_lot_are_named():
    sheet = to_pdn(TABLES["programs by lot"]())
    assert sheet.tags["WhiteType"] == "program"
    assert sheet.tags["Lot"] == "7"


def test_black_begins_in_english_draughts_and_wins_first():
    table = Table.start("inglesa", "casual").apply(events.Resigned(4, W))
    assert to_pdn(table).result == Result("1-0")


def test_moves_taken_back_are_gone_and_a_position_put_right_is_the_start():
    table = opened()
    table = table.apply(events.TakeBackAsked(table.now, B)).apply(events.TakeBackGranted(table.now + 9, W))
    table = table.play("f6-e5", table.now + 100)
    sheet = to_pdn(table)
    assert [node.move.text for node in sheet.moves] == ["c3-d4", "f6-e5"]
    assert sheet.moves[1].clock == Clock(spent=100)
    table = table.apply(events.Corrected(table.now, "engano", "W:Wc3:Bf6")).play("c3-d4", table.now)
    sheet = to_pdn(table)
    assert sheet.start.fen == "W:Wc3:Bf6"
    assert [node.move.text for node in sheet.moves] == ["c3-d4"]


def test_attention_is_read_at_its_ply():
    sheet = again(to_pdn(attended()))
    assert attention(sheet) == ((4, "thirteen-moves"),)
    assert not is_recorded(sheet)
    assert is_recorded(to_pdn(opened()))


def test_attention_called_before_the_first_move():
    table = Table.start("faraes", "school", fen=THREE_KINGS).apply(
        events.CalledAttention(3, B, "thirteen-moves")
    )
    sheet = again(to_pdn(played(table, shuttle(25))))
    assert attention(sheet) == ((0, "thirteen-moves"),)
    assert judge(sheet).outcome.rule == "thirteen-moves"
