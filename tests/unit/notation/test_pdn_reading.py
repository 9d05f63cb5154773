"""Reading PDN: good games, and the errors of bad ones."""

import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from damas import Color, IllegalMove, IllegalSetup, NotationError, Position, UnknownRulebook, rulebook
from damas.notation import BadGame, Clock, PdnGame, read_game, read_games, read_tags
from damas.notation.pdn.source import Source
from damas.rules import parse as parse_rulebook
from damas.rules import to_toml

THREE_GAMES = """\
[Event "Copa"]
[White "Ana"]
[Black "Rui"]
[Result "1-0"]
[GameType "26"]

1. c3-d4 f6-g5 2. b2-c3 g7-f6
3. c1-b2 1-0

[Event "Bad"]
[GameType "26"]

1. c3-d4 f6-g5
2. b2-c3 g5-h4 3. d4-d5
g7-f6 1-0

[Event "Taça"]
[GameType "28,W,8,8,N1,1"]
[Result "0-1"]

1. 10-14 23-19 0-1
"""


def games(source: Source, book: str | None = None) -> list[PdnGame]:
    read = list(read_games(source, book))
    assert not [game for game in read if isinstance(game, BadGame)], read
    return [game for game in read if isinstance(game, PdnGame)]


def only(source: Source, book: str | None = None) -> PdnGame:
    [game] = games(source, book)
    return game


def bad(source: Source, book: str | None = None) -> BadGame:
    [game] = read_games(source, book)
    assert isinstance(game, BadGame)
    assert str(game.error)
    return game


def codes(game: BadGame) -> list[str]:
    assert isinstance(game.error, NotationError)
    return [problem.code for problem in game.error.problems]


def texts(game: PdnGame) -> list[str]:
    return [node.move.text for node in game.moves]


# Several games


def test_a_bad_game_in_the_middle_costs_only_itself() -> None:
    first, middle, last = read_games(THREE_GAMES)
    assert isinstance(first, PdnGame)
    assert dict(first.tags) == {"Event": "Copa", "White": "Ana", "Black": "Rui"}
    assert texts(first) == ["c3-d4", "f6-g5", "b2-c3", "g7-f6", "c1-b2"]
    assert first.result.text == "1-0"
    assert first.winner is Color.WHITE
    assert isinstance(middle, BadGame)
    assert (middle.line, middle.game) == (14, 2)
    assert isinstance(middle.error, IllegalMove | NotationError)
    assert middle.tags == {"Event": "Bad", "GameType": "26"}
    assert isinstance(last, PdnGame)
    assert last.rulebook.id == "portuguesa"
    assert last.winner is Color.BLACK


SOURCES: dict[str, Source] = {
    "CRLF": THREE_GAMES.replace("\n", "\r\n"),
    "CR": THREE_GAMES.replace("\n", "\r"),
    "BOM": "\ufeff" + THREE_GAMES,
    "stream": io.StringIO(THREE_GAMES),
    "CRLF stream": io.StringIO(THREE_GAMES.replace("\n", "\r\n"), newline=""),
    "lines": THREE_GAMES.splitlines(),
    "whole lines": THREE_GAMES.splitlines(keepends=True),
    "bytes": THREE_GAMES.encode(),
    "CRLF bytes": THREE_GAMES.replace("\n", "\r\n").encode(),
    "BOM bytes": b"\xef\xbb\xbf" + THREE_GAMES.encode(),
    "Latin-1": THREE_GAMES.encode("latin-1"),
    "Latin-1 stream": io.BytesIO(THREE_GAMES.encode("latin-1")),
}


@pytest.mark.parametrize("source", SOURCES)
def test_whatever_the_text_comes_in(source: str) -> None:
    assert shape(read_games(SOURCES[source])) == shape(read_games(THREE_GAMES))


def test_a_path_is_a_file_and_a_text_is_never_one(tmp_path: Path) -> None:
    path = tmp_path / "three.pdn"
    path.write_text(THREE_GAMES, encoding="latin-1")
    assert shape(read_games(path)) == shape(read_games(THREE_GAMES))
    with pytest.raises(FileNotFoundError):
        list(read_games(tmp_path / "none.pdn"))
    hint = bad(str(path))
    assert codes(hint) == ["PDN_FILE_NAME"]
    assert "give its Path" in str(hint)
    assert only("1. c3-d4 ; see three.pdn", "brasileira").moves[0].comments == ("see three.pdn",)


