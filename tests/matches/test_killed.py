"""Slices of `tests/matches/soak.py`: killed again and again, and a ladder of bots to its end."""

from matches.killing import killed_and_quiet
from matches.soak import ladder


def test_a_killed_tournament_ends_as_a_quiet_one(tmp_path):
    """Nothing is played twice, nothing is lost."""
    killed, quiet, interruptions = killed_and_quiet(tmp_path, games=8, kills=2, seed=1)
    assert interruptions == 2
    assert killed == quiet


def test_a_ladder_of_bots_runs_to_its_end(tmp_path):
    table = ladder(tmp_path, 10, "none")
    assert table.due == 0 and len(table.games) == len(table.plan) > 60
    assert not [game for game in table.games.values() if game.points is None or game.offender]
    assert all(row.rating.error > 0 for row in table.rows)
