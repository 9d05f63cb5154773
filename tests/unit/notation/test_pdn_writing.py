"""Writing PDN: what is written is strict, and reads back the same."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from damas import Color, Game, IllegalMove, NotationError, Position, Rulebook, rulebook
from damas.notation import (
    SCHEMES,
    Clock,
    Node,
    PdnGame,
    Result,
    Variation,
    clean_comment,
    read_game,
    read_games,
    write_game,
)
from damas.notation.pdn.tags import gametype
from unit.notation.games import BOOKS, annotated_games, words


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(annotated_games(), st.sampled_from([None, *SCHEMES]))
def test_what_is_written_is_read_back_equal(game: PdnGame, numbering: str | None) -> None:
    text = write_game(game, numbering)
    [back] = read_games(text)
    assert back == game
    assert hash(back) == hash(game)
    assert write_game(back, numbering) == text


def test_the_round_trip_is_no_formality() -> None:
    game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"], tags={"White": "Ana"})
    first = game.moves[0]
    variation = Variation((Node(game.start.parse("g3-f4")),))
    others = [
        replace(game, tags={"White": "Eva"}),
        replace(game, moves=game.moves[:1]),
        replace(game, result=Result("1-0")),
        replace(game, comments=("hm",)),
        replace(game, start=Position.start("faraes"), moves=()),
        *(
            replace(game, moves=(changed, game.moves[1]))
            for changed in (
                replace(first, nags=(1,)),
                replace(first, comments=("hm",)),
                replace(first, clock=Clock(left=1)),
                replace(first, variations=(variation,)),
            )
        ),
    ]
    assert all(other != game for other in others)
    for other in others:
        assert list(read_games(write_game(other))) == [other]


def test_a_whole_game_on_paper() -> None:
    start = Position.from_fen("B:Wc3,e3,Ka1:Bb6,f6,h6", "brasileira")
    first = start.parse("b6-c5")
    other = Variation((Node(start.parse("f6-g5"), (6,)),), ("or",))
    node = Node(first, (1, 14), ("good",), Clock(left=61_500, spent=2_000), (other,))
    reply = start.play(first).parse("c3-b4")
    tags = {"White": 'O"Neil', "ECO": "x\\y"}
    game = PdnGame(tags, start, (node, Node(reply)), Result("0-1"), ("Sixty.",))
    assert (
        write_game(game)
        == r"""[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "O\"Neil"]
[Black "?"]
[Result "0-1"]
[GameType "26,W,8,8,A0,0"]
[Rulebook "brasileira"]
[Notation "algebraic"]
[SetUp "1"]
[FEN "B:WKa1,c3,e3:Bb6,f6,h6"]
[ECO "x\\y"]

