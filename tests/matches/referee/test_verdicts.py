"""S4: the offender loses, at once, by its own verdict, and only the offender; an error of ours voids the game."""

import base64
import json
import os
import pickle
import subprocess
import sys
import time

import pytest

from damas.arbiter import TimeControl, ledger
from damas.arena.repro import repro
from damas.cli import main
from damas.engine.limits import Limits
from damas.game import Game, Position
from damas.matches import BoxLimits, Entrant, Start, Terms, play
from damas.matches import referee as referee_module
from damas.matches.programs.python_class import HOST, ClassQuestion
from damas.matches.receipt import nearest
from matches.bots import FRAME, play_game, write
from matches.processes import is_running, wait_for


def game(tmp_path, habit, color="white", **options):
    """A game of a bot with a habit against a random player."""
    bot = write(tmp_path, habit)
    return play_game(*((bot, "random") if color == "white" else ("random", bot)), **options)


@pytest.mark.parametrize("color", ["white", "black"])
@pytest.mark.parametrize(
    ("habit", "verdict", "detail"),
    [
        ("liar", "INVALID_MOVE", "9,9 8,8"),
        ("printer", "INVALID_MOVE", "9,9 8,8"),
        ("crasher", "CRASH", "exit code 1"),
        ("quitter", "CRASH", "exit code 0"),
        ("segfault", "CRASH", ""),
        ("flooder", "TOO_MUCH_OUTPUT", "line too long"),
        ("early", "DOUBLE_ANSWER", ""),
    ],
)
def test_the_offender_loses(tmp_path, tier, habit, verdict, detail, color):
    result = game(tmp_path, habit, tier=tier, color=color)
    assert (result.reason, result.offender) == (verdict, color)
    assert result.points == (0.0 if color == "white" else 1.0)
    assert result.tiers[color] == tier
    receipt = result.receipt
    assert receipt and receipt["verdict"] == verdict and detail in receipt["detail"]
    assert receipt["fen"] and receipt["article"] and receipt["tier"] == tier
    table = ledger.load("\n".join(result.events) + "\n")
    assert table.outcome and table.outcome.result == ("0-1" if color == "white" else "1-0")
    assert f'[{color.capitalize()}Containment "{tier}"]' in result.pdn


def test_invalid_move_has_bytes_article_and_the_nearest_move(tmp_path):
    receipt = game(tmp_path, "liar").receipt
    assert json.loads(base64.b64decode(receipt["raw"]))["move"] == "9,9 8,8"
    assert receipt["nearest"] in receipt["legal"]
    assert receipt["article"] == "concurso, 4. Escenarios de victoria"
    assert receipt["fen"] == Position.start("concurso").fen


def test_crash_has_the_tail_of_stderr(tmp_path):
    receipt = game(tmp_path, "crasher").receipt
    assert receipt["stderr"].rstrip().endswith("RuntimeError: no idea")


def test_time_out_comes_after_the_limit_and_soon(tmp_path, tier, strain):
    watched = []
    entrant, other = Entrant.parse(write(tmp_path, "sleeper")), Entrant.parse("random")
    terms = Terms("concurso", TimeControl.parse("1s/move"), tier=tier)
    result = play(entrant, other, Start(), terms, watch=lambda line: watched.append((time.monotonic(), line)))
    assert (result.reason, result.points) == ("TIMEOUT", 0.0)
    assert 1.0 <= result.receipt["seconds"] <= 1.0 + 0.2 * strain()
    flag = json.loads(result.events[-2])
    assert flag["kind"] == "flag" and 1000 < flag["at"] <= 1000 + 200 * strain()
    assert result.article == "concurso, 4. Escenarios de victoria"
    assert [line for _, line in watched] == list(result.events)


def test_dripping_output_buys_no_time(tmp_path, strain):
    result = game(tmp_path, "dripper", control="1s/move")
    assert result.reason == "TIMEOUT"
    assert 1 <= result.receipt["seconds"] <= 1 + 0.2 * strain()
    assert set(base64.b64decode(result.receipt["raw"])) == {ord("x")}


def test_forker(tmp_path, tier):
    result = game(tmp_path, "forker", tier=tier, limits=BoxLimits(processes=6, threads=24))
    assert (result.reason, result.offender) == ("PROCESSES", "white")


def test_an_honest_program_that_thinks_all_its_time_is_never_killed(tmp_path, tier):
    result = game(tmp_path, "thinker", control="2s/move", tier=tier, max_plies=6)
    assert (result.reason, result.offender, result.plies) == ("LENGTH", None, 6)
    assert result.points == 0.5
    assert result.seconds >= 3


