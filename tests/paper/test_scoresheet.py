"""Score sheets page by page: blank ones to write on, and filled ones in which every move can be read."""

import pytest

from arbiter.tables import played, shuttle
from damas.arbiter import Table
from damas.arbiter.events import AcceptedUnfinished, Corrected, Resigned, Resumed, StoppedEarly
from damas.board import Color
from damas.game import Position
from damas.judging.certificate import SECOND_FORM, Certificate, check
from damas.judging.scoresheet import to_pdn
from damas.language import LANGUAGES, sentence
from damas.notation import Clock, Node, PdnGame, read_games, write_game
from damas.paper.document import Move, MoveLine, MoveTable, NoteLine, clipped, rulebook_name, word
from damas.paper.pdf import pdf
from damas.paper.scoresheet import BLANK_MOVES, blank_scoresheet, scoresheet_paper
from damas.rules import rulebook, rulebook_ids
from paper.printed import A4_MM, Printed, squeezed

BOARDS = {"pt-BR": "brasileira", "pt-PT": "portuguesa", "es": "concurso", "en": "internacional"}


def long_game(plies: int, **tags: str) -> PdnGame:
    """Three kings and one that walk to and fro: a game that no law of the text has ended."""
    start = Position.from_fen("W:WKg1,Kc1,Ka3:BKb8", "brasileira")
    return PdnGame.of(start, shuttle(plies), tags=tags)


def printed(game: PdnGame, language: str = "pt-BR") -> Printed:
    return Printed(pdf(scoresheet_paper(game, language, name="game")))


@pytest.mark.parametrize(("language", "book"), BOARDS.items())
def test_a_blank_sheet_is_one_page_with_lines_for_more_than_sixty_moves(language, book):
    sheet = Printed(pdf(blank_scoresheet(rulebook(book), language)))
    assert len(sheet) == 1 and sheet.sizes_mm == {A4_MM}
    [text] = sheet.texts
    words = text.split()
    assert BLANK_MOVES > 60 and all(str(number) in words for number in range(1, BLANK_MOVES + 1))
    for label in ("event", "round", "table", "date", "place", "time_control", "result", "arbiter", "clock"):
        assert word(label, language) in text
    for side in Color:
        assert text.count(sentence(f"certificate.{side.value}", language)) >= 3, "field, column, signature"
    assert rulebook_name(rulebook(book), language) in text
    assert word("page", language, page=1, pages=1) in text


def test_every_rulebook_has_a_blank_sheet_of_one_page():
    for book in rulebook_ids():
        assert len(Printed(pdf(blank_scoresheet(rulebook(book), "pt-BR")))) == 1, book


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_game_goes_on_over_pages_and_no_move_is_missing(language):
    """002-13: the game can be written down, and read again."""
    game = long_game(300, Event="Nacional", White="Ana Gonçalves", Black="João")
    sheet = printed(game, language)
    assert len(sheet) >= 2 and sheet.sizes_mm == {A4_MM}
    for number, text in enumerate(sheet.texts, start=1):
        assert "Ana Gonçalves – João" in text
        assert word("page", language, page=number, pages=len(sheet)) in text
        assert word("arbiter", language) in text and text.count(word("number", language)) == 2
    rest = " ".join(" ".join(sheet.texts).split())
    for number in range(0, 300, 2):
        first, second = (node.move.text for node in game.moves[number : number + 2])
        line = f"{number // 2 + 1} {first} {second}"
        assert line in rest, line
        rest = rest[rest.index(line) :]


def test_a_long_capture_is_all_there_and_so_is_a_chain_of_rows_and_columns():
    for book in ("internacional", "concurso"):
        fens = {"internacional": "W:WK46:B41,32,33,43,13,14,24,8,9", "concurso": "W:WKa1:Bb2,d4,f4,f2,d2"}
        position = Position.from_fen(fens[book], book)
        longest = max(position.legal_moves, key=lambda move: len(move.text))
        assert len(longest.captured) >= 4
        [text] = printed(PdnGame.of(position, [longest])).texts
        assert squeezed(longest.text) in squeezed(text)


def test_a_game_without_moves_is_a_sheet_without_lines():
    document = scoresheet_paper(PdnGame.of("portuguesa", tags={"White": "Ana"}), "pt-PT", name="game")
    [table] = document.body
    assert isinstance(table, MoveTable) and table.lines == ()
    sheet = Printed(pdf(document))
    assert len(sheet) == 1 and "Ana" in sheet.texts[0] and "Folha de registo" in sheet.texts[0]


def test_clock_times_are_written_where_they_were_recorded():
    pdn = '[GameType "26"]\n[TimeControl "10+5"]\n\n1. c3-d4 {[%clk 0:09:58]} d6-c5 {[%emt 0:00:03]} 2. b2-c3 1-0\n'
    [game] = read_games(pdn)
    assert isinstance(game, PdnGame)
    [text] = printed(game).texts
    words = text.split()
    assert (
        "9:58" in words
        and "+0:03" in words
        and words.count("Relógio") == 2
        and "10 min + 5 s" in " ".join(words)
    )
    assert "1-0" in words
    untimed = printed(PdnGame.of("brasileira", ["c3-d4"])).texts[0]
    assert "Relógio" not in untimed
    hours = Node(game.moves[0].move, clock=Clock(left=3_605_000))
    assert "1:00:05" in printed(PdnGame(game.tags, game.start, (hours,))).texts[0]


