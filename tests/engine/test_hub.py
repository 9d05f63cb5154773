"""The Hub protocol, spoken and heard: a scripted peer on each side."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest

from damas.cli import hub as hub_command
from damas.cli import main
from damas.engine import Limits
from damas.engine.hub import Talk, read_line, write_line
from damas.engine.match import EnginePlayer, Forfeit, NeverStarted, match, play_out
from damas.engine.peer import HubPlayer
from damas.game import Game, Position
from damas.notation import hub


class Listener:
    def __init__(self, book="brasileira"):
        self.lines = []
        self.talk = Talk(self.lines.append, book, hash_mb=1)

    def tell(self, *lines):
        for line in lines:
            assert self.talk.hear(line) is (line != "quit")

    def wait_for(self, word, seconds=20):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = [line for line in self.lines if read_line(line)[0] == word]
            if found:
                return read_line(found[-1])[1]
            time.sleep(0.005)
        raise AssertionError(f"no {word} in {self.lines}")


@pytest.fixture
def peer():
    listener = Listener()
    yield listener
    listener.talk.close()


def test_lines_are_read_as_they_are_written():
    for arguments in ({"a": "1"}, {"pv": "1-2 3-4", "n": "x"}, {"name": "", "v": "a=b"}):
        assert read_line(write_line("info", **arguments)) == ("info", arguments)
    assert read_line("") == ("", {})
    assert read_line("  go   think ") == ("go", {"think": None})


def test_of_a_long_unknown_command_only_the_beginning_is_said_back(peer):
    peer.tell("x" * 1_000_000, "y" * 40)
    assert peer.lines == [
        f'error message="unknown command {"x" * 40}..."',
        f'error message="unknown command {"y" * 40}"',
    ]


def test_it_says_what_it_is_and_is_ready(peer):
    peer.tell("hub")
    assert [read_line(line)[0] for line in peer.lines] == ["id", "param", "param", "param", "wait"]
    peer.tell("init", "ping")
    assert peer.lines[-2:] == ["ready", "pong"]


def test_it_thinks_about_a_position_and_the_moves_after_it(peer):
    start = Position.start("brasileira")
    first = hub.write_move(start, start.parse("c3-d4"))
    peer.tell("init", f'pos pos={hub.write_position(start)} moves="{first}"', "level depth=6", "go think")
    done = peer.wait_for("done")
    after = start.play("c3-d4")
    move = hub.read_move(after, done["move"])
    assert hub.read_move(after.play(move), done["ponder"])
    info = peer.wait_for("info")
    assert info["depth"] == "6" and info["pv"].split()[0] == done["move"]


def test_analysis_ends_when_it_is_stopped_and_not_before(peer):
    peer.tell("init", "pos", "level depth=3", "go analyze")
    peer.wait_for("info")
    time.sleep(0.1)
    assert not [line for line in peer.lines if line.startswith("done")]
    peer.tell("stop")
    assert peer.wait_for("done")["move"]


def test_pondering_waits_for_the_hit(peer):
    peer.tell("init", "pos", "level move-time=0.05", "go ponder")
    time.sleep(0.3)
    assert not [line for line in peer.lines if line.startswith("done")]
    peer.tell("ponder-hit")
    assert peer.wait_for("done")["move"]


def test_the_clock_and_other_levels_are_understood(peer):
    for level in (
        "level time=1 inc=0.01",
        "level time=2 moves=40",
        "level nodes=500",
        "level move-time=0.02",
    ):
        peer.lines.clear()
        peer.tell("pos", level, "go think")
        assert peer.wait_for("done")["move"]


def test_a_rulebook_is_a_parameter(peer):
    peer.tell("set-param name=rulebook value=portuguesa", "set-param name=threads value=2", "init")
    peer.tell("pos", "level nodes=300", "go think")
    assert hub.read_move(Position.start("portuguesa"), peer.wait_for("done")["move"])
    peer.tell("set-param name=variant value=normal", "init", "pos", "level nodes=300", "go")
    peer.talk.wait()
    assert hub.read_move(Position.start("internacional"), peer.wait_for("done")["move"])


def test_a_lost_position_is_done_without_a_move(peer):
    lost = Position.from_fen("W:Wa1:Bb2,c3", "brasileira")
    peer.tell(f"pos pos={hub.write_position(lost)}", "go think")
    assert peer.wait_for("done") == {}


@pytest.mark.parametrize(
    "line",
    [
        "pos pos=rubbish",
        'pos moves="1-1"',
        "pos pos=" + "W" * 5000,
        "level time=nan",
        "level depth=-3",
        "level nodes=x",
        "level depth=1e300",
        "level depth=2.5",
        "level nodes=1e300",
        "level move-time=1e300",
        "level time=1e30 inc=1e30",
        "level time=5 inc=1e30",
        "go where",
        "set-param name=rulebook value=xadrez",
        "set-param name=threads value=0",
        "set-param name=threads value=two",
        "set-param name=tt-size",
        "set-param value=2",
        "set-param name=colour value=red",
        "what is this",
        '= "',
    ],
)
def test_what_it_does_not_understand_is_an_error_and_nothing_more(peer, line):
    peer.tell("init", line)
    assert read_line(peer.lines[-1])[0] == "error" or line == '= "'
    peer.tell("pos", "level nodes=100", "go think")
    assert peer.wait_for("done")["move"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("level depth=abc", "depth cannot be abc"),
        ("level time=-1", "time cannot be -1"),
        ("set-param name=threads value=abc", "a whole number from 1 to 256, not abc"),
        ("set-param name=tt-size", "a whole number from 1 to 65536, not nothing"),
    ],
)
def test_errors_are_in_our_words(peer, line, message):
    peer.tell(line)
    assert read_line(peer.lines[-1]) == ("error", {"message": message})


@pytest.mark.parametrize(
    "level",
    [
        "level move-time=0",
        "level move-time=0.0000001",
        "level time=0",
        "level time=0 moves=40",
        "level depth=0",
        "level nodes=0",
        "level time=1e9 moves=1e9 move-time=1e-9",
    ],
)
def test_whoever_is_given_no_time_plays_at_once(peer, level):
    peer.tell("pos", level, "go think")
    assert peer.wait_for("done", 5)["move"]
    assert not [line for line in peer.lines if line.startswith("error")]


def test_after_a_position_that_was_refused_there_is_no_move_until_a_good_one(peer):
    peer.tell("pos", "pos pos=rubbish", "level nodes=100", "go think")
    peer.talk.wait()
    assert [read_line(line)[0] for line in peer.lines] == ["error", "error", "done"]
    assert peer.wait_for("done") == {}
    peer.tell("pos", "go think")
    peer.talk.wait()
    assert peer.wait_for("done")["move"]


def test_a_position_that_was_refused_is_forgotten_with_its_game(peer):
    peer.tell('pos moves="1-1"', "new-game", "level nodes=100", "go think")
    assert peer.wait_for("done")["move"]


def test_more_memory_than_there_is_is_an_error_and_nothing_more(peer, monkeypatch):
    def refused(*_, **__):
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr("damas.engine.engine._core.Engine", refused)
        peer.tell("set-param name=tt-size value=65536", "init", "go think")
    told = [read_line(line) for line in peer.lines]
    assert told[1:] == [told[0], ("done", {})] and told[0][0] == "error"
    assert "65536 MB" in told[0][1]["message"]
    peer.tell("set-param name=tt-size value=1", "init", "level nodes=100", "go think")
    peer.talk.wait()
    assert peer.wait_for("done")["move"] and "ready" in peer.lines


def test_whatever_befalls_a_search_the_other_program_is_answered(peer, monkeypatch):
    def broken(*_, **__):
        raise TypeError("broken")

    monkeypatch.setattr("damas.engine.engine.Engine._answer", broken)
    peer.tell("pos", "level nodes=100", "go think")
    peer.wait_for("done")
    assert peer.wait_for("error") == {"message": "broken"}


def test_a_new_order_ends_the_thought_before_it(peer):
    peer.tell("pos", "level infinite", "go analyze", "pos", "level nodes=100", "go think")
    peer.talk.wait()
    assert len([line for line in peer.lines if line.startswith("done")]) == 2
    peer.tell("go analyze", "quit")


# --- other programs --------------------------------------------------------------------------

OURS = [sys.executable, "-m", "damas", "hub", "-r", "brasileira", "--hash", "1"]


def program(body):
    """A peer of a few lines that greets as it should and then does what the test wants."""
    greeting = (
        "import sys, time\n"
        "def say(text): print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'hub': say('id name=fake version=1'); say('wait')\n"
        "    elif word == 'init': say('ready')\n"
        "    elif word == 'quit': break\n"
        "    elif word == 'go':\n"
    )
    return [sys.executable, "-c", greeting + "".join(f"        {line}\n" for line in body.splitlines())]


def test_a_line_that_is_too_long_is_one_error(monkeypatch, capsys):
    monkeypatch.setattr(hub_command, "LONGEST_LINE", 20)
    monkeypatch.setattr("sys.stdin", StringIO(f"pos moves={'1-2 ' * 20}\ninit\nquit\n"))
    assert main(["hub"]) == 0
    assert capsys.readouterr().out.splitlines() == ['error message="a line may have 20 characters"', "ready"]


def test_our_own_program_plays_a_game():
    other = HubPlayer(OURS, Limits(nodes=200))
    mine = EnginePlayer("brasileira", Limits(nodes=200), hash_mb=1, tables=False)
    played = play_out(Game.start("brasileira"), mine, other)
    assert not played.forfeit and played.game.outcome
    assert other.name == "damas"
    other.close()


def test_a_program_that_knows_the_rulebook_is_told_to_play_by_it():
    international = [sys.executable, "-m", "damas", "hub", "--hash", "1"]
    game = Game.start("portuguesa")
    peer = HubPlayer(international, Limits(nodes=100))
    assert peer.choose(game) in game.legal_moves
    peer.close()
    # Whoever asks for another one means it; the position is of another board, and the reason is told.
    peer = HubPlayer(international, Limits(nodes=100), params={"rulebook": "internacional"})
    with pytest.raises(Forfeit, match=r"no move after .* \(the last position was refused"):
        peer.choose(game)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sys.exit(3)", "died with code 3"),
        ("time.sleep(60)", "late"),
        ("say('done move=1-2')", "illegal move “1-2”"),
        ("say('done')", "no move after"),
        ("say('done move=' + 'x' * 100)", "illegal move"),
        ("while True: say('info depth=1')", "late"),
        ("sys.stdout.write('x' * 1000000); sys.stdout.flush(); time.sleep(60)", "more than anybody can read"),
        ("sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\n'); sys.exit(0)", "died with code 0"),
    ],
)
def test_a_bad_program_forfeits_with_the_reason(body, why):
    peer = HubPlayer(program(body), Limits(movetime=0.2), grace=0.3)
    started = time.monotonic()
    with pytest.raises(Forfeit, match=why):
        peer.choose(Game.start("brasileira"))
    assert time.monotonic() - started < 55, "nobody waits until it ends by itself"
    peer.close()


def test_the_time_of_a_forfeit_is_the_programs_alone():
    """This one needs a while to start, answers at once, and does not leave when it is asked to."""
    stays = program("say('done move=1-2')")
    stays[2] = stays[2].replace("'quit': break", "'quit': time.sleep(60)")
    stays[2] = "import time; time.sleep(0.5)\n" + stays[2]
    began = time.monotonic()
    peer = HubPlayer(stays, Limits(movetime=0.2))
    with pytest.raises(Forfeit, match=r"after \d+\.\d s") as forfeit:
        peer.choose(Game.start("brasileira"))
    counted = float(re.search(r"after (\d+\.\d) s", str(forfeit.value))[1])
    assert counted < time.monotonic() - began - 0.4, "its start is not counted"


def test_a_program_is_told_of_each_game_once(tmp_path):
    log = tmp_path / "log"
    peer = HubPlayer(["sh", "-c", f"tee {shlex.quote(str(log))} | {shlex.join(OURS)}"], Limits(nodes=10))
    mine = EnginePlayer("brasileira", Limits(nodes=20), hash_mb=1, tables=False)
    match("brasileira", mine, peer, pairs=2)
    peer.close()
    words = [line.split()[0] for line in log.read_text().splitlines()]
    assert words.count("new-game") == 4 and words.count("init") == 1
    assert words.index("new-game") < words.index("pos")


def test_a_program_that_dies_between_games_is_started_again():
    peer = HubPlayer(program("pass"), Limits(nodes=10))
    book = Game.start("brasileira").record.rulebook
    dead = peer._running(book)
    dead._process.kill()
    dead._process.wait()
    peer.new_game()
    assert peer._running(book) is not dead
    peer.close()


def has_ended(process):
    """Even one whose parent has gone, which nobody here can wait for."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def pid_in(path, seconds=20):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(FileNotFoundError, ValueError):
            return int(path.read_text())
        time.sleep(0.02)
    raise AssertionError("it has not started")


