import hashlib
from collections import Counter

import pytest

from damas.tournaments.formats import pairings, total_games
from damas.tournaments.formats.swiss import round_count
from damas.tournaments.result import DISQUALIFIED
from damas.tournaments.standings import standings
from tournaments.results import by_chance, by_strength, entry, play_all, settings


def met(plan):
    return Counter(frozenset((game.white, game.black)) for game in plan if not game.bye and game.game == 1)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 7, 8, 16, 31])
@pytest.mark.parametrize("seed", range(2))
def test_nobody_meets_twice_and_nobody_rests_twice(players, seed):
    chosen = settings(players, format="swiss", games=1, seed=seed)
    plan, results = play_all(chosen, by_chance(seed))
    assert max(game.round for game in plan) == round_count(chosen)
    assert len(results) == total_games(chosen)
    assert set(met(plan).values()) <= {1}
    byes = Counter(game.white for game in plan if game.bye)
    assert set(byes.values()) <= {1}
    assert len(byes) == (round_count(chosen) if players % 2 else 0)


@pytest.mark.parametrize("seed", range(3))
def test_colours_stay_in_balance(seed):
    chosen = settings(20, format="swiss", games=1, rounds=9, seed=seed)
    plan, _ = play_all(chosen, by_chance(seed))
    for name in chosen.names:
        colours = ["w" if game.white == name else "b" for game in plan if name in (game.white, game.black)]
        assert abs(colours.count("w") - colours.count("b")) <= 2
        assert not any(len(set(colours[at : at + 3])) == 1 for at in range(len(colours) - 2)), colours


def test_the_first_round_folds_the_field_and_the_second_pairs_equals():
    chosen = settings(8, format="swiss", games=2)
    first = pairings({}, chosen)
    assert met(first) == dict.fromkeys(
        map(frozenset, (("p01", "p05"), ("p02", "p06"), ("p03", "p07"), ("p04", "p08"))), 1
    )
    results = {game.id: by_strength(game) for game in first}
    second = met(pairings(results, chosen)) - met(first)
    assert second == dict.fromkeys(
        map(frozenset, (("p01", "p03"), ("p02", "p04"), ("p05", "p07"), ("p06", "p08"))), 1
    )


def test_the_strongest_ends_first():
    chosen = settings(16, format="swiss", games=2)
    plan, results = _rounds(chosen)
    assert len(plan) == total_games(chosen)
    table = standings(chosen, results)
    assert [row.name for row in table.rows[:2]] == ["p01", "p02"]
    assert table.rows[-1].name == "p16"
    assert table.rows[0].tie_breaks["buchholz"] > 0


def test_more_rounds_than_opponents_allow_rematches():
    chosen = settings(4, format="swiss", games=2, rounds=6)
    plan, _ = play_all(chosen, by_chance(1))
    assert max(game.round for game in plan) == 6
    assert set(met(plan).values()) == {2}


def test_the_last_player_of_the_table_has_the_bye():
    chosen = settings(5, format="swiss", games=2)
    assert [game.white for game in pairings({}, chosen) if game.bye] == ["p05"]


def test_a_disqualified_player_is_not_paired_again():
    chosen = settings(6, format="swiss", games=1, rounds=4)

    def judge(game):
        if "p03" in (game.white, game.black) and game.round == 2:
            return entry(game, 0.0 if game.white == "p03" else 1.0, DISQUALIFIED)
        return by_strength(game)

    plan, _ = play_all(chosen, judge)
    assert {game.round for game in plan if "p03" in (game.white, game.black)} == {1, 2}
    assert {game.round for game in plan if game.bye} == {3, 4}


def test_a_large_field_is_paired_quickly():
    chosen = settings(101, format="swiss", games=1)
    plan, results = _rounds(chosen)
    assert len(results) == total_games(chosen)
    assert set(met(plan).values()) == {1}


@pytest.mark.parametrize(
    ("players", "rounds", "games", "seed", "expected"),
    [
        (5, 12, 1, 0, "b5a5282afbd2af80"),
        (8, 12, 2, 1, "4093d0bda04cefa8"),
        (9, 4, 1, 2, "bb764daba28872fc"),
        (16, 15, 1, 3, "dbf7854d83f5e345"),
        (21, 12, 1, 4, "b81813a96d1b2e88"),
        (31, 20, 2, 5, "a0e97710e70ca8bb"),
        (64, 12, 1, 7, "7e6cf9a225b767fc"),
    ],
)
def test_a_tournament_that_was_begun_goes_on_with_the_same_pairings(players, rounds, games, seed, expected):
    """A plan is not stored but computed again: players, colours, openings and lots stay as they were."""
    chosen = settings(players, format="swiss", games=games, rounds=rounds, seed=seed)
    plan, _ = _rounds(chosen, by_chance(seed))
    text = repr([(game.id, game.white, game.black, game.opening, game.lot) for game in plan])
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == expected


def _rounds(chosen, judge=by_strength):
    """Plays a whole round at a time, so that the plan is not computed after every game."""
    results = {}
    while True:
        due = [game for game in pairings(results, chosen) if not game.bye and game.id not in results]
        if not due:
            return pairings(results, chosen), results
        results |= {game.id: judge(game) for game in due}
