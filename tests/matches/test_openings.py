import pytest

from damas import Game, NotationError
from damas.errors import DamasError
from damas.matches.openings import is_word, opening, read_file, read_line

FENS = "W:Wc3,e3:Bd6,f6  # a remark\n\nc3-d4 f6-g5\n1. c3-b4 d6-c5\nW:Wc3:Bd6 | c3-d4\n"


def test_a_file_of_lines(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text(FENS)
    lines = read_file(path, "concurso")
    assert [read_line(line) for line in lines] == [
        read_line("W:Wc3,e3:Bd6,f6"),
        read_line("c3-d4 ; f6-g5"),
        read_line("c3-b4;d6-c5"),
        read_line("W:Wc3:Bd6|c3-d4"),
    ]
    drawn = [opening("openings.txt", lines, "concurso", number, seed=3) for number in range(8)]
    assert len(set(drawn)) == 4 and drawn[:4] == drawn[4:]


def test_a_pdn(tmp_path):
    path = tmp_path / "games.pdn"
    text = '[Rulebook "concurso"]\n\n1. c3-d4 f6-g5 2. d4-c5 *\n\n'
    text += '[Rulebook "concurso"]\n[SetUp "1"]\n[FEN "W:Wc3:Bf6"]\n\n1. c3-d4 *\n'
    path.write_text(text)
    lines = read_file(path, "concurso")
    assert lines == ("2,2 3,3 ; 5,5 4,6 ; 3,3 4,2 ;", "W:Wc3:Bf6 | 2,2 3,3 ;")
    game = Game.start("concurso")
    for move in read_line(lines[0]).moves:
        game = game.play(move)
    assert game.record.length == 3


@pytest.mark.parametrize("text", ["", "# nothing\n", "c3-z9\n", "c3-c4\n", "W:Wz9:Bd6\n", "hello world\n"])
def test_a_bad_file_is_refused_before_anything_begins(tmp_path, text):
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(DamasError):
        read_file(path, "concurso")


def test_an_empty_file_is_named(tmp_path):
    path = tmp_path / "vazio.txt"
    path.write_text("")
    with pytest.raises(NotationError, match=r"vazio\.txt"):
        read_file(path, "concurso")


@pytest.mark.parametrize("book", ["brasileira", "internacional", "turca"])
@pytest.mark.parametrize("word", ["ballot", "random:5"])
def test_drawn_openings_are_playable_and_stay_the_same(book, word):
    drawn = [opening(word, (), book, number, 4) for number in range(3)]
    assert drawn == [opening(word, (), book, number, 4) for number in range(3)]
    assert len(set(drawn)) == 3
    game = Game.start(book)
    for move in drawn[0].moves:
        game = game.play(move)
    assert not game.outcome and game.record.length == (6 if word == "ballot" else 5)


def test_words():
    assert all(map(is_word, ("start", "ballot", "random:1", "random:40")))
    assert not any(map(is_word, ("random:0", "random:41", "random:", "random:x", "x.pdn", "")))
