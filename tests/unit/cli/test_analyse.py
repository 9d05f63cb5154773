import errno
import json
import re
from pathlib import Path

import pytest

from damas.cli import analyse_games
from damas.cli.new_file import NewFile
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
    assert "Ana – Rui" in answer.out and "Misses a 3-for-2 shot: e5-f6!" in answer.text
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


# What the columns say


def rows_of(out):
    """Move and sign, score of the move, better move, its score."""
    return re.findall(r"^  \d+\.+ (\S+?)[?!]+ +(\S+) +\((\S+) (\S+?)\)", out, re.MULTILINE)


def test_the_score_beside_a_move_is_its_own_and_the_better_move_has_another(damas, file):
    message = damas("analyse", file, "--nodes", "5000", "--json").json["moves"]
    out = damas("analyse", file, "--nodes", "5000").out
    wanted = [
        (move["move"], f"{move['score'] / 100:+.2f}", move["best"], f"{move['best_score'] / 100:+.2f}")
        for move in message
        if move["kind"]
    ]
    assert rows_of(out) == wanted != []
    assert all(float(score) < float(best) for _, score, _, best in wanted)
    assert out.endswith("both\nare those of the side that played, in men.\n")


def test_beside_a_blunder_stands_who_wins_now(damas, tmp_path):
    path = tmp_path / "blunder.pdn"
    path.write_text('[GameType "26"] [SetUp "1"] [FEN "B:WKa1:BKb8"] 1... b8-e5 2. a1xf6 *')
    out = damas("analyse", str(path), "--depth", "9").out
    assert re.search(r"1\.\.\. b8-e5\?\? +loses in 1 +\(b8-\w\d ([+-]0\.\d\d|draws)\)", out), out


def test_a_game_without_mistakes_has_no_legend(damas):
    out = damas("analyse", "-", "--depth", "5", stdin='[GameType "26"] 1. c3-d4 *').out
    assert "No mistake found." in out and "in men" not in out


# Files


@pytest.mark.parametrize("option", ["--pdn", "--svg"])
def test_a_file_is_never_overwritten_and_nobody_thinks_for_nothing(
    damas, file, tmp_path, monkeypatch, option
):
    monkeypatch.setattr(analyse_games, "analyse", lambda *_: pytest.fail("it thinks"))
    there = tmp_path / "there"
    there.write_text("mine")
    assert "exists already" in damas("analyse", file, option, str(there)).refused
    assert there.read_text() == "mine"
    assert "no such file" in damas("analyse", file, option, str(tmp_path / "no" / "where")).refused
    assert "exists already" in damas("analyse", file, option, file).refused
    assert Path(file).read_text() == GAME


def test_what_is_refused_leaves_no_empty_file(damas, file, tmp_path):
    out = tmp_path / "out"
    assert damas("analyse", file, "--pdn", str(out), "--svg", str(out)).refused
    assert not out.exists()


def test_a_disk_that_is_full_costs_the_file_and_not_the_answer(damas, file, tmp_path, monkeypatch):
    class Full:
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self):
            raise OSError(errno.ENOSPC, "No space left on device")

    real = Path.open
    monkeypatch.setattr(
        Path, "open", lambda path, *how, **more: Full() if how == ("x",) else real(path, *how, **more)
    )
    path = tmp_path / "out.pdn"
    with pytest.raises(OSError, match=r"out\.pdn"), NewFile(path) as new:
        new.write("a")
    answer = damas("analyse", file, "--nodes", "5000", "--pdn", str(path))
    assert answer.code == 2 and "no space left" in answer.err
    assert "Misses a 3-for-2 shot" in answer.text


def test_several_games_are_written_one_by_one(damas, tmp_path):
    out = tmp_path / "out.pdn"
    answer = damas("analyse", "-", "--depth", "3", "--pdn", str(out), stdin=f"{GAME}\n{GAME}")
    assert answer.code == 0
    assert out.read_text(encoding="utf-8").count("[White ") == 2


# Rulebooks and games that cannot be read


def test_a_rulebook_that_does_not_count_is_remarked(damas, file):
    answer = damas("analyse", file, "--depth", "2", "-r", "internacional")
    assert answer.code == 0 and "(brasileira)" in answer.out
    assert answer.err == (
        "damas: -r internacional is for games that name no rulebook; 1 of 1 names another and is looked at by it: "
        "brasileira\n"
    )
    assert damas("analyse", file, "--depth", "2", "-r", "brasileira-cbd").err == ""


