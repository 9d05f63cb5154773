import pytest

from damas.cli import perft


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["-r", "english", "6"], 36768),
        (["-f", "W:WK1,K2,11,16,K27,31:B3,17,K18,K21", "5"], 8109),
        (["--interpreted", "6"], 37628),
        (["0"], 1),
        (["8"], 907830),
        (["--routes", "8"], 907836),
    ],
)
def test_published_numbers(damas, arguments, nodes):
    answer = damas("perft", *arguments, "--json").json
    assert answer["nodes"] == nodes
    assert answer["depth"] == int(arguments[-1])
    assert answer["routes"] == ("--routes" in arguments)
    assert answer["interpreted"] == ("--interpreted" in arguments)
    assert {"rulebook", "fen", "seconds", "leaves_per_second"} <= set(answer)


def test_splitting_changes_nothing(damas, monkeypatch):
    whole = [damas("perft", "7", *routes, "--json").json["nodes"] for routes in ([], ["--routes"])]
    monkeypatch.setattr(perft, "CORE_DEPTH", 2)
    assert [damas("perft", "7", *routes, "--json").json["nodes"] for routes in ([], ["--routes"])] == whole


def test_divide_adds_up(damas):
    answer = damas("perft", "5", "--divide", "--json").json
    assert len(answer["divide"]) == 7
    assert sum(answer["divide"].values()) == answer["nodes"] == 7473
    assert answer["divide"]["c3-d4"] > 0


def test_table(damas):
    answer = damas("perft", "6", "--table", "--json").json
    assert [row["nodes"] for row in answer["table"]] == [7, 49, 302, 1469, 7473, 37628]
    assert answer["nodes"] == 37628


def test_for_people(damas):
    out = damas("perft", "6", "--table", "--divide", "--lang", "es").out
    assert "37 628" in out
    assert "profundidad" in out
    assert "c3-d4" in out
