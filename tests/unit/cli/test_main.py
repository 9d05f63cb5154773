import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import damas as library
from damas.cli import COMMANDS

COMMAND = [sys.executable, "-m", "damas"]
SCRIPT = Path(sys.executable).parent / "damas"


def test_alone_it_greets_with_examples_that_work(damas):
    answer = damas()
    assert answer.code == 0
    examples = [
        line.split("  ")[0] for line in map(str.strip, answer.out.splitlines()) if line.startswith("damas ")
    ]
    assert len(examples) >= 6
    for example in examples:
        expected = 1 if " explain " in example else 0  # it explains a move that is not legal
        assert damas(*shlex.split(example)[1:], stdin="").code == expected, example


def test_version(damas):
    assert damas("--version").out == f"damas {library.__version__}\n"


def test_help_lists_the_commands(damas):
    answer = damas("--help")
    assert answer.code == 0
    for name in COMMANDS:
        assert COMMANDS[name] in answer.text


@pytest.mark.parametrize(
    "name", ["rules", "moves", "explain", "compare", "show", "perft", "convert", "bench", "judge"]
)
def test_every_command_has_help_and_takes_json_and_lang(damas, name):
    answer = damas(name, "--help")
    assert answer.code == 0
    assert "--json" in answer.out
    assert "--lang" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize("name", ["play", "hub", "dxp"])
def test_json_is_not_offered_where_it_is_refused(damas, name):
    message = damas(name, "--help").out
    assert "--lang" in message and "--json" not in message
    for arguments in ((name, "--json"), ("--json", name)):
        answer = damas(*arguments, stdin="")
        assert f"damas {name}" in answer.refused and answer.json["error"]["code"] == "INPUT"


def test_bad_input_with_json_also_answers_an_error_object(damas):
    answer = damas("moves", "-f", "W:Wz9:Bd4", "--json", "--lang", "pt-BR")
    assert "z9" in answer.refused
    error = answer.json["error"]
    assert error["code"] == "SETUP"
    assert error["lang"] == "pt-BR"
    assert [problem["code"] for problem in error["problems"]] == ["SQUARE_UNKNOWN"]


def test_a_position_with_many_mistakes_still_gives_a_short_line(damas):
    fen = "W:W" + ",".join(f"z{n}" for n in range(60)) + ":Bd4"
    assert len(damas("moves", "-f", fen).refused) < 1000
    assert len(damas("moves", "-f", fen, "--json").json["error"]["problems"]) == 60


@pytest.mark.parametrize(
    ("variable", "value", "word"),
    [
        ("LANG", "pt_BR.UTF-8", "lances legais"),
        ("LC_MESSAGES", "es_CO", "jugadas legales"),
        ("LC_ALL", "pt_PT.UTF-8", "jogam as brancas"),
        ("LANG", "C", "legal moves"),
        ("LANG", "de_DE.UTF-8", "legal moves"),
    ],
)
def test_the_environment_chooses_the_language(damas, monkeypatch, variable, value, word):
    monkeypatch.setenv(variable, value)
    assert word in damas("moves").out


def test_lc_all_beats_lang_and_the_option_beats_both(damas, monkeypatch):
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert "jugadas" in damas("moves").out
    assert "legal moves" in damas("moves", "--lang", "en").out
    assert "legal moves" in damas("--lang", "en", "moves").out


def test_errors_speak_the_language(damas):
    assert "regulamento" in damas("moves", "-r", "x", "--lang", "pt-PT").refused


# As real processes


def run(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([*COMMAND, *arguments], check=False, capture_output=True, timeout=60, **options)


def test_the_installed_command_and_the_module_are_the_same():
    assert SCRIPT.exists(), "the package is installed with its command"
    script = subprocess.run([SCRIPT, "moves", "--json"], capture_output=True, timeout=60, check=True)
    assert script.stdout == run("moves", "--json").stdout
    assert script.stdout.startswith(b'{"rulebook": "brasileira"')


def test_bytes_that_are_no_text_are_answered():
    answer = run("moves", "-f", b"W:W\xff\xfe:Bd4")
    assert answer.returncode == 2
    assert answer.stderr.startswith(b"damas: ")
    assert b"Traceback" not in answer.stderr


def test_an_output_without_accents_still_gets_valid_answers():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LANG": "pt_BR"}
    answer = run("rules", "faraes", "--json", env=environment)
    assert answer.returncode == 0
    import json

    assert "três" in json.dumps(json.loads(answer.stdout), ensure_ascii=False)
    assert run("rules", "faraes", env=environment).returncode == 0
    board = run("show", env=environment).stdout
    assert b"\\u" not in board
    assert b"8  " in board


def test_a_closed_pipe_is_quiet():
    process = subprocess.Popen(
        [*COMMAND, "rules", "portuguesa"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) in (0, 141)
    process.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        ("moves", ">&-", 0),
        ("best --depth 2", ">&- 2>&-", 0),
        ("moves -f bad", ">&- 2>&-", 2),
        ("moves -f -", "<&-", 0),
        ("analyse -", "<&-", 2),
    ],
)
def test_streams_that_are_closed_are_nobody_to_talk_to(arguments, closed, code):
    command = f"{shlex.join(COMMAND)} {arguments} {closed}"
    answer = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert answer.returncode == code
    assert "Traceback" not in answer.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
@pytest.mark.parametrize("arguments", [[], ["moves"], ["rules", "portuguesa"], ["moves", "--json"]])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told_in_one_line(arguments, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        answer = subprocess.run(
            [*COMMAND, *arguments],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
            timeout=60,
        )
    assert answer.returncode == 2
    assert answer.stderr.startswith(b"damas: standard output: ")
    assert answer.stderr.count(b"\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
@pytest.mark.parametrize("arguments", ["show --svg /dev/full", "convert - /dev/full --from fen --to hub"])
def test_a_file_that_cannot_be_written_is_named(damas, arguments):
    answer = damas(*arguments.split(), stdin="W:Wc3:Bb4\n")
    assert answer.refused == "damas: /dev/full: there is no space left\n"


def cpu_seconds(process: int) -> float:
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing tells when it counts")
def test_control_c_ends_a_long_count_with_130():
    process = subprocess.Popen([*COMMAND, "perft", "40"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while cpu_seconds(process.pid) < 1:  # by then it counts: starting takes less
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")