def shape(read: Iterable[PdnGame | BadGame]) -> list[object]:
    return [g if isinstance(g, PdnGame) else (g.line, g.game, g.error.code, g.tags) for g in read]


def test_a_line_that_is_no_utf_8_does_not_spoil_the_others() -> None:
    text = b'[Event "S\xe3o"]\n[Site "S\xc3\xa3o"]\n[GameType "26"]\n1. c3-d4 *'
    assert dict(only(text).tags) == {"Event": "São", "Site": "São"}


def test_games_without_tags_end_at_their_result() -> None:
    read = games("1. c3-d4 f6-g5 1-0\n1. g3-f4 * 1. e3-d4 1/2-1/2 *", "brasileira")
    assert [texts(game) for game in read] == [["c3-d4", "f6-g5"], ["g3-f4"], ["e3-d4"]]
    assert [game.result.text for game in read] == ["1-0", "*", "1/2-1/2"]


def test_games_without_moves() -> None:
    text = '[GameType "20"]\n[FEN "W:W32:B19"]\n\n[GameType "20"]\n[FEN "B:W32:B19"]\n*\n\n[GameType "26"]\n'
    read = games(text)
    assert [game.start.fen for game in read][:2] == ["W:W32:B19", "B:W32:B19"]
    assert read[2].start == Position.start("brasileira")


def test_a_game_ends_where_the_next_tags_begin() -> None:
    read = games('[GameType "26"]\n1. c3-d4 f6-g5\n[GameType "26"]\n1. g3-f4 [GameType "20"] 1. 32-28')
    assert [len(game.moves) for game in read] == [2, 1, 1]


def test_nothing_but_space_and_comments_is_no_game() -> None:
    assert list(read_games("")) == []
    assert list(read_games("\n \n; nobody here\n{ nor here }\n% nor here\n")) == []


# One game, and tags alone


def test_one_game_or_its_mistake() -> None:
    assert read_game(THREE_GAMES).tags["White"] == "Ana"
    with pytest.raises(IllegalMove) as illegal:
        read_game("1. c3-d4\n   h6-f4 *", "brasileira")
    assert illegal.value.__notes__ == ["line 2, column 4"]
    with pytest.raises(NotationError, match="no game"):
        read_game("; nothing\n")


def test_tags_are_read_without_a_look_at_the_moves() -> None:
    tags = list(read_tags(THREE_GAMES))
    assert [game if isinstance(game, BadGame) else game["Event"] for game in tags] == ["Copa", "Bad", "Taça"]
    assert tags[1] == {"Event": "Bad", "GameType": "26", "Result": "1-0"}


@pytest.mark.parametrize(
    "moves",
    [
        "1. c3-d4 {a 1-0 * [b} f6-g5 1-0",
        "1. c3-d4 ( 1. g3-f4 0-1 ( 1. e3-d4 * ) ) f6-g5 1-0",
        "1. c3-d4 (!) f6-g5* ; 0-1\n% 0-1\n1-0",
        "1. c3-d4 f6-g5 {two\nlines 0-1\n} 1-0 {behind}",
        "1-0",
        "",
        "1. c3-d4 f6-g5 ( unclosed",
        "1. c3-d4 { unclosed",
    ],
)
@pytest.mark.parametrize("apart", ["\n\n", "\n"])
def test_games_are_separated_with_and_without_their_moves(moves: str, apart: str) -> None:
    text = f'[GameType "26"]\n[Event "one"]\n{moves}{apart}[GameType "26"]\n[Event "two"]\n1. c3-d4 0-1'
    one, two = read_tags(text)
    assert (one["Event"], two["Event"]) == ("one", "two")  # type: ignore[index]
    assert two["Result"] == "0-1"  # type: ignore[index]
    assert len(list(read_games(text))) == 2
    if "unclosed" not in moves:
        assert one.get("Result") == ("1-0" if moves else None)  # type: ignore[union-attr]
        assert [game.result.text for game in games(text)] == ["1-0" if moves else "*", "0-1"]
    [second] = read_games(text, where=lambda tags: tags["Event"] == "two")
    assert isinstance(second, PdnGame) and second.tags == {"Event": "two"}


