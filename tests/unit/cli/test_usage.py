"""What is wrong with a command line is told in the language asked for, or in that of the environment."""

import re
import shlex

import pytest

from damas import Position, TooManyCaptures
from damas.language import LANGUAGES

from .conftest import RINGS

WRONG = {
    "--json": "damas rules",
    "analyse": "FILE",
    "analyse /dev/null": "no game",
    "analyse /nowhere.pdn": "/nowhere.pdn",
    "analyse x.pdn --nodes 0": "--nodes",
    "analyse x.pdn --nodes 3 --depth 3": "--depth",
    "bench --depth 0": "1 to 99",
    "best --depth 100": "--depth",
    "best --depth 3 --nodes 3": "--nodes",
    "best --movetime -1": "--movetime",
    "best --multipv 0": "--multipv",
    "best --nodes x": "--nodes",
    "best --threads 0": "--threads",
    "best what": "what",
    "compare": "compare",
    "compare W:Wc3": "W:Wc3",
    "convert a b": "a",
    "convert a.pdn b.hub --numbering algebraic": "numbers",
    "convert a.pdn b.pdn --from doc": "'doc' will not do; choose from 'fen', 'hub', 'pdn'",
    f"convert {__file__} {__file__} --from fen --to fen": "same file",
    "explain": "MOVE is missing",
    "explain c3": "c3",
    "explain c3-z4": "z4",
    "frobnicate": "frobnicate",
    "judge /": "/",
    "judge /nowhere/x.pdn": "/nowhere/x.pdn",
    "match damas": "two",
    "match damas greedy --games 0": "--games",
    "match damas greedy --games 3": "3",
    "match damas greedy --param threads=2": "Hub",
    "match damas greedy --sprt 5,0": "5,0",
    "match damas greedy --sprt x": "x",
    "match damas greedy --time 0": "0",
    "match damas greedy --time 1 --nodes 4": "--nodes",
    "match damas greedy -r xadrez": "xadrez",
    "match damas greedy random": "two",
    "match damas hub:": "hub:",
    'match damas "dxp:27531:\'unclosed"': "unclosed",
    'match damas "hub:\'unclosed"': "unclosed",
    "match damas hub:false --param =2": "=2",
    "match damas hub:false --param threads": "threads",
    "match damas level:11": "level:11",
    "match damas somebody": "somebody",
    "moves --json=3": "--json takes no value, and has '3'",
    "moves --lang tlh": "pt-BR, pt-PT, es, en",
    "moves --what": "not understood: --what",
    "moves -f ''": "FEN",
    "moves -f W:Wc3:Bc3": "c3",
    "moves -f W:Wz9:Bd4": "z9",
    "moves -f nonsense": "nonsense",
    "moves -r": "-r/--rulebook needs to be told what",
    "moves -r /nowhere/mine.toml": "/nowhere/mine.toml",
    "moves -r portuguesas": "portuguesa-fpd",
    "perft": "DEPTH",
    "perft -1": "0 to 99",
    "perft 100": "0 to 99",
    "perft deep": "0 to 99",
    "play --fen W:Wz9:B": "z9",
    "play --json": "--json",
    "play --lot -": "--lot",
    "play --regulation chess": "chess",
    "play --resume /nowhere/file.jsonl": "/nowhere/file.jsonl",
    "play --resume x --fen W:Wc3:Bd4": "fen",
    "play --save /nowhere/file.jsonl": "/nowhere",
    "play --seed x": "--seed",
    "play --time soon": "soon",
    "play --white --black": "--black does not go with --white",
    "rules --diff brasileira": "--diff",
    "rules --diff brasileira chess": "chess",
    "rules --toml": "--toml",
    "rules chess": "brasileira",
    "rules oficial --diff brasileira oficial": "--diff",
    "show --numbering roman": "rows-columns",
    "show --svg /nowhere/board.svg": "/nowhere/board.svg",
    "show -f - --svg x.svg": "--svg",
    "tb": "ACTION",
    "tb build --pieces 1": "--pieces",
    "tb build --pieces 9": "--pieces",
    "tb make": "make",
    "tb stats": "--pieces",
}
"""Wrong command lines, and what the message in English names. Together they have every message of argparse."""
ENGLISH = re.compile(
    r"\b(argument|arguments|required|expected|invalid|choose|unrecognized|allowed|such|whole|takes|needs|see|name)\b"
)


@pytest.mark.parametrize("line", WRONG)
def test_bad_usage_is_one_line_in_every_language(damas, monkeypatch, line):
    arguments = shlex.split(line)
    answers = {language: damas(*arguments, "--lang", language) for language in LANGUAGES}
    assert all(answer.out == "" or "--json" in arguments for answer in answers.values())
    messages = {language: answer.refused for language, answer in answers.items()}
    assert WRONG[line] in messages["en"]
    assert len({messages["pt-BR"], messages["es"], messages["en"]}) == 3, messages
    for language in ("pt-BR", "pt-PT", "es"):
        assert not ENGLISH.search(messages[language]), messages[language]
    monkeypatch.setenv("LC_ALL", "pt_PT.UTF-8")
    assert damas(*arguments).refused == messages["pt-PT"]


def test_an_unknown_language_is_told_in_that_of_the_environment(damas, monkeypatch):
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    assert "no hay idioma «tlh»" in damas("moves", "--lang", "tlh").refused
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
    message = {language: damas(*command, "--lang", language).refused for language in LANGUAGES}
    assert all("vazio.toml" in text for text in message.values())
    assert "encontrado nada" in message["pt-BR"]
    assert not ENGLISH.search(message["pt-BR"] + message["pt-PT"] + message["es"])


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
