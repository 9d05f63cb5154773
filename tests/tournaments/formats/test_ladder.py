from collections import Counter

import pytest

from damas.tournaments.formats import final_order, pairings, total_games
from damas.tournaments.formats.ladder import reaches
from damas.tournaments.result import DISQUALIFIED
from tournaments.results import by_chance, by_strength, entry, settings


def climb(chosen, judge):
    """A round at a time."""
    results = {}
    while True:
        due = [game for game in pairings(results, chosen) if game.id not in results]
        if not due:
            return pairings(results, chosen), results
        results |= {game.id: judge(game) for game in due}


@pytest.mark.parametrize("players", [2, 3, 7, 12])
def test_nobody_is_in_two_challenges_of_a_round(players):
    chosen = settings(players, format="ladder", games=2)
    plan, results = climb(chosen, by_chance(3))
    assert len(plan) == len(results) == total_games(chosen)
    for number in {game.round for game in plan}:
        names = Counter(name for game in plan if game.round == number for name in (game.white, game.black))
        assert set(names.values()) == {2}


def test_the_strong_climb_from_the_bottom():
    """Entered the wrong way round: the strongest stands on the last rung."""
    chosen = settings(100, format="ladder", games=2)
    backwards = type(chosen)(chosen.entries[::-1], chosen.rulebook, "ladder", 2)
    plan, results = climb(backwards, by_strength)
    assert max(game.round for game in plan) == 2 * len(reaches(100)) == 16
    rungs = final_order(results, backwards)
    places = {name: rung for rung, name in enumerate(rungs)}
    assert rungs[0] == "p01"
    assert sum(abs(places[name] - rank) for rank, name in enumerate(chosen.names)) / 100 < 5


def test_a_challenger_who_does_not_win_stays_below():
    chosen = settings(6, format="ladder", games=2)
    _, results = climb(chosen, lambda game: entry(game, 0.5))
    assert final_order(results, chosen) == chosen.names


def test_disqualified_players_stand_below_all_others():
    chosen = settings(5, format="ladder", games=2)

    def judge(game):
        if "p01" in (game.white, game.black):
            return entry(game, 0.0 if game.white == "p01" else 1.0, DISQUALIFIED)
        return by_strength(game)

    plan, results = climb(chosen, judge)
    assert final_order(results, chosen)[-1] == "p01"
    assert {game.round for game in plan if "p01" in (game.white, game.black)} == {1}