{Sixty.} 1... b6-c5! $14 {[%clk 0:01:01.5] [%emt 0:00:02]} {good} ( {or}
1... f6-g5?! ) 2. c3-b4 0-1
"""
    )


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_the_gametype_follows_from_the_board(book: Rulebook) -> None:
    assert gametype(book, book.fen_squares) == book.gametype


def test_the_gametype_of_another_numbering() -> None:
    shown = {
        (name, scheme): gametype(rulebook(name), scheme)
        for name in ("brasileira", "portuguesa", "inglesa", "italiana")
        for scheme in ("algebraic", "numbers")
    }
    assert shown == {
        ("brasileira", "algebraic"): "26,W,8,8,A0,0",
        ("brasileira", "numbers"): "26,W,8,8,N2,0",
        ("portuguesa", "algebraic"): "28,W,8,8,A0,1",
        ("portuguesa", "numbers"): "28,W,8,8,N1,1",
        ("inglesa", "algebraic"): "21,B,8,8,A3,0",
        ("inglesa", "numbers"): "21,B,8,8,N1,0",
        ("italiana", "algebraic"): "22,W,8,8,A0,1",
        ("italiana", "numbers"): "22,W,8,8,N2,1",
    }


def test_a_rulebook_without_gametype_is_known_by_its_name() -> None:
    text = write_game(PdnGame.of("concurso", ["2,2 3,3", "5,5 4,6"]))
    assert "GameType" not in text
    assert '[Rulebook "concurso"]\n[Notation "algebraic"]' in text
    assert "1. c3-d4 f6-g5 *" in text
    assert "1. 2,2-3,3 5,5-4,6 *" in write_game(PdnGame.of("concurso", ["c3-d4", "f6-g5"]), "rows-columns")


def test_another_numbering_reaches_tags_fen_and_moves() -> None:
    start = Position.from_fen("W:Wc3:Bb4,d4,f6", "brasileira")
    text = write_game(PdnGame.of(start, ["c3xg7"]), "numbers")
    assert '[GameType "26,W,8,8,N2,0"]' in text
    assert '[Notation "numbers"]' in text
    assert '[FEN "W:W22:B17,18,11"]' in text
    assert "1. 22x8 *" in text


def test_an_ambiguous_capture_is_written_in_full() -> None:
    start = Position.from_fen("W:WK6:B43,38,31,28", "internacional")
    written = {write_game(PdnGame.of(start, [move])).splitlines()[-1] for move in start.legal_moves}
    assert written == {"1. 6x39x48x26 *", "1. 6x33x42x26 *"}


def test_black_first_is_numbered_from_black() -> None:
    text = write_game(PdnGame.of("inglesa", ["11-15", "23-19", "8-11"]))
    assert text.endswith("\n1. 11-15 23-19 2. 8-11 *\n")


def test_lines_are_eighty_wide_and_break_nowhere_unsafe() -> None:
    unsafe = 'word [Event "no tag"] % no escape { [%mine 1] ' * 20
    game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"])
    game = replace(game, moves=(replace(game.moves[0], comments=(clean_comment(unsafe),)), game.moves[1]))
    text = write_game(game)
    lines = text.splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines[11:] if line.startswith(("[", "%", " "))]
    assert list(read_games(text)) == [game]


@given(words)
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    game = PdnGame.of("brasileira", ["c3-d4"], tags={"White": text, "Result": text, "FEN": text})
    game = replace(game, comments=(text,), moves=(replace(game.moves[0], comments=(text,)),))
    [back] = read_games(write_game(game))
    assert isinstance(back, PdnGame)
    assert (back.start, [node.move for node in back.moves]) == (
        game.start,
        [node.move for node in game.moves],
    )
    assert back.result == game.result
    assert set(back.tags) <= {"White"}


def test_a_tag_needs_a_name() -> None:
    for name in ("", "a b", 'a"', "1x", "a]"):
        with pytest.raises(NotationError):
            PdnGame.of("brasileira", tags={name: "x"})


def test_a_game_is_made_of_legal_moves() -> None:
    with pytest.raises(IllegalMove):
        PdnGame.of("brasileira", ["c3-d4", "c3-d4"])


def test_a_played_game_writes_itself() -> None:
    game = Game.start("inglesa", fen="B:W18:B14,15").play("14x23")
    text = game.pdn({"White": "Ana"}, numbering="algebraic")
    back = read_game(text)
    assert (back.tags, back.result, back.winner) == ({"White": "Ana"}, Result("1-0"), Color.BLACK)
    assert [node.move for node in back.moves] == game.moves and back.turn is game.turn
    assert Game.start("turca").pdn().endswith("\n*\n")


def test_positions_of_a_game() -> None:
    game = PdnGame.of("brasileira", ["c3-d4", "f6-g5"])
    positions = list(game.positions())
    assert positions[0] == Position.start("brasileira")
    assert positions[1] == positions[0].play("c3-d4")
    assert [positions[-1]] == [game.final]
    assert len(positions) == 3


def test_a_tree_too_deep_for_recursion_is_written() -> None:
    start = Position.start("brasileira")
    move, other = start.parse("c3-d4"), start.parse("g3-f4")
    node = Node(move)
    for depth in range(5_000):
        node = Node(other if depth % 2 else move, variations=(Variation((node,)),))
    text = write_game(PdnGame({}, start, (node,)))
    assert text.count("(") == 5_000


def test_a_result_given_as_a_tag_is_the_result():
    game = Game.start("brasileira").play("c3-d4")
    assert read_game(game.pdn({"Result": "0-1"})).result.text == "0-1"
    assert PdnGame.of("brasileira", tags={"Result": "1-0"}).result.text == "1-0"
    won = Game.start("brasileira", fen="W:We5:Bd4").play("e5xc3")
    assert read_game(won.pdn({"Result": "0-1"})).result.text == "1-0", "the laws decide"
    assert PdnGame.of("brasileira", tags={"Result": "9-9"}).result.text == "*"
