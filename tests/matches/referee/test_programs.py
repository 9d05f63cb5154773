"""S6 and S8: programs in any language, and Hub engines, from outside."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from damas.errors import BadEntrant, NoContainment
from damas.matches import Entrant, Start
from matches.bots import play_game, write

NODE = """\
const lines = require('readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const said = JSON.parse(line);
  if (said.type === 'hello') console.log(JSON.stringify({ type: 'ready' }));
  if (said.type === 'move?') console.log(JSON.stringify({ choice: said.legal.length - 1, nonce: said.nonce }));
});
"""
CPP = """\
#include <iostream>
#include <string>
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("\\"hello\\"") != std::string::npos) std::cout << "{\\"type\\":\\"ready\\"}" << std::endl;
        if (line.find("\\"move?\\"") != std::string::npos)
            std::cout << "{\\"choice\\":0,\\"nonce\\":\\"" << line.substr(line.find("\\"nonce\\":\\"") + 9, 8) << "\\"}" << std::endl;
    }
}
"""
TEXT = """\
import sys
book, color, ms = sys.stdin.readline().split()
for line in sys.stdin:
    if line.startswith("end"):
        break
    print("2,0 3,1" if color == "white" and line == "start\\n" else "resign", flush=True)
"""


def test_node(tmp_path, tier):
    node = shutil.which("node")
    if node is None:
        pytest.skip("not proved: no node here")
    (tmp_path / "bot.js").write_text(NODE)
    result = play_game(f"node {tmp_path / 'bot.js'}", tier=tier)
    assert (result.offender, result.tiers["white"]) == (None, tier)


def test_a_compiled_program(tmp_path, tier):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("not proved: no g++ here")
    (tmp_path / "bot.cpp").write_text(CPP)
    subprocess.run([compiler, "-o", str(tmp_path / "bot"), str(tmp_path / "bot.cpp")], check=True)
    result = play_game("random", str(tmp_path / "bot"), book="portuguesa", tier=tier)
    assert (result.offender, result.tiers["black"]) == (None, tier)


@pytest.mark.parametrize(
    "book", ["brasileira", "oficial", "faraes", "portuguesa", "internacional", "inglesa"]
)
def test_every_rulebook_is_told(tmp_path, book):
    assert play_game(write(tmp_path, "good"), book=book, trusted=True).offender is None


def test_text_mode_in_the_coordinates_of_document_004(tmp_path, tier):
    (tmp_path / "text.py").write_text(TEXT)
    result = play_game(f"text:python3 {tmp_path / 'text.py'}", tier=tier)
    assert (result.reason, result.plies, result.points) == ("RESIGNATION", 2, 0.0)
    assert '"2,0 3,1"' in result.events[1]


def test_text_mode_does_not_charge_the_start(tmp_path):
    """It starts slowly and thinks quickly."""
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(2.5)\n" + TEXT)
    result = play_game(f"text:{sys.executable} {tmp_path / 'slow.py'}", control="2s/move", trusted=True)
    assert (result.reason, result.plies) == ("RESIGNATION", 2)


def damas_command() -> Path:
    """The program itself, as any other Hub engine."""
    command = Path(sys.executable).with_name("damas")
    if not command.exists():
        pytest.skip("not proved: no command damas beside this Python")
    return command


def test_hub_engine_in_a_box():
    from damas.matches.box.tiers import missing

    if why := missing("bubblewrap"):
        pytest.skip(f"not proved: bubblewrap: {why}")
    engine = f"hub:{damas_command()} hub -r brasileira"
    result = play_game("level:1", engine, book="brasileira", control="2s/move", max_plies=4)
    assert (result.offender, result.tiers["black"].removesuffix("+cgroup")) == (None, "bubblewrap")


def test_a_class(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Mine:\n    def choose(self, game):\n        return game.legal_moves[0]\n"
    )
    mine = f"python:{tmp_path / 'mine.py'}:Mine"
    result = play_game(mine, trusted=True)
    assert (result.offender, result.tiers["white"]) == (None, "none")
    with pytest.raises(NoContainment):
        play_game(mine)


def test_strangers_are_not_run_without_a_box(tmp_path, monkeypatch):
    from damas.matches.box import tiers

    monkeypatch.setattr(tiers, "missing", lambda tier: "not here")
    stranger = write(tmp_path, "good")
    with pytest.raises(NoContainment) as refused:
        play_game(stranger)
    assert set(refused.value.tried) == {"bubblewrap", "landlock"}
    with pytest.raises(NoContainment):
        play_game(stranger, tier="none")
    assert play_game(stranger, trusted=True).offender is None


def test_openings_and_lots(tmp_path):
    start = Start(3, moves=("c3-d4", "f6-g5"), lot=3)
    result = play_game(write(tmp_path, "good"), start=start)
    assert '"seed":3' in result.events[0]
    assert '[Round "4"]' in result.pdn


@pytest.mark.parametrize(
    "spec",
    ["level:11", "level:x", "nobody.py", "no-such-program --x", "dxp:here", "python:x.py:Y", 'a "b', ""],
)
def test_texts_that_name_nobody(spec):
    with pytest.raises(BadEntrant) as refused:
        Entrant.parse(spec)
    for language in ("pt-BR", "pt-PT", "es", "en"):
        assert refused.value.sentence(language)


def test_what_names_a_program(tmp_path: Path) -> None:
    entrant = Entrant.parse(f"hub:{sys.executable} -m damas hub -r brasileira")
    assert entrant.command[1:3] == ["-m", "damas"]
    for missing in (f"{sys.executable} {tmp_path}/no.py", f"{tmp_path}/no.py", f"node {tmp_path}/no.js"):
        with pytest.raises(BadEntrant):
            Entrant.parse(missing)
    folder = tmp_path / "meu"
    folder.mkdir()
    (folder / "__main__.py").write_text("")
    assert Entrant.parse(str(folder)).name == "meu"


def test_a_level_has_its_tables_before_its_clock_runs(monkeypatch):
    """They take a part of a second to build, and seconds on a busy machine."""
    events = []
    monkeypatch.setattr("damas.matches.in_process.king_endings", lambda book: events.append(book.id))
    monkeypatch.setattr("damas.engine.levels.LevelPlayer.choose", lambda *_: events.append("asked"))
    play_game("level:1")
    assert events == ["concurso", "asked"]
