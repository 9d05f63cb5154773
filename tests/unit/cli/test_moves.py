import json
import os
import select
import subprocess
import sys

import pytest

import damas as library
from damas.cli.answers import MoveTexts
from damas.views import move_view, plain

START = {
    "rulebook": "brasileira",
    "turn": "white",
    "moves": {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4", "g3-h4"},
}


def test_the_start_is_the_default(damas):
    answer = damas("moves", "--json").json
    assert list(answer) == ["rulebook", "fen", "turn", "moves"]
    assert {move["text"] for move in answer["moves"]} == START["moves"]
    assert (answer["rulebook"], answer["turn"]) == ("brasileira", "white")
    assert answer["fen"] == library.Position.start("brasileira").fen


def test_a_move_is_the_object_of_the_contract(damas):
    answer = damas("moves", "-r", "faraes", "-f", "W:Wc3:Bb4,d4,f6", "--json").json
    assert answer["moves"] == [
        {
            "text": "c3xe5xg7",
            "from": "c3",
            "to": "g7",
            "route": ["c3", "e5", "g7"],
            "captured": ["d4", "f6"],
            "promotes": False,
        }
    ]


@pytest.mark.parametrize(
    ("rulebook", "fen", "move"),
    [
        ("brasileira", "W:Wf6:Be7", ("f6xd8", "f6", "d8", ["f6", "d8"], ["e7"], True)),
        ("concurso", "W:Wc3:Bd4", ("2,2 4,4", "c3", "e5", ["c3", "e5"], ["d4"], False)),
        ("portuguese", "W:W10:B14", ("10x19", "10", "19", ["10", "19"], ["14"], False)),
        ("italiana", "W:W22:B18,3", ("22x13", "22", "13", ["22", "13"], ["18"], False)),
    ],
)
def test_squares_are_those_of_the_rulebook(damas, rulebook, fen, move):
    names = ("text", "from", "to", "route", "captured", "promotes")
    answer = damas("moves", "-r", rulebook, "-f", fen, "--json").json
    assert dict(zip(names, move, strict=True)) in answer["moves"]


def test_routes_are_listed_apart_on_request(damas):
    fen = "W:Wc3:Bd4,f4,f2,d2"
    assert len(damas("moves", "-f", fen, "--json").json["moves"]) == 1
    assert len(damas("moves", "-f", fen, "--json", "--routes").json["moves"]) == 2


def test_for_people(damas):
    answer = damas("moves", "-r", "portuguesa", "-f", "W:WK1:B14", "--lang", "pt-PT")
    assert answer.code == 0
    assert "jogam as brancas" in answer.out
    assert "4 lances legais" in answer.out
    assert "1x32  toma 14" in answer.out


def test_a_side_without_moves_has_lost(damas):
    assert "White has lost" in damas("moves", "-f", "W:W:Bd4").out


def test_written_by_hand_equals_written_by_the_library(damas):
    for name in ("brasileira", "concurso", "internacional"):
        position = library.Position.start(name)
        texts = MoveTexts(position.rulebook)
        for _ in range(60):
            moves = list(position.routes())
            expected = plain([move_view(move, position.rulebook.square_names) for move in moves])
            assert json.loads(texts(moves)) == expected
            if not moves:
                break
            position = position.play(moves[len(moves) // 2])


# Standard input


@pytest.mark.parametrize(
    "command", ["moves", "best --nodes 200", "perft 3", "show", "compare", "tb probe", "explain c3xa5"]
)
def test_every_command_about_a_position_answers_line_by_line(damas, tmp_path, monkeypatch, command):
    monkeypatch.setenv("DAMAS_TABLEBASES", str(tmp_path))
    arguments = command.split()
    position, other = "W:Wc3:Bb4", "W:WKa1:Bd4"
    answer = damas(*arguments, "-f", "-", stdin=f"{position}\nbad\n{other}\n")
    assert answer.code == 2, "a script sees that some were bad"
    first, bad, last = answer.lines
    assert bad["error"]["code"] == "NOTATION"
    measured = ("seconds", "leaves_per_second", "nodes_per_second")
    for line, fen in ((first, position), (last, other)):
        alone = damas(*arguments, "-f", fen, "--json").json
        assert {key: line[key] for key in line if key not in measured} == {
            key: alone[key] for key in alone if key not in measured
        }


def test_one_line_out_for_each_line_in(damas):
    answer = damas("moves", "-f", "-", stdin="W:WKa1:Bd4\nnonsense\n\nW:Wz9:B\nB:W:Bc3")
    assert answer.code == 2, "a script sees that some were bad"
    assert answer.err == ""
    first, nonsense, empty, unknown, last = answer.lines
    assert [move["text"] for move in first["moves"]] == ["a1xe5", "a1xf6", "a1xg7", "a1xh8"]
    assert nonsense["error"]["code"] == empty["error"]["code"] == "NOTATION"
    assert unknown["error"]["problems"][0]["token"] == "z9"
    assert last["turn"] == "black"
    assert first == damas("moves", "-f", "W:WKa1:Bd4", "--json").json


@pytest.mark.parametrize("line", [b"\xff\xfe", b"W:W\x00:B", b"W:W" + b"1" * 100_000 + b":B", b"\r"])
def test_hostile_lines_are_answered_in_their_place(damas, line):
    answer = damas("moves", "-f", "-", stdin=b"W:WKa1:Bd4\n" + line + b"\nW:WKa1:Bd4\n")
    first, bad, last = answer.lines
    assert first == last
    assert set(bad) == {"error"}
    assert bad["error"]["message"]


def test_windows_line_ends_are_no_part_of_the_position(damas):
    answer = damas("moves", "-f", "-", stdin=b"W:WKa1:Bd4\r\nW:WKa1:Bd4\r\n")
    assert answer.code == 0
    first, second = answer.lines
    assert first == second
    assert len(first["moves"]) == 4


def test_lines_longer_than_a_chunk_and_many_of_them(damas):
    lines = ["W:WKa1:Bd4"] * 20_000
    lines[777] = "x" * 200_000
    answers = damas("moves", "-f", "-", stdin="\n".join(lines) + "\n").out.splitlines()
    assert len(answers) == len(lines)
    assert [number for number, line in enumerate(answers) if line != answers[0]] == [777]


@pytest.mark.skipif(sys.platform == "win32", reason="select waits for sockets only there")
def test_a_program_may_ask_and_wait():
    command = [sys.executable, "-m", "damas", "moves", "-f", "-"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdin
        assert process.stdout
        for fen in ("W:WKa1:Bd4", "bad", "W:Wc3:Bd4"):
            process.stdin.write(fen.encode() + b"\n")
            process.stdin.flush()
            arrived, _, _ = select.select([process.stdout], [], [], 30)
            if not arrived:
                process.kill()
            assert arrived, "the answer is held back while the program waits"
            assert ("error" in json.loads(process.stdout.readline())) == (fen == "bad")
        process.stdin.close()
        assert process.wait(timeout=60) == 2, "one line was bad"
