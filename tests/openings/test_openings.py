from itertools import islice

import pytest

from damas import Game, Position, rulebooks
from damas.errors import BadBook, DamasError
from damas.openings import Opening, is_word, named_ballots, opening, openings, read_book
from damas.openings.ballot import is_balanced
from damas.rules import rulebook, to_toml

FENS = "# a remark\nW:Wc3,e3:Bd6,f6  # two each\n\nc3-d4 f6-g5\n1. c3-b4 d6-c5\nW:Wc3:Bd6 | c3-d4\n"


def test_a_file_of_lines(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text(FENS)
    book = read_book(path, "concurso")
    assert book == (
        Opening("two each", "W:Wc3,e3:Bd6,f6"),
        Opening(moves=("c3-d4", "f6-g5")),
        Opening.parse("c3-b4;d6-c5"),
        Opening.parse("W:Wc3:Bd6|c3-d4"),
    )
    lines = [str(each) for each in book]
    assert tuple(map(Opening.parse, lines)) == book
    drawn = [opening("openings.txt", lines, "concurso", number, seed=3) for number in range(8)]
    assert len(set(drawn)) == 4 and drawn[:4] == drawn[4:]
    assert {each.name for each in drawn} == {"two each", *(f"openings.txt {n}" for n in (2, 3, 4))}
    assert list(openings(str(path), "concurso")) == list(book)
    in_order = [(each.fen, each.moves) for each in openings(str(path), "concurso", seed=3)]
    assert in_order == [(each.fen, each.moves) for each in drawn[:4]]


def test_a_pdn(tmp_path):
    path = tmp_path / "games.pdn"
    text = '[Rulebook "concurso"]\n[Opening "Cruzada"]\n\n1. c3-d4 f6-g5 2. d4-c5 *\n\n'
    text += '[Rulebook "concurso"]\n[SetUp "1"]\n[FEN "W:Wc3:Bf6"]\n\n1. c3-d4 *\n'
    path.write_text(text)
    book = read_book(path, "concurso")
    assert [str(each) for each in book] == ["2,2 3,3 ; 5,5 4,6 ; 3,3 4,2  # Cruzada", "W:Wc3:Bf6 | 2,2 3,3 ;"]
    assert tuple(Opening.parse(str(each)) for each in book) == book
    assert book[0].game("concurso").record.length == 3


@pytest.mark.parametrize("text", ["", "# nothing\n", "c3-z9\n", "c3-c4\n", "W:Wz9:Bd6\n", "hello world\n"])
def test_a_bad_file_is_refused_before_anything_begins(tmp_path, text):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(DamasError):
        read_book(path, "concurso")


def test_an_empty_file_is_named(tmp_path):
    path = tmp_path / "vazio.txt"
    path.write_text("")
    with pytest.raises(BadBook, match=r"vazio\.txt.*no opening"):
        read_book(path, "concurso")


def test_a_mistake_is_named_with_its_line_or_its_game(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("# two\nc3-d4\nc3-c9\n")
    with pytest.raises(BadBook, match=r"book\.txt.*line 3: .*c9"):
        read_book(str(path), "brasileira")
    path = tmp_path / "book.pdn"
    path.write_text('[GameType "26"]\n1. c3-d4 *\n\n[GameType "25"]\n1. c3-d4 *\n')
    with pytest.raises(BadBook, match="game 2 is of another rulebook, russa"):
        read_book(path, "brasileira")
    path.write_text('[GameType "26"]\n1. c3-d9 *\n')
    with pytest.raises(BadBook, match=r"line 2: .*d9"):
        read_book(path, "brasileira")


@pytest.mark.parametrize("name", ["book.txt", "book.pdn"])
def test_latin_1_a_byte_order_mark_and_spaces_are_read(tmp_path, name):
    lines = [b"\xef\xbb\xbf  W:Wc3:Bd4,f6 # S\xe3o\n", b'[GameType "26"]\n[Opening "S\xe3o"]\n1. c3-d4 *\n']
    (tmp_path / name).write_bytes(lines[name == "book.pdn"])
    assert [opening.name for opening in read_book(tmp_path / name, "brasileira")] == ["São"]


def test_a_game_with_a_start_of_its_own_is_an_opening():
    game = Game.start("brasileira", fen="W:Wc3:Bf6").play("c3-d4")
    opening = Opening.of(game, "short")
    assert opening == Opening("short", "W:Wc3:Bf6", ("c3-d4",)) and opening.game("brasileira") == game


@pytest.mark.parametrize("book", ["brasileira", "internacional", "turca"])
@pytest.mark.parametrize("word", ["ballot", "random:5"])
def test_drawn_openings_are_playable_and_stay_the_same(book, word):
    drawn = [opening(word, (), book, number, 4) for number in range(3)]
    assert drawn == [opening(word, (), book, number, 4) for number in range(3)]
    assert len(set(drawn)) == 3
    assert [each.name for each in drawn] == [f"{word} 4/{number}" for number in (1, 2, 3)]
    assert list(islice(openings(word, book, seed=4), 3)) == drawn
    game = drawn[0].game(book)
    assert not game.outcome and game.record.length == (6 if word == "ballot" else 5)


def test_words():
    assert all(map(is_word, ("start", "ballot", "random:1", "random:40")))
    assert not any(map(is_word, ("random:0", "random:41", "random:", "random:x", "x.pdn", "")))


@pytest.mark.parametrize("book", rulebooks(), ids=lambda book: book.id)
def test_the_ballots_of_a_rulebook_can_be_played_and_have_names(book):
    for name, path in named_ballots(book).items():
        lines = list(openings(name, book))
        assert lines and all(line.name and not line.game(book).outcome for line in lines)
        assert len({line.name for line in lines}) == len({line.moves for line in lines}) == len(lines)
        assert path.read_text(encoding="utf-8").isascii() and not is_word(name)


def test_the_two_move_ballot_leaves_out_only_what_loses_a_man():
    start = Game.start("inglesa")
    every = {(a.text, b.text) for a in start.legal_moves for b in start.play(a).legal_moves}
    lines = {line.moves for line in openings("two-move", "inglesa")}
    assert len(lines) == 47 and every - lines == {("9-14", "21-17"), ("10-14", "21-17")}
    assert not any(is_balanced(Opening(moves=pair).game("inglesa")) for pair in every - lines)


def test_house_rules_with_the_id_of_nobody_bring_no_ballot(tmp_path):
    text = to_toml(rulebook("inglesa")).replace('id = "inglesa"', 'id = "casa"')
    path = tmp_path / "casa.toml"
    path.write_text(text)
    assert named_ballots("inglesa") and not named_ballots("turca") and not named_ballots(str(path))
    assert next(openings("start", "inglesa")).game("inglesa").position == Position.start("inglesa")


def test_what_is_neither_a_name_nor_a_file_is_not_found():
    with pytest.raises(FileNotFoundError):
        openings("three-move", "inglesa")
