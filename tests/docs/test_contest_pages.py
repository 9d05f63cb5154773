"""The pages on contests: their rosters play, and the limits they name are those of the server."""

import re
import shutil
from pathlib import Path

import pytest

from damas.arena.building.compiler import COMPILE_TIMEOUT_S
from damas.arena.building.languages import LANGUAGES
from damas.arena.building.source import MAX_FILES
from damas.cli import main
from damas.cli.roster import read_roster
from damas.server.settings import Limits
from damas.tournaments.journal import disqualify
from damas.tournaments.tournament import read_standings
from server.arena.people import HONEST, SCRIPT, TEXT, contained

HOW_TO = Path(__file__).parents[2] / "docs/how-to"
PAGES = {"en": HOW_TO / "hold-a-contest.md", "pt": HOW_TO / "faca-um-concurso.md"}


def blocks(page: str, language: str) -> list[str]:
    text = PAGES[page].read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["en", pytest.param("pt", marks=pytest.mark.soak)])
def test_the_contest_of_the_page_is_held(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contained()
    if not shutil.which("node"):
        pytest.skip("not proved: no node here")
    monkeypatch.chdir(tmp_path)
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "ana.py").write_text(HONEST)
    (bots / "rui.py").write_text(TEXT)
    (bots / "eva.js").write_text(SCRIPT)
    [command] = [line for block in blocks(page, "sh") for line in block.splitlines() if "--roster" in line]
    words = command.split()[1:]
    Path(words[words.index("--roster") + 1]).write_text(blocks(page, "csv")[0], encoding="utf-8")
    assert main([*words, "--jobs", "1", "--lang", "en"]) == 0
    assert "Ana (Turma A)" in capsys.readouterr().out
    _, table = read_standings(Path("liga"))
    assert table.due == 0 and {row.name for row in table.rows} == {"Ana", "Rui", "Eva", "Acaso"}
    assert {row.name for row in table.rows if row.forfeits} == {"Rui"}  # it answers 9,9 8,8
    disqualify(Path("liga"), "leo", "two programs in one")
    assert main(["arena", "--resume", "liga", "--lang", "en"]) == 2
    assert "Ana, Rui, Eva, Acaso" in " ".join(capsys.readouterr().err.split())


def test_both_pages_have_the_same_rosters(tmp_path: Path) -> None:
    assert blocks("en", "csv") == blocks("pt", "csv") and blocks("en", "toml") == blocks("pt", "toml")
    files = {"r.csv": blocks("en", "csv")[0], "r.toml": blocks("en", "toml")[0]}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_roster(tmp_path / "r.toml") == read_roster(tmp_path / "r.csv")[:1]


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_name_the_limits_and_languages(page: str) -> None:
    text = PAGES[page].read_text(encoding="utf-8")
    limits = Limits()
    assert f" {limits.arena_program_bytes >> 20} MB" in text
    assert f" {limits.arena_unpacked_bytes >> 20} MB" in text
    assert re.search(rf"\b{MAX_FILES} (files|arquivos)", text)
    assert f" {COMPILE_TIMEOUT_S:g} s" in text
    for language in LANGUAGES.values():
        assert language.name in text and f"`{language.ending}`" in text
        assert not language.tool or f"`{language.tool}`" in text
