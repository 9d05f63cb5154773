import json
import subprocess
import sys

import pytest

import damas as library
from damas.arbiter import Table, ledger
from damas.judging.certificate import Certificate

PDN = """\
[Event "Três"]
[GameType "26"]
1. c3-d4 f6-g5 2. b2-c3 *

[GameType "26"]
1. c3-d4 f6-g5
2. b2-c9 *

[GameType "26"]
1. c3-d4 *
"""
FENS = "W:WKa1:Bd4\nB:W:Bc3\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "games.pdn").write_text(PDN, encoding="utf-8")
    (tmp_path / "positions.fen").write_text(FENS)
    return tmp_path


def test_games_to_positions_and_a_bad_game_is_told_and_skipped(damas, files):
    answer = damas("convert", str(files / "games.pdn"), str(files / "out.fen"))
    assert answer.code == 3
    assert "line 7" in answer.err
    assert "c9" in answer.err
    assert "2 games or positions converted. 1 skipped." in answer.err
    fens = (files / "out.fen").read_text().splitlines()
    start = library.Position.start("brasileira")
    assert fens == [start.play("c3-d4").play("f6-g5").play("b2-c3").fen, start.play("c3-d4").fen]


def test_there_and_back(damas, files):
    for name in ("a.hub", "b.pdn", "c.fen"):
        before = files / ("positions.fen" if name == "a.hub" else "a.hub" if name == "b.pdn" else "b.pdn")
        assert damas("convert", str(before), str(files / name)).code == 0
    assert (files / "c.fen").read_text() == FENS


def test_numberings(damas, files):
    out = damas("convert", str(files / "positions.fen"), "-", "--to", "fen", "--numbering", "numbers").out
    assert out == "W:WK29:B18\nB:W:B22\n"


def test_the_rulebook_reads_the_positions(damas, files):
    answer = damas(
        "convert", "-", "-", "-r", "portuguesa", "--from", "fen", "--to", "pdn", stdin="W:WK1:B14\n"
    )
    assert answer.code == 0
    assert '[Rulebook "portuguesa"]' in answer.out
    assert "28,W,8,8,N1,1" in answer.out
    assert answer.err == "", "nothing but the games in a pipe"


def test_json_reports(damas, files):
    answer = damas("convert", str(files / "games.pdn"), str(files / "out.fen"), "--json")
    assert answer.json == {"converted": 2, "skipped": 1, "rulebooks": ["brasileira"]}
    report = json.loads(answer.err)
    assert (report["line"], report["game"], report["error"]["code"]) == (7, 2, "NOTATION")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["positions.fen", "positions.fen"], "same file"),
        (["positions.fen", "x.txt"], "--to fen|hub|pdn"),
        (["-", "x.fen"], "--from fen|hub|pdn"),
        (["missing.fen", "x.pdn"], "missing.fen"),
        (["positions.fen", "nowhere/x.pdn"], "nowhere"),
        (["positions.fen", "x.hub", "--numbering", "algebraic"], "numbers"),
        (["positions.fen", "x.fen", "--numbering", "rows-columns"], "algebraic, numbers"),
        (["positions.fen", "x.pdn", "-r", "chess"], "chess"),
        (["positions.fen"], "OUT"),
    ],
)
def test_bad_arguments(damas, files, monkeypatch, arguments, message):
    monkeypatch.chdir(files)
    assert message in damas("convert", *arguments).refused
    assert (files / "positions.fen").read_text() == FENS, "what was there is still there"


def test_a_long_file_streams(tmp_path):
    """A pipe of many games is converted as it comes, before its end is known."""
    with subprocess.Popen(
        [sys.executable, "-m", "damas", "convert", "-", "-", "--from", "pdn", "--to", "fen"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3000):
            process.stdin.write(b'[GameType "26"]\n1. c3-d4 *\n\n')
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"B:W")
        process.stdin.close()
        assert len(process.stdout.read().splitlines()) == 2999
        assert process.wait(timeout=60) == 0


