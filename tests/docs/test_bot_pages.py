"""The page a student writes a bot from, in three languages: its bot plays, its commands run, its rules are the rulebook's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import damas
from damas.arbiter import TimeControl
from damas.arena.check import CHECKS
from damas.arena.templates import new_bot
from damas.matches import Entrant, Start, Terms, play
from damas.matches.faults import CODES
from damas.rules.articles import articles

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "docs" / "how-to"
PAGES = {
    "write-a-bot.md": ("en", "my_bot.py"),
    "escreva-um-bot.md": ("pt-BR", "meu_bot.py"),
    "escribe-un-bot.md": ("es", "mi_bot.py"),
}
each_page = pytest.mark.parametrize("page", PAGES)
COMMANDS = [["damas", "bot"], ["damas", "check"], ["damas", "arena"]]


def block(page: str, language: str) -> str:
    """The one block of code in a language on a page."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    (code,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    return str(code)


@each_page
def test_the_bot_of_the_page_is_the_template_and_plays(page: str, tmp_path: Path) -> None:
    language, name = PAGES[page]
    text = block(page, "python")
    assert text == new_bot(Path(name), language).text
    assert text.count("\n") == 12
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    terms = Terms("concurso", TimeControl.parse("20s/move"))
    result = play(Entrant.parse(str(path), trusted=True), Entrant.parse("random"), Start(), terms)
    assert result.offender is None


def test_the_commands_of_all_pages_are_the_same() -> None:
    commands = {block(page, "sh").replace(name, "BOT") for page, (_, name) in PAGES.items()}
    assert len(commands) == 1


@pytest.mark.parametrize(
    "page", ["write-a-bot.md", *(pytest.param(page, marks=pytest.mark.soak) for page in list(PAGES)[1:])]
)
def test_the_commands_of_the_page_run(page: str, tmp_path: Path) -> None:
    language, name = PAGES[page]
    commands = block(page, "sh").splitlines()
    assert [command.split()[:2] for command in commands] == COMMANDS
    env = os.environ | {
        "LC_ALL": language.replace("-", "_") + ".UTF-8",
        "PYTHONUTF8": "1",
        "HOME": str(tmp_path),
    }
    for command in commands:
        # A box may not be available, and two games show as much as twenty.
        words = command.replace("--games 20", "--games 2").split()[1:]
        words += [] if words[0] == "bot" else ["--trust"]
        ran = subprocess.run(
            [sys.executable, "-m", "damas", *words],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    assert (tmp_path / name).exists()


@each_page
def test_the_rules_of_the_page_are_the_rulebooks(page: str) -> None:
    language, _ = PAGES[page]
    shown = " ".join((HOW_TO / page).read_text(encoding="utf-8").split())
    texts = articles(damas.rulebook("concurso")).by_id
    for article in texts.values():
        if not article.is_reading:
            assert f"`{article.id}` {article.text[language]}" in shown, article.id
    readings = re.findall(r"B\.004-\d+", shown)
    assert len(readings) == 10
    for name in readings:
        assert f"{name}*: {texts[name].text[language]}" in shown, name


@each_page
def test_every_verdict_is_explained(page: str) -> None:
    shown = (HOW_TO / page).read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in shown] == []


def test_the_protocol_page_names_every_check_and_verdict() -> None:
    shown = (ROOT / "docs/reference/bot-protocol.md").read_text(encoding="utf-8")
    assert [name for name in (*CHECKS, *CODES) if f"`{name}`" not in shown] == []
