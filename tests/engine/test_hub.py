"""Our engine speaks Hub: a scripted program talks to it."""

import time
from io import StringIO

import pytest

from damas.cli import hub as hub_command
from damas.cli import main
from damas.engine.hub import HubSession
from damas.game import Position
from damas.notation import hub
from damas.notation.hub import Option, read_line, write_line


class Listener:
    def __init__(self, book="brasileira"):
        self.lines = []
        self.session = HubSession(self.lines.append, book, hash_mb=1)

    def tell(self, *lines):
        for line in lines:
            assert self.session.handle(line) is (line != "quit")

    def wait_for(self, word):
        until = time.monotonic() + 60
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
    listener.session.close()


def test_lines_are_read_as_they_are_written():
    for arguments in ({"a": "1"}, {"pv": "1-2 3-4", "n": "x"}, {"name": "", "v": "a=b"}):
        assert read_line(write_line("info", **arguments)) == ("info", arguments)
    assert read_line("") == ("", {})
    assert read_line("  go   think ") == ("go", {"think": None})


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        (Option("book", "bool", "true"), [True, "false"], ["yes", "", 1]),
        (Option("threads", "int", "2", 1, 16), [1, "16"], [0, 17, 2.5, "1e1", "", "9" * 30]),
        (Option("margin", "real", "0.5", -1, None), [-1, 0.25, 10**6], [-1.5, "half", float("nan")]),
        (Option("variant", "enum", "normal", values=("normal", "bt")), ["bt"], ["Normal", ""]),
        (Option("file", "string", ""), ["", "a=b c"], ['a"b', "a\nb"]),
    ],
)
def test_an_option_is_written_and_read_and_knows_its_values(option, good, bad):
    word, arguments = read_line(option.line())
    assert word == "param" and Option.read(arguments) == option
    for value in good:
        assert read_line(write_line("set-param", value=option.text(value)))[1]["value"] == option.text(value)
    for value in bad:
        with pytest.raises(ValueError, match=", not "):
            option.text(value)


def test_of_a_long_unknown_command_only_the_beginning_is_said_back(peer):
    peer.tell("x" * 1_000_000, "y" * 40)
    assert peer.lines == [
        f'error message="unknown command {"x" * 40}..."',
        f'error message="unknown command {"y" * 40}"',
    ]


def test_it_says_what_it_is_and_is_ready(peer):
    peer.tell("hub")
    assert [read_line(line)[0] for line in peer.lines] == ["id", *["param"] * 4, "wait"]
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


def test_several_lines_are_told_apart_by_their_rank(peer):
    peer.tell("set-param name=multipv value=3", "pos", "level depth=4", "go think")
    done = peer.wait_for("done")
    last = [read_line(line)[1] for line in peer.lines if line.startswith("info")][-3:]
    assert [info["multipv"] for info in last] == ["1", "2", "3"]
    assert last[0]["pv"].split()[0] == done["move"] and len({info["pv"].split()[0] for info in last}) == 3


def test_a_win_is_told_with_its_plies(peer):
    won = hub.write_position(Position.from_fen("W:Wc3:Bd4,f6", "brasileira"))
    peer.tell(f"pos pos={won}", "level depth=4", "go think")
    assert peer.wait_for("done") and peer.wait_for("info")["score"] == "99.99"


@pytest.mark.parametrize("level", ["level depth=3", "level nodes=500", "level move-time=0.05"])
def test_analysis_with_a_limit_ends_by_itself(peer, level):
    peer.tell("pos", level, "go analyze")
    peer.session.wait()
    assert peer.wait_for("done")["move"]


def test_analysis_ends_when_it_is_stopped_and_not_before(peer):
    peer.tell("init", "pos", "level infinite", "go analyze")
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
    peer.session.wait()
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
    assert peer.wait_for("done")["move"]
    assert not [line for line in peer.lines if line.startswith("error")]


def test_after_a_position_that_was_refused_there_is_no_move_until_a_good_one(peer):
    peer.tell("pos", "pos pos=rubbish", "level nodes=100", "go think")
    peer.session.wait()
    assert [read_line(line)[0] for line in peer.lines] == ["error", "error", "done"]
    assert peer.wait_for("done") == {}
    peer.tell("pos", "go think")
    peer.session.wait()
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
    peer.session.wait()
    assert peer.wait_for("done")["move"] and "ready" in peer.lines


def test_whatever_befalls_a_search_the_other_program_is_answered(peer, monkeypatch):
    def broken(*_, **__):
        raise TypeError("broken")

    monkeypatch.setattr("damas.engine.engine.Engine._run_task", broken)
    peer.tell("pos", "level nodes=100", "go think")
    peer.wait_for("done")
    assert peer.wait_for("error") == {"message": "broken"}


def test_a_new_order_ends_the_thought_before_it(peer):
    peer.tell("pos", "level infinite", "go analyze", "pos", "level nodes=100", "go think")
    peer.session.wait()
    assert len([line for line in peer.lines if line.startswith("done")]) == 2
    peer.tell("go analyze", "quit")


def test_a_line_that_is_too_long_is_one_error(monkeypatch, capsys):
    monkeypatch.setattr(hub_command, "MAX_LINE_CHARS", 20)
    monkeypatch.setattr("sys.stdin", StringIO(f"pos moves={'1-2 ' * 20}\ninit\nquit\n"))
    assert main(["hub"]) == 0
    assert capsys.readouterr().out.splitlines() == ['error message="a line may have 20 characters"', "ready"]