def test_games_without_tags_are_separated_too() -> None:
    text = "1. c3-d4 f6-g5 1-0\n1. g3-f4 (1. e3-d4 1-0) * 1. e3-d4 1/2-1/2 *"
    assert list(read_tags(text)) == [{"Result": "1-0"}, {}, {"Result": "1/2-1/2"}]


# Tags


def test_escapes_and_their_absence_in_tags() -> None:
    text = r"""
[Event "The \"great\" one"]
[Site "C:\\games"]
[White "Ana "the fox" Silva"]
[Black "a\b"]
[Annotator "C:\"]
[Round ""] [GameType "26"]
1. c3-d4 *
"""
    assert dict(only(text).tags) == {
        "Event": 'The "great" one',
        "Site": "C:\\games",
        "White": 'Ana "the fox" Silva',
        "Black": "a\\b",
        "Annotator": "C:\\",
    }


def test_unknown_values_are_no_tags() -> None:
    text = '[Event "?"]\n[Date "????.??.??"]\n[White ""]\n[Stage "?"]\n[GameType "26"]\n*'
    assert dict(only(text).tags) == {"Stage": "?"}


@pytest.mark.parametrize(
    ("number", "book"),
    [
        (20, "internacional"),
        (21, "inglesa"),
        (22, "italiana"),
        (23, "pool"),
        (24, "espanhola"),
        (25, "russa"),
        (26, "brasileira"),
        (27, "canadense"),
        (28, "portuguesa"),
        (29, "checa"),
        (30, "turca"),
        (40, "frisia"),
    ],
)
def test_the_gametype_names_the_rulebook(number: int, book: str) -> None:
    short = only(f'[GameType "{number}"]\n*')
    assert short.rulebook.id == book
    assert only(f'[GameType "{rulebook(book).gametype}"]\n*') == short


@pytest.mark.parametrize("name", ["faraes", "concurso", "oficial", "brasileira-64", "school"])
def test_the_rulebook_tag_wins(name: str) -> None:
    assert only(f'[GameType "20"]\n[Rulebook "{name}"]\n1. c3-d4 *').rulebook is rulebook(name)


def test_the_caller_chooses_among_the_rulebooks_of_a_gametype() -> None:
    text = '[GameType "26"]\n*\n[GameType "25"]\n*\n[Rulebook "brasileira"]\n*\n[Event "x"]\n*'
    assert [g.rulebook.id for g in games(text, "faraes")] == ["faraes", "russa", "brasileira", "faraes"]


def test_house_rules_are_known_by_the_callers_book() -> None:
    house = parse_rulebook(to_toml(rulebook("oficial")).replace('id = "oficial"', 'id = "minha-casa"'))
    [game] = read_games('[Rulebook "minha-casa"]\n1. c3-d4 *', house)
    assert isinstance(game, PdnGame)
    assert game.rulebook is house
    assert bad('[Rulebook "minha-casa"]\n1. c3-d4 *').line == 1


