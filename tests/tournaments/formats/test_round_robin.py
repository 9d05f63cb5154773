from collections import Counter
from itertools import combinations
from random import Random

import pytest

from damas.arbiter import draw_lots
from damas.board import Color
from damas.tournaments.formats import pairings, total_games
from damas.tournaments.formats.round_robin import berger
from tournaments.results import by_chance, play_all, settings


@pytest.mark.parametrize("count", range(2, 21, 2))
def test_in_berger_tables_everybody_meets_once(count):
    rounds = list(berger(count))
    assert len(rounds) == count - 1
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair) == list(range(count))
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert met == dict.fromkeys(map(frozenset, combinations(range(count), 2)), 1)
    whites = Counter(white for pairs in rounds for white, _ in pairs)
    assert max(whites.values()) - min(whites.get(p, 0) for p in range(count)) <= 1


@pytest.mark.parametrize("players", [2, 3, 5, 6])
@pytest.mark.parametrize("games", [1, 2, 5])
@pytest.mark.parametrize("colours", ["lot", "alternating"])
def test_every_encounter_has_its_games_and_each_pair_its_opening(players, games, colours):
    chosen = settings(players, games=games, colours=colours)
    plan = pairings({}, chosen)
    assert len(plan) == total_games(chosen) == players * (players - 1) // 2 * games
    assert len({game.id for game in plan}) == len(plan)
    met = Counter(frozenset((game.white, game.black)) for game in plan)
    assert set(met.values()) == {games}
    for one, other in combinations(chosen.names, 2):
        mine = [game for game in plan if {one, other} == {game.white, game.black}]
        for first, second in zip(mine[::2], mine[1::2], strict=False):
            assert (first.white, first.black, first.opening) == (second.black, second.white, second.opening)


def test_the_lot_is_drawn_by_the_seed():
    drawn = [
        tuple(game.white for game in pairings({}, settings(2, games=40, colours="lot", seed=seed))[::2])
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert 3 < drawn[0].count("p01") < 17, "both have White first now and then"
    for game in pairings({}, settings(2, games=40, colours="lot"))[::2]:
        assert game.lot is not None, "anybody can repeat it"
        assert (draw_lots(game.lot) is Color.WHITE) == (game.white == "p01")
    alternating = pairings({}, settings(2, games=40, colours="alternating"))
    assert {(game.white, game.lot) for game in alternating[::2]} == {("p01", None)}


def test_in_a_gauntlet_the_first_player_meets_all_others():
    chosen = settings(5, games=4, format="gauntlet")
    plan = pairings({}, chosen)
    assert len(plan) == total_games(chosen) == 16
    assert all("p01" in (game.white, game.black) for game in plan)
    assert Counter(game.white == "p01" for game in plan) == {True: 8, False: 8}


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss", "knockout", "ladder"])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_the_order_in_which_games_end_does_not_matter(format, players):
    chosen = settings(players, format=format, games=2)
    judge = by_chance(7)
    plan, results = play_all(chosen, judge)
    for seed in range(4):
        assert play_all(chosen, judge, Random(seed)) == (plan, results)
    assert len(results) >= (total_games(chosen) if format != "swiss" else 1)
