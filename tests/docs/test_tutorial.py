"""The tutorials: the first bot plays, and both languages show the same examples."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import damas

TUTORIAL = Path(__file__).resolve().parents[2] / "docs/tutorial"
PAIRS = {
    "first-game.md": "primeira-partida.md",
    "first-bot.md": "primeiro-bot.md",
    "first-rulebook.md": "primeiro-regulamento.md",
    "first-analysis.md": "primeira-analise.md",
}


def blocks(page: str, language: str) -> list[str]:
    text = (TUTORIAL / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_every_tutorial_is_in_both_languages() -> None:
    assert {path.name for path in TUTORIAL.glob("*.md")} == {*PAIRS, *PAIRS.values()}
    for english, portuguese in PAIRS.items():
        assert len(blocks(english, "python")) == len(blocks(portuguese, "python"))
        assert blocks(english, "sh") == blocks(portuguese, "sh")


def test_the_first_bot_plays(tmp_path: Path) -> None:
    [program] = blocks("first-bot.md", "python")
    [other] = blocks(PAIRS["first-bot.md"], "python")
    assert re.sub(r'""".*?"""', "", program) == re.sub(r'""".*?"""', "", other)
    (tmp_path / "my_bot.py").write_text(program, encoding="utf-8")
    [commands] = blocks("first-bot.md", "sh")
    env = os.environ | {"LC_ALL": "en_US.UTF-8", "PYTHONUTF8": "1", "HOME": str(tmp_path)}
    check, arena = commands.replace("--games 10", "--games 2").splitlines()
    assert check.startswith("damas check my_bot.py")  # run on the page of the template: it takes its time
    ran = subprocess.run(
        [sys.executable, "-m", "damas", *arena.split()[1:]],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "my_bot" in ran.stdout


@pytest.mark.parametrize("cls", [damas.Move, damas.LegalMoves])
def test_examples_of_the_core_run(cls: type) -> None:
    """pytest collects no docstrings of a compiled module."""
    [found] = [test for test in doctest.DocTestFinder(recurse=False).find(cls, globs={}) if test.examples]
    assert doctest.DocTestRunner().run(found).failed == 0
