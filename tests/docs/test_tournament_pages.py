"""The pages on tournaments are followed step by step: every command works and prints what the page shows."""

import re
import shlex
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

import pytest
from py4swiss.trf import TrfParser

from damas.cli import main
from damas.language import entries, keys

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = {"run-a-tournament.md": "en_US.UTF-8", "faca-um-torneio.md": "pt_BR.UTF-8"}
LEAGUES = {"run-a-league.md": "en_US.UTF-8", "faca-uma-liga.md": "pt_BR.UTF-8"}
BLOCKS = {**dict.fromkeys(PAGES, (8, 9)), **dict.fromkeys(LEAGUES, (5, 3))}
"""Answers that each page shows, and PDF files that it prints."""


@pytest.mark.parametrize("name", [*PAGES, *LEAGUES])
def test_the_page_is_followed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for key, value in {"LC_ALL": {**PAGES, **LEAGUES}[name], "COLUMNS": "80", "LOGNAME": "desk"}.items():
        monkeypatch.setenv(key, value)
    text = (ROOT / "docs/how-to" / name).read_text(encoding="utf-8")
    printed, compared, commands = "", 0, 0
    for block in BLOCK.finditer(text):
        kind, content = block.groups()
        if kind == "csv":
            file = re.findall(r"`(\w+\.csv)`", text[: block.start()])[-1]
            (tmp_path / file).write_text(content, encoding="utf-8")
        elif kind == "sh":
            for command in content.splitlines():
                program, *words = shlex.split(command)
                capsys.readouterr()
                assert program == "damas" and main(words) == 0, command
                printed = capsys.readouterr().out
                commands += 1
        elif kind == "text":
            checker = OutputChecker()
            same = checker.check_output(content, printed, ELLIPSIS | NORMALIZE_WHITESPACE)
            assert same, f"{name} shows\n{content}\nand the command prints\n{printed}"
            compared += 1
    assert commands > 20
    assert (compared, len(list(tmp_path.glob("*.pdf")))) == BLOCKS[name]
    assert TrfParser.parse(next(tmp_path.glob("*.trf")), strict=True)


@pytest.mark.parametrize("pages", [PAGES, LEAGUES], ids=["tournament", "league"])
def test_both_pages_have_the_same_commands(pages: dict[str, str]) -> None:
    def actions(name: str) -> list[str]:
        text = (ROOT / "docs/how-to" / name).read_text(encoding="utf-8")
        return re.findall(r"^damas clube? (\w+)", text, re.MULTILINE)

    first, second = map(actions, pages)
    assert first == second != []


@pytest.mark.parametrize(("name", "language"), [("run-a-league.md", "en"), ("faca-uma-liga.md", "pt-BR")])
def test_the_buttons_of_a_league_are_called_as_the_page_says(name: str, language: str) -> None:
    """What the steps in the browser do is played in `tests/browser/test_league.py`."""
    text = (ROOT / "docs/how-to" / name).read_text(encoding="utf-8")
    steps = text[text.index("/club") :].partition("```")[0]
    labels = {" ".join(label.split()) for label in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", steps)}
    words = (re.sub(r"\{\w+\}", "…", entries(key)[language]) for key in keys("pages") if "club" in key)
    assert labels <= set(words) and len(labels) == 9


def test_both_pages_name_every_template_system_and_tie_break() -> None:
    from damas.tournaments.hall.conditions import SYSTEMS
    from damas.tournaments.hall.templates import template_names
    from damas.tournaments.tie_breaks import TIE_BREAKS

    for name in PAGES:
        text = (ROOT / "docs/how-to" / name).read_text(encoding="utf-8")
        assert [word for word in (*template_names(), *SYSTEMS, *TIE_BREAKS) if f"`{word}`" not in text] == []