def test_a_tag_never_opens_a_file(tmp_path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(to_toml(rulebook("oficial")), encoding="utf-8")
    assert isinstance(bad(f'[Rulebook "{path}"]\n*').error, UnknownRulebook)


@pytest.mark.parametrize("value", ["31", "99", "twenty", "-1", "1" * 5000, "0x14"])
def test_an_unknown_gametype(value: str) -> None:
    game = bad(f'[Event "x"]\n[GameType "{value}"]\n\n1. c3-d4 *')
    assert isinstance(game.error, UnknownRulebook)
    assert game.line == 2


def test_no_rulebook_at_all() -> None:
    game = bad('\n\n[Event "x"]\n[Site "y"]\n\n1. c3-d4 *')
    assert (game.line, codes(game)) == (3, ["PDN_RULEBOOK"])


# Starts


def test_black_begins_where_the_rulebook_says_so() -> None:
    game = only('[GameType "21"]\n1. 11-15 23-19 2. 8-11 22-17 1-0')
    assert texts(game) == ["11-15", "23-19", "8-11", "22-17"]
    assert game.start.turn is Color.BLACK
    assert game.winner is Color.BLACK


@pytest.mark.parametrize("setup", ["", '[SetUp "1"]', '[Setup "1"]'])
def test_a_fen_is_the_start(setup: str) -> None:
    game = only(f'[GameType "26"]\n{setup}[FEN "B:Wc3:Bb6."]\n1... b6-c5 2. c3-d4 c5xe3 0-1')
    assert game.start == Position.from_fen("B:Wc3:Bb6", "brasileira")
    assert texts(game) == ["b6-c5", "c3-d4", "c5xe3"]
    assert dict(game.tags) == {}


def test_an_empty_fen_and_a_set_up_of_nothing_are_the_opening() -> None:
    assert only('[GameType "26"][FEN ""]\n*').start == Position.start("brasileira")
    assert only('[GameType "26"][SetUp "0"][FEN "W:Wc3:Bb6"]\n*').start == Position.start("brasileira")


def test_a_bad_fen_is_told_at_its_line() -> None:
    game = bad('[Event "x"]\n[FEN "?:W29:B22"]\n[GameType "20"]\n\n*')
    assert (game.line, game.error.code) == (2, "NOTATION")
    game = bad('[Event "x"]\n[GameType "20"]\n[FEN "W:W1:B22"]\n\n*')
    assert game.line == 3
    assert isinstance(game.error, IllegalSetup)


# Moves


@pytest.mark.parametrize(
    "moves",
    [
        "1. c3-d4 f6-g5 2. b2-c3 g5-f4 3. g3xe5 d6xf4 4. e3xg5 h6xf4",
        "1.c3-d4 f6-g5 2.b2-c3 g5-f4 3.g3:e5 d6:f4 4.e3:g5 h6:f4",
        "1. c3d4 f6g5 2. b2c3 g5f4 3. g3xe5 d6xf4 4. e3xg5 h6xf4",
        "1. 22-18 11-16 2. 25-22 16-19 3. 24x15 10x19 4. 23x16 12x19",
        "1. 2,2-3,3 5,5-4,6 2. 1,1-2,2 4,6-3,5 3. 2,6x4,4 5,3x3,5 4. 2,4x4,6 5,7x3,5",
        "1. 22-18 f6-g5 2. b2-c3 16-19 3. 2,6x4,4 d6xf4 4. e3xg5 12x19",
        "c3-d4 f6-g5 b2-c3 g5-f4 g3xe5 d6xf4 e3xg5 h6xf4",
        "1.\nc3-d4\n1...\nf6-g5 2. b2-c3 2... g5-f4 3. g3xe5 3. ... d6xf4 4.\n\ne3xg5 ... h6xf4",
        "1. 22- 18 11-16  2. 25-22 16- 19  3. 24x 15 10x19  4. 23x16 12x19",
    ],
)
def test_moves_in_any_scheme(moves: str) -> None:
    game = only(moves + " *", "brasileira")
    assert texts(game) == ["c3-d4", "f6-g5", "b2-c3", "g5-f4", "g3xe5", "d6xf4", "e3xg5", "h6xf4"]


@pytest.mark.parametrize("text", ["c3xg7", "c3xe5xg7", "c3:g7", "22x8", "22x15x8", "2,2x6,6", "2,2x4,4x6,6"])
def test_a_capture_long_and_short(text: str) -> None:
    assert texts(only(f'[FEN "W:Wc3:Bb4,d4,f6"]\n1. {text} *', "brasileira")) == ["c3xe5xg7"]


def test_annotations_go_to_their_move() -> None:
    game = only("1. c3-d4! f6-g5?? $14 2. b2-c3(!?) $255 g5-h4* 3. a1-b2 !! g7-f6?! *", "brasileira")
    assert [node.nags for node in game.moves] == [(1,), (4, 14), (5, 255), (7,), (3,), (6,)]
    assert game.result.text == "*"


def test_comments_go_to_their_move() -> None:
    text = """
{ a start,
  in two lines } ; and a line
1. c3-d4 {one} {two} f6-g5 ; three (not a variation
% 99-99 an escaped line
2. b2-c3 {} 1-0 { an end }
"""
    game = only(text, "brasileira")
    assert game.comments == ("a start, in two lines", "and a line")
    assert [node.comments for node in game.moves] == [
        ("one", "two"),
        ("three (not a variation",),
        ("an end",),
    ]


def test_comments_do_not_nest() -> None:
    game = only("1. c3-d4 { a { b } f6-g5 *", "brasileira")
    assert game.moves[0].comments == ("a { b",)
    broken = bad("1. c3-d4\n{ a { b } }\nf6-g5 *", "brasileira")
    assert (broken.line, codes(broken)) == (2, ["PDN_MISPLACED"])


def test_clocks_are_read_and_other_commands_kept() -> None:
    text = "1. c3-d4 {[%clk 0:10:00] good [%eval 0.2]} f6-g5 {[%clock w0:09:00 B0:08:00]} 2. b2-c3 {[%emt 0:00:05]} *"
    first, second, third = only(text, "brasileira").moves
    assert (first.clock, first.comments) == (Clock(left=600_000), ("good [%eval 0.2]",))
    assert second.clock == Clock(white=540_000, black=480_000, running=Color.BLACK)
    assert (third.clock, third.comments) == (Clock(spent=5_000), ())


def test_variations_start_before_the_move_they_replace() -> None:
    text = """1. c3-d4 ( {better} 1. g3-f4 f6-g5 (1... h6-g5 2. f4xh6 {wins}) 2. f2-g3! )
              (1. e3-d4 2-0) f6-g5 (f6-e5 2. d4xf6) {last} 2. b2-c3 *"""
    first, reply, third = only(text, "brasileira").moves
    better, other = first.variations
    assert better.comments == ("better",)
    assert [node.move.text for node in better.moves] == ["g3-f4", "f6-g5", "f2-g3"]
    assert better.moves[2].nags == (1,)
    [nested] = better.moves[1].variations
    assert [node.move.text for node in nested.moves] == ["h6-g5", "f4xh6"]
    assert nested.moves[1].comments == ("wins",)
    assert other.moves[0].comments == ("2-0",)  # a result inside a variation ends nothing
    assert [node.move.text for node in reply.variations[0].moves] == ["f6-e5", "d4xf6"]
    assert reply.comments == ("last",)
    assert third.move.text == "b2-c3"


def test_a_variation_may_be_empty_or_a_remark() -> None:
    game = only("1. c3-d4 () ( {no} ) f6-g5 *", "brasileira")
    assert [v.comments for v in game.moves[0].variations] == [(), ("no",)]


@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"])
def test_results_keep_their_spelling(result: str) -> None:
    assert only(f"1. c3-d4 f6-g5 {result}", "brasileira").result.text == result
    assert only(f'[Result "{result}"]\n1. c3-d4 f6-g5', "brasileira").result.text == result
    assert only(result, "brasileira").moves == ()


def test_the_tag_says_the_result_unless_it_does_not_know() -> None:
    assert only('[Result "2-0"]\n1. 32-28 1-0', "internacional").result.text == "2-0"
    assert only('[Result "*"]\n1. 32-28 1-0', "internacional").result.text == "1-0"
    assert only('[Result "?"]\n1. 32-28 1-0', "internacional").result.text == "1-0"
    assert only('[Result "1+ - 1-"]\n1. 32-28 *', "internacional").result.text == "1+ - 1-"


def test_results_and_moves_are_told_apart() -> None:
    game = only('[FEN "W:WK1:BK50"]\n1. 1-18 50-45 2. 18-1 1-1', "internacional")
    assert texts(game) == ["1-18", "50-45", "18-1"]
    assert game.result.meaning == "1/2-1/2"


# Mistakes


@pytest.mark.parametrize(
    ("moves", "line", "code"),
    [
        ("1. c3-d4 f6-g5\n2. b2-c3 g5-h4\n3. d4-f6 *", 3, "TOO_FAR"),
        ("1. c3-d4\nf6-e5 2. b2-c3 *", 2, "MUST_CAPTURE"),
        ("1. c3-d4 f6-g5\n\n\n2. what *", 4, "NOTATION"),
        ("1. c3-d4 (1. g3-f4\nf6-g5 2. f4-g5) f6-g5 *", 2, "BLOCKED"),
        ("1. c3-d4\n)\nf6-g5 *", 2, "NOTATION"),
        ("\n(1. c3-d4) *", 2, "NOTATION"),
        ("$1 1. c3-d4 *", 1, "NOTATION"),
        ("1. c3-d4 $1234 *", 1, "NOTATION"),
        ("1. c3-d4 f6-g5\n2. - - *", 2, "NOTATION"),
        ("1. c3-d4\n f6-g5 } 2. b2-c3 *", 2, "NOTATION"),
        ('1. c3-d4\n/FEN "B:Wc3:Bb6"/ b6-c5 *', 2, "NOTATION"),
        ("1. c3-d4 ]", 1, "NOTATION"),
        ("1. c3-d4 [%clk 0:10:00] f6-g5 *", 1, "NOTATION"),
    ],
)
def test_a_mistake_is_told_at_its_line(moves: str, line: int, code: str) -> None:
    game = bad(moves, "brasileira")
    assert (game.line, game.error.code) == (line, code)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("1. c3-d4 f6-g5\n  2. d4-f6 *", (2, 6)),
        ("1. c3-d4 f6-g5 ) 2. b2-c3", (1, 16)),
        ("1. c3-d4 {ends} { open\n\n", (1, 17)),
        ("1. c3-d4\n f6-g5 ( 1... h6-g5", (2, 8)),
        ('[Event "x"] [FEN "W:Wz9:B"]\n*', (1, 13)),
        (' [Event "x"] [Rulebook "none"]\n*', (1, 14)),
        ("1. c3-d4 " + "( 1. g3-f4 " * 65, (1, 10 + 64 * 11)),
        ('[Event "x"] [Event oops]', (1, 13)),
        ("  what", (1, 3)),
    ],
)
def test_a_mistake_has_a_line_and_a_column(text: str, place: tuple[int, int]) -> None:
    game = bad(text, "brasileira")
    assert (game.line, game.column) == place
    assert str(game).startswith(f"game 1, line {place[0]}, column {place[1]}: ")