def test_fischer_clock_runs_out_over_several_moves(tmp_path):
    """Each move takes 45 % of the clock: two fit in, the third does not."""
    result = game(tmp_path, "steady", control="4s+1ms")
    assert (result.reason, result.offender) == ("TIMEOUT", "white")
    assert 2 <= result.plies <= 4


def test_two_that_are_not_ready_share_the_point(tmp_path):
    path = tmp_path / "mute.py"
    path.write_text("print('hello')\n")
    result = play_game(str(path), str(path))
    assert (result.reason, result.points, result.offender) == ("NOT_READY", 0.5, None)
    assert (result.receipt["offender"], result.receipt["detail"]) == ("white", "its first line is not ready")
    result = play_game("random", str(path))
    assert (result.reason, result.points, result.offender) == ("NOT_READY", 1.0, "black")


def test_what_cannot_be_started_loses_and_voids_nothing(tmp_path, tier):
    script = tmp_path / "script"
    script.write_text("#!/nowhere/at/all\n")
    script.chmod(0o755)
    result = play_game("random", str(script), tier=tier)
    assert (result.reason, result.points, result.offender) == ("NOT_READY", 1.0, "black")
    assert "interpreter" in result.receipt["detail"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root copies a program's files")
def test_a_folder_that_cannot_be_copied_is_its_authors(tmp_path, tier):
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "__main__.py").write_text("")
    os.mkfifo(folder / "pipe")
    result = play_game(str(folder), tier=tier)
    assert (result.reason, result.points, result.offender) == ("NOT_READY", 0.0, "white")
    assert str(tmp_path) not in result.receipt["detail"]


CLASSES = """
class Quits:
    def choose(self, game):
        raise SystemExit(3)
class NeverBegins:
    def __init__(self):
        raise SystemExit(3)
class BadAtLeaving:
    def choose(self, game):
        return "9,9 8,8"
    def close(self):
        raise RuntimeError("not like this")
class Dies:
    def choose(self, game):
        import os
        os._exit(3)
class Counts:
    def choose(self, game):
        return 7
class ThinksForEver:
    def choose(self, game, limits):
        import os
        print("process", os.getpid(), limits.movetime)
        while True:
            pass
class StartsForEver:
    def __init__(self):
        while True:
            pass
class TalksAndReads:
    def choose(self, game):
        import sys
        print("not an answer")
        assert sys.stdin.read() == ""
        return game.legal_moves[0]
    def close(self):
        open(__file__ + ".closed", "w").close()
"""


def of_class(tmp_path, name, control="20s/move", **options):
    (tmp_path / "own.py").write_text(CLASSES)
    return play_game(f"python:{tmp_path / 'own.py'}:{name}", control=control, trusted=True, **options)


@pytest.mark.parametrize(
    ("name", "verdict", "detail"),
    [
        ("Quits", "CRASH", "SystemExit: 3"),
        ("NeverBegins", "NOT_READY", "SystemExit: 3"),
        ("BadAtLeaving", "INVALID_MOVE", "9,9 8,8"),
        ("Dies", "CRASH", "exit code 3"),
        ("Counts", "GARBAGE", "answered with int"),
    ],
)
def test_a_class_loses_however_it_ends(tmp_path, name, verdict, detail):
    result = of_class(tmp_path, name)
    assert (result.reason, result.points, result.offender) == (verdict, 0.0, "white")
    assert result.receipt["detail"] == detail
    stderr = result.receipt["stderr"]
    assert str(tmp_path) not in stderr, "a receipt is for others too"
    assert ('File "own.py", line' in stderr) == ("SystemExit" in detail)


def test_a_class_that_thinks_for_ever_is_ended_at_its_deadline(tmp_path, strain):
    result = of_class(tmp_path, "ThinksForEver", "4s/move")  # enough for a busy machine to begin
    assert (result.reason, result.points, result.offender) == ("TIMEOUT", 0.0, "white")
    assert 4 <= result.receipt["seconds"] <= 4 + 0.2 * strain()
    word, process, movetime = result.receipt["stderr"].split()
    assert word == "process" and 0 < float(movetime) < 4
    wait_for(lambda: not is_running(int(process)))


def test_a_class_that_starts_for_ever_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("damas.matches.programs.program_player.START_TIMEOUT_S", 0.5)
    result = of_class(tmp_path, "StartsForEver")
    assert (result.reason, result.points, result.offender) == ("NOT_READY", 0.0, "white")
    assert result.receipt["detail"] == "no answer"


