"""The same work on a Ray cluster: the results of one machine, from several nodes, one of them killed."""

import json
import re

import pytest
from training import gate, generate

from damas.cli import main
from damas.engine.networks import FOLDER
from damas.errors import ClusterTrouble
from damas.jobs import run_pieces
from damas.matches.pool import run
from damas.rules import rulebook
from damas.tablebase import Store, build
from damas.tablebase.cluster import build_on_cluster
from damas.tournaments.tournament import Tournament
from jobs import pieces
from matches.playing import cheap

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own, about settings of its later versions


# Few tests, because each process of pytest that runs one of them starts a cluster of its own.


def test_pieces_and_games_are_those_of_one_machine(cluster, tmp_path):
    all_nodes_do_pieces(cluster.address)
    with pytest.raises(ValueError, match="three"):
        list(run_pieces(pieces.fail_at_three, range(6), cluster=cluster.address))
    a_tournament_has_the_same_games(cluster.address, tmp_path)


def test_training_analysis_and_tables_are_those_of_one_machine(cluster, tmp_path, monkeypatch, capsys):
    shards_are_the_same(cluster.address, tmp_path, monkeypatch)
    analysed_games_are_the_same(cluster.address, tmp_path, capsys)
    a_gate_gives_the_same_verdict(cluster.address, monkeypatch, capsys)
    tables_have_the_same_files(cluster.address, tmp_path, 3)


def all_nodes_do_pieces(address):
    results = [result for _, result in run_pieces(pieces.node_of, range(8), cluster=address)]
    assert [int(result.split()[0]) for result in results] == list(range(8))
    assert len({result.split()[1] for result in results}) == 2


def without_times(pdn):
    return " ".join(re.sub(r"\{[^}]*\}", "", pdn).split())


def a_tournament_has_the_same_games(address, folder):
    games = {}
    for place, options in (("here", {"jobs": 1}), ("there", {"cluster": address})):
        with Tournament.create(folder / f"tournament-{place}", cheap(2)) as tournament:
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


GAMES = ("-r", "brasileira", "--positions", "1000", "--nodes", "30", "--games-a-shard", "8", "--threads", "1")


def shards_are_the_same(address, folder, monkeypatch):
    for place, options in (("here", ()), ("there", ("--cluster", address))):
        monkeypatch.setattr("sys.argv", ["generate", *GAMES, *options, "--out", str(folder / place)])
        assert generate.main() == 0
    here, there = (
        {path.name: path.read_bytes() for path in (folder / place).glob("*.pos")}
        for place in ("here", "there")
    )
    assert len(here) > 1 and there == here


def analysed_games_are_the_same(address, folder, capsys):
    game = '[GameType "26"]\n\n1. e3-f4 b6-a5 2. f2-e3 f6-g5 3. f4-e5 d6xf4 4. g3xe5 a7-b6 5. h2-g3 *\n\n'
    (folder / "games.pdn").write_text(game * 4)
    texts = []
    for options in ((), ("--cluster", address)):
        assert main(["analyse", str(folder / "games.pdn"), "--nodes", "300", "--json", *options]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] and len(texts[0].splitlines()) == 4


MATCH = ("-r", "concurso", "--nodes", "20", "--pairs", "32", "--threads", "1", "--against", "material")


def a_gate_gives_the_same_verdict(address, monkeypatch, capsys):
    entries = []
    for options in ((), ("--cluster", address)):
        monkeypatch.setattr("sys.argv", ["gate", str(FOLDER / "concurso.net"), *MATCH, *options])
        code = gate.main()
        entries.append((code, json.loads(capsys.readouterr().out)))
    assert entries[0] == entries[1] and sum(entries[0][1]["pairs"]) >= 16


def tables_have_the_same_files(address, folder, pieces):
    here, there = (Store(rulebook("oficial"), folder / f"tables-{place}") for place in ("here", "there"))
    assert build(here, pieces, threads=1) == build_on_cluster(there, pieces, address) > 0
    assert build_on_cluster(there, pieces, address) == 0
    assert there.slices() == here.slices()
    files = sorted(here.folder.glob("*.damastb"))
    assert files and all((there.folder / file.name).read_bytes() == file.read_bytes() for file in files)


@pytest.mark.soak
def test_tables_of_four_pieces_are_the_same(cluster, tmp_path):
    tables_have_the_same_files(cluster.address, tmp_path, 4)


@pytest.mark.soak
def test_a_node_that_is_killed_costs_no_result(cluster):
    extra = cluster.add(2)
    results = []
    for number, (_, result) in enumerate(run_pieces(pieces.node_of, range(24), cluster=cluster.address)):
        results.append(int(result.split()[0]))
        if number == 3:
            cluster.kill(extra)
        if number == 5:
            extra = cluster.add(1)
    assert results == list(range(24))
    cluster.kill(extra)


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(ClusterTrouble, match="does not answer"):
        list(run_pieces(pieces.square, [1], cluster="127.0.0.1:1"))