def test_an_ambiguous_move_names_the_routes() -> None:
    game = bad('[GameType "20"]\n[FEN "W:WK6:B43,38,31,28"]\n\n1. 6x26 *')
    assert (game.line, game.error.code) == (4, "AMBIGUOUS")
    assert isinstance(game.error, IllegalMove)
    assert set(game.error.legal) == {"6x39x48x26", "6x33x42x26"}


def test_an_unclosed_comment_ends_at_the_next_tags() -> None:
    text = """[GameType "26"]
1. c3-d4 f6-g5
2. b2-c3 { and so it
goes on [%clk 0:00:01]
[not a tag
[GameType "26"]
1. g3-f4 *
"""
    broken, good = read_games(text)
    assert isinstance(broken, BadGame)
    assert (broken.line, codes(broken)) == (3, ["PDN_COMMENT"])
    assert isinstance(good, PdnGame)
    assert texts(good) == ["g3-f4"]


def test_an_unclosed_comment_at_the_end() -> None:
    game = bad("1. c3-d4\n{ no end\n\n", "brasileira")
    assert (game.line, codes(game)) == (2, ["PDN_COMMENT"])


def test_an_endless_comment_is_given_up() -> None:
    text = ["1. c3-d4\n", "{ no end\n", *["word " * 1000] * 300, '[GameType "26"]\n', "1. g3-f4 *"]
    broken, good = read_games(text, "brasileira")
    assert isinstance(broken, BadGame)
    assert (broken.line, codes(broken)) == (2, ["PDN_COMMENT"])
    assert isinstance(good, PdnGame)