def test_what_a_class_prints_and_reads_is_not_the_protocol(tmp_path):
    result = of_class(tmp_path, "TalksAndReads", "5s/move", max_plies=6)
    assert (result.offender, result.plies) == (None, 6)
    assert (tmp_path / "own.py.closed").exists(), "it had a moment to leave"


def test_a_class_goes_with_the_process_that_asked_it(tmp_path):
    (tmp_path / "own.py").write_text(CLASSES)
    command = [sys.executable, "-P", "-u", "-m", HOST, str(tmp_path / "own.py"), "ThinksForEver"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes) as process:
        assert json.loads(process.stdout.readline()) == {"ready": ""}
        question = ClassQuestion.of(Game.start("concurso"), Limits(movetime=9))
        process.stdin.write(pickle.dumps(question))
        process.stdin.flush()
        assert process.stderr.readline().startswith(b"process"), "it thinks"
        process.stdin.close()  # as it is however that process ends
        assert process.wait(60) == 1


def broken(*_):
    raise ZeroDivisionError("ours")


def test_a_decided_game_stays_decided(tmp_path, monkeypatch):
    monkeypatch.setattr("damas.matches.programs.program_player.ProgramPlayer.end", broken)
    result = game(tmp_path, "good", control="10s/move")
    assert result.points is not None and result.reason != "OURS"


def test_words_beside_moves(tmp_path):
    assert game(tmp_path, "resigner").reason == "RESIGNATION"
    assert game(tmp_path, "claimer").reason == "GARBAGE"
    assert game(tmp_path, "offerer").offender is None
    assert game(tmp_path, "finder", legal=False).reason == "RESIGNATION"


def test_an_error_of_ours_voids_the_game(tmp_path, monkeypatch):
    monkeypatch.setattr(referee_module._Referee, "_judge", broken)
    result = game(tmp_path, "good")
    assert (result.points, result.reason, result.offender) == (None, "OURS", None)
    assert "ZeroDivisionError: ours" in result.receipt["trace"]
    assert "*" in result.pdn


def save(receipt, folder):
    folder.mkdir(exist_ok=True)
    path = folder / f"{receipt['id']}.json"
    path.write_text(json.dumps(receipt))
    return path


@pytest.mark.parametrize("habit", ["liar", "crasher", "early"])
def test_repro_repeats_it(tmp_path, capsys, habit, monkeypatch):
    receipt = game(tmp_path, habit).receipt
    again = repro({**receipt, "spec": str(tmp_path / f"{habit}.py")})
    assert (again.same, again.verdict) == (True, receipt["verdict"])
    assert str(tmp_path) not in receipt["spec"], "a receipt is for others too"
    monkeypatch.chdir(tmp_path)  # where it names its program without a folder, that is here
    save(receipt, tmp_path / "receipts")
    assert main(["repro", receipt["id"], "--lang", "pt-BR"]) == 0
    output = capsys.readouterr().out
    assert receipt["verdict"] in output and receipt["fen"] in output and "Repetiu-se" in output


def test_repro_says_when_the_bug_is_gone(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    receipt = game(tmp_path, "liar").receipt
    path = save(receipt, tmp_path)
    (tmp_path / "liar.py").write_text((tmp_path / write(tmp_path, "good")).read_text())
    assert main(["repro", str(path), "--json"]) == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["same"], answer["verdict"]) == (False, "NONE")


def test_repro_of_a_receipt_that_is_none(tmp_path, capsys):
    assert main(["repro", "0123456789ab"]) == 2
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    assert main(["repro", str(bad)]) == 2
    capsys.readouterr()


def test_repro_after_the_moves_of_the_game(tmp_path):
    """A program that fails at its third question, wherever it is asked."""
    path = tmp_path / "third.py"
    habit = "asked = globals().get('asked', 0) + 1; move = message['legal'][0] if asked < 3 else 'oops'\n"
    habit += "        print(json.dumps({'move': move, 'nonce': message['nonce']}), flush=True)"
    path.write_text(FRAME.format(habit=habit))
    result = play_game("random", str(path))
    assert (result.reason, result.plies) == ("INVALID_MOVE", 5)
    again = repro({**result.receipt, "spec": str(path)})
    assert (again.same, again.way) == (True, "game")


def test_nearest_by_letters_and_by_numbers():
    position = Position.start("brasileira")
    assert nearest(position, "c3-d5").text == "c3-d4"
    assert nearest(position, "22-17").text == "c3-b4"
    assert nearest(position, "knight takes") is not None
