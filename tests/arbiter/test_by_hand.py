"""What is done by hand over the board: two tempi (003-6), crowning (003-11d), conduct (002-14, 003-11), the register."""

import json

import pytest

from damas.arbiter import (
    AcceptedUnfinished,
    Blew,
    Crowned,
    DemandedCompletion,
    Ended,
    Event,
    Flag,
    Lifted,
    Moved,
    Noted,
    Player,
    Pressed,
    ProcedureRefused,
    Regulation,
    Released,
    Reported,
    Resigned,
    Restored,
    StoppedEarly,
    Table,
    Touched,
    from_json,
    regulation,
    to_json,
)
from damas.arbiter.conduct import CONDUCT, register, reportable, totals
from damas.judging.certificate import FIRST_FORM, SECOND_FORM, Certificate, check
from damas.judging.history import event_sentence
from damas.judging.register import entry_line
from damas.language import LANGUAGES, entries

from .tables import B, W, changed, ended, played, refusal, reloaded

TAKES = "W:W10,1:B14,23,30,29"
"""10x19x28 captures 14, then 23."""
CROWNS = "W:W26,1:B6,12"
"""26-29 or 26-30 crowns a man."""


def recorded(table: Table, event: Event) -> ProcedureRefused:
    """A refusal that the register keeps; its table goes on."""
    why = refusal(table, event)
    assert why.written
    return why


def test_a_capture_is_made_in_two_tempi():  # 003-6a, 003-6b
    table = Table.start("portuguesa", "school", fen=TAKES).play("10x19x28", at=100)
    assert table.lifting == ("14", "23")
    assert (table.to_move, table.awaited, table.playable) == (B, W, [])
    why = refusal(table, Moved(110, B, "30-26"))
    assert (why.code, why.article, why.written) == ("LIFTING_DUE", "n.º 6", False)
    why = recorded(table, Lifted(120, W, "23"))
    assert (why.code, why.article) == ("LIFT_ORDER", "n.º 6")
    table = why.table
    line = "Lance 1 das brancas: levantar as peças tomadas fora da ordem (n.º 6): 23"
    assert entry_line(register(table)[0], table, "pt-PT") == line
    noted = table.apply(Noted(125, "aviso", B, "other"))
    line = "Lance 1 das brancas – as pretas, segundo o árbitro: outra irregularidade: aviso"
    assert entry_line(register(noted)[1], noted, "pt-PT") == line
    why = refusal(table, Lifted(130, B, "14"))
    assert (why.code, why.facts) == ("OTHER_HAND", {"color": W})
    assert refusal(table, Lifted(130, W, "99")).code == "NO_SUCH_SQUARE"
    table = table.apply(Lifted(140, W, "14"))
    assert table.lifting == ("23",)
    table = table.apply(Lifted(150, W, "23"))
    assert (table.lifting, table.awaited) == ((), B)
    assert refusal(table, Lifted(160, W, "23")).code == "NOTHING_TO_LIFT"
    reloaded(table.play("30-26", at=170))


def test_the_clock_of_who_captured_runs_until_the_last_piece_is_lifted():
    rules = changed("school", time="1+5")
    table = Table.start("portuguesa", rules, fen=TAKES).play("10x19x28", at=10_000)
    assert table.clocks.running is W
    table = table.apply(Lifted(12_000, W, "14")).apply(Lifted(20_000, W, "23"))
    face = table.clock(20_000)
    assert (face.running, face.white, face.black) == (B, 45_000, 60_000)
    slow = Table.start("portuguesa", rules, fen=TAKES).play("10x19x28", at=10_000)
    ended(slow.apply(Flag(60_001, W)), "FLAG", B)


def test_where_the_clock_is_pressed_it_is_pressed_after_the_second_tempo():
    rules = changed("school", time="1", clock_stopped_by="press")
    table = Table.start("portuguesa", rules, fen=TAKES).play("10x19x28", at=10)
    assert refusal(table, Pressed(20, W)).code == "LIFTING_DUE"
    table = table.apply(Lifted(30, W, "14")).apply(Lifted(40, W, "23"))
    assert table.clocks.running is W
    assert table.apply(Pressed(50, W)).clocks.running is B


def test_only_texts_that_ask_for_two_tempi_demand_them():
    fen = "W:Wc3,a1:Bd4,f6,h2"
    for preset in ("school", "club"):
        assert Table.start("faraes", preset, fen=fen).play("c3xe5xg7", at=1).lifting == ()
        assert Table.start("portuguesa", preset, fen=TAKES).play("10x19x28", at=1).lifting == ("14", "23")
        assert Table.start("portuguesa", preset, fen=CROWNS).play("26-30", at=1).crowning == "30"
    for preset in ("casual", "contest"):
        assert Table.start("portuguesa", preset, fen=TAKES, lot=1).play("10x19x28", at=1).lifting == ()
    always = Table.start("faraes", changed("school", two_tempi="on"), fen=fen).play("c3xe5xg7", at=1)
    assert always.lifting == ("d4", "f6")
    assert refusal(always, Lifted(2, W, "f6")).citation.id == "regulation.two_tempi"


