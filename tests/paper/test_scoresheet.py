"""Score sheets page by page: blank ones to write on, and filled ones in which every move can be read."""

import pytest

from arbiter.tables import shuttle
from damas.board import Color
from damas.game import Position
from damas.language import LANGUAGES, sentence
from damas.notation import Clock, Node, PdnGame, read_games
from damas.paper.document import MoveTable, clipped, rulebook_name, word
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
    assert "9:58" in words and "+0:03" in words and words.count("Relógio") == 2 and "10+5" in words
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
    assert start.fen in [field.value for field in document.fields]
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
