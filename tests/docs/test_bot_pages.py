"""The page a student implements from, in three languages: its bot plays, its commands run, its rules are the rulebook's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import damas
from damas.arbiter import TimeControl
from damas.arena import Entrant, Start, Terms, play
from damas.arena.check import CHECKS
from damas.arena.templates import new_bot
from damas.arena.verdicts import CODES
from damas.rules.articles import articles

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "docs" / "how-to"
PAGES = {
    "write-a-bot.md": ("en", "my_bot.py"),
    "escreva-um-bot.md": ("pt-BR", "meu_bot.py"),
    "escriba-un-bot.md": ("es", "mi_bot.py"),
}
each_page = pytest.mark.parametrize("page", PAGES)


def block(page: str, kind: str) -> str:
    found = re.findall(rf"^```{kind}\n(.*?)^```", (HOW_TO / page).read_text(encoding="utf-8"), re.M | re.S)
    assert len(found) == 1
    return str(found[0])


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


@each_page
def test_the_commands_of_the_page_run(page: str, tmp_path: Path) -> None:
    language, name = PAGES[page]
    commands = block(page, "sh").splitlines()
    assert [command.split()[:2] for command in commands] == [
        ["damas", "bot"],
        ["damas", "check"],
        ["damas", "arena"],
    ]
    env = os.environ | {
        "LC_ALL": language.replace("-", "_") + ".UTF-8",
        "PYTHONUTF8": "1",
        "HOME": str(tmp_path),
    }
    for command in commands:
        # No box may be had here, and two games say as much as twenty.
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
    told = " ".join((HOW_TO / page).read_text(encoding="utf-8").split())
    texts = articles(damas.rulebook("concurso")).by_id
    for article in texts.values():
        if not article.is_reading:
            assert f"`{article.id}` {article.text[language]}" in told, article.id
    readings = re.findall(r"B\.004-\d+", told)
    assert len(readings) == 10
    for name in readings:
        assert f"{name}*: {texts[name].text[language]}" in told, name


@each_page
def test_every_verdict_is_explained(page: str) -> None:
    told = (HOW_TO / page).read_text(encoding="utf-8")
    assert [code for code in CODES if f"`{code}`" not in told] == []


def test_the_protocol_page_names_every_check_and_verdict() -> None:
    told = (ROOT / "docs/reference/bot-protocol.md").read_text(encoding="utf-8")
    assert [name for name in (*CHECKS, *CODES) if f"`{name}`" not in told] == []