def wrapped(tmp_path, body="say('done move=1-2')"):
    """A shell script that starts the program, which does not leave when its line is cut; and where its number is."""
    inner = program(body)
    log = tmp_path / "pid"
    inner[2] = f"import os; open({str(log)!r}, 'w').write(str(os.getpid()))\n" + inner[2] + "time.sleep(60)\n"
    script = tmp_path / "wrapper.sh"
    script.write_text(f"#!/bin/sh\n{shlex.join(inner)}\nexit 0\n")
    script.chmod(0o755)
    return str(script), log


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


@needs_proc
def test_a_program_behind_a_wrapper_ends_with_it(tmp_path):
    script, log = wrapped(tmp_path)
    peer = HubPlayer([script], Limits(movetime=0.2))
    with pytest.raises(Forfeit, match="illegal"):
        peer.choose(Game.start("brasileira"))
    assert has_ended(pid_in(log))


@needs_proc
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_the_programs_of_a_match(tmp_path, jobs):
    script, log = wrapped(tmp_path, "time.sleep(60)")
    command = [sys.executable, "-m", "damas", "match", "greedy", f"hub:{script}", "--movetime", "60000"]
    process = subprocess.Popen([*command, "--pairs", "9", "--jobs", jobs], start_new_session=True)
    other = pid_in(log)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(20) == 130
    assert has_ended(other)