def test_an_unclosed_variation_is_told_where_it_opens() -> None:
    text = '[GameType "26"]\n1. c3-d4\n(1. g3-f4 f6-g5\n(1... h6-g5\n\n[GameType "26"]\n1. g3-f4 *'
    broken, good = read_games(text)
    assert isinstance(broken, BadGame)
    assert (broken.line, codes(broken)) == (4, ["PDN_VARIATION"])
    assert isinstance(good, PdnGame)
    broken = bad("1. c3-d4\n(1. g3-f4", "brasileira")
    assert (broken.line, codes(broken)) == (2, ["PDN_VARIATION"])


def test_a_bad_header_is_one_bad_game() -> None:
    text = """[GameType "26"]
[Event "no end]
[Site "x"]

1. c3-d4 *

[GameType "26"]
1. g3-f4 *
[GameType "26"]
[Event oops]
[GameType "20"]
1. 32-28 *
[GameType "26"]
1. e3-f4 *
"""
    one, two, three, four = read_games(text)
    assert isinstance(one, BadGame)
    assert (one.line, one.game, codes(one)) == (2, 1, ["PDN_TAG"])
    assert isinstance(two, PdnGame)
    assert isinstance(three, BadGame)
    assert (three.line, three.game, codes(three)) == (10, 3, ["PDN_TAG"])
    assert isinstance(four, PdnGame)
    assert texts(four) == ["e3-f4"]