def test_programs_have_no_hands():
    bot, person = Player("b", bot=True), Player("p")
    assert Table.start("portuguesa", "school", (bot, person), fen=TAKES).play("10x19x28", at=1).lifting == ()
    assert Table.start("portuguesa", "school", (person, bot), fen=CROWNS).play("26-30", at=1).crowning is None


def test_a_capture_that_ends_the_game_leaves_nothing_to_lift():
    table = Table.start("portuguesa", "school", fen="W:W10:B14").play("10x19", at=1)
    ended(table, "NO_PIECES", W)
    assert table.lifting == ()


def test_nobody_plays_on_before_the_man_is_crowned():  # 003-11d
    table = Table.start("portuguesa", "school", fen=CROWNS).play("26-30", at=10)
    assert (table.crowning, table.awaited, table.playable) == ("30", B, [])
    why = recorded(table, Moved(20, B, "12-8"))
    assert (why.code, why.article) == ("CROWNING_DUE", "n.º 11, alínea d")
    table = why.table
    assert refusal(table, Crowned(30, B, "29")).code == "NOBODY_CROWNED"
    assert refusal(table, Crowned(30, W, "30")).code == "OTHER_HAND"
    assert refusal(table, Crowned(30, B, "99")).code == "NO_SUCH_SQUARE"
    table = table.apply(Crowned(40, B, "30")).play("12-8", at=50)
    assert [entry.conduct for entry in register(table)] == ["crowning"]
    assert not table.outcome
    reloaded(table)


def test_a_capture_to_the_last_row_is_lifted_first_and_crowned_afterwards():
    table = Table.start("portuguesa", "school", fen="W:W22,1:B26,12").play("22x29", at=10)
    assert (table.lifting, table.crowning, table.awaited) == (("26",), "29", W)
    assert refusal(table, Crowned(20, B, "29")).code == "NOBODY_CROWNED"
    table = table.apply(Lifted(20, W, "26"))
    assert table.awaited is B
    assert table.apply(Crowned(30, B, "29")).playable


@pytest.mark.parametrize(("duty", "move"), [(TAKES, "10x19x28"), (CROWNS, "26-30")])
def test_the_arbiter_releases_from_what_is_done_by_hand(duty, move):
    table = Table.start("portuguesa", changed("school", time="5"), fen=duty).play(move, at=10)
    assert table.playable == []
    table = table.apply(Released(20, "mão ferida"))
    assert (table.lifting, table.crowning, table.awaited, table.clocks.running) == ((), None, B, B)
    assert table.playable
    back = Table.start("portuguesa", "school", fen=duty).play(move, at=10).apply(Restored(20, "engano", 0))
    assert (back.lifting, back.crowning, back.awaited) == ((), None, W)


def test_a_touch_binds_nobody_while_pieces_are_lifted():
    table = Table.start("portuguesa", "school", fen=TAKES).play("10x19x28", at=10)
    assert table.apply(Touched(20, B, "30")).touched is None


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        ("faraes", {"pointing": "Art. 14", "touching": "Art. 15", "blowing": "Art. 7"}),
        (
            "portuguesa",
            {
                "hands": "n.º 11, alínea b",
                "holding": "n.º 11, alínea c",
                "touching": "n.º 10",
                "blowing": "n.º 11, alínea a",
                "crowning": "n.º 11, alínea d",
                "lifting": "n.º 6",
            },
        ),
    ],
)
def test_a_player_reports_what_the_text_forbids(
    book, expected
):  # 002-14, 002-15, 003-6b, 003-10, 003-11a 003-11b, 003-11c, 003-11d
    table = Table.start(book, "school")
    assert {conduct: citation.article for conduct, citation in reportable(table)} == expected
    for conduct in expected:
        table = table.apply(Reported(table.now + 1, B, conduct))
    why = refusal(table, Reported(table.now, B, "singing"))
    assert (why.code, why.facts["known"]) == ("NO_SUCH_CONDUCT", list(expected))
    entries = register(table)
    assert {entry.conduct: entry.article for entry in entries} == expected
    assert {(entry.by, entry.source) for entry in entries} == {(W, "reported")}
    assert totals(entries)[W].total() == len(expected)
    assert totals(entries)[B].total() == 0
    assert refusal(Table.start(book, "casual"), Reported(1, B, "touching")).code == "NO_SUCH_CONDUCT"


