from collections import Counter

import pytest

from damas.tournaments.formats import final_order, pairings
from damas.tournaments.result import DISQUALIFIED
from tournaments.results import by_chance, by_strength, entry, play_all, settings


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13, 16])
def test_the_strongest_player_wins(players):
    chosen = settings(players, format="knockout", games=2)
    plan, results = play_all(chosen, by_strength)
    assert final_order(results, chosen)[:2] == ("p01", "p02")
    assert len(results) == 2 * (players - 1)
    assert Counter(game.round for game in plan if game.bye).keys() <= {1}, "only the first round has byes"
    if players > 2:
        last = max(game.round for game in plan)
        assert {game.white for game in plan if game.round == last} == {"p01", "p02"}, "they meet in the final"


@pytest.mark.parametrize("seed", range(5))
def test_every_round_halves_the_field(seed):
    chosen = settings(11, format="knockout", games=2)
    plan, results = play_all(chosen, by_chance(seed, draws=0.6))
    survivors = [
        {name for game in plan if game.round == number for name in (game.white, game.black) if name}
        for number in range(1, 5)
    ]
    assert [len(names) for names in survivors] == [11, 8, 4, 2]
    assert sorted(final_order(results, chosen)) == sorted(chosen.names)
    assert set(final_order(results, chosen)[:2]) == survivors[-1]


def test_a_tie_adds_pairs_and_then_the_lot_decides():
    chosen = settings(2, format="knockout", games=2, tie_breaks=3)

    def tied_until(number):
        def judge(game):
            return by_strength(game) if game.game > number else entry(game, 0.5)

        return judge

    for tied, games in ((0, 2), (2, 4), (4, 6), (6, 8), (99, 8)):
        plan, _ = play_all(chosen, tied_until(tied))
        assert len(plan) == games
        extra = [(game.white, game.opening) for game in plan]
        assert {len({white for white, _ in extra[at : at + 2]}) for at in range(0, games, 2)} == {2}
        assert len({opening for _, opening in extra}) == games // 2, "each pair has its own opening"
    assert {final_order(play_all(settings(2, format="knockout", seed=seed), lambda game: entry(game, 0.5))[1],
                  settings(2, format="knockout", seed=seed))[0] for seed in range(12)} == {"p01", "p02"}  # fmt: skip


def test_a_disqualified_player_does_not_advance():
    chosen = settings(4, format="knockout", games=2)

    def judge(game):
        if "p01" in (game.white, game.black):
            return entry(game, 0.0 if game.white == "p01" else 1.0, DISQUALIFIED)
        return by_strength(game)

    _, results = play_all(chosen, judge)
    assert final_order(results, chosen)[0] == "p02"


def test_void_games_do_not_stop_it():
    chosen = settings(4, format="knockout", games=2)
    plan, results = play_all(chosen, lambda game: entry(game, None, "OURS"))
    assert not [game for game in pairings(results, chosen) if not game.bye and game.id not in results]
    assert max(game.round for game in plan) == 2
