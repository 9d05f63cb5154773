import pytest

from damas.cli import bench
from damas.engine import signature


@pytest.fixture(autouse=True)
def brief(monkeypatch):
    monkeypatch.setattr(bench, "MIN_SECONDS", 0.001)
    monkeypatch.setattr(signature, "POSITIONS", signature.POSITIONS[2:4])


def test_it_measures_and_counts_right(damas):
    answer = damas("bench", "--depth", "4", "--json").json
    nodes = {line["rulebook"]: line["nodes"] for line in answer["perft"]}
    assert nodes["brasileira"] == 1469
    assert nodes["internacional"] == 4265
    assert nodes["frisia"] == 3874
    assert [line["rulebook"] for line in answer["perft"] if line["interpreted"]] == ["brasileira"]
    assert all(line["leaves_per_second"] > 0 for line in answer["perft"])
    assert answer["search"]["nodes_per_second"] > 0


def test_for_people(damas):
    out = damas("bench", "--depth", "3").out
    assert "Perft from" in out and "leaves/s" in out and "nodes/s" in out


def test_the_signature_alone(damas):
    answer = damas("bench", "--nodes", "--json").json
    assert list(answer) == ["search"]
    assert answer["search"]["signature"] == sum(line["nodes"] for line in answer["search"]["positions"])
    assert damas("bench", "--nodes").out.endswith(f"signature {answer['search']['signature']}\n")


@pytest.mark.parametrize(
    ("language", "speed", "name"),
    [
        ("pt-BR", "posições/s", "assinatura"),
        ("pt-PT", "posições/s", "assinatura"),
        ("es", "posiciones/s", "firma"),
    ],
)
def test_in_every_language(damas, language, speed, name):
    out = damas("bench", "--depth", "2", "--lang", language).out
    assert f" {speed}\n  {name} " in out
    assert out.split()[-1].isdecimal()
    for english in ("nodes", "signature", "Perft from", "leaves", "rulebook", "The engine"):
        assert english not in out
