"""From one format to another."""

import io

import pytest
from hypothesis import given

from damas import Position
from damas.notation import BadGame, PdnGame, convert, fen_in, hub, read_games, write_game
from unit.notation.games import BOOKS, any_positions

FENS = "W:Wc3:Bb6\n\nB:WKa1:Bh6\n"
HUBS = "WeeeeeeeebeeeeeeeeeeeeweeeeeeeeEe".replace("E", "e") + "\n"


@given(any_positions())
def test_positions_go_round_every_format(position: Position) -> None:
    book = position.rulebook
    for numbering in ("algebraic", "numbers"):
        fen = fen_in(position, numbering)
        assert Position.from_fen(fen, book) == position
        for path in (
            ["hub", "fen"],
            ["pdn", "fen"],
            ["pdn", "hub", "pdn", "fen"],
            ["fen", "hub", "hub", "fen"],
        ):
            text, source = fen, "fen"
            for target in path:
                [text] = (str(piece) for piece in convert(text, source, target, book, numbering))
                source = target
            assert text == fen + "\n"


def test_lines_of_positions() -> None:
    converted = list(convert(FENS, "fen", "hub", "brasileira"))
    assert converted == [
        hub.write_position(Position.from_fen(fen, "brasileira")) + "\n" for fen in FENS.split()
    ]
    assert "".join(
        map(str, convert(io.StringIO("".join(map(str, converted))), "hub", "fen", "brasileira"))
    ) == (FENS.replace("\n\n", "\n"))


def test_a_bad_line_is_told_and_the_rest_converted() -> None:
    text = "W:Wc3:Bb6\n\nnonsense\nB:WKa1:Bh6\n"
    first, broken, last = convert(text, "fen", "fen", "brasileira", "numbers")
    assert (first, last) == ("W:W22:B9\n", "B:WK29:B12\n")
    assert isinstance(broken, BadGame)
    assert (broken.line, broken.game) == (3, 2)
    assert str(broken.error)


def test_games_to_another_numbering() -> None:
    games = [PdnGame.of(book, [Position.start(book).legal_moves[0]]) for book in BOOKS]
    text = "\n".join(map(write_game, games))
    for numbering in ("algebraic", "numbers", "rows-columns"):
        converted = "".join(str(piece) for piece in convert(text, "pdn", "pdn", None, numbering))
        assert converted.count(f'[Notation "{numbering}"]') == len(BOOKS)
        assert list(read_games(converted)) == games


def test_games_to_their_last_position() -> None:
    text = '[GameType "26"]\n1. c3-d4 f6-g5 *\n\n[GameType "26"]\n1. c3-c4 *\n\n[GameType "20"]\n1. 32-28 *'
    first, broken, last = convert(text, "pdn", "fen")
    assert first == Position.start("brasileira").play("c3-d4").play("f6-g5").fen + "\n"
    assert isinstance(broken, BadGame)
    assert broken.line == 5
    assert last == Position.start("internacional").play("32-28").fen + "\n"


def test_positions_become_games_that_start_there() -> None:
    first, second = read_games("".join(map(str, convert(FENS, "fen", "pdn", "brasileira"))))
    assert isinstance(first, PdnGame)
    assert isinstance(second, PdnGame)
    assert (first.start.fen, second.start.fen) == ("W:Wc3:Bb6", "B:WKa1:Bh6")
    assert first.moves == ()


def test_what_cannot_be_converted_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="unknown format"):
        convert("", "fen", "dxp", "brasileira")
    with pytest.raises(ValueError, match="rulebook"):
        convert("", "hub", "fen")
