"""What a game shows of itself."""

from damas import Game, Position


def test_a_game_has_its_moves_its_turn_and_its_rulebook() -> None:
    game = Game.start("brasileira").play("c3-d4")
    assert [move.text for move in game.moves] == ["c3-d4"]
    assert (game.turn.value, game.rulebook.id) == ("black", "brasileira")


def test_in_a_notebook_a_game_shows_its_last_move() -> None:
    start = Game.start("brasileira")
    assert start._repr_svg_() == Position.start("brasileira").svg()
    game = start.play("c3-d4")
    assert game._repr_svg_() == game.position.svg(last_move=("c3", "d4"))
