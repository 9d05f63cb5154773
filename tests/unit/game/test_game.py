"""What a game shows of itself."""

import pytest

from damas import Game, Piece, Position, Setup, refusal
from damas.errors import IllegalMove
from damas.language import sentence
from damas.notation import read_game


def test_a_game_has_its_moves_its_turn_and_its_rulebook() -> None:
    game = Game.start("brasileira").play("c3-d4")
    assert [move.text for move in game.moves] == ["c3-d4"]
    assert (game.turn.value, game.rulebook.id) == ("black", "brasileira")


def test_in_a_notebook_a_game_shows_its_last_move() -> None:
    start = Game.start("brasileira")
    assert start._repr_svg_() == Position.start("brasileira").svg()
    game = start.play("c3-d4")
    assert game._repr_svg_() == game.position.svg(last_move=("c3", "d4"))


def test_a_game_is_made_of_moves_or_their_texts() -> None:
    start = Position.start("brasileira")
    played = Game.start("brasileira").play("c3-d4").play("f6-g5")
    assert Game.of(start, ["c3-d4", "f6-g5"]) == Game.of(start, [start.parse("c3-d4"), "f6-g5"]) == played
    with pytest.raises(IllegalMove):
        Game.of(start, ["c3-d4", "c3-d4"])
    won = Position.from_fen("W:We5,a1:Bd4", "brasileira")
    assert len(Game.of(won, ["e5xc3", "a1-b2", "zz"]).moves) == 1, "up to the one that ends it"
    with pytest.raises(TypeError, match="one text"):
        Game.of(start, "c3-d4")
    with pytest.raises(TypeError, match="not 3"):
        Game.of(start, [3])  # type: ignore[list-item]


def test_a_game_names_itself_shortly() -> None:
    game = Game.start("brasileira")
    assert repr(game) == "<Game brasileira, white to move>" and repr(game.record) == "<Record brasileira>"
    assert repr(game.play("c3-d4")) == "<Game brasileira c3-d4, black to move>"
    assert repr(Game.start("brasileira", fen="W:We5:Bd4").play("e5xc3")) == "<Game brasileira e5xc3, 1-0>"


@pytest.mark.parametrize("given", [None, 3, b"c3-d4"])
def test_what_is_no_move_is_named(given: object) -> None:
    game = Game.start("brasileira")
    for place in (game, game.record, game.position):
        with pytest.raises(TypeError, match="a move or its text is needed, not "):
            place.play(given)  # type: ignore[arg-type]


def test_bad_arguments_are_named() -> None:
    start = Position.start("brasileira")
    for action in (
        lambda: start.parse(None),  # type: ignore[arg-type]
        lambda: refusal(start, 3),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="the text of a move is needed, not "):
            action()
    for square in (-1, 32):
        with pytest.raises(ValueError, match=f"No square {square} on this board"):
            Position.of(Setup({square: Piece.WHITE_MAN}), "brasileira")
    with pytest.raises(TypeError, match=r"'c3' is geometry\.square\('c3'\)"):
        Position.of(Setup({"c3": Piece.WHITE_MAN}), "brasileira")  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="a Path, an open file"):
        read_game(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no language 'xx'; there are: "):
        sentence("color.white", "xx")


def test_equal_games_have_equal_hashes() -> None:
    fen = "W:WKa1:BKb8,Kc7"
    ended = Game.start("brasileira", fen="W:We5:Bd4").play("e5xc3")
    again = Game.start("brasileira", fen="W:We5:Bd4").play("e5xc3")
    assert ended.outcome and {ended: 1}[again] == 1 and len({ended, Game.start("brasileira", fen=fen)}) == 2


def test_a_capture_keeps_the_route_that_was_named() -> None:
    fen = "W:W46,48,49,50,41,44,45,36,38,39,31,33,34,35,30:B27,17,18,20,12,14,15,6,7,8,9,10,4,5"
    position = Position.from_fen(fen, "internacional")
    routes = {move.text for move in position.routes() if move.text.startswith("31x22x")}
    assert len(routes) > 1
    assert {position.parse(text).text for text in routes} == routes
    assert len({position.parse(text) for text in routes}) < len(routes)