def test_who_begins_has_the_first_column_and_a_set_up_position_is_named():
    inglesa = scoresheet_paper(PdnGame.of("inglesa", ["11-15"]), "en", name="game").body[0]
    assert isinstance(inglesa, MoveTable) and inglesa.titles[1:3] == ("Black", "White")
    start = Position.from_fen("B:Wc3:Bd6,h8", "brasileira")
    document = scoresheet_paper(PdnGame.of(start, ["d6-c5"]), "pt-BR", name="game")
    assert "Pretas d6, h8. Jogam as pretas" in " ".join(field.value for field in document.fields)
    table = document.body[0]
    assert isinstance(table, MoveTable)
    assert (table.lines[0].first.text, table.lines[0].second.text) == ("…", "d6-c5")


def test_names_of_any_length_and_alphabet_fit_on_one_page():
    names = {
        "White": "Conceição Łukasz Đỗ Ὀδυσσεύς Ирина",
        "Black": "Á" * 1000,
        "Event": "x" * 5000,
        "Site": "y" * 5000,
    }
    sheet = printed(PdnGame.of("brasileira", ["c3-d4"], tags=names))
    assert len(sheet) == 1
    assert squeezed("Conceição Łukasz Đỗ") in sheet.squeezed and "Ирина" in sheet.squeezed
    assert clipped(names["Black"]) in sheet.squeezed and names["Black"][:130] not in sheet.squeezed


def test_after_a_corrected_position_the_sheet_tells_what_came_before():
    table = Table.start("faraes", "school", ("Ana", "Rui")).play("e3-f4", at=1000)
    table = table.apply(Corrected(2000, "peças caídas", "B:WKa1,c3:BKh6")).play("h6-f8", at=3000)
    document = scoresheet_paper(to_pdn(table), "pt-BR", name="game", table=table)
    assert "Posição inicial" not in {field.label for field in document.fields}
    moves = document.body[0]
    assert isinstance(moves, MoveTable)
    position = "Brancas c3; dama a1. Pretas dama h6. Jogam as pretas"
    assert moves.lines == (
        MoveLine(1, Move("e3-f4", "+0:01")),
        NoteLine(f"Posição corrigida pelo árbitro: peças caídas. {position}"),
        MoveLine(1, Move("…"), Move("h6-f8", "+0:01")),
    )
    [text] = Printed(pdf(document)).texts
    assert "peças caídas" in text


def test_a_capture_that_was_broken_off_and_accepted_stays_on_every_record():
    table = Table.start("faraes", "school", ("Ana", "Rui"), fen="W:Wc3,a1:Bd4,f6,h8,b8")
    table = table.apply(StoppedEarly(1000, Color.WHITE, "c3xe5")).apply(AcceptedUnfinished(2000, Color.BLACK))
    table = played(table, ["f6xd4", "a1-b2", "b8-a7"]).apply(Resigned(9000, Color.WHITE))
    moves = scoresheet_paper(to_pdn(table), "pt-PT", name="game", table=table).body[0]
    assert isinstance(moves, MoveTable)
    first, note, second, third = moves.lines
    assert isinstance(first, MoveLine) and (first.number, first.first.text) == (1, "c3xe5")
    assert isinstance(note, NoteLine) and note.note.startswith("Tomada interrompida e aceite. ")
    assert isinstance(second, MoveLine) and (second.number, second.second.text) == (1, "f6xd4")
    assert isinstance(third, MoveLine) and (third.number, third.first.text) == (2, "a1-b2")
    certificate = Certificate(table)
    assert "1. c3xe5" in certificate.text("pt-PT") and check(certificate.json) == []
    assert certificate.data["parts"][1]["broken_off"] == "c3xe5"
    assert check(Certificate(table, SECOND_FORM).json) == []
    corrected = table.apply(Corrected(9500, "engano", "B:WKa1,c3:BKh6")).apply(Resumed(9600, "sim"))
    pdn = write_game(to_pdn(corrected.play("h6-f8", at=9900)))
    before = "Before, from W:Wa1,c3:Bd4,f6,b8,h8: 1. c3xe5; Capture broken off and accepted; 1... f6xd4 2. a1-b2 b8-a7; Position set by the arbiter: engano"
    assert before in " ".join(pdn.split()) and "3... h6-f8" in pdn
    [again] = read_games(pdn)
    assert isinstance(again, PdnGame) and write_game(again) == pdn
    alone = scoresheet_paper(again, "pt-PT", name="game").body[0]
    assert isinstance(alone, MoveTable)
    assert alone.lines == (NoteLine(before), MoveLine(3, Move("…"), Move("h6-f8", "+0:00")))