def test_a_game_without_a_rulebook_is_told_with_what_to_do(damas):
    answer = damas("analyse", "-", "--depth", "2", stdin=f'{GAME}\n[White "Eva"]\n\n1. c3-d4 *\n')
    assert answer.code == 3
    assert answer.err == (
        "damas: game 2, line 7: The game names no rulebook: it has neither a Rulebook nor a GameType tag. Say which "
        "with -r ID, or add one of them.\n"
    )
    assert damas("analyse", "-", "--depth", "2", "-r", "brasileira", stdin="1. c3-d4 *").code == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bad_game_is_told_with_its_line(damas, language):
    stdin = f'{GAME}\n[GameType "26"]\n\n1. c3-d4 f6-g5\n2. a1-h8 *\n'
    answer = damas("analyse", "-", "--depth", "2", "--lang", language, stdin=stdin)
    word = {"es": "línea", "en": "line"}.get(language, "linha")
    assert f", {word} 10: " in answer.err and "h8" in answer.err


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "1 game, and it cannot be read", "2 games, and none can be read"),
        ("es", "1 partida, que no se puede leer", "2 partidas, y ninguna se puede leer"),
        ("pt-BR", "1 partida, que não pode ser lida", "2 partidas, e nenhuma pode ser lida"),
        ("pt-PT", "1 partida, que não se consegue ler", "2 partidas, e nenhuma se consegue ler"),
    ],
)
def test_one_is_not_many(damas, tmp_path, language, one, two):
    bad = '[GameType "26"]\n\n1. a1-h8 *\n\n'
    for text, expected in ((bad, one), (2 * bad, two)):
        answer = damas("analyse", "-", "--pdn", str(tmp_path / "x.pdn"), "--lang", language, stdin=text)
        assert answer.code == 2 and answer.err.endswith(f"-: {expected}\n")
        assert not (tmp_path / "x.pdn").exists()


# Many games: folders, several at a time, and going on

OTHER = '[White "Eva"]\n[Black "Noa"]\n[GameType "26"]\n\n1. c3-d4 b6-a5 2. d4-c5 d6xb4 *\n'


def test_a_folder_is_read_and_games_keep_their_order(damas, tmp_path):
    folder = tmp_path / "games"
    (folder / "b").mkdir(parents=True)
    (folder / "a.pdn").write_text(GAME + "\n" + OTHER)
    (folder / "b" / "c.pdn").write_text(OTHER + '\n[GameType "26"]\n\n1. a1-h8 *\n')
    one = damas("analyse", str(folder), "--nodes", "500", "--pdn", str(tmp_path / "one.pdn"))
    two = damas("analyse", str(folder), "--nodes", "500", "--pdn", str(tmp_path / "two.pdn"), "--jobs", "2")
    assert one.code == two.code == 3 and "c.pdn" in one.err
    assert one.out == two.out
    assert re.findall(r"^(\d)\. (\w+)", one.out, re.MULTILINE) == [("1", "Ana"), ("2", "Eva"), ("3", "Eva")]
    assert (tmp_path / "one.pdn").read_bytes() == (tmp_path / "two.pdn").read_bytes()


def test_a_ledger_spares_what_is_done(damas, tmp_path, monkeypatch):
    game, both, ledger = (str(tmp_path / name) for name in ("one.pdn", "both.pdn", "ledger.jsonl"))
    Path(game).write_text(GAME)
    Path(both).write_text(GAME + "\n" + OTHER)
    options = ("--nodes", "500", "--json", "--ledger", ledger)
    first = damas("analyse", game, *options)
    analysed = []
    real = analyse_games.analyse
    monkeypatch.setattr(analyse_games, "analyse", lambda *args: analysed.append(args) or real(*args))
    second = damas("analyse", both, *options)
    assert second.out.startswith(first.out) and len(second.out.splitlines()) == 2
    assert len(analysed) == 1
    other = damas("analyse", both, "--nodes", "600", "--json", "--ledger", ledger)
    assert other.code == 2 and "other options" in other.err