def test_a_file_without_games_is_told_and_nothing_is_written_over(damas, tmp_path):
    empty, kept = tmp_path / "empty.pdn", tmp_path / "kept.fen"
    empty.write_text("\n")
    kept.write_text("W:Wc3:Bd4\n")
    assert "there are no games or positions in it" in damas("convert", str(empty), str(kept)).refused
    assert kept.read_text() == "W:Wc3:Bd4\n"
    error = damas("convert", str(empty), "-", "--to", "fen", "--json", "--lang", "pt-BR").json["error"]
    assert error["message"] == f"{empty}: não há partida nem posição nenhuma"


@pytest.mark.skipif(sys.platform == "win32", reason="files are not limited there")
def test_a_full_disk_leaves_the_earlier_file(damas, tmp_path):
    """Files are limited to a kilobyte, as a full disk does; a whole new file takes the old one's place and its mode."""
    few, many, kept = tmp_path / "few.pdn", tmp_path / "many.pdn", tmp_path / "kept.fen"
    game = '[GameType "26"]\n1. c3-d4 *\n\n'
    few.write_text(game)
    many.write_text(game * 40)
    kept.write_text("W:Wc3:Bd4\n")
    kept.chmod(0o640)
    command = [sys.executable, "-m", "damas", "convert", str(many), str(kept), "--force", "--lang", "pt-BR"]
    limited = ["bash", "-c", 'ulimit -f 1; exec "$@"', "-", *command]
    answer = subprocess.run(limited, check=False, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr) == (2, f"damas: {kept}: File too large\n")
    assert kept.read_text() == "W:Wc3:Bd4\n"
    assert {path.name for path in tmp_path.iterdir()} == {few.name, many.name, kept.name}
    assert (
        damas("convert", str(few), str(kept)).refused
        == f"damas: {kept}: it exists already; --force replaces it\n"
    )
    assert kept.read_text() == "W:Wc3:Bd4\n"
    assert damas("convert", str(few), str(kept), "--force").code == 0
    assert kept.read_text().startswith("B:W") and kept.read_text().count("\n") == 1
    assert kept.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_where_nothing_can_be_read_nothing_is_written(damas, tmp_path, force):
    (tmp_path / "bad.pdn").write_text('[GameType "26"]\n1. c3-d9 *\n')
    out = tmp_path / "out.fen"
    if force:
        out.write_text("precious")
    answer = damas("convert", str(tmp_path / "bad.pdn"), str(out), *force)
    assert answer.code == 3
    assert "line 2" in answer.err and "0 games or positions converted. 1 skipped." in answer.err
    assert (out.read_text() if force else out.exists()) == ("precious" if force else False)


def test_positions_whose_format_does_not_name_their_rulebook_are_said_to_be_of_it(damas, tmp_path):
    game = '[Rulebook "{}"]\n[FEN "W:WK1,10:B14,23"]\n*\n\n'
    (tmp_path / "one.pdn").write_text(game.format("portuguesa"))
    (tmp_path / "two.pdn").write_text(game.format("portuguesa") + game.format("espanhola"))
    to = ("-", "--to", "fen")
    assert "of: portuguesa." in damas("convert", str(tmp_path / "one.pdn"), *to).err
    assert "of: espanhola, portuguesa." in damas("convert", str(tmp_path / "two.pdn"), *to).err
    assert damas("convert", str(tmp_path / "one.pdn"), *to, "-r", "portuguesa").err == ""
    answer = damas("convert", str(tmp_path / "two.pdn"), str(tmp_path / "two.fen"), "--json")
    assert answer.json["rulebooks"] == ["espanhola", "portuguesa"]


def test_a_ledger_and_a_certificate_become_a_game(damas, tmp_path):
    table = Table.start("brasileira", "casual", ("Ana", "Rui"), fen="W:We5:Bd4").play("e5xc3", at=900)
    for name, data in {"a.jsonl": ledger.dump(table), "a.json": Certificate(table).json}.items():
        (tmp_path / name).write_bytes(data)
        out = damas("convert", str(tmp_path / name), "-", "--to", "pdn").out
        assert '[White "Ana"]' in out and "e5xc3" in out
    piped = damas("convert", "-", "-", "--from", "record", "--to", "pdn", stdin=ledger.dump(table).decode())
    assert piped.out == out
