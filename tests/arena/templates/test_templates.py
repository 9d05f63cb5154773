"""Each template plays some games, twenty in `make soak`, where its toolchain is there; otherwise it is not proved."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

import damas
from damas.arbiter import TimeControl
from damas.arena.templates import TEMPLATES, new_bot
from damas.cli import main
from damas.matches import Entrant, Start, Terms, play

BOOKS = [book.id for book in damas.rulebooks()]
NAMES = {
    ".py": "my_bot.py",
    ".cpp": "bot.cpp",
    ".java": "Bot.java",
    ".js": "bot.js",
    ".go": "bot.go",
    ".rs": "bot.rs",
}
TOOLS = {".cpp": "g++", ".java": "java", ".js": "node", ".go": "go", ".rs": "rustc"}
GAMES = [4, pytest.param(20, marks=pytest.mark.soak)]


def ready_to_run(folder: Path, ending: str) -> str:
    """The text that names the template's bot in the arena, built."""
    if ending in TOOLS and not shutil.which(TOOLS[ending]):
        pytest.skip(f"not proved: no {TOOLS[ending]} here")
    path = folder / NAMES[ending]
    assert main(["bot", "new", str(path)]) == 0
    bot = new_bot(path, "en")
    if ending == ".java":  # compiled once, twenty games start sooner; the page's own way is tried below
        subprocess.run(["javac", "-d", str(folder), str(path)], check=True)
        return f"java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {shlex.quote(str(folder))} Bot"
    if bot.build:
        quick = bot.build.replace(" -O2", "").replace(" -O ", " ")
        subprocess.run(shlex.split(quick), check=True, cwd=folder)
    return bot.run


def played(bot: str, number: int, book: str) -> None:
    own, other = Entrant.parse(bot, trusted=True), Entrant.parse("random")
    white, black = (own, other) if number % 2 else (other, own)
    terms = Terms(book, TimeControl.parse("20s/move"), max_plies=60)
    result = play(white, black, Start(number), terms)
    assert result.offender is None, result.receipt
    assert result.points is not None
    assert result.plies > 10


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize("ending", TEMPLATES)
def test_a_template_plays_whole_games(tmp_path: Path, ending: str, games: int) -> None:
    bot = ready_to_run(tmp_path, ending)
    for number in range(games):
        played(bot, number, BOOKS[number % len(BOOKS)] if number > 1 else "concurso")


def test_java_runs_from_its_source(tmp_path: Path) -> None:
    if not shutil.which("java"):
        pytest.skip("not proved: no java here")
    path = tmp_path / "MeuBot.java"
    bot = new_bot(path, "pt-BR")
    path.write_text(bot.text, encoding="utf-8")
    played(bot.run, 1, "concurso")


@pytest.mark.parametrize("games", GAMES)
def test_the_text_mode_plays_whole_games(tmp_path: Path, games: int) -> None:
    path = tmp_path / "contest.py"
    assert main(["bot", "new", str(path), "--text"]) == 0
    bot = new_bot(path, "en", text_mode=True)
    for number in range(games - 1):
        played(bot.run, number, "concurso")
    own = Entrant.parse(bot.run, trusted=True)
    start = Start(0, fen="B:Wa1,Kc3,e3:Bb8,Kd6,h6")
    result = play(
        own, Entrant.parse("random"), start, Terms("concurso", TimeControl.parse("20s/move"), max_plies=30)
    )
    assert result.offender is None, result.receipt


def test_the_python_bot_has_twelve_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "meu_bot.py"
    assert main(["bot", "new", str(path), "--lang", "pt-BR"]) == 0
    assert path.read_text(encoding="utf-8").count("\n") == 12
    assert "# Sua ideia entra aqui." in path.read_text(encoding="utf-8")
    out = capsys.readouterr().out
    assert "um robô completo em Python, 12 linhas" in out
    assert f"damas arena {path} random --rulebook concurso --games 20 --time 1" in out


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot.js"
    path.write_text("mine", encoding="utf-8")
    assert main(["bot", "new", str(path), "--lang", "en"]) == 2
    assert path.read_text(encoding="utf-8") == "mine"
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["bot.rb"], ["bot"], ["bot.cpp", "--text"]])
def test_an_unknown_ending_names_the_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["bot", "new", str(tmp_path / words[0]), *words[1:], "--lang", "es"]) == 2
    assert "el nombre termina en .py" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", TEMPLATES)
@pytest.mark.parametrize("language", ["pt-BR", "pt-PT", "es", "en"])
def test_every_word_is_filled_in(ending: str, language: str) -> None:
    text = new_bot(Path(f"um robô{ending}"), language).text
    assert "«" not in text
    assert '"um robô' in text


def test_no_name_of_a_file_ends_the_comment(tmp_path: Path) -> None:
    path = tmp_path / 'a""" + 1 «idea» \\.py'
    text = new_bot(path, "en").text
    compile(text, "bot", "exec")
    assert text.count("\n") == 12
