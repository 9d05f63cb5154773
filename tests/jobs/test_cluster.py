"""The same pieces on a Ray cluster: several nodes, one killed, one added, and no cluster at all."""

import re

import pytest

from damas.errors import ClusterTrouble
from damas.jobs import run_pieces
from damas.matches.pool import run
from damas.tournaments.tournament import Tournament
from jobs import pieces
from matches.playing import cheap

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own, about settings of its later versions


def without_times(pdn):
    return " ".join(re.sub(r"\{[^}]*\}", "", pdn).split())


def test_pieces_are_done_by_all_nodes(cluster):
    results = [result for _, result in run_pieces(pieces.node_of, range(8), cluster=cluster.address)]
    assert [int(result.split()[0]) for result in results] == list(range(8))
    assert len({result.split()[1] for result in results}) == 2


def test_errors_of_pieces_are_raised(cluster):
    with pytest.raises(ValueError, match="three"):
        list(run_pieces(pieces.fail_at_three, range(6), cluster=cluster.address))


def test_a_node_that_is_killed_costs_no_result(cluster):
    extra = cluster.add_node(num_cpus=2, object_store_memory=80_000_000)
    results = []
    for number, (_, result) in enumerate(run_pieces(pieces.node_of, range(16), cluster=cluster.address)):
        results.append(int(result.split()[0]))
        if number == 3:
            cluster.remove_node(extra, allow_graceful=False)
        if number == 5:
            extra = cluster.add_node(num_cpus=1, object_store_memory=80_000_000)
    assert results == list(range(16))
    cluster.remove_node(extra)


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(ClusterTrouble, match="does not answer"):
        list(run_pieces(pieces.square, [1], cluster="127.0.0.1:1"))


def test_a_tournament_has_the_same_games_as_on_one_machine(cluster, tmp_path):
    games = {}
    for place, options in (("here", {"jobs": 1}), ("there", {"cluster": cluster.address})):
        with Tournament.create(tmp_path / place, cheap(2)) as tournament:
            run(tournament, **options)
            assert tournament.over
            games[place] = {
                entry.id: (
                    entry.points,
                    entry.reason,
                    entry.plies,
                    without_times(tournament.journal.pdn(entry.id)),
                )
                for entry in tournament.played.values()
            }
    assert len(games["here"]) == 12 and games["there"] == games["here"]
