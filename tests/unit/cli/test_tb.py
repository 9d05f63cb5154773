"""`damas tb`: what it prints, for people and for scripts."""

import json

import pytest

from damas.language import LANGUAGES

FORCED = "W:WKa1,Kc1,Ke1:BKh6"


@pytest.fixture(autouse=True)
def tables(tmp_path_factory, monkeypatch):
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path_factory.getbasetemp() / "tb"))


def test_build_says_what_it_made_and_then_that_it_is_there(damas, tmp_path):
    first = damas("tb", "build", "-r", "oficial", "--pieces", "3", "--folder", str(tmp_path), "--json").json
    assert (first["made"], first["pieces"], first["rulebook"]) == (9, 3, "oficial")
    assert first["bytes"] > 1000
    again = damas(
        "tb", "build", "-r", "oficial", "--pieces", "3", "--folder", str(tmp_path), "--lang", "pt-BR"
    )
    assert "já estavam feitas" in again.out
    info = damas("tb", "info", "-r", "oficial", "--folder", str(tmp_path), "--json").json
    assert [(row["pieces"], row["there"], row["materials"]) for row in info["tables"]] == [
        (2, 3, 3),
        (3, 6, 6),
    ]


def test_info_without_tables_says_how_to_make_them(damas, tmp_path):
    message = damas("tb", "info", "-r", "checa", "--folder", str(tmp_path), "--lang", "es").out
    assert "damas tb build -r checa --pieces 5" in message
    message = damas("tb", "info", "-r", "internacional", "--folder", str(tmp_path), "--lang", "es").out
    assert "damas tb build -r internacional --pieces 4" in message


def test_probe_gives_the_verdict_the_moves_and_a_sentence(damas):
    result = damas("tb", "probe", "-r", "faraes", "-f", FORCED, "--json", "--lang", "pt-BR").json
    assert (result["verdict"], result["winner"], result["plies"]) == ("win", "white", 7)
    assert result["limit"] == {
        "rule": "thirteen-moves",
        "article": "002-12",
        "have": 0,
        "need": 13,
        "unit": "strong-moves",
    }
    assert 0 < result["budget"] <= 13
    assert "dentro do limite" in result["sentence"] and "Art. 12" in result["sentence"]
    verdicts = [move["verdict"] for move in result["moves"]]
    assert len(verdicts) == 20
    assert verdicts == sorted(verdicts, key=["win", "cursed-win", "draw", "blessed-loss", "loss"].index)
    best = result["moves"][0]
    assert (best["after"]["value"], best["after"]["winner"]) == ("loss", "white")
    assert best["plies"] == best["after"]["plies"] + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_probe_speaks_every_language(damas, language):
    message = damas("tb", "probe", "-r", "portuguesa", "-f", "W:WK1,K32,K4:BK20", "--lang", language).out
    word = {"pt-BR": "ganha", "pt-PT": "ganha", "es": "gana", "en": "wins"}[language]
    assert word in message
    assert "{" not in message


def test_probe_answers_line_by_line(damas):
    start = damas("show", "-r", "brasileira", "--json").json["fen"]
    lines = damas(
        "tb",
        "probe",
        "-r",
        "brasileira",
        "-f",
        "-",
        stdin=f"{FORCED}\nnonsense\nW:WKa1:BKh8\n{start}\nW:WKa1:B\nW:WKa1:BKh8\n",
    ).lines
    assert lines[0]["verdict"] == "win"
    assert "error" in lines[1]
    assert lines[2]["moves"]
    assert lines[3]["error"]["code"] == "NO_TABLE"
    assert (lines[4]["verdict"], lines[4]["plies"], lines[4]["moves"]) == ("win", 0, [])
    assert lines[5] == lines[2]


def test_more_pieces_than_there_are_tables_for_is_told_with_the_command(damas):
    message = damas("tb", "probe", "-r", "faraes", "-f", "W:WKa1,Kc1,Ke1:BKh6,Kh8,Kf8", "--lang", "en")
    assert message.code == 2
    assert "damas tb build -r faraes --pieces 6" in message.refused


@pytest.mark.parametrize("rules", ["brasileira", "internacional"])
def test_no_command_is_advised_that_would_be_refused(damas, rules):
    message = damas("tb", "probe", "-r", rules, "--lang", "en")
    assert message.code == 2
    assert "There are no tables for" in message.refused and "tb build" not in message.refused
    eight = "W:WKa1,Kc1,Ke1,Kg1:BKh6,Kh8,Kf8,Kd8" if rules == "brasileira" else "W:W1,2,3,4:B47,48,49,50"
    message = damas("tb", "probe", "-r", rules, "-f", eight, "--lang", "en")
    assert message.code == 2 and "tb build" not in message.refused


def test_a_side_without_pieces_has_lost(damas):
    message = damas("tb", "probe", "-f", "W:WKa1:B", "--lang", "en").out
    assert "The game is over: White has won" in message and "-1" not in message


def test_stats_have_every_material_and_the_total(damas):
    result = damas("tb", "stats", "-r", "inglesa", "--pieces", "2", "--json").json
    kings = next(each for each in result["materials"] if each["material"] == "K-K")
    assert kings["unlimited"] == {
        "wins": 230,
        "draws": 654,
        "losses": 108,
        "longest": 11,
        "where": kings["unlimited"]["where"],
    }
    assert [each["material"] for each in result["materials"]] == ["K-K", "K-M", "M-K", "M-M"]
    assert result["total"]["positions"] == 3488
    assert "230" in damas("tb", "stats", "-r", "inglesa", "--pieces", "2").out


def test_verify_names_what_differs_and_exits_with_3(damas, tmp_path):
    folder = ["--folder", str(tmp_path)]
    damas("tb", "build", "-r", "pool", "--pieces", "2", *folder)
    good = damas("tb", "verify", "-r", "pool", "--pieces", "2", *folder, "--json")
    assert (good.code, good.json["faults"]) == (0, [])
    assert good.json["derived"] > 5000
    # A table of other rules under the name of these: every checksum holds, and the values do not.
    damas("tb", "build", "-r", "checa", "--pieces", "2", *folder)
    pool, checa = sorted(tmp_path.iterdir(), key=lambda path: (path / "manifest.json").stat().st_mtime)
    header = (pool / "K-K.damastb").read_bytes()[:40]
    assert header[:8] == b"damastb1"
    (pool / "K-K.damastb").write_bytes((checa / "K-K.damastb").read_bytes())
    bad = damas("tb", "verify", "-r", "pool", "--pieces", "2", *folder, "--json")
    assert bad.code == 2
    assert json.dumps(bad.json).count("K-K.damastb")
