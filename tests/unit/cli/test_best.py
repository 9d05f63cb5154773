import pytest

from damas.engine.engine import Thinking
from damas.language import LANGUAGES

SHOT = "W:Wc3:Bd4,f6"


@pytest.fixture(autouse=True)
def no_tables(tmp_path, monkeypatch):
    """Whatever tables another test has made, the search is asked."""
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path))


def test_it_answers_with_a_move(damas):
    answer = damas("best", "-f", SHOT, "--nodes", "500", "--json").json
    assert answer["best"] == "c3xe5xg7"
    assert answer["lines"][0]["decided"] == "win"
    assert answer["lines"][0]["move"]["captured"] == ["d4", "f6"]
    assert answer["nodes"] <= 500


@pytest.mark.parametrize("limit", [("--movetime", "20"), ("--nodes", "2000"), ("--depth", "5")])
@pytest.mark.parametrize("book", ["brasileira", "portuguesa", "concurso", "turca", "internacional"])
def test_every_limit_and_board(damas, book, limit):
    answer = damas("best", "-r", book, *limit, "--json").json
    assert answer["best"] in {move["text"] for move in damas("moves", "-r", book, "--json").json["moves"]}


def test_several_lines(damas):
    answer = damas("best", "--depth", "6", "--multipv", "3", "--json").json
    assert len({line["line"][0] for line in answer["lines"]}) == 3


def test_the_same_nodes_give_the_same_answer(damas):
    first, second = (damas("best", "--nodes", "5000", "--json").json for _ in range(2))
    assert {**first, "seconds": 0, "nodes_per_second": 0} == {**second, "seconds": 0, "nodes_per_second": 0}


def test_threads(damas):
    assert damas("best", "--threads", "2", "--hash", "8", "--depth", "8", "--json").json["depth"] == 8


def test_nothing_to_play(damas):
    answer = damas("best", "-f", "W:Wa1:Bb2,c3", "--json").json
    assert (answer["best"], answer["score"], answer["lines"]) == (None, None, [])
    assert "No legal move" in damas("best", "-f", "W:Wa1:Bb2,c3").out


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_people(damas, language):
    words = {"pt-BR": "ganha em 1", "pt-PT": "ganha em 1", "es": "gana en 1", "en": "wins in 1"}
    out = damas("best", "-f", SHOT, "--nodes", "500", "--lang", language).out
    assert "c3xe5xg7" in out and words[language] in out


def test_an_interrupted_search_prints_what_it_had(damas, monkeypatch):
    """Ctrl-C comes as soon as the search has begun; without it, this search would take hours."""
    wait = Thinking.wait
    waits = []

    def interrupted(thinking):
        waits.append(thinking)
        if len(waits) == 1:
            raise KeyboardInterrupt
        return wait(thinking)

    monkeypatch.setattr(Thinking, "wait", interrupted)
    answer = damas("best", "--depth", "99", "--json")
    assert (answer.code, len(waits)) == (130, 2)
    assert answer.json["best"] and answer.json["depth"] < 99
    waits.clear()
    lines = damas("best", "--depth", "99", "-f", "-", stdin="W:Wc3:Bb6\n" * 2)
    assert (lines.code, lines.out) == (130, ""), "the lines after it are not searched"


def test_with_tables(damas):
    damas("tb", "build", "-r", "brasileira", "--pieces", "3")
    assert "wins in 1" in damas("best", "-f", SHOT).out
    assert damas("best", "-f", "W:WKa1:Bh8", "--json").json["lines"][0]["from_tables"]
    cornered = damas("best", "-f", "B:WKa1:Bb8", "--json").json["lines"][0]
    assert (cornered["decided"], cornered["plies_to_end"]) == ("loss", 8)
    assert damas("best", "-f", "W:WKa1:BKh6", "--json").json["lines"][0]["decided"] == "draw"
    assert "a1-b2  draws" in damas("best", "-f", "W:WKa1:BKh6").out
