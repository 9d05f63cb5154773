import json

import pytest

from damas.language import LANGUAGES

GAME = '[White "Ana"]\n[Black "Rui"]\n[GameType "26"]\n\n1. e3-f4 b6-a5 2. f2-e3 f6-g5 3. f4-e5 d6xf4 4. g3xe5 a7-b6 5. h2-g3 *\n'


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.pdn"
    path.write_text(GAME)
    return str(path)


def test_mistakes_are_told(damas, file, tmp_path):
    pdn, svg = tmp_path / "out.pdn", tmp_path / "out.svg"
    answer = damas("analyse", file, "--nodes", "20000", "--pdn", str(pdn), "--svg", str(svg))
    assert answer.code == 0
    assert "Ana – Rui" in answer.out and "Misses a shot: e5-f6!" in " ".join(answer.out.split())
    assert "??" in pdn.read_text(encoding="utf-8")
    assert svg.read_text(encoding="utf-8").startswith("<svg")


def test_as_json(damas, file):
    answer = damas("analyse", file, "--nodes", "5000", "--json").json
    assert [move["ply"] for move in answer["moves"]] == list(range(1, 10))
    assert answer["moves"][8]["best"] == "e5-f6"
    assert all(0 <= move["lost"] <= 1 for move in answer["moves"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_every_language(damas, file, language):
    words = {"pt-BR": "golpe", "pt-PT": "golpe", "es": "golpe", "en": "shot"}
    assert words[language] in damas("analyse", file, "--nodes", "20000", "--lang", language).out


def test_from_standard_input_and_with_a_bad_game(damas):
    answer = damas("analyse", "-", "--depth", "3", "--json", stdin=GAME + '\n[GameType "26"]\n\n1. a1-h8 *\n')
    assert answer.code == 3
    good, bad = (json.loads(line) for line in answer.out.splitlines())
    assert good["white"] == "Ana" and bad["error"]["message"]


def test_bad_input(damas, tmp_path):
    empty = tmp_path / "empty.pdn"
    empty.write_text("")
    for arguments in (
        (str(empty),),
        ("/nowhere.pdn",),
        (str(empty), "--nodes", "0"),
        (str(empty), "--nodes", "3", "--depth", "3"),
        (),
    ):
        assert damas("analyse", *arguments).code == 2