def test_one_line_games_after_a_bad_one() -> None:
    text = '[GameType "99"] 1. c3-d4 *\n[GameType "26"] 1. c3-d4 *\n[GameType "26"] 1. c3-c4 *\n[GameType "26"] *'
    assert [type(game) for game in read_games(text)] == [BadGame, PdnGame, BadGame, PdnGame]
    assert [g.line for g in read_games(text) if isinstance(g, BadGame)] == [1, 3]
    assert [g.game for g in read_games(text) if isinstance(g, BadGame)] == [1, 3]


def test_bottom_left_numbers_are_hinted_at() -> None:
    game = bad("1. 9-13 22-17 *", "brasileira")
    assert game.hint is not None
    assert game.hint.move.text == "a3-b4"
    assert bad("1. 22-17 9-13 2. 22-17 *", "brasileira").hint is None


@pytest.mark.parametrize(
    "rubbish", [")", "(", "!", "$1", "]", "White resigned", "{ no end", "/x/", "2. c3-d4"]
)
def test_what_comes_behind_the_result_spoils_nothing(rubbish: str) -> None:
    good, broken, last = read_games(f'[GameType "26"]\n1. c3-d4 f6-g5 1-0\n{rubbish}\n[GameType "26"]\n*')
    assert isinstance(good, PdnGame)
    assert texts(good) == ["c3-d4", "f6-g5"]
    assert isinstance(broken, BadGame)
    assert (broken.line, broken.game) == (3, 2)
    assert isinstance(last, PdnGame)


@pytest.mark.parametrize(
    ("fen", "text", "moves"),
    [
        ("", "1. 2,2 3,3 5,1 4,0 2. 3,3 4,4 5,3 3,5 *", ["2,2 3,3", "5,1 4,0", "3,3 4,4", "5,3 3,5"]),
        ("", "1. 2,2 3,3\n1... 5,1 4,0 *", ["2,2 3,3", "5,1 4,0"]),
        ("", "1. 2,2 3,3 {good} 5,1 4,0! 2. 2,4-3,5 *", ["2,2 3,3", "5,1 4,0", "2,4 3,5"]),
        ("", "2,2 3,3 5,1 4,0 2,4 3,5", ["2,2 3,3", "5,1 4,0", "2,4 3,5"]),
        ("W:Wc3:Bd4,f6,a7", "1. 2,2 4,4 6,6 6,0 5,1 *", ["2,2 4,4 6,6", "6,0 5,1"]),
        ("W:Wc3:Bd4,f6,a7", "1. 2,2x4,4x6,6 6,0-5,1 *", ["2,2 4,4 6,6", "6,0 5,1"]),
    ],
)
def test_rows_and_columns_are_read_as_the_contest_writes_them(fen: str, text: str, moves: list[str]) -> None:
    game = only(f'[Rulebook "concurso"]\n[FEN "{fen}"]\n\n{text}')
    assert [node.move.text for node in game.moves] == moves


def test_rows_and_columns_that_are_no_moves_are_told_how_to_be_written() -> None:
    game = bad('[Rulebook "concurso"]\n\n1. 2,2 3,3 5,1 3,1 *')
    assert isinstance(game.error, NotationError)
    assert [problem.code for problem in game.error.problems] == ["PDN_SPACED"]
    assert "2,2-3,3" in game.error.sentence("es")
    alone = bad('[Rulebook "concurso"]\n\n1. 2,2 4,4 *')
    assert isinstance(alone.error, IllegalMove), "a single move is refused as any other"
