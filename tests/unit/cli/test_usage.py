"""What is wrong with a command line is told in the language asked for, or in that of the environment."""

import re

import pytest

from damas import Position, TooManyCaptures
from damas.cli import ARGPARSE_MESSAGES
from damas.language import LANGUAGES

WRONG = {
    "unknown option": ["moves", "--what"],
    "unknown command": ["frobnicate"],
    "no command": ["--json"],
    "no value": ["moves", "-r"],
    "value too many": ["moves", "--json=3"],
    "required": ["explain"],
    "choice": ["convert", "a.pdn", "b.pdn", "--from", "doc"],
    "together": ["play", "--white", "--black"],
    "depth": ["perft", "x"],
    "bench depth": ["bench", "--depth", "0"],
    "seed": ["play", "--seed", "x"],
    "lot": ["play", "--lot", "-"],
    "two needed": ["rules", "--diff", "brasileira"],
    "diff": ["rules", "oficial", "--diff", "brasileira", "oficial"],
    "toml": ["rules", "--toml"],
    "position": ["compare"],
    "format": ["convert", "a", "b"],
    "numbering": ["convert", "a.pdn", "b.hub", "--numbering", "algebraic"],
    "same file": ["convert", __file__, __file__, "--from", "fen", "--to", "fen"],
    "svg": ["show", "-f", "-", "--svg", "x.svg"],
    "play json": ["play", "--json"],
    "settled": ["play", "--resume", "x", "--time", "5"],
    "time": ["play", "--time", "soon"],
    "missing": ["judge", "/nowhere/x.pdn"],
    "folder": ["judge", "/"],
    "rulebook": ["moves", "-r", "chess"],
    "regulation": ["play", "--regulation", "chess"],
}
ENGLISH = re.compile(
    r"\b(argument|arguments|required|expected|invalid|choose|unrecognized|allowed|such|whole|takes|needs|see|name)\b"
)


@pytest.mark.parametrize("case", WRONG)
def test_bad_usage_speaks_every_language(damas, monkeypatch, case):
    told = {}
    for language in LANGUAGES:
        told[language] = damas(*WRONG[case], "--lang", language).refused
    assert len({told["pt-BR"], told["es"], told["en"]}) == 3, told
    for language in ("pt-BR", "pt-PT", "es"):
        assert not ENGLISH.search(told[language]), told[language]
    monkeypatch.setenv("LC_ALL", "pt_PT.UTF-8")
    assert damas(*WRONG[case]).refused == told["pt-PT"]


def test_argparse_says_what_we_know_it_to_say(damas):
    """Another version of Python may word it otherwise; then ARGPARSE_MESSAGES has to follow."""
    said = " ".join(damas(*arguments).err for arguments in WRONG.values())
    for _, key in ARGPARSE_MESSAGES:
        assert {
            "required": "MOVE is missing",
            "unknown": "not understood: --what",
            "choice": "'doc' will not do; choose from 'fen', 'hub', 'pdn'",
            "value": "-r/--rulebook needs to be told what",
            "alone": "--json takes no value, and has '3'",
            "together": "--black does not go with --white",
        }[key] in said


def test_an_unknown_language_is_told_in_that_of_the_environment(damas, monkeypatch):
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert "no hay lengua «tlh»" in damas("moves", "--lang", "tlh").refused
    assert "no such" not in damas("moves", "--lang=tlh").refused


def test_bad_usage_with_json_is_an_error_object(damas):
    answer = damas("perft", "x", "--json", "--lang", "es")
    assert answer.json["error"] == {
        "code": "INPUT",
        "message": "DEPTH: un número entero de 0 a 99, no «x»",
        "lang": "es",
    }
    assert answer.code == 2


@pytest.mark.parametrize("kind", ["rulebook", "regulation"])
def test_an_empty_file_is_named_and_told_in_every_language(damas, tmp_path, kind):
    path = tmp_path / "vazio.toml"
    path.write_text("")
    command = ["play", "--regulation", str(path)] if kind == "regulation" else ["moves", "-r", str(path)]
    told = {language: damas(*command, "--lang", language).refused for language in LANGUAGES}
    assert all("vazio.toml" in text for text in told.values())
    assert "encontrado nada" in told["pt-BR"]
    assert not ENGLISH.search(told["pt-BR"] + told["pt-PT"] + told["es"])


RINGS = "W:WKa1,Ka5,Ka7,Ka9:BKe1,Kf2,Kc3,Kg3,Ki3,Kd4,Kh4,Kc5,Kg5,Kb6,Kj6,Kg7,Kf8,Kc9,Ke9,Kg9,Ki9,Kd10"
"""Millions of ways to capture in frisia: the core stops instead of walking them all."""


def test_too_many_captures_are_told(damas):
    with pytest.raises(TooManyCaptures):
        len(Position.from_fen(RINGS, "frisia").legal_moves)
    answer = damas("moves", "-r", "frisia", "-f", RINGS, "--json", "--lang", "es")
    assert answer.json["error"]["code"] == "TOO_MANY_CAPTURES"
    assert "más maneras de capturar" in answer.refused
    lines = damas("moves", "-r", "frisia", "-f", "-", stdin=f"{RINGS}\n")
    assert lines.code == 2
    assert [line["error"]["code"] for line in lines.lines] == ["TOO_MANY_CAPTURES"]


def test_an_address_that_is_not_ours_is_told_in_plain_words(damas):
    answer = damas("dxp", "-r", "internacional", "--listen", "192.0.2.1:27999")
    assert answer.code == 2
    assert answer.err.count("\n") == 1 and "192.0.2.1:27999" in answer.err
    assert "attempting" not in answer.err, "Python's own words"
