"""`damas judge`: the exit code, the one line, and what is named."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from damas.arbiter import Moved, Resigned, Table, ledger
from damas.board import Color
from damas.judging.certificate import Certificate
from damas.notation import PdnGame, Result, write_game

from .conftest import RINGS, ROUND, THREE_KINGS, Run


def moves(count: int) -> str:
    return " ".join(ROUND[ply % 4] for ply in range(count))


def game(count: int, result: str, fen: str = THREE_KINGS, **tags: str) -> str:
    header = {"White": "Ana", "Black": "Rui", "Rulebook": "faraes", "Result": result, "FEN": fen, **tags}
    lines = [f'[{name} "{value}"]' for name, value in header.items() if value]
    return "\n".join(lines) + f"\n\n{moves(count)} {result}\n\n"


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str | bytes, name: str = "jogo.pdn") -> str:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


@pytest.mark.parametrize(
    ("count", "result", "code", "parts"),
    [
        (25, "1/2-1/2", 0, ("is what the rules give", "after White's move 13", "faraes, Art. 12")),
        (25, "1-0", 3, ("1-0 is recorded", "White's move 13", "faraes, Art. 12")),
        (26, "1/2-1/2", 3, ("over after White's move 13, and 1 more is recorded", "Art. 12")),
        (24, "*", 0, ("have not ended this game",)),
        (24, "1-0", 0, ("does not say why it ended 1-0",)),
    ],
)
def test_one_game_is_told_in_full(damas: Run, file, count: int, result: str, code: int, parts) -> None:
    answer = damas("judge", file(game(count, result)))
    assert (answer.code, answer.err) == (code, "")
    text = answer.text
    assert "Ana – Rui" in text
    for words in parts:
        assert words in text


def test_the_rulebook_may_be_given(damas: Run, file) -> None:
    """PRODUCT A8."""
    path = file(game(25, "1/2-1/2", Rulebook=""))
    assert damas("judge", path, "--rulebook", "faraes").code == 0
    other = damas("judge", path, "--rulebook", "oficial", "--json")
    assert (other.code, other.json["verdict"], other.json["ply"]) == (3, "PLAYED_ON", 8)
    assert damas("judge", path).refused


def test_json_is_a_line_a_game(damas: Run, file) -> None:
    answer = damas("judge", "--json", file(game(25, "1-0") + game(25, "1/2-1/2")), "--lang", "pt-BR")
    assert answer.code == 3
    wrong, right = answer.lines
    assert (wrong["game"], wrong["verdict"], wrong["holds"], wrong["ply"]) == (1, "OTHER_RESULT", False, 25)
    assert wrong["article"] == "Art. 12"
    assert wrong["rules"]["reason"] == "LIMIT"
    assert wrong["message"].startswith("Está anotado 1-0")
    assert (right["game"], right["holds"]) == (2, True)
    assert (
        damas("judge", "--json", "--explain", file(game(25, "1/2-1/2")))
        .json["story"][1]
        .startswith("1. g1-h2")
    )


def test_of_many_games_only_the_wrong_ones_are_told_and_then_the_sum(damas: Run, file) -> None:
    many = game(25, "1/2-1/2") * 3 + game(25, "1-0") + game(3, "1-0") + game(3, "*")
    many += game(3, "0-1", Termination="time forfeit") + '[White "x"\n\n1. c3-d4 *\n'
    answer = damas("judge", file(many))
    assert answer.code == 3
    text = answer.text
    assert "game 4, White's move 13, Art. 12:" in text
    assert "game 8" in text
    assert "game 1," not in text
    assert text.endswith(
        "8 games: 3 ended as the rules give; 1 for another reason on record; 1 not decided by the rules, no reason on "
        "record; 1 without a result; 1 against the rules; 1 that could not be read."
    )
    assert damas("judge", file(game(25, "1/2-1/2") * 3)).code == 0


def test_an_illegal_move_is_refused_with_its_article(damas: Run, file) -> None:
    text = write_game(PdnGame.of("faraes", ["c3-d4", "f6-g5"], result=Result("1-0"))).replace(
        "f6-g5", "f6-f2"
    )
    answer = damas("judge", file(text))
    assert answer.code == 3
    assert "Black's move 1 is not legal" in answer.out
    assert "Art. 3" in answer.out


def test_the_letter_leaves_platform_rules_out(damas: Run, file) -> None:
    path = file(game(40, "1/2-1/2", fen="W:WKa1,Kg1:BKb8"))
    assert damas("judge", path).code == 0
    letter = damas("judge", path, "--letter")
    assert letter.code == 3
    assert "By the text alone" in letter.out
    assert damas("judge", file(game(60, "*", fen="W:WKa1,Kg1:BKb8")), "--letter").code == 0


def test_a_regulation_may_be_given(damas: Run, file) -> None:
    text = '[Rulebook "inglesa"]\n[FEN "W:W21,K32:BK1,12"]\n\n' + "32-27 1-5 27-32 5-1 " * 3 + "*\n"
    assert damas("judge", file(text)).code == 3
    assert damas("judge", file(text), "--regulation", "club").code == 0
    assert "nosuch" in damas("judge", file(text), "--regulation", "nosuch").refused


def test_the_story_is_told_move_by_move(damas: Run, file) -> None:
    answer = damas("judge", "--explain", file(game(25, "1/2-1/2")), "--lang", "pt-PT")
    assert (
        "conta-se: três damas contra uma: 0 de 13 lances do lado mais forte, desde o lance 1 (faraes, Art. 12)"
        in answer.text
    )
    assert "13. g1-h2                13/13 Art. 12" in answer.out
    many = damas("judge", "--explain", file(game(2, "*") * 2))
    assert many.out.count("1... b8-a7") == 2


def test_a_record_that_begins_in_mid_game_keeps_its_numbers_and_tells_what_came_before(
    damas: Run, file
) -> None:
    text = game(25, "1-0", FirstMoveNumber="12")
    path = file(text.replace("\n\n", "\n\n{Before: the clock was set. [%csl] }\n{[%event none]}", 1))
    answer = damas("judge", "--explain", path)
    lines = answer.out.splitlines()
    assert lines[1] == "  * Before: the clock was set. [%csl]"
    assert lines[4].startswith("12. g1-h2 ")
    assert "since move 12" in answer.text and "since move 1 " not in answer.text
    assert "White's move 24" in answer.text and "[%event" not in answer.out
    assert max(map(len, lines[1:])) <= 80


def test_a_ledger_is_played_again(damas: Run, file) -> None:
    table = Table.start("brasileira", "casual", ("Ana", "Rui")).play("c3-d4", 1000)
    assert damas("judge", file(ledger.dump(table), "jogo.jsonl")).code == 0
    data = ledger.dump(table.apply(Resigned(2000, Color.BLACK)))
    right = damas("judge", file(data, "jogo.jsonl"), "--explain")
    assert right.code == 0
    assert "Black resigns" in right.out
    for at in range(0, len(data), 97):
        flipped = bytearray(data)
        flipped[at] ^= 1
        wrong = damas("judge", "--json", file(bytes(flipped), "jogo.jsonl"))
        assert wrong.code == 3, at
        assert wrong.json["line"] == data[:at].count(b"\n") + 1
    assert damas("judge", "-", stdin=data).code == 0  # known by what it looks like


def test_a_certificate_is_checked(damas: Run, file) -> None:
    table = Table.start("brasileira", "casual", ("Ana", "Rui"), fen="W:We5:Bd4").play("e5xc3", 900)
    whole = Certificate(table).json
    assert damas("judge", file(whole, "certidao.json")).code == 0
    assert damas("judge", "-", stdin=whole).code == 0
    wrong = damas("judge", file(whole.replace(b'"Ana"', b'"Eva"', 1), "certidao.json"), "--lang", "es")
    assert wrong.code == 3
    assert "el certificado falla en" in wrong.out
    answer = damas("judge", "--json", file(whole.replace(b'"result":"1-0"', b'"result":"0-1"'), "c.json"))
    assert answer.code == 3
    assert {difference["where"] for difference in answer.json["differences"]} == {"outcome.result"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "a.pdn"),
        ("   \n\n", "a.pdn"),
        ("", "a.jsonl"),
        ("hello\n", "a.pdn"),
        ('[Rulebook "nosuch"]\n1. c3-d4 *', "a.pdn"),
        (b"\x00\xff\xfe" * 100, "a.pdn"),
    ],
)
def test_what_cannot_be_read_is_one_line(damas: Run, file, text: str, name: str) -> None:
    assert damas("judge", file(text, name), "-r", "faraes").refused


def test_a_file_that_is_not_there(damas: Run) -> None:
    assert "there is no such file" in damas("judge", "/no/such/file.pdn").refused
    assert damas("judge").refused


def test_memory_stays_the_same_however_many_games(tmp_path: Path) -> None:
    one = write_game(PdnGame.of("brasileira", ["c3-d4", "f6-g5", "g3-h4"])) + "\n"
    program = (
        "import sys, resource; from damas.cli import main; code = main(['judge', sys.argv[1]]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    used = []
    for count in (200, 6000):
        path = tmp_path / f"{count}.pdn"
        path.write_text(one * count, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
        )
        used.append(int(done.stdout.split()[-1]))
    assert used[1] < used[0] * 1.1


def test_every_language_has_a_sum(damas: Run, file) -> None:
    path = file(game(25, "1-0") * 2)
    texts = {
        language: damas("judge", path, "--lang", language).out for language in ("pt-BR", "pt-PT", "es", "en")
    }
    assert "2 partidas: 2 contrárias às regras." in texts["pt-BR"]
    assert "2 partidas: 2 contrarias a las reglas." in texts["es"]
    assert len(set(texts.values())) >= 3
    assert json.loads(damas("judge", "--json", path).out.splitlines()[0])["lang"] == "en"


@pytest.mark.parametrize("text", ["*", "1. 46x23 *", "46x23x14 *"])
def test_a_hostile_position_spoils_its_own_game_only(damas: Run, file, text: str) -> None:
    hostile = f'[Rulebook "frisia"]\n[FEN "{RINGS}"]\n\n{text}\n\n'
    answer = damas("judge", file(hostile + game(25, "1/2-1/2")), "--json")
    assert [line["verdict"] for line in answer.lines] == ["UNREADABLE", "AS_RULED"]
    assert [line["line"] for line in answer.lines] == [2 if text == "*" else 4, None]
    assert answer.code == 3
    assert damas("judge", file(hostile + game(25, "1/2-1/2")), "--explain").code == 3
    assert damas("convert", file(hostile), "-", "--to", "pdn").code == 3


def test_convert_refuses_what_judge_refuses(damas: Run, file) -> None:
    moves = "36-22 5-10 22-36 10-5 36-22 15-20 22-36"
    text = f'[Rulebook "frisia"]\n[FEN "W:W47,K36:BK5,15"]\n\n{moves} *\n'
    assert "White's move 4 is not legal (line 4)" in damas("judge", file(text)).text
    answer = damas("convert", file(text), "-", "--to", "fen", "--json")
    assert answer.code == 3
    assert json.loads(answer.err.splitlines()[0])["error"]["code"] == "KING_RESTS"


def test_a_tag_that_nobody_closed_spoils_one_game(damas: Run, file) -> None:
    text = game(25, "1/2-1/2") + game(25, "1/2-1/2").replace('"Ana"]', '"Ana') + game(25, "1/2-1/2")
    answer = damas("judge", file(text), "--json")
    assert [line["verdict"] for line in answer.lines] == ["AS_RULED", "UNREADABLE", "AS_RULED"]


def test_a_broken_ledger_is_told_with_one_full_stop(damas: Run, file) -> None:
    table = Table.start("brasileira", "casual").play("c3-d4", at=1)
    slip = Moved(1, Color.WHITE, "zz")  # its own sentence ends with a stop
    broken = ledger.dump(replace(table, events=(*table.events[:-1], slip)))
    for language in ("en", "pt-BR", "es"):
        answer = damas("judge", file(broken, "jogo.jsonl"), "--lang", language)
        assert answer.code == 3
        assert ".." not in answer.out.replace("...", "")


@pytest.mark.parametrize("language", ["en", "pt-PT", "es"])
def test_a_certificate_for_people_is_recognised(damas: Run, file, language: str) -> None:
    table = Table.start("brasileira", "casual", fen="W:We5:Bd4").play("e5xc3", at=1)
    path = file(Certificate(table).text(language), "certidao.txt")
    assert ".json" in damas("judge", path, "--lang", language).refused
    assert "PDN" not in damas("judge", path).refused