def test_the_register_has_refusals_reports_and_notes_by_article():
    table = played(Table.start("faraes", changed("school", people_lose_at=9)), ["c3-d4", "f6-g5"])
    for event in (
        Moved(100, W, "e3-e5"),
        Blew(101, B, "d4"),
    ):
        table = refusal(table, event).table
    table = table.apply(Touched(103, W, "e3"))
    table = recorded(table, Moved(104, W, "g3-f4")).table
    table = table.apply(Reported(105, B, "pointing")).apply(Noted(106, "falou alto", B, "other"))
    assert refusal(table, Noted(107, "x", B, "singing")).code == "NO_SUCH_CONDUCT"
    assert refusal(table, Noted(107, " ", B, "other")).code == "NO_REASON"
    found = [(entry.by, entry.conduct, entry.article, entry.source) for entry in register(table)]
    assert found == [
        (W, "illegal", found[0][2], "refused"),
        (B, "blowing", "Art. 7", "refused"),
        (W, "touching", "Art. 15", "refused"),
        (W, "pointing", "Art. 14", "reported"),
        (B, "other", "", "arbiter"),
    ]
    assert entry_line(register(table)[0], table, "pt-BR").startswith("Lance 2 das brancas: lance ilegal")
    for entry in register(table):
        for language in LANGUAGES:
            assert "{" not in event_sentence(entry.event, language, table)
    reloaded(table)


@pytest.mark.parametrize(
    ("book", "fen", "move", "article"),
    [
        ("oficial", "W:Wc3,a1:Bd4,f6,h8", "c3xe5", "§8"),
        ("faraes", "W:Wc3,a1:Bd4,f6,h8", "c3xe5", "Art. 7"),
        ("brasileira", "W:Wc3,a1:Bd4,f6,h8", "c3xe5", "Lei da Maioria"),
        ("portuguesa", "W:W10,1,6:B14,23,30,29", "10x19", "n.º 2"),
        ("portuguesa", "W:WK10,1,6:B14,23,30", "10x19", "n.º 3"),
    ],
)
@pytest.mark.parametrize("answer", [AcceptedUnfinished, DemandedCompletion])
def test_a_capture_released_too_early_is_written_down_by_its_article(book, fen, move, article, answer):
    table = Table.start(book, "school", fen=fen).apply(StoppedEarly(5, W, move)).apply(answer(6, B))
    [entry] = register(table)
    assert (entry.by, entry.conduct, entry.article, entry.source) == (W, "unfinished", article, "made")
    assert article in entry_line(entry, table, "pt-BR")
    assert not table.irregularities, "it counts as no illegal move"
    over = table.apply(Resigned(7, W))
    older = Certificate(over, SECOND_FORM)
    assert older.data["irregularities"]["entries"] == []
    assert check(older.json) == check(Certificate(over).json) == []


def test_every_conduct_has_its_words():
    assert set(entries("conduct")) == set(CONDUCT)


def test_the_certificate_has_the_register_and_its_totals():
    table = Table.start("portuguesa", "school", ("Ana", "Rui"), fen=CROWNS).play("26-30", at=10)
    table = recorded(table, Moved(20, B, "12-8")).table
    table = table.apply(Noted(25, "braço sobre o tabuleiro", B, "hands")).apply(Crowned(30, B, "30"))
    with_moves = played(table, ["12-8", "30-21"], 100)
    certificate = Certificate(with_moves.apply(Ended(9_000, "luz apagada", "1/2-1/2")))
    assert check(certificate.json) == []
    irregularities = certificate.data["irregularities"]
    assert irregularities["totals"] == {"white": {}, "black": {"n.º 11, alínea b": 1, "n.º 11, alínea d": 1}}
    assert [entry["conduct"] for entry in irregularities["entries"]] == ["crowning", "hands"]
    text = certificate.text("pt-PT")
    assert "Irregularidades" in text
    assert "Total das pretas: 2 (n.º 11, alínea b: 1, n.º 11, alínea d: 1)" in text
    assert "braço sobre o tabuleiro" in text
    assert "luz apagada" in text
    older = Certificate(certificate.table, FIRST_FORM)
    assert "irregularities" not in older.data
    assert check(older.json) == []


def test_a_record_from_before_these_settings_is_still_read():
    casual = regulation("casual")
    data = to_json(Table.start("portuguesa", casual).started)
    assert "two_tempi" not in data["regulation"]["conduct"]
    assert from_json(json.loads(json.dumps(data))).regulation == casual
    school = to_json(Table.start("portuguesa", "school").started)["regulation"]
    assert school["conduct"]["two_tempi"] == "rulebook"
    del school["conduct"]["two_tempi"], school["conduct"]["crowning_by_hand"]
    older = Regulation.of(school, recorded=True)
    assert (older.two_tempi, older.crowning_by_hand) == ("off", "off")
    assert older.recorded_data() == school