@needs_proc
def test_a_script_that_ends_without_closing_leaves_no_program(tmp_path):
    script, log = wrapped(tmp_path)
    body = (
        "from damas.engine import Limits\n"
        "from damas.engine.peer import HubPlayer\n"
        "from damas.rules import rulebook\n"
        f"peer = HubPlayer([{script!r}], Limits(nodes=10))\n"
        "peer._running(rulebook('brasileira'))\n"
        "raise KeyboardInterrupt\n"
    )
    done = subprocess.run([sys.executable, "-c", body], capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGINT
    assert has_ended(pid_in(log))


def test_a_program_that_says_nothing_or_is_not_there(monkeypatch):
    monkeypatch.setattr("damas.engine.peer.GREETING", 0.5)
    for command, why in (
        ([sys.executable, "-c", "import time; time.sleep(60)"], "late"),
        (["/nowhere/at/all"], "cannot be started"),
        ([sys.executable, "-c", ""], "died|hung up"),
    ):
        peer = HubPlayer(command, Limits(nodes=10))
        with pytest.raises(NeverStarted, match=why) as nobody:
            peer.choose(Game.start("brasileira"))
        assert nobody.value.program == shlex.join(command)
        with pytest.raises(NeverStarted):
            play_out(Game.start("brasileira"), peer, peer)


def test_a_game_against_a_dead_program_is_lost_and_the_next_one_starts_it_again():
    mine = EnginePlayer("brasileira", Limits(nodes=50), hash_mb=1, tables=False)
    peer = HubPlayer(program("sys.exit(1)"), Limits(nodes=50))
    for number in range(2):
        played = play_out(Game.start("brasileira"), mine, peer, number=number)
        assert played.points == 1 and "died with code 1" in played.forfeit
        assert "Termination" in played.pdn
    for _ in range(3):
        played = play_out(Game.start("brasileira"), mine, peer)
    assert "too often" in played.forfeit
