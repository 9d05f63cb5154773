"""Games that once were not read back as they were written, found by `make fuzz`."""

from damas.notation import Clock, PdnGame, read_games, write_game


def test_a_clock_command_inside_another_one() -> None:
    text = '[Rulebook "brasileira"]\n1. c3-d4 {[%emt [%clock w1:00:00 b0:59:00]0:00:02.5]} *'
    [game] = read_games(text)
    assert isinstance(game, PdnGame)
    assert game.moves[0].clock == Clock(white=3_600_000, black=3_540_000, spent=2_500)
    assert list(read_games(write_game(game))) == [game]
